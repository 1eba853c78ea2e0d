#include "http/login_watch.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace mailroom::http {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t addresses_max = 4096;
constexpr auto remembered = std::chrono::minutes(10);
constexpr auto line_interval = std::chrono::seconds(10);
constexpr std::uint64_t free_failures = 2;
constexpr milliseconds first_delay = milliseconds(200);
constexpr milliseconds delay_max = std::chrono::seconds(5);
constexpr std::string_view key_mark = "mr_";
constexpr std::size_t shown_chars = 7;

milliseconds delay_after(std::uint64_t failures) {
    if (failures <= free_failures) return milliseconds(0);
    auto delay = first_delay;
    for (auto i = free_failures + 1; i < failures && delay < delay_max; ++i) delay *= 2;
    return std::min(delay, delay_max);
}

}  // namespace

std::string_view name_of(Door door) {
    switch (door) {
        case Door::http:
            return "http";
        case Door::dynamodb:
            return "dynamodb";
        case Door::smtp:
            break;
    }
    return "smtp";
}

std::string shown_key(std::string_view key_text) {
    if (!key_text.starts_with(key_mark) || key_text.size() < 2 * shown_chars) return "";
    return std::string(key_text.substr(0, shown_chars)) + "…";
}

LoginWatch::Address& LoginWatch::entry(const std::string& address, Time now) {
    const auto found = addresses_.find(address);
    if (found != addresses_.end()) return found->second;
    if (addresses_.size() >= addresses_max) {
        std::erase_if(addresses_,
                      [now](const auto& one) { return one.second.last + remembered <= now; });
    }
    return addresses_.size() >= addresses_max ? others_ : addresses_[address];
}

milliseconds LoginWatch::failed(Door door, const std::string& address, std::string_view key,
                                std::string_view why) {
    failures_[static_cast<std::size_t>(door)].fetch_add(1, std::memory_order_relaxed);
    const auto now = clock_.now();
    std::uint64_t failures = 0, untold = 0;
    bool is_told = false;
    {
        const std::lock_guard lock(mutex_);
        auto& one = entry(address, now);
        if (one.last + remembered <= now) one = {};
        one.last = now;
        failures = ++one.failures;
        // Further ahead than it is ever put: the clock was set back.
        is_told = now >= one.next_line || one.next_line - now > line_interval;
        if (is_told) {
            untold = std::exchange(one.untold, 0);
            one.next_line = now + line_interval;
        } else {
            ++one.untold;
        }
    }
    if (is_told) {
        log::warn("a login failed", {{"door", name_of(door)},
                                     {"peer", address},
                                     {"key", key},
                                     {"why", why},
                                     {"more", untold}});
    }
    return delay_after(failures);
}

}  // namespace mailroom::http
