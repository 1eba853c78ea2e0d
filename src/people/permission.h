// Whether a stream may write to somebody.
//
//   const auto known = TRY(permission.known_refusals(stream, addresses));   // a first look
//   …
//   const auto sure = permission.require(together, stream, addresses);      // together: "I write"
//   TRY(schedule.commit(together));
//   if (sure == Sure::by_another_look) … TRY(permission.refusals(stream, addresses)) …
//
// So nobody is written to who was suppressed, by whomever, before the decision to write was
// durable.
#pragma once

#include "base/result.h"
#include "people/stream.h"
#include "table/write_builder.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mailroom::people {

// By address as it was given: why it may not be written to ("suppressed: complaint"). The others
// may.
using Refusals = std::map<std::string, std::string, std::less<>>;

enum class Sure {
    by_condition,     // The transaction is refused as `conflict` if one of them is refused by then.
    by_another_look,  // Ask refusals() when it is durable, before what rests on it is done.
};

// Thread-safe.
class Permission {
public:
    virtual ~Permission() = default;
    // All that were refused before the call, on whatever node.
    virtual Result<Refusals> refusals(Stream stream, const std::vector<std::string>& addresses) = 0;
    // The same as far as it is known here: asks nobody about most addresses.
    virtual Result<Refusals> known_refusals(Stream stream,
                                            const std::vector<std::string>& addresses) = 0;
    // To be called when all else is in the transaction. What is no address is not looked at here.
    virtual Sure require(table::write::Transaction& transaction, Stream stream,
                         const std::vector<std::string>& addresses) = 0;
};

}  // namespace mailroom::people
