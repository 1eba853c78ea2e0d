// Reads dates as people and programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mailroom::liquid {

// Milliseconds since 1970, or nothing when the text is no date. Understands ISO 8601
// (2026-07-05, 2026-07-05T10:30:00.000+02:00), mail dates (Sun, 5 Jul 2026 10:30:00 +0200) and the
// looser forms that V8's Date takes (July 5, 2026 10:30 pm; 7/5/2026). A time without a zone is
// UTC.
std::optional<std::int64_t> parse_date(std::string_view text);

// Whether a Date can hold it at all: 100 million days to either side of 1970.
bool is_date_in_range(double unix_ms);

}  // namespace mailroom::liquid
