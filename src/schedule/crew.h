// Runs the due jobs of some queues.
//
//   Crew senders(schedule, clock, {.queues = {"outbox.send.transactional", "outbox.send.bulk"}},
//                [&](JobInHand job) { sender.run(std::move(job)); });
//   senders.start();
#pragma once

#include "base/clock.h"
#include "schedule/job.h"
#include "schedule/schedule.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mailroom::schedule {

struct CrewOptions {
    // The most urgent first: a later one gets its turn when nothing of those before it is due.
    std::vector<std::string> queues;
    // Handlers run on these; they may block. With 0 nothing runs but in run_due().
    std::size_t threads = 4;
    // Jobs in hand at once, those that wait for an answer from outside included.
    std::size_t jobs_max = 64;
    // How long a claim holds without being prolonged. Shorter means sooner help after a crash of
    // another node, and more writes for jobs that take long.
    std::chrono::milliseconds lease = std::chrono::seconds(60);
    // A job that was claimed so often and never ended is buried.
    std::int64_t attempts_max = 50;
    // With a shared store: how often to look for jobs that others added.
    std::chrono::milliseconds poll = std::chrono::seconds(1);
};

// Thread-safe.
class Crew {
public:
    // Takes the job; must see to its end, now or later, from any thread. An exception is logged and
    // leaves the job to be found again.
    using Handler = std::function<void(JobInHand)>;

    // The schedule and the clock must outlive the crew, and so must what the handler uses.
    Crew(Schedule& schedule, const Clock& clock, CrewOptions options, Handler handler);
    ~Crew();  // As stop(0).
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    void start();
    // Takes no new job, and returns when none is in hand any more or `grace` is over; the number
    // that still are. Later calls do nothing.
    std::size_t stop(std::chrono::milliseconds grace);

    // Adds a job to the transaction that is in hand from the start: claimed, and handed out to
    // nobody. Commit with Job::commit(). It does not wait for one of jobs_max. None if this crew
    // takes no new jobs, or has that one.
    JobInHand add_in_hand(Transaction& transaction, NewJob job);

    // Runs `work` on one of the threads (in run_due() without any), before further jobs: for what
    // follows an answer from outside, whose thread must not block. Still runs after stop() began.
    void post(std::function<void()> work);

    // Something from outside that is being waited for: run_due() and the end of the crew wait until
    // it has gone. Thread-safe.
    class Awaited {
    public:
        virtual ~Awaited() = default;
        // As Crew::post(), once.
        virtual void post(std::function<void()> work) = 0;
    };
    // Shared because callbacks must be copyable.
    std::shared_ptr<Awaited> await();

    // For tests and simulation, without threads: runs what is posted or due now on this thread
    // until there is nothing left, and returns how many jobs it handed out.
    std::size_t run_due();
    // The same for simulation, where answers from outside come later, on this thread: what is
    // awaited is not waited for.
    std::size_t run_ready();

    std::size_t in_hand() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::schedule
