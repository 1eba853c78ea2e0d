// Whether a mail may go to somebody.
//
//   const auto known = TRY(permission.known_refusals(kind, addresses));   // a first look
//   …
//   const auto sure = permission.require(together, kind, addresses);      // together: "I write"
//   TRY(schedule.commit(together));
//   if (sure == Sure::by_another_look) … TRY(permission.refusals(kind, addresses)) …
//
// So nobody is written to who did not want it, whoever knew that, before the decision to write was
// durable.
#pragma once

#include "base/result.h"
#include "people/mail_kind.h"
#include "table/write_builder.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// By address as it was given: why it may not be written to. The others may.
//   refusal := "unsubscribed" [": " why] | "suppressed" [": " why] | "topic " id [": " why]
//            | a sentence about what is no address
using Refusals = std::map<std::string, std::string, std::less<>>;

// What such a refusal is called where only a word fits: "unsubscribed", "suppressed", "topic", or
// "address". Of a bulk mail to somebody who is both, the first of these.
std::string_view word_of(std::string_view refusal);

enum class Sure {
    by_condition,     // The transaction is refused as `conflict` if one of them is refused by then.
    by_another_look,  // Ask refusals() when it is durable, before what rests on it is done.
};

// Thread-safe.
class Permission {
public:
    virtual ~Permission() = default;
    // All that were refused before the call, on whatever node.
    virtual Result<Refusals> refusals(const MailKind& kind,
                                      const std::vector<std::string>& addresses) = 0;
    // The same as far as it is known here: asks nobody about most addresses.
    virtual Result<Refusals> known_refusals(const MailKind& kind,
                                            const std::vector<std::string>& addresses) = 0;
    // To be called when all else is in the transaction. What is no address is not looked at here.
    virtual Sure require(table::write::Transaction& transaction, const MailKind& kind,
                         const std::vector<std::string>& addresses) = 0;
};

}  // namespace mailroom::people
