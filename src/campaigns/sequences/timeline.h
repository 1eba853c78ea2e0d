// What would happen to somebody in a sequence, told in advance. Nothing is read or written.
#pragma once

#include "base/clock.h"
#include "campaigns/sequences/machine.h"
#include "campaigns/sequences/plan.h"
#include "campaigns/sequences/subscriber.h"
#include "liquid/time_zone.h"
#include "table/records/record.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

struct TimelineLine {
    Time time = {};
    std::string local;  // What the clock shows where the person is: "Thu 2026-01-01 09:00".
    std::string step, id, what, detail;
    std::optional<Time> until;
    std::string template_key, subject;

    static constexpr std::string_view record_name = "SequenceTimelineLine";
    static constexpr auto fields = std::tuple{
        table::shown("time", &TimelineLine::time),
        table::shown("local", &TimelineLine::local, "Where the person is."),
        table::shown_or_omitted("step", &TimelineLine::step, "Its path."),
        table::shown_or_omitted("id", &TimelineLine::id, "Of the step, if it has one."),
        table::shown("what", &TimelineLine::what, "enter, send, wait, step, event or end."),
        table::shown_or_omitted("detail", &TimelineLine::detail),
        table::shown_or_omitted("until", &TimelineLine::until, "Of a wait."),
        table::shown_or_omitted("templateKey", &TimelineLine::template_key, "Of a mail."),
        table::shown_or_omitted("subject", &TimelineLine::subject, "As the sequence has it.")};
};

struct Timeline {
    std::vector<TimelineLine> lines;
    bool is_whole = true;

    static constexpr std::string_view record_name = "SequenceTimeline";
    static constexpr auto fields =
        std::tuple{table::shown("timeline", &Timeline::lines),
                   table::shown("whole", &Timeline::is_whole,
                                "Whether it is all: a timeline shows 500 lines at most.")};
};

// An event of the person's that is yet to come.
struct FutureEvent {
    Time time = {};
    std::string detail_type;
    table::Value detail = table::Value::map(table::Item());
};

struct SentMail {
    Time time = {};
    std::string template_key;
};

struct Outlook {
    Time begin = {};
    Subscriber subscriber;
    std::optional<table::Item> profile;  // As it is before they enter.
    people::Activity activity;
    std::vector<SentMail> sent;
    std::vector<FutureEvent> events;  // In any order.
};

inline constexpr std::size_t timeline_lines_max = 500;

// Mails count as sent when they are due. `corrupt` if the profile is none.
Result<Timeline> foretell(const Plan& plan, const Outlook& outlook, const liquid::TimeZones& zones);

// The zone of the person, or that of the sequence's, or UTC.
LocalClock clock_of(const std::optional<people::Profile>& profile, const Definition& definition,
                    const liquid::TimeZones& zones);

}  // namespace mailroom::campaigns
