// Who hears of each event in the transaction that puts it: what a witness adds is written with the
// event, or neither is.
#pragma once

#include "base/result.h"
#include "engagement/events/happening.h"
#include "schedule/transaction.h"

#include <string>

namespace mailroom::engagement {

struct FollowedMail;

// An event that is about to be durable. `email` is canonical.
struct Event {
    const Happening& happening;
    const std::string& email;
    std::string partition, sort;  // The key of its row; of one that was sent, of its SENT row.
    bool is_unique = false;       // The first of its type by this person for this mail.
    // What is kept of its mail; none if nothing is. Lives as long as the event.
    const FollowedMail* mail = nullptr;
};

// Thread-safe.
class Witness {
public:
    virtual ~Witness() = default;
    // Adds at most `witness_items_max` writes. Called again, with a new transaction, if that one
    // lost a race. What fails keeps the event from being noted.
    static constexpr std::size_t witness_items_max = 20;
    virtual Result<> add_to(schedule::Transaction& transaction, const Event& event) = 0;
};

}  // namespace mailroom::engagement
