#include "base/days.h"

#include "base/time_format.h"

#include <algorithm>
#include <chrono>

namespace mailroom {

namespace {

constexpr std::size_t day_chars = 10;
constexpr auto end_of_day = std::chrono::days(1) - std::chrono::milliseconds(1);

}  // namespace

Result<Time> parse_day_or_time(std::string_view text) {
    if (text.size() == day_chars) {
        const auto midnight = parse_rfc3339(std::string(text) + "T00:00:00Z");
        if (midnight) return *midnight + end_of_day;
    }
    auto time = parse_rfc3339(text);
    if (time) return time;
    return Error{Errc::invalid, "must be a date such as 2025-09-01, or a time of RFC 3339"};
}

bool is_day(std::string_view text) {
    return text.size() == day_chars && bool(parse_day_or_time(text));
}

Time first_moment(Time time) { return std::chrono::floor<std::chrono::days>(time); }

std::string format_day(Time time) { return format_rfc3339_seconds(time).substr(0, day_chars); }

std::string format_day_or_time(Time time) {
    return time == first_moment(time) + end_of_day ? format_day(time) : format_rfc3339(time);
}

std::optional<Time> parse_others_time(std::string_view text) {
    std::string candidate(text);
    if (candidate.size() == day_chars) candidate += "T00:00:00";
    if (candidate.size() > day_chars && candidate[day_chars] == ' ') candidate[day_chars] = 'T';
    for (const auto& form : {candidate, candidate + "Z"}) {
        if (const auto time = parse_rfc3339(form)) return *time;
    }
    return std::nullopt;
}

std::string stamp_of(Time time) {
    auto text = format_rfc3339_seconds(time).substr(0, 19);
    std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
    std::ranges::replace(text, 'T', '_');
    return text;
}

std::optional<Time> time_of_stamp(std::string_view text) {
    constexpr std::size_t stamp_chars = 15;
    if (text.size() <= stamp_chars || text[8] != '_' || text[stamp_chars] != '_') {
        return std::nullopt;
    }
    const auto part = [&](std::size_t from, std::size_t count) {
        return std::string(text.substr(from, count));
    };
    const auto time = parse_rfc3339(part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" +
                                    part(9, 2) + ":" + part(11, 2) + ":" + part(13, 2) + "Z");
    return time ? std::optional(*time) : std::nullopt;
}

std::int64_t whole_days(Time from, Time to) {
    return to <= from ? 0 : std::chrono::floor<std::chrono::days>(to - from).count();
}

}  // namespace mailroom
