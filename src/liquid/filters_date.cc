// date and the date_to_... filters.
#include "liquid/coerce.h"
#include "liquid/date_format.h"
#include "liquid/date_parse.h"
#include "liquid/evaluator.h"
#include "liquid/filter.h"
#include "liquid/number_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mailroom::liquid {

namespace {

constexpr std::string_view default_format = "%A, %B %-e, %Y at %-l:%M %P %z";

bool is_all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int64_t> from_seconds(double seconds) {
    const double ms = seconds * 1000;
    if (std::isnan(ms) || !is_date_in_range(ms)) return std::nullopt;
    return static_cast<std::int64_t>(ms);
}

// The moment that a value stands for: a text, `now`, or seconds since 1970.
std::optional<std::int64_t> moment_of(FilterCall& call, const Value& value) {
    if (value.is_number()) return from_seconds(to_number(value, call.budget()));
    if (value.is(Kind::boolean)) return value.truth() ? 1 : 0;
    if (!value.is(Kind::text)) return std::nullopt;
    const auto text = value.text();
    if (text == "now" || text == "today") {
        return to_unix_ms(call.evaluator.options().clock.now());
    }
    return is_all_digits(text) ? from_seconds(parse_number(text)) : parse_date(text);
}

// +hh:mm or -hh:mm, in seconds.
std::optional<std::int32_t> fixed_offset(std::string_view zone) {
    const bool has_form = zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') &&
                          zone[3] == ':' && is_all_digits(zone.substr(1, 2)) &&
                          is_all_digits(zone.substr(4, 2));
    if (!has_form) return std::nullopt;
    const auto two_digits = [&](std::size_t at) {
        return (zone[at] - '0') * 10 + (zone[at + 1] - '0');
    };
    const int seconds = two_digits(1) * 3600 + two_digits(4) * 60;
    return zone[0] == '-' ? -seconds : seconds;
}

bool place_in_zone(FilterCall& call, std::string_view zone, ZonedTime& time) {
    time.zone_name = zone;
    if (zone == "UTC" || zone == "Etc/UTC" || zone == "GMT") return true;
    if (const auto offset = fixed_offset(zone)) {
        time.offset_seconds = *offset;
        return true;
    }
    const auto* zones = call.evaluator.options().time_zones;
    const auto found =
        zones ? zones->find(zone) : Result<const TimeZone*>(Error{Errc::not_found, "no zones"});
    if (!found) {
        call.fail("unknown time zone " + std::string(zone));
        return false;
    }
    const auto seconds = time.unix_ms / 1000 - (time.unix_ms % 1000 < 0 ? 1 : 0);
    time.offset_seconds = (*found)->offset_at(seconds);
    return true;
}

// In minutes west of UTC, as JavaScript counts them.
void place_at_offset(double minutes_west, ZonedTime& time) {
    if (!std::isfinite(minutes_west)) return;
    constexpr double day_minutes = 24 * 60;
    const double minutes = std::clamp(-minutes_west, -day_minutes, day_minutes);
    time.offset_seconds = static_cast<std::int32_t>(minutes * 60);
}

// Nothing when the input is no date, and after a failure.
std::optional<ZonedTime> zoned_input(FilterCall& call, const Value& zone) {
    const auto moment = moment_of(call, call.input);
    if (!moment) return std::nullopt;
    ZonedTime time;
    time.unix_ms = *moment;
    if (zone.is_number()) {
        place_at_offset(to_number(zone, call.budget()), time);
        return time;
    }
    const auto name = zone.is(Kind::text) ? zone.text() : call.evaluator.options().time_zone;
    return place_in_zone(call, name, time) ? std::optional(time) : std::nullopt;
}

Value formatted(FilterCall& call, const std::optional<ZonedTime>& time, std::string_view format) {
    if (!time) return call.input;
    std::string made;
    append_date(made, *time, format, call.budget());
    return call.keep(made);
}

Value date(FilterCall& call) {
    const auto format = call.argument(0);
    return formatted(call, zoned_input(call, call.argument(1)),
                     format.is_nil() ? default_format : call.text(format));
}

Value date_to_xmlschema(FilterCall& call) {
    return formatted(call, zoned_input(call, {}), "%Y-%m-%dT%H:%M:%S%:z");
}

Value date_to_rfc822(FilterCall& call) {
    return formatted(call, zoned_input(call, {}), "%a, %d %b %Y %H:%M:%S %z");
}

Value written_date(FilterCall& call, std::string_view plain, std::string_view ordinal,
                   std::string_view american) {
    const bool is_ordinal = call.argument(0).is(Kind::text) && call.argument(0).text() == "ordinal";
    const bool is_american = call.argument(1).is(Kind::text) && call.argument(1).text() == "US";
    const auto format = !is_ordinal ? plain : is_american ? american : ordinal;
    return formatted(call, zoned_input(call, {}), format);
}

Value date_to_string(FilterCall& call) {
    return written_date(call, "%d %b %Y", "%-d%q %b %Y", "%b %-d%q, %Y");
}

Value date_to_long_string(FilterCall& call) {
    return written_date(call, "%d %B %Y", "%-d%q %B %Y", "%B %-d%q, %Y");
}

constexpr FilterEntry date_entries[] = {
    {"date", date},
    {"date_to_long_string", date_to_long_string},
    {"date_to_rfc822", date_to_rfc822},
    {"date_to_string", date_to_string},
    {"date_to_xmlschema", date_to_xmlschema},
};

}  // namespace

std::span<const FilterEntry> date_filters() { return date_entries; }

}  // namespace mailroom::liquid
