// The program behind a mail, which is asked again before the mail leaves.
#pragma once

#include "base/result.h"
#include "outbox/mail/mail.h"
#include "schedule/transaction.h"

#include <optional>
#include <string>

namespace mailroom::outbox {

// A mail that a program added with a SendKey rests on what the program knew then: that a bill was
// open, say. It may leave much later, and by other ways than its program's: after a relay was down,
// because a person sent it again, or because another program moved its row. Whatever the way, its
// guard is asked right before. Thread-safe.
class Guard {
public:
    virtual ~Guard() = default;
    // Why the mail may not leave any more: it then fails for good, with this as its reason. None if
    // it may, or is no mail of the guard's. What the answer rests on may be added to `leaving` as
    // conditions: it is the transaction without which nothing leaves. After a failure the mail is
    // left for later.
    virtual Result<std::optional<std::string>> refusal(const Mail& mail,
                                                       schedule::Transaction& leaving) = 0;
    // When the mail may leave at the earliest, if that is not now: it then waits, and all is asked
    // again. Asked of mails that may leave.
    virtual Result<std::optional<Time>> not_before(const Mail&) { return std::optional<Time>(); }
    // Where people decide so about the mail ("POST /v1/…"), if that is not for whoever may send
    // mail.
    enum class Decision { send_again, cancel };
    virtual Result<std::optional<std::string>> decided_at(const Mail& mail, Decision decision) = 0;
};

// Whether it may have been added with a SendKey, as its id tells: nobody is asked about the others.
bool may_have_guard(const Mail& mail);

}  // namespace mailroom::outbox
