#include "engagement/webhooks/replays.h"

#include "base/log.h"
#include "program/commit.h"

#include <string>
#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

// Of a job's data; times in milliseconds.
constexpr std::string_view from_name = "From", until_name = "Until", failed_name = "OnlyFailed",
                           after_name = "After";

table::Item data_of(const Deliveries::Again& again, const std::string& after) {
    return {{from_name, to_unix_ms(again.from)},
            {until_name, to_unix_ms(again.until)},
            {failed_name, again.only_failed},
            {after_name, after}};
}

Deliveries::Again read_again(const schedule::Job& job) {
    const auto& data = job.data();
    return {.webhook = std::string(job.key()),
            .from = from_unix_ms(data.integer(from_name).value_or(0)),
            .until = from_unix_ms(data.integer(until_name).value_or(0)),
            .only_failed = data.boolean(failed_name).value_or(false)};
}

}  // namespace

Answer<> Replays::begin(const Deliveries::Again& again) {
    schedule::Transaction transaction;
    schedule_.add(transaction, {.queue = std::string(replays_queue),
                                .key = again.webhook,
                                .due = clock_.now(),
                                .data = data_of(again, "")});
    const auto begun = program::commit(schedule_, transaction);
    if (begun || begun.error().kind != Refusal::Kind::lost_race) return begun;
    return Refusal::conflict("replay_begun", "the same was asked for in this moment");
}

void Replays::run(schedule::JobInHand job) {
    const auto done = handle(*job);
    if (done) return;
    log::error("a replay could not go on now; it will be tried again",
               {{"webhook", job->key()}, {"why", done.error().message}});
}

Result<> Replays::handle(schedule::Job& job) {
    const auto again = read_again(job);
    const auto after = job.data().text(after_name).value_or("");
    const auto next = TRY(deliveries_.tell_again(again, std::string(after)));
    schedule::Transaction transaction;
    if (next) {
        job.move(transaction, {.queue = std::string(replays_queue),
                               .key = {},
                               .due = clock_.now(),
                               .data = data_of(again, *next)});
    } else {
        job.finish(transaction);
    }
    const auto committed = schedule_.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

}  // namespace mailroom::engagement::webhooks
