// How definitions of sequences write times of the day, days, and lengths of time. All of them are
// those of the clock and the calendar that hang where the person is.
#pragma once

#include "base/names.h"
#include "people/segments/moment.h"
#include "table/records/form.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::campaigns {

constexpr int day_minutes = 24 * 60;

// "09:30"
struct TimeOfDay {
    int minute = 0;  // Of the day.

    static constexpr std::string_view wanted = "must be a time of day such as 09:30";
    static std::optional<TimeOfDay> parse(std::string_view text);
    std::string text() const;
    bool operator==(const TimeOfDay&) const = default;
};

// "09:00-17:00"; it may go over midnight. From its first minute until before its last.
struct DayHours {
    TimeOfDay from, until;

    bool cover(int minute) const {
        if (from.minute <= until.minute) return minute >= from.minute && minute < until.minute;
        return minute >= from.minute || minute < until.minute;
    }
    static constexpr std::string_view wanted = "must be hours such as 20:00-08:00";
    static std::optional<DayHours> parse(std::string_view text);
    std::string text() const;
    bool operator==(const DayHours&) const = default;
};

// "2026-12-24"
struct CalendarDay {
    std::int64_t days = 0;  // Since 1970-01-01.

    static constexpr std::string_view wanted = "must be a day such as 2026-12-24";
    static std::optional<CalendarDay> parse(std::string_view text);
    std::string text() const;
    bool operator==(const CalendarDay&) const = default;
};

// "2 weeks". More than nothing, and at most ten years.
struct Period {
    std::int64_t amount = 1;
    people::Unit unit = people::Unit::day;

    static constexpr std::string_view wanted = "must be a length of time such as 2 weeks";
    static std::optional<Period> parse(std::string_view text);
    std::string text() const;
    bool operator==(const Period&) const = default;
};

// "5 days before", "1 hour after"
struct Offset {
    Period period;
    bool is_before = false;

    static constexpr std::string_view wanted = "must be an offset such as 5 days before";
    static std::optional<Offset> parse(std::string_view text);
    std::string text() const;
    bool operator==(const Offset&) const = default;
};

enum class Weekday { sun, mon, tue, wed, thu, fri, sat };  // 0 is Sunday.
constexpr auto names_of(Weekday) {
    using enum Weekday;
    return std::array{Name{sun, "sun"}, Name{mon, "mon"}, Name{tue, "tue"}, Name{wed, "wed"},
                      Name{thu, "thu"}, Name{fri, "fri"}, Name{sat, "sat"}};
}

// A value that is one word or a few of them.
template <class V>
concept Worded = requires(const V& value, std::string_view text) {
    { V::parse(text) } -> std::same_as<std::optional<V>>;
    { value.text() } -> std::same_as<std::string>;
    { V::wanted } -> std::convertible_to<std::string_view>;
};

}  // namespace mailroom::campaigns

namespace mailroom::table {

template <campaigns::Worded V>
struct Form<V> {
    static std::string wanted() { return std::string(V::wanted); }
    static void show(json::Writer& writer, const V& value) { writer.text(value.text()); }
    static void read(const json::View& view, V& to, Reading& reading) {
        const bool is_text = view.type() == json::View::Type::text;
        const auto value = is_text ? V::parse(view.text()) : std::nullopt;
        if (value) to = *value;
        if (!value) reading.wrong(wanted());
    }
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").text("string").key("description").text(V::wanted);
    }
};

}  // namespace mailroom::table
