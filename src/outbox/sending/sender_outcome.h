// What follows from the answers that a mail's recipients got.
#pragma once

#include "outbox/mail/mail.h"
#include "smtp/delivery.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// What to do with a mail of which nobody knows whether it arrived: the connection, or this program,
// ended after the message had left and before the answer came.
enum class UnknownPolicy {
    hold,   // Until a person says how to go on.
    retry,  // Send it again, with the same Message-ID.
};

struct OutcomeRules {
    UnknownPolicy unknown = UnknownPolicy::hold;
    // Whether the mail is too old to be tried again.
    bool too_old = false;
    std::chrono::seconds give_up_after = std::chrono::hours(72);  // For the text.
};

struct SendOutcome {
    enum class Next {
        sent,    // Each recipient is settled, and one at least has it.
        failed,  // Each is settled, and none has it.
        again,   // Some wait: later.
        held,    // Of some nobody knows.
    };
    Next next;
    // False: nobody was asked, because the transport stops or is too busy. The recipients are as
    // they were, and it is no attempt.
    bool was_tried = true;
    std::string reason = {};  // For the state entered: empty when there is nothing to say.
    std::vector<Recipient> recipients = {};
    // What happened, for the log: the first answer that explains `next`.
    int code = 0;
    std::string text = {};
};

// `delivery` has the answers to those of `recipients` that were waiting, in their order.
SendOutcome outcome_of(std::vector<Recipient> recipients, const smtp::Delivery& delivery,
                       const OutcomeRules& rules);

// The same answer for each recipient that is waiting.
smtp::Delivery same_answer(const std::vector<Recipient>& recipients, const smtp::Verdict& verdict);

// "SMTP error 550: no such user", or our own words.
std::string answer_text(int code, std::string_view text);
// "3 days", "90 minutes": in the largest unit without a remainder.
std::string duration_text(std::chrono::seconds duration);

}  // namespace mailroom::outbox
