// Why nobody is reminded of an invoice for a while, though it may be overdue.
#pragma once

#include "base/clock.h"
#include "program/forms.h"
#include "reminders/fields.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace mailroom::reminders {

enum class HoldKind {
    paused,    // A person wants it so.
    disputed,  // The customer says that it is wrong.
};
constexpr auto names_of(HoldKind) {
    return std::array{Name{HoldKind::paused, "paused"}, Name{HoldKind::disputed, "disputed"}};
}

// Nobody keeps quiet for longer by mistake: a year that was mistyped is refused.
inline constexpr int silence_days_max = 366;
inline constexpr std::size_t hold_reason_bytes_max = 500;

struct Hold {
    HoldKind kind = HoldKind::paused;
    std::optional<Time> until;  // None: until a person ends it.
    std::string reason, by;
    Time since;

    bool holds(Time now) const { return !until || now < *until; }

    static constexpr std::string_view record_name = "Hold";
    static constexpr auto fields = std::tuple{
        must_have("kind", &Hold::kind),
        spelled<table::DayOrTime>(kept("until", &Hold::until, "Null: until somebody ends it.")),
        kept("reason", &Hold::reason), kept("by", &Hold::by), kept("since", &Hold::since)};
    bool operator==(const Hold&) const = default;
};

// What a person asks for.
struct HoldWish {
    HoldKind kind = HoldKind::paused;
    std::optional<Time> until = std::nullopt;
    std::string reason;

    static constexpr auto fields =
        std::tuple{required("kind", &HoldWish::kind),
                   spelled<table::DayOrTime>(asked("until", &HoldWish::until,
                                                   "Until somebody ends it, if it is not said.")),
                   required("reason", &HoldWish::reason, "For people and the audit.")};
};
struct Promise {
    Time until;
    std::string note;

    static constexpr auto fields = std::tuple{
        spelled<table::DayOrTime>(required("until", &Promise::until, "A day counts to its end.")),
        asked("note", &Promise::note, "What was said, for the audit.")};
};

}  // namespace mailroom::reminders
