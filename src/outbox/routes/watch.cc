#include "outbox/routes/watch.h"

#include "base/log.h"

#include <algorithm>

namespace mailroom::outbox {

void OutboxWatch::sample() {
    const auto counts = ledger_.counts();
    if (!counts) return log::warn("mails were not counted", {{"reason", counts.error().message}});
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    // A clock that was set back would make nonsense of the differences.
    if (!samples_.empty() && samples_.back().at > now) samples_.clear();
    samples_.push_back({now, *counts});
    // The first is the last one that is at least a window old.
    while (samples_.size() > 2 && now - samples_[1].at >= window) samples_.pop_front();
}

Counts OutboxWatch::counts() const {
    const std::lock_guard lock(mutex_);
    return samples_.empty() ? Counts() : samples_.back().counts;
}

OutboxWatch::Rates OutboxWatch::rates() const {
    const std::lock_guard lock(mutex_);
    if (samples_.size() < 2) return {};
    const auto& first = samples_.front();
    const auto& last = samples_.back();
    const auto seconds = std::chrono::duration<double>(last.at - first.at).count();
    if (seconds <= 0) return {};
    const auto rate = [&](std::int64_t Counts::*total) {
        const auto difference = last.counts.*total - first.counts.*total;
        return static_cast<double>(std::max<std::int64_t>(0, difference)) / seconds;
    };
    return {rate(&Counts::accepted_total), rate(&Counts::sent_total), rate(&Counts::failed_total)};
}

}  // namespace mailroom::outbox
