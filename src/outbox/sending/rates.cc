#include "outbox/sending/rates.h"

#include <algorithm>
#include <cassert>

namespace mailroom::outbox {
namespace {

using std::chrono::nanoseconds;

// So much may leave ahead of its turn, so that mails that come a moment too early need not be put
// off, which costs a write each.
constexpr nanoseconds ahead_max = std::chrono::milliseconds(100);
// The slowest rate that is told apart from standing still.
constexpr nanoseconds interval_max = std::chrono::hours(24);
constexpr nanoseconds return_min = std::chrono::milliseconds(5);
constexpr nanoseconds return_max = std::chrono::seconds(5);
// Looking for idle domains is worth while from so many on.
constexpr std::size_t forget_from = 1024;

nanoseconds interval_of(double per_second) {
    if (per_second <= 0) return nanoseconds(0);
    const double interval_ns = 1e9 / per_second;
    return interval_ns >= static_cast<double>(interval_max.count())
               ? interval_max
               : nanoseconds(static_cast<std::int64_t>(interval_ns));
}

}  // namespace

Rates::Rates(const Clock& clock, RateLimits limits)
    : clock_(clock), limits_(limits), forget_at_(forget_from) {
    assert(limits.per_second >= 0 && limits.per_domain_per_second >= 0);
}

Rates::Moment Rates::Turns::take(Moment now, nanoseconds interval) {
    const auto turn = std::max(now, next);
    next = turn + interval;
    return turn;
}

Rates::Moment Rates::time() {
    const Moment now = clock_.now();
    if (const auto back = latest_ - now; back > nanoseconds(0)) {
        all_.next -= back;
        for (auto& [name, domain] : domains_) {
            domain.turns.next -= back;
            domain.returns.next -= back;
            if (domain.last_leave != Moment{}) domain.last_leave -= back;
        }
    }
    return latest_ = now;
}

std::optional<Time> Rates::enter(std::span<const std::string> domains, bool reserved) {
    const std::lock_guard lock(mutex_);
    return take_turns(domains, reserved, time());
}

std::optional<Time> Rates::take_turns(std::span<const std::string> domains, bool reserved,
                                      Moment now) {
    Moment turn = now;
    // Each limit counts the mail now, even if another one puts it off for long: otherwise one slow
    // domain would hold up the turns of all others.
    if (!reserved && limits_.per_second > 0) {
        turn = std::max(turn, all_.take(now, interval_of(limits_.per_second)) - ahead_max);
    }
    if (!reserved && limits_.per_domain_per_second > 0) {
        const auto interval = interval_of(limits_.per_domain_per_second);
        for (const auto& name : domains) {
            turn = std::max(turn, domains_[name].turns.take(now, interval) - ahead_max);
        }
    }
    if (const auto free = busy_until(domains, now)) turn = std::max(turn, *free);
    if (turn <= now && limits_.per_domain_at_once > 0) {
        for (const auto& name : domains) ++domains_[name].in_hand;
    }
    if (domains_.size() >= forget_at_) forget_idle(now);
    if (turn <= now) return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(turn);
}

bool Rates::is_free(std::span<const std::string> domains, Moment now) {
    if (limits_.per_second > 0 && all_.next - ahead_max > now) return false;
    return std::ranges::all_of(domains, [&](const auto& name) {
        const auto found = domains_.find(name);
        if (found == domains_.end()) return true;
        const auto& domain = found->second;
        const bool is_in_turn =
            limits_.per_domain_per_second <= 0 || domain.turns.next - ahead_max <= now;
        return is_in_turn &&
               (limits_.per_domain_at_once == 0 || domain.in_hand < limits_.per_domain_at_once);
    });
}

bool Rates::enter_at_once(std::span<const std::string> domains) {
    const std::lock_guard lock(mutex_);
    const auto now = time();
    return is_free(domains, now) && !take_turns(domains, false, now);
}

std::optional<Rates::Moment> Rates::busy_until(std::span<const std::string> domains, Moment now) {
    if (limits_.per_domain_at_once == 0) return std::nullopt;
    std::optional<Moment> latest;
    for (const auto& name : domains) {
        auto& domain = domains_[name];
        if (domain.in_hand < limits_.per_domain_at_once) continue;
        // Twice as fast as places get free, because others may take them first.
        const auto pause = std::clamp(domain.between_leaves / 2, return_min, return_max);
        const auto turn = domain.returns.take(now, pause) + pause;
        latest = std::max(latest.value_or(turn), turn);
    }
    return latest;
}

void Rates::leave(std::span<const std::string> domains) {
    if (limits_.per_domain_at_once == 0) return;
    const std::lock_guard lock(mutex_);
    const auto now = time();
    for (const auto& name : domains) {
        auto& domain = domains_[name];
        assert(domain.in_hand > 0);
        --domain.in_hand;
        if (domain.last_leave != Moment{}) {
            // A moving average over about eight mails.
            domain.between_leaves += (now - domain.last_leave - domain.between_leaves) / 8;
        }
        domain.last_leave = now;
    }
}

std::size_t Rates::domains() const {
    const std::lock_guard lock(mutex_);
    return domains_.size();
}

// Done when the number has doubled, so that it costs each mail next to nothing.
void Rates::forget_idle(Moment now) {
    std::erase_if(domains_, [now](const auto& entry) {
        const auto& domain = entry.second;
        return domain.in_hand == 0 && domain.turns.next <= now && domain.returns.next <= now;
    });
    forget_at_ = std::max(forget_from, 2 * domains_.size());
}

}  // namespace mailroom::outbox
