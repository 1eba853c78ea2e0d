// The time, as the program is told it. Nothing outside base/ reads the system's clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace mailroom {

// Milliseconds since 1970-01-01T00:00:00Z.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

inline std::int64_t to_unix_ms(Time time) { return time.time_since_epoch().count(); }
inline std::int64_t to_unix_seconds(Time time) {
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}
inline Time from_unix_ms(std::int64_t ms) { return Time(std::chrono::milliseconds(ms)); }

// Thread-safe.
class Clock {
public:
    virtual ~Clock() = default;
    virtual Time now() const = 0;
};

class SystemClock final : public Clock {
public:
    Time now() const override;
};

// Stands still until it is told to move. For tests.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Time start) : now_ms_(to_unix_ms(start)) {}
    Time now() const override { return from_unix_ms(now_ms_.load()); }
    void advance(std::chrono::milliseconds by) { now_ms_ += by.count(); }
    void set(Time time) { now_ms_ = to_unix_ms(time); }

private:
    std::atomic<std::int64_t> now_ms_;
};

}  // namespace mailroom
