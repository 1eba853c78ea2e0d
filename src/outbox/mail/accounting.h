// Whoever keeps account of what became of mails. When a mail is settled that it wants to hear of,
// a job of its queue is added to the transaction that settles it, whoever does that: see
// followers.h, which also says what the job holds (read_settled(); it has neither key nor data).
#pragma once

#include "outbox/mail/mail.h"

#include <string_view>
#include <vector>

namespace mailroom::outbox {

inline constexpr std::string_view fates_queue = "engagement.fates";

// Thread-safe.
class Accounting {
public:
    virtual ~Accounting() = default;
    // Whether it is to be told that the mail becomes `to`, with these recipients. Asked for every
    // mail that is settled: quick, and asks no store.
    virtual bool wants(const Mail& mail, const std::vector<Recipient>& recipients, State to) = 0;
};

}  // namespace mailroom::outbox
