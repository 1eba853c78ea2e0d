// What a mail does in a pause, and what becomes of it at the end.
#include "base/log.h"
#include "outbox/accept/outbox.h"
#include "outbox/sending/pauses.h"
#include "schedule/crew.h"

#include <algorithm>
#include <atomic>

namespace mailroom::outbox {

namespace {

constexpr std::size_t in_hand_max = 512;  // So that many share a commit.
// Of a job that waits: whichever node ends the pause must find it due, whatever its clock says.
constexpr Time always_due{};
// Of the data of a job that waits: since when, Unix milliseconds.
constexpr std::string_view paused_at_name = "PausedAt";

// Back to where it came from, as much later as it waited.
schedule::Transaction move_back(schedule::Job& job, Mail mail, Ledger& ledger, Time now) {
    schedule::Transaction together;
    if (mail.state != State::ready || mail.job != job.position()) {
        job.finish(together);  // Somebody else saw to it.
        return together;
    }
    const auto paused_ms = job.data().integer(paused_at_name).value_or(to_unix_ms(now));
    const auto waited = std::max(now - from_unix_ms(paused_ms), Time::duration(0));
    Change change;
    change.first_due = mail.first_due + waited;
    change.job = job.move(
        together, {.queue = std::string(send_queue(mail.stream)), .key = mail.id, .due = now});
    ledger.change(together, mail, change);
    return together;
}

}  // namespace

// In a queue that nobody looks at.
schedule::Transaction wait_for_end(const Pause& pause, schedule::Job& job, Mail& mail,
                                   Ledger& ledger, Time now) {
    schedule::Transaction together;
    Pauses::require(together, pause.scope);
    auto position = job.move(together, {.queue = pause.scope.queue(),
                                        .key = mail.id,
                                        .due = always_due,
                                        .data = {{paused_at_name, to_unix_ms(now)}}});
    ledger.change(together, mail, {.job = std::move(position)});
    return together;
}

std::size_t Pauses::release(const Pause& pause, Ledger& ledger, schedule::Schedule& schedule) {
    std::atomic<std::size_t> failures = 0;
    const auto told = [&failures](const table::Outcome<>& committed) {
        if (!committed && Error(committed.error()).code != Errc::conflict) ++failures;
    };
    schedule::Crew crew(
        schedule, clock_, {.queues = {pause.scope.queue()}, .threads = 0, .jobs_max = in_hand_max},
        [&](const schedule::JobInHand& job) {
            auto found = ledger.find(std::string(job->key()));
            if (!found) {
                ++failures;
                return;
            }
            schedule::Transaction together;
            if (*found) {
                together = move_back(*job, **std::move(found), ledger, clock_.now());
            } else {
                job->finish(together);
            }
            job->commit(std::move(together), nullptr, told);
        });
    const auto moved = crew.run_due();
    // The row stays until all are moved: the next round goes on. That nothing was moved says
    // little: another node may hold what is there, and the store may not have answered.
    if (failures > 0 || moved > 0) return moved;
    const auto waiting = schedule.first_due(pause.scope.queue());
    if (!waiting || *waiting) return moved;
    const auto erased = store_.erase(
        table::write::Erase(table_name, {{"Part", "now"}, {"Name", pause.scope.text()}})
            .when("State", "resuming")
            .when("Since", to_unix_ms(pause.since)));
    if (erased) log::info("a pause is over", {{"scope", pause.scope.text()}});
    return moved;
}

Result<std::size_t> Pauses::release(Ledger& ledger, schedule::Schedule& schedule) {
    TRY(refresh());
    std::size_t moved = 0;
    bool any = false;
    for (const auto& pause : now()) {
        if (!pause.is_resuming) continue;
        moved += release(pause, ledger, schedule);
        any = true;
    }
    if (any) TRY(refresh());
    return moved;
}

}  // namespace mailroom::outbox
