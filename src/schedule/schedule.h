// Durable timers: jobs as rows of MailroomSchedule, added in the caller's own transaction.
//
//   schedule::Transaction together;
//   together.put("EmailOutbox", mail).if_absent("Id");
//   schedule.add(together, {.queue = "outbox.send", .key = id, .due = clock.now()});
//   TRY(schedule.commit(together));
//
// The rows (see position.h for the keys; on disk: never change):
//   Queue S, Position S   Data M   Attempts N   Lease S (who claimed it)
//   LeaseUntil N (ms, by the holder's clock: another one each time the claim is prolonged)
//   Interruptions N (how often in a row a claim found another that was never ended)
//   Marks SS (how far the holder of the claim has come, in the words of its queue)
//   the dead: Queue = queue "#dead", Position = when it was buried "#" key
//             Data M   Attempts N   Reason S
// Nothing is ever scanned: the due jobs of a queue are the first rows of its shards.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/sleeper.h"
#include "schedule/job.h"
#include "schedule/transaction.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::schedule {

class Core;

enum class Ownership {
    sole,  // No other process has these tables: claims of earlier ones are void at once.
    // Others may, and their jobs are looked for. Their claims hold until they have been seen
    // unchanged for as long as a lease lasts, which must be as long for all: clocks need not agree.
    shared,
};

struct ScheduleOptions {
    std::string table = "MailroomSchedule";
    Ownership ownership = Ownership::sole;
    // Waits between the tries of commit(); must outlive the schedule. None: the schedule's own.
    Sleeper* sleeper = nullptr;
    // Which nobody sets (base/steady_clock.h): how long claims last is measured with it. Must
    // outlive the schedule, its crews and their jobs. None: the clock itself.
    const Clock* steady = nullptr;
};

struct DeadJob {
    std::string queue;
    std::string place;  // Names it in revive() and discard().
    std::string key;
    table::Item data;
    std::int64_t attempts = 0;
    std::string reason;
    Time buried;
};

struct DeadPage {
    std::vector<DeadJob> jobs;        // Longest dead first.
    std::optional<std::string> next;  // `after` of the next page.
};

// Thread-safe.
class Schedule {
public:
    static table::OwnTable declared(std::string table = ScheduleOptions().table);
    // Makes the table when it is not there. All must outlive the schedule.
    static Result<std::unique_ptr<Schedule>> open(table::Store& store, const Clock& clock,
                                                  Random& random, ScheduleOptions options = {});
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    // Adds the job to the transaction. It runs only if, and as soon as, that is committed and it is
    // due.
    Position add(Transaction& transaction, NewJob job);
    // Takes away a job that nobody has claimed; the transaction is a `conflict` otherwise, or if it
    // is not there any more.
    void cancel(Transaction& transaction, const Position& position);

    // Whether the job waits or is in somebody's hands.
    Result<bool> has(const Position& position);

    // When the job of a queue that is due first is, or was; none if there is none, claimed or not.
    Result<std::optional<Time>> first_due(std::string_view queue);

    // Writes it all, durably, and wakes whoever waits for the jobs it added. Refusals are the
    // store's; `conflict` when a condition failed or a job is not held any more. What the store
    // refuses only for now (a conflict between transactions, too much load) is tried up to eight
    // times with a growing, random pause of less than four seconds in all.
    table::Outcome<> commit(const Transaction& transaction);
    // The same without waiting for the disk, where the tables are this process's own. `then` is
    // told once, on a thread of the store's or before the call returns: it must be quick and must
    // not ask the store. What is refused only for now is not tried again.
    using Then = Job::Then;
    void commit(Transaction transaction, Then then);

    // How the claims of this process begin, and of no other.
    const std::string& node() const;

    Result<DeadPage> dead(std::string_view queue, std::size_t limit,
                          const std::optional<std::string>& after);
    // Due at once, as if it were new. `not_found` if it is not among the dead.
    Result<> revive(std::string_view queue, std::string_view place);
    Result<> discard(std::string_view queue, std::string_view place);

private:
    friend class Crew;
    explicit Schedule(std::unique_ptr<Core> core);
    std::unique_ptr<Core> core_;
};

}  // namespace mailroom::schedule
