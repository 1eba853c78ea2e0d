#include "outbox/sending/oldest_waiting.h"

#include <iterator>

namespace mailroom::outbox {

void OldestWaiting::note(std::string_view id, Time since) {
    const std::lock_guard lock(mutex_);
    if (const auto known = since_.find(id); known != since_.end()) {
        if (known->second == since) return;
        oldest_.erase({known->second, known->first});
        known->second = since;
        oldest_.emplace(since, known->first);
        return;
    }
    if (since_.size() >= entries_max_) {
        const auto youngest = std::prev(oldest_.end());
        if (youngest->first <= since) return;
        const auto gone = since_.find(youngest->second);
        oldest_.erase(youngest);
        since_.erase(gone);
    }
    const auto added = since_.emplace(id, since).first;
    oldest_.emplace(since, added->first);
}

void OldestWaiting::forget(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto known = since_.find(id);
    if (known == since_.end()) return;
    oldest_.erase({known->second, known->first});
    since_.erase(known);
}

std::optional<OldestWaiting::Entry> OldestWaiting::first() const {
    const std::lock_guard lock(mutex_);
    if (oldest_.empty()) return std::nullopt;
    return Entry{std::string(oldest_.begin()->second), oldest_.begin()->first};
}

}  // namespace mailroom::outbox
