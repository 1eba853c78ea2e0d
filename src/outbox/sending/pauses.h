// Parts of the outbox that wait because a person said so: all of it, a stream, or the mails to a
// domain.
//
//   MailroomOutboxPauses   Part S, Name S
//     "now", scope         State S ("paused", "resuming")   Since N (ms)   By S   Reason S
//     "past", time "#" …   What S ("paused", "resumed")   Scope S   At N (ms)   By S   Reason S
//                          TTL N (Unix seconds)
//
// Mails are accepted while it lasts. One that is due and covered waits: its job is moved to a queue
// that nobody looks at, with the condition that the pause still holds, so that none is left there.
// When it ends ("resuming") they are moved back, and how long they waited is not counted towards
// when they are given up; then the row goes. What is on its way arrives.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "outbox/mail/ledger.h"
#include "outbox/mail/mail.h"
#include "schedule/schedule.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct PauseScope {
    enum class Kind { all, stream, domain };
    Kind kind = Kind::all;
    Stream stream = Stream::transactional;
    std::string domain = {};  // ASCII, lower case.

    static constexpr std::string_view wanted =
        "all, stream:transactional, stream:bulk or domain:EXAMPLE.ORG";
    // "all", "stream:bulk", "domain:example.org". `invalid` otherwise.
    static Result<PauseScope> parse(std::string_view text);
    std::string text() const;
    bool covers(const Mail& mail) const;  // As long as it has recipients that wait.
    std::string queue() const;            // Of the jobs that wait for its end.
    bool operator==(const PauseScope&) const = default;
};
std::string_view name_of(PauseScope::Kind kind);

struct Pause {
    PauseScope scope;
    bool is_resuming = false;
    Time since;
    std::string by, reason;
};

struct PauseEvent {
    std::string what, scope;  // "paused" or "resumed".
    Time at;
    std::string by, reason;
};

// Thread-safe; several nodes share the table, and each knows of the others' pauses after refresh().
class Pauses {
public:
    static constexpr const char* table_name = "MailroomOutboxPauses";

    static table::OwnTable declared();
    // Makes the table when it is not there. Both must outlive the result.
    static Result<std::unique_ptr<Pauses>> open(table::Store& store, const Clock& clock,
                                                Random& random);

    // Durable when it returns. `conflict` if it is paused already.
    Result<Pause> pause(const PauseScope& scope, std::string_view by, std::string_view reason);
    // It goes on. `not_found` if it is not paused.
    Result<Pause> resume(const PauseScope& scope, std::string_view by, std::string_view reason);
    // Reads what other nodes may have changed: to be called about every second.
    Result<> refresh();
    std::vector<Pause> now() const;                           // By scope.
    Result<std::vector<PauseEvent>> past(std::size_t limit);  // The last first.

    // The pause that a mail must wait for. Quick when there is none.
    std::optional<Pause> covering(const Mail& mail) const;
    // The transaction is a `conflict` if it does not hold any more.
    static void require(table::write::Transaction& transaction, const PauseScope& scope);

    // Moves what waited for pauses that are over back to where it came from; how many mails.
    Result<std::size_t> release(Ledger& ledger, schedule::Schedule& schedule);

    // Whether a mail waits for the end of a pause.
    static bool waits(const Mail& mail);

private:
    Pauses(table::Store& store, const Clock& clock, Random& random)
        : store_(store), clock_(clock), random_(random) {}
    Result<std::vector<Pause>> read();
    void note(table::write::Transaction& transaction, std::string_view what, const Pause& pause);
    Result<> commit(const table::write::Transaction& transaction);
    std::size_t release(const Pause& pause, Ledger& ledger, schedule::Schedule& schedule);

    table::Store& store_;
    const Clock& clock_;
    Random& random_;
    std::atomic<bool> any_ = false;
    mutable std::mutex mutex_;
    std::vector<Pause> pauses_;
};

// What makes a mail wait, and its job: refused as `conflict` if the pause is over.
schedule::Transaction wait_for_end(const Pause& pause, schedule::Job& job, Mail& mail,
                                   Ledger& ledger, Time now);

}  // namespace mailroom::outbox
