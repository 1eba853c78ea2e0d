// How somebody goes through a sequence. It does nothing itself: it says what is to be done next,
// from what is known, and whoever asked does that and asks again.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "campaigns/sequences/local_clock.h"
#include "campaigns/sequences/plan.h"
#include "people/activity.h"
#include "people/profile.h"
#include "table/value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace mailroom::campaigns {

// Where somebody is in a sequence.
struct Standing {
    std::string at;             // The path of the step; empty: all steps are done.
    Time began = {};            // The sequence.
    Time arrived = {};          // At that step.
    std::int64_t failures = 0;  // Of that step, so far.
    // Of the repeat that the step is, or is in: how many rounds have begun, the moment of the
    // first, the periods since then, and when the next one is due while that is waited for.
    std::int64_t round = 0, periods = 0;
    std::optional<Time> first_round, due;

    static Standing at_the_beginning(const Plan& plan, Time now);
    bool operator==(const Standing&) const = default;

    static constexpr std::string_view record_name = "SequenceStanding";
    static constexpr auto fields =
        std::tuple{table::must_have("at", &Standing::at),
                   table::must_have("began", &Standing::began),
                   table::must_have("arrived", &Standing::arrived),
                   table::kept_if_any("failures", &Standing::failures),
                   table::kept_if_any("round", &Standing::round),
                   table::kept_if_any("periods", &Standing::periods),
                   table::kept_if_any("first_round", &Standing::first_round),
                   table::kept_if_any("due", &Standing::due)};
};

// Somebody's way through one version of a sequence.
struct Journey {
    std::string execution;  // One of its own.
    std::int64_t version = 0;
    std::string address;  // In canonical form.
    table::Value data;    // {"subscriber": {"email", "firstName", "attributes"}} as they came.
};

// Of the person, now.
struct Known {
    Time now = {};
    std::optional<people::Profile> profile;
    people::Activity activity;  // Where the plan asks for deeds.
    LocalClock clock;
    std::map<std::string, bool, std::less<>> was_sent;  // By the key of a template.
    // When mails were sent to them, of as many days as the cap counts; oldest first.
    std::optional<std::vector<Time>> mails;
};

// What is to be done. The standing that comes with it is the one after that: it is kept together
// with what was done.
struct SendMail {
    std::string at;  // The step.
    std::size_t variant = 0;
    std::string template_key, subject;
    std::string send_key;  // The same for the same mail, however often it is tried.
};
struct Sleep {
    enum class Why { wait, window, cap, round, retry };
    Time until = {};   // Then ask again.
    Time target = {};  // What is waited for, as it looks now: it may move.
    Why why = Why::wait;
};
struct LookUp {
    enum class What { was_sent, mails };
    What what = What::was_sent;
    std::string template_key;  // Of was_sent.
    Time since = {};           // Of mails.
};
struct Finish {
    enum class Ending { completed, ended, goal, replied, timed_out, failed };
    Ending ending = Ending::completed;
    std::string reason;
};
constexpr auto names_of(Finish::Ending) {
    using enum Finish::Ending;
    return std::array{Name{completed, "completed"}, Name{ended, "ended"},
                      Name{goal, "goal"},           Name{replied, "replied"},
                      Name{timed_out, "timed_out"}, Name{failed, "failed"}};
}
constexpr auto names_of(Sleep::Why) {
    using enum Sleep::Why;
    return std::array{Name{wait, "wait"}, Name{window, "window"}, Name{cap, "cap"},
                      Name{round, "round"}, Name{retry, "retry"}};
}

// A step that was passed without anything to do.
struct Passed {
    std::string at, what;  // "true", "branch pro", "skipped: cap"
};

struct Progress {
    Standing standing;
    std::variant<SendMail, Sleep, LookUp, Finish> todo;
    std::vector<Passed> passed = {};
};

// The same for the same.
Progress next(const Plan& plan, const Journey& journey, const Standing& standing,
              const Known& known);

// After the mail could not be handed over, from the standing before it: again after one, two and
// four minutes, then it has failed.
Progress after_failure(Standing standing, Time now, std::string_view reason);

// Why somebody may not enter: the sentence; or nothing.
std::optional<std::string> entry_refusal(const Definition& definition,
                                         const std::optional<people::Profile>& profile,
                                         std::string_view address);

}  // namespace mailroom::campaigns
