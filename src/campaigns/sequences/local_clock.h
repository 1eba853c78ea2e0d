// The clock that hangs where a person is, and the hours of it at which a mail may leave.
#pragma once

#include "base/clock.h"
#include "campaigns/sequences/times.h"
#include "liquid/time_zone.h"
#include "table/records/record.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// What a clock on the wall shows.
struct WallTime {
    std::int64_t day = 0;          // Since 1970-01-01.
    std::int64_t millisecond = 0;  // Of that day.

    int minute() const { return static_cast<int>(millisecond / 60'000); }
    Weekday weekday() const;
    bool operator==(const WallTime&) const = default;
};

// Immutable. The zone must outlive it; none is UTC.
class LocalClock {
public:
    explicit LocalClock(const liquid::TimeZone* zone = nullptr) : zone_(zone) {}

    WallTime at(Time time) const;
    // The first moment at which it shows that. If its hands leap over it, the moment of the leap.
    Time when(const WallTime& wall) const;
    // All of them: one; none, if its hands leap over it; or two, when they are put back.
    std::vector<Time> each_time(const WallTime& wall) const;
    // The first moment of `now` or later at which it shows that time of day.
    Time next(TimeOfDay time_of_day, Time now) const;
    // Days, weeks, months and years leave the time of day as it is; a month after the 31st of
    // January is the last of February. Hours and minutes are those that pass.
    Time moved(Time time, const Offset& offset) const;

private:
    std::int64_t offset_ms(std::int64_t unix_ms) const;

    const liquid::TimeZone* zone_;
};

// When mails may leave. All that is said must be so.
struct SendingWindow {
    std::vector<Weekday> days;        // None: each.
    std::optional<DayHours> between;  // None: the whole day.
    std::optional<DayHours> quiet;    // Not then.

    static constexpr std::string_view record_name = "SequenceWindow";
    static constexpr auto fields = std::tuple{
        table::shown_or_omitted("days", &SendingWindow::days, "mon, tue, …; none: each day."),
        table::shown_or_omitted("between", &SendingWindow::between, "Hours: 09:00-17:00."),
        table::shown_or_omitted("quiet", &SendingWindow::quiet, "No mail then: 20:00-08:00.")};

    bool is_open(const WallTime& wall) const;
    // `now`, or the first moment after it at which it is open.
    Time opens(Time now, const LocalClock& clock) const;
    // Minutes of a day on which it is open.
    int minutes_open() const;
    bool operator==(const SendingWindow&) const = default;
};

}  // namespace mailroom::campaigns
