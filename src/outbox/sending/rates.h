// How fast mail may leave: in all, and to one domain.
#pragma once

#include "base/clock.h"

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace mailroom::outbox {

struct RateLimits {
    double per_second = 0;               // In all; 0: no limit.
    double per_domain_per_second = 0;    // 0: no limit.
    std::size_t per_domain_at_once = 0;  // Mails in hand; 0: no limit.
};

// Keeps what it knows in memory, and forgets a domain when nothing of it is left to know.
// Thread-safe.
class Rates {
public:
    // The clock must outlive this object. No limit is negative.
    Rates(const Clock& clock, RateLimits limits);

    // A place for one mail to these domains, each named once. None: it may leave now, and leave()
    // must follow for the same domains. Otherwise the time that was set aside for it: come again
    // then with `reserved`, and it will be let through unless too many are in hand.
    std::optional<Time> enter(std::span<const std::string> domains, bool reserved);
    // The same for who would not wait: false if there is no place now, and nothing is set aside.
    bool enter_at_once(std::span<const std::string> domains);
    void leave(std::span<const std::string> domains);

    // Of how many domains something is known.
    std::size_t domains() const;

private:
    using Moment = std::chrono::sys_time<std::chrono::nanoseconds>;

    // Virtual scheduling: every mail takes the next turn, whether it leaves then or not.
    struct Turns {
        Moment next{};
        // When the next turn is, `interval` after the last; it is taken.
        Moment take(Moment now, std::chrono::nanoseconds interval);
    };

    struct Domain {
        Turns turns;
        std::size_t in_hand = 0;
        // For those turned away because too many are in hand: they come back about as fast as
        // places get free.
        Turns returns;
        Moment last_leave{};
        std::chrono::nanoseconds between_leaves = std::chrono::seconds(1);
    };

    // The time, with the lock held. A clock that was set back takes the turns along: they are
    // pauses between mails, whatever day it is.
    Moment time();
    std::optional<Time> take_turns(std::span<const std::string> domains, bool reserved, Moment now);
    bool is_free(std::span<const std::string> domains, Moment now);
    // When one that does not fit now may come back.
    std::optional<Moment> busy_until(std::span<const std::string> domains, Moment now);
    void forget_idle(Moment now);

    const Clock& clock_;
    const RateLimits limits_;
    mutable std::mutex mutex_;
    Moment latest_{};
    Turns all_;
    std::unordered_map<std::string, Domain> domains_;
    std::size_t forget_at_;
};

}  // namespace mailroom::outbox
