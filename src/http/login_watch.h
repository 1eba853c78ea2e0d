// Failed logins, at whatever door: in the log, counted, and slower with each.
#pragma once

#include "base/clock.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mailroom::http {

enum class Door { http, dynamodb, smtp };
inline constexpr std::array all_doors = {Door::http, Door::dynamodb, Door::smtp};
std::string_view name_of(Door door);

// As much of a key as may be shown: enough for its owner to know it, too little to use it. Empty if
// it is none of ours: it may be a password for something else.
std::string shown_key(std::string_view key_text);

// Keeps what it knows of an address for ten minutes after the last failure; of more addresses than
// it remembers all others together. Thread-safe.
class LoginWatch {
public:
    // The clock must outlive this object.
    explicit LoginWatch(const Clock& clock) : clock_(clock) {}

    // Writes it to the log: the first of an address, then one line in ten seconds with the number
    // of those between. How long an answer may be held back: the first two are a slip of the
    // finger, then longer and longer, up to five seconds. Nobody else waits for it.
    std::chrono::milliseconds failed(Door door, const std::string& address, std::string_view key,
                                     std::string_view why);

    // Since the start.
    std::uint64_t failures(Door door) const {
        return failures_[static_cast<std::size_t>(door)].load(std::memory_order_relaxed);
    }

private:
    struct Address {
        std::uint64_t failures = 0, untold = 0;
        Time last{}, next_line{};
    };

    Address& entry(const std::string& address, Time now);

    const Clock& clock_;
    std::array<std::atomic<std::uint64_t>, all_doors.size()> failures_ = {};
    std::mutex mutex_;
    std::unordered_map<std::string, Address> addresses_;
    Address others_;
};

}  // namespace mailroom::http
