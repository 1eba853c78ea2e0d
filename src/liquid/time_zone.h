// Time zones, read from the system's zone database.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

// When a zone changes its clocks, from some year on and for ever. The form is that of the POSIX TZ
// variable, for example CET-1CEST,M3.5.0,M10.5.0/3.
class ZoneRule {
public:
    static std::optional<ZoneRule> parse(std::string_view text);

    std::int32_t offset_at(std::int64_t unix_seconds) const;  // Seconds east of UTC.

private:
    struct Change {
        enum class Form { month_week_day, julian, zero_based } form = Form::month_week_day;
        int month = 0, week = 0, day = 0;
        std::int32_t seconds = 7200;  // After local midnight.
    };
    friend class RuleReader;
    static std::int64_t local_start(const Change& change, std::int64_t year);

    std::int32_t standard_offset_ = 0;
    std::int32_t summer_offset_ = 0;
    bool has_summer_ = false;
    Change begin_, end_;
};

// Immutable.
class TimeZone {
public:
    // `bytes` is a TZif file (RFC 8536). `corrupt` for anything else.
    static Result<TimeZone> parse(std::string_view bytes);

    std::int32_t offset_at(std::int64_t unix_seconds) const;  // Seconds east of UTC.

private:
    std::vector<std::int64_t> changes_;  // Sorted.
    std::vector<std::int32_t> offsets_;  // From each change on.
    std::int32_t first_offset_ = 0;      // Before the first change.
    std::optional<ZoneRule> rule_;       // After the last.
};

// The zones of one directory, each read once, on first use. Thread-safe.
class TimeZones {
public:
    explicit TimeZones(std::string directory = "/usr/share/zoneinfo");

    // By a name such as Europe/Berlin; valid as long as this object. `invalid` for what cannot be a
    // zone name, so that no name leads out of the directory; `not_found`; `corrupt`.
    Result<const TimeZone*> find(std::string_view name) const;

private:
    const std::string directory_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::unique_ptr<const TimeZone>, std::less<>> zones_;
};

}  // namespace mailroom::liquid
