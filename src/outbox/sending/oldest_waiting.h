// Since when the mail waits that waits longest, without looking at all of them.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::outbox {

// Whoever sees a mail that waits though it was due notes it, and forgets it when it does not wait
// any more. What is said here may be outdated: others move mails, too. Thread-safe.
class OldestWaiting {
public:
    struct Entry {
        std::string id;
        Time since;
    };

    // Of more mails than `entries_max` the oldest are kept.
    explicit OldestWaiting(std::size_t entries_max = 200'000) : entries_max_(entries_max) {}

    void note(std::string_view id, Time since);
    void forget(std::string_view id);
    std::optional<Entry> first() const;

private:
    const std::size_t entries_max_;
    mutable std::mutex mutex_;
    std::map<std::string, Time, std::less<>> since_;
    std::set<std::pair<Time, std::string_view>> oldest_;  // The ids are those of `since_`.
};

}  // namespace mailroom::outbox
