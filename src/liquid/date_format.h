// Writes dates in the manner of strftime, without the C library's locales.
#pragma once

#include "liquid/arena.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::liquid {

struct ZonedTime {
    std::int64_t unix_ms = 0;
    std::int32_t offset_seconds = 0;  // East of UTC.
    std::string_view zone_name;       // Empty when the zone is only an offset.
};

// %[flags][width]conversion, with the flags - _ 0 ^ # : and the conversions
// a A b B c C d e h H I j k l L m M n N p P q s S t u U w W x X y Y z Z %.
// Anything else is copied as it stands.
void append_date(std::string& out, const ZonedTime& time, std::string_view format, Budget& budget);

}  // namespace mailroom::liquid
