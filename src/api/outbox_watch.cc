#include "api/outbox_watch.h"

#include "base/log.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace mailroom::api {

namespace {

using outbox::State;

std::int64_t sum(const outbox::Counts& counts, std::initializer_list<State> states) {
    std::int64_t total = 0;
    for (const auto state : states) total += counts.by_state[static_cast<std::size_t>(state)];
    return total;
}

}  // namespace

std::int64_t accepted_total(const outbox::Counts& counts) {
    return std::accumulate(counts.by_state.begin(), counts.by_state.end(), std::int64_t{0});
}

std::int64_t sent_total(const outbox::Counts& counts) {
    return sum(counts, {State::sent, State::calling_sent_callback, State::sent_acknowledged});
}

std::int64_t failed_total(const outbox::Counts& counts) {
    return sum(counts, {State::failed, State::calling_failed_callback, State::failed_acknowledged,
                        State::invalid});
}

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

outbox::Counts OutboxWatch::counts() const {
    const std::lock_guard lock(mutex_);
    return samples_.empty() ? outbox::Counts() : samples_.back().counts;
}

OutboxWatch::Rates OutboxWatch::rates() const {
    const std::lock_guard lock(mutex_);
    if (samples_.size() < 2) return {};
    const auto& first = samples_.front();
    const auto& last = samples_.back();
    const auto seconds = std::chrono::duration<double>(last.at - first.at).count();
    if (seconds <= 0) return {};
    const auto rate = [&](std::int64_t (*total)(const outbox::Counts&)) {
        // A retry takes a mail back out of those that failed.
        const auto difference = std::max<std::int64_t>(0, total(last.counts) - total(first.counts));
        return static_cast<double>(difference) / seconds;
    };
    return {rate(accepted_total), rate(sent_total), rate(failed_total)};
}

}  // namespace mailroom::api
