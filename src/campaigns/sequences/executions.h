// Who is in which sequence: people enter, are paused, go on and leave.
//
// Somebody is in a sequence once. Both rows that other programs know are written and erased in one
// transaction, on condition that they are as they were read: of two who bring somebody in at once
// the later one replaces the first, and of two who take them out one does it.
#pragma once

#include "campaigns/books.h"
#include "campaigns/sequences/execution_rows.h"
#include "campaigns/sequences/sequences.h"
#include "campaigns/sequences/subscriber.h"
#include "people/people.h"
#include "program/actor.h"
#include "schedule/job.h"
#include "table/records/cursor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::campaigns {

// Queue of the jobs that take people on: one for each who is inside and not paused.
inline constexpr std::string_view sequence_queue = "campaigns.sequences";

// Thread-safe.
class Executions {
public:
    // All must outlive this object.
    Executions(const Books& books, const Sequences& sequences, people::People& people)
        : books_(books),
          sequences_(sequences),
          people_(people),
          rows_(books.rows<Execution>()),
          past_(books.rows<PastExecution>()) {}

    // The profile takes what they come with, also if they may not enter. Who is inside begins anew.
    // A `conflict` for whom nothing may be sent.
    Answer<Execution> enter(const std::string& sequence, const Subscriber& subscriber) const;
    // Whoever brought them in. `not_found` if they are not inside.
    Answer<> stop(const std::string& sequence, std::string_view email, const std::string& reason,
                  const program::Actor& who) const;
    // Of ours: a `conflict` for whom another program takes through it. Time goes on meanwhile.
    Answer<Execution> pause(const std::string& sequence, std::string_view email) const;
    Answer<Execution> resume(const std::string& sequence, std::string_view email) const;

    Answer<SomebodyInside> require(const std::string& sequence, std::string_view email) const;
    Result<table::Slice<SomebodyInside>> inside(const std::string& sequence,
                                                const table::PageWish& wish) const;
    // Newest first.
    Answer<table::Slice<PastExecution>> past(std::string_view email,
                                             const table::PageWish& wish) const;

    // For whoever takes people on.
    Result<std::optional<Execution>> find(std::string_view address,
                                          std::string_view sequence) const;
    // All sequences that we take somebody through.
    Result<std::vector<Execution>> all_of(std::string_view address) const;
    void forget(schedule::Transaction& together, const Execution& execution) const {
        rows_.erase(together, execution);
    }
    // Whether the row that other programs know still names it: it may have been stopped elsewhere.
    Result<bool> is_known_to_others(const Execution& execution) const;
    void save(schedule::Transaction& together, Execution& execution) const {
        rows_.save(together, execution);
    }
    // With a job of its own, in place of the one it has: that ends when it is due.
    void save_with_job(schedule::Transaction& together, Execution& execution, Time due) const;
    // On condition that it is still the one inside.
    void rest_on(schedule::Transaction& together, const Execution& execution) const;
    // All rows of it go, and what became of it is kept.
    Result<> add_end(schedule::Transaction& together, const Execution& execution,
                     std::string_view ending, std::string_view reason, std::string_view by) const;

private:
    struct Seen;
    Result<Seen> look(const std::string& address, const std::string& sequence) const;
    Answer<Execution> enter_once(const std::string& id, const Subscriber& subscriber,
                                 const std::string& address) const;
    Answer<> check_entry(const Definition& definition, const std::string& address) const;
    Answer<> stop_once(const std::string& address, const std::string& sequence,
                       const std::string& reason, const program::Actor& who) const;
    void replace(schedule::Transaction& together, const Seen& seen,
                 const Execution& execution) const;
    void erase(schedule::Transaction& together, const Seen& seen) const;
    void keep_past(schedule::Transaction& together, const PastExecution& past) const;
    Answer<Execution> change(const std::string& sequence, std::string_view email,
                             Execution::State state) const;

    const Books& books_;
    const Sequences& sequences_;
    people::People& people_;
    const table::Rows<Execution> rows_;
    const table::Rows<PastExecution> past_;
};

}  // namespace mailroom::campaigns
