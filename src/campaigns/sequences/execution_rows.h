// People in sequences, as the tables have them.
//
//   Audience   SUB#{address}     EXEC#{sequence}
//     executionArn S, sequenceId S, startedAt S, transactional BOOL
//   Audience   EXEC#{sequence}   SUB#{address}     email S, and the same but for sequenceId
//     as other programs know them: who is in a sequence has both, whoever put them there
//   MailroomCampaigns   INSIDE#{address}   {sequence}
//     see Execution: of those whom we take through
//   MailroomCampaigns   PAST#{address}     {time}#{sequence}#{execution}     see PastExecution
// Addresses are canonical.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "campaigns/sequences/machine.h"
#include "table/records/record.h"
#include "table/value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// What somebody came with, as it was.
struct Snapshot {
    table::Value value = table::Value::null();
};

// A mail that was given to the outbox, and is perhaps not in the account of what was sent yet.
struct GivenMail {
    std::string template_key;
    Time time = {};

    static constexpr std::string_view record_name = "GivenMail";
    static constexpr auto fields =
        std::tuple{table::must_have("template_key", &GivenMail::template_key),
                   table::must_have("time", &GivenMail::time)};
};

}  // namespace mailroom::campaigns

namespace mailroom::table {

template <>
struct Form<campaigns::Snapshot> {
    static Value store(const campaigns::Snapshot& snapshot) { return snapshot.value; }
    static std::optional<campaigns::Snapshot> load(const ValueView& value) {
        return campaigns::Snapshot{Value(value)};
    }
};

}  // namespace mailroom::table

namespace mailroom::campaigns {

struct Execution {
    enum class State { running, paused };

    std::string address, sequence, id;
    std::int64_t sequence_version = 0;
    Time started = {};
    bool transactional = false;
    State state = State::running;
    Standing standing;
    Snapshot data;
    std::vector<GivenMail> given;      // The last of them.
    std::optional<Time> until;         // What is waited for, as it looked last.
    std::optional<Time> missed_since;  // Since then other programs' row of it is not there.
    Time job_due = {};                 // Of its job: others of the same name are of no use.
    std::int64_t version = 0;

    static constexpr std::size_t given_max = 200;
    static constexpr std::string_view prefix = "INSIDE#";
    static constexpr std::string_view record_name = "SequenceExecution";
    static constexpr auto fields =
        std::tuple{table::must_have("address", &Execution::address),
                   table::must_have("sequence_id", &Execution::sequence),
                   table::must_have("execution", &Execution::id),
                   table::must_have("sequence_version", &Execution::sequence_version),
                   table::must_have("started_at", &Execution::started),
                   table::kept("transactional", &Execution::transactional),
                   table::kept("state", &Execution::state),
                   table::must_have("standing", &Execution::standing),
                   table::Member{"data", "", &Execution::data, table::Need::usual, ""},
                   table::stored_if_any("given", &Execution::given),
                   table::kept_if_any("until", &Execution::until),
                   table::stored_if_any("missed_since", &Execution::missed_since),
                   table::stored("job_due", &Execution::job_due),
                   table::stored("version", &Execution::version)};
    static void derive(const Execution& execution, table::Item& row);
    static table::Item key(std::string_view address, std::string_view sequence);
};
constexpr auto names_of(Execution::State) {
    return std::array{Name{Execution::State::running, "running"},
                      Name{Execution::State::paused, "paused"}};
}

// How somebody's way ended.
struct PastExecution {
    std::string address, sequence, id, ending, reason, at, by;
    std::int64_t sequence_version = 0;
    Time started = {}, ended = {};

    static constexpr std::string_view prefix = "PAST#";
    static constexpr std::string_view record_name = "PastSequenceExecution";
    static constexpr auto fields = std::tuple{
        table::must_have("address", "", &PastExecution::address),
        table::must_have("sequence_id", &PastExecution::sequence),
        table::must_have("execution", &PastExecution::id),
        table::kept("ending", &PastExecution::ending,
                    "completed, ended, goal, replied, timed_out, failed, stopped or replaced."),
        table::kept("reason", &PastExecution::reason),
        table::kept("step", &PastExecution::at, "Where they were."),
        table::kept_if_any("by", &PastExecution::by, "Who stopped it."),
        table::kept("sequence_version", &PastExecution::sequence_version),
        table::kept("started_at", &PastExecution::started),
        table::kept("ended_at", &PastExecution::ended)};
    static void derive(const PastExecution& past, table::Item& row);
};

// Somebody in a sequence, as whoever put them there wrote it.
struct SomebodyInside {
    std::string address, execution, started, sequence;
    bool transactional = false;
    std::string step, state;  // Of one of ours.
    std::optional<Time> until;

    static constexpr std::string_view record_name = "PersonInSequence";
    static constexpr auto fields = std::tuple{
        table::shown("email", &SomebodyInside::address),
        table::shown("execution", &SomebodyInside::execution),
        table::shown("started_at", &SomebodyInside::started),
        table::shown("transactional", &SomebodyInside::transactional),
        table::shown_or_omitted("state", &SomebodyInside::state,
                                "running or paused; of those whom another program takes through it "
                                "nothing."),
        table::shown_or_omitted("step", &SomebodyInside::step, "Where they are."),
        table::shown_or_omitted("until", &SomebodyInside::until, "What they wait for.")};
};

// The keys of the two rows that all programs know.
table::Item persons_row_key(std::string_view address, std::string_view sequence);
table::Item sequences_row_key(std::string_view address, std::string_view sequence);

}  // namespace mailroom::campaigns
