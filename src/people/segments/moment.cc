#include "people/segments/moment.h"

#include "base/days.h"
#include "base/text.h"
#include "base/time_format.h"

#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

using std::chrono::days;

constexpr auto a_day = std::chrono::milliseconds(days(1));
constexpr std::int64_t years_max = 200;
// 1973 in milliseconds, the year 5138 in seconds.
constexpr std::int64_t seconds_below = 100'000'000'000;

Time shifted_by_months(Time time, std::int64_t months) {
    const auto day = std::chrono::floor<days>(time);
    const auto time_of_day = time - day;
    const std::chrono::year_month_day date{day};
    auto moved = date + std::chrono::months(months);
    if (!moved.ok()) moved = moved.year() / moved.month() / std::chrono::last;
    return std::chrono::sys_days(moved) + time_of_day;
}

Time shifted(Time time, std::int64_t amount, Unit unit) {
    using namespace std::chrono;
    switch (unit) {
        case Unit::minute:
            return time + minutes(amount);
        case Unit::hour:
            return time + hours(amount);
        case Unit::day:
            return time + days(amount);
        case Unit::week:
            return time + weeks(amount);
        case Unit::month:
            return shifted_by_months(time, amount);
        case Unit::year:
            return shifted_by_months(time, 12 * amount);
    }
    return time;
}

Span whole_day(Time first) { return {first, first + a_day - std::chrono::milliseconds(1)}; }

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!(text = trim(text)).empty()) {
        const auto end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [read_to, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read_to != end) return std::nullopt;
    return number;
}

std::optional<Moment> parse_relative(const std::vector<std::string_view>& words) {
    const bool is_ago = words.size() == 3 && ascii_equal_ignoring_case(words[2], "ago");
    const bool is_ahead = words.size() == 4 && ascii_equal_ignoring_case(words[2], "from") &&
                          ascii_equal_ignoring_case(words[3], "now");
    if (!is_ago && !is_ahead) return std::nullopt;
    const auto amount = whole_number(words[0]);
    const auto unit = unit_named(words[1]);
    if (!amount || !unit || *amount < 0 || *amount > amount_max(*unit)) return std::nullopt;
    return is_ago ? Moment::ago(*amount, *unit) : Moment::ahead(*amount, *unit);
}

}  // namespace

std::optional<Unit> unit_named(std::string_view name) {
    auto lower = ascii_lower(name);
    if (lower.ends_with('s')) lower.pop_back();
    return named<Unit>(lower);
}

std::int64_t amount_max(Unit unit) {
    constexpr std::int64_t days_max = years_max * 366;
    switch (unit) {
        case Unit::minute:
            return days_max * 24 * 60;
        case Unit::hour:
            return days_max * 24;
        case Unit::day:
            return days_max;
        case Unit::week:
            return days_max / 7;
        case Unit::month:
            return years_max * 12;
        case Unit::year:
            return years_max;
    }
    return 0;
}

Moment Moment::ago(std::int64_t amount, Unit unit) { return ahead(-amount, unit); }
Moment Moment::ahead(std::int64_t amount, Unit unit) {
    // Now is spelled in one way only.
    return {Kind::relative, amount, amount == 0 ? Unit::day : unit, {}};
}
Moment Moment::at(Time time) { return {Kind::time, 0, Unit::day, time}; }
Moment Moment::on_day_of(Time time) { return {Kind::day, 0, Unit::day, first_moment(time)}; }

Span Moment::span(Time now) const {
    if (kind == Kind::time) return {time, time};
    if (kind == Kind::day) return whole_day(time);
    if (kind == Kind::today) return whole_day(first_moment(now));
    const auto then = shifted(now, amount, unit);
    return {then, then};
}

std::string Moment::text() const {
    if (kind == Kind::time) return format_rfc3339(time);
    if (kind == Kind::day) return format_day(time);
    if (kind == Kind::today) return "today";
    if (amount == 0) return "now";
    const auto much = amount < 0 ? -amount : amount;
    auto text = std::to_string(much) + " " + std::string(name_of(unit));
    if (much != 1) text += 's';
    return text + (amount < 0 ? " ago" : " from now");
}

std::optional<Moment> parse_moment(std::string_view text) {
    text = trim(text);
    if (ascii_equal_ignoring_case(text, "now")) return Moment();
    if (ascii_equal_ignoring_case(text, "today")) return Moment{Moment::Kind::today};
    if (is_day(text)) {
        const auto end = parse_day_or_time(text);
        return end ? std::optional(Moment::on_day_of(*end)) : std::nullopt;
    }
    // An offset may lead out of what a text can hold.
    const auto time = parse_rfc3339(text);
    if (time) {
        const auto again = parse_rfc3339(format_rfc3339(*time));
        if (!again || *again != *time) return std::nullopt;
        return Moment::at(*time);
    }
    return parse_relative(words_of(text));
}

std::optional<Time> time_in(std::string_view text) { return parse_others_time(text); }

std::optional<Time> time_in(std::int64_t number) {
    if (number < seconds_below && number > -seconds_below) {
        return Time(std::chrono::seconds(number));
    }
    return from_unix_ms(number);
}

}  // namespace mailroom::people
