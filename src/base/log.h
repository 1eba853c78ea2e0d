// What operators read: one line per event, a sentence plus named values.
//
//   log::info("committed", {{"rows", 3}, {"table", name}});
//     text   2026-11-15T05:51:24.123Z info committed rows=3 table=Audience
//     json   {"time":"2026-11-15T05:51:24.123Z","level":"info","message":"committed","rows":3,…}
//
// Line ends and control characters in messages and values are escaped, so input from outside cannot
// forge a line. Keys are names in the code, lower_case. Callers pass no key, password, token or
// mail body: there is no filter that would catch it. Thread-safe, except configure().
#pragma once

#include "base/clock.h"

#include <atomic>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace mailroom::log {

enum class Level { debug, info, warn, error, off };
enum class Format { text, json };

std::optional<Level> level_named(std::string_view name);
std::optional<Format> format_named(std::string_view name);

// Before the first call: level info, text, to standard error. Call it while there is one thread.
// `output` must stay open until the next call.
void configure(Level level, Format format, std::FILE* output = stderr);
// Whether an event of this level would be written: to skip the work of preparing one.
bool enabled(Level level);

// A borrowed value: good for the call it is passed to.
class Value {
public:
    Value(bool value) : value_(value) {}
    Value(std::signed_integral auto value) : value_(static_cast<std::int64_t>(value)) {}
    Value(std::unsigned_integral auto value) : value_(static_cast<std::uint64_t>(value)) {}
    Value(double value) : value_(value) {}
    Value(const char* value) : value_(std::string_view(value)) {}
    Value(std::string_view value) : value_(value) {}
    Value(const std::string& value) : value_(std::string_view(value)) {}

    const auto& get() const { return value_; }

private:
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view> value_;
};

struct Field {
    std::string_view key;
    Value value;
};
using Fields = std::initializer_list<Field>;

void write(Level level, std::string_view message, Fields fields = {});
inline void debug(std::string_view message, Fields fields = {}) {
    write(Level::debug, message, fields);
}
inline void info(std::string_view message, Fields fields = {}) {
    write(Level::info, message, fields);
}
inline void warn(std::string_view message, Fields fields = {}) {
    write(Level::warn, message, fields);
}
inline void error(std::string_view message, Fields fields = {}) {
    write(Level::error, message, fields);
}

// Lets an event through at most once per interval, for what can happen thousands of times a second:
//
//   if (const auto dropped = limit.pass(clock.now())) log::warn("…", {{"dropped", *dropped}});
class RateLimit {
public:
    explicit RateLimit(std::chrono::milliseconds interval) : interval_ms_(interval.count()) {}

    // None if this event is too soon after the last one passed; otherwise how many were held back
    // since then. Thread-safe.
    std::optional<std::uint64_t> pass(Time now);

private:
    const std::int64_t interval_ms_;
    std::atomic<std::int64_t> next_ms_{INT64_MIN};
    std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace mailroom::log
