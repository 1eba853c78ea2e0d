#include "engagement/bounces/faults.h"

#include "base/log.h"
#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <utility>

namespace mailroom::engagement::bounces {

namespace {

using namespace std::chrono_literals;

constexpr auto window = 1h;
constexpr auto kept_for = 24h;
constexpr std::size_t past_max = 200;  // Far more pauses than anybody makes within an hour.
constexpr std::size_t hour_chars = std::string_view("2026-01-15T10").size();
constexpr std::string_view at_name = "At", why_name = "Why", stream_name = "Stream";

std::string partition_of(outbox::Stream stream, Time hour) {
    return "FAULTS#" + std::string(people::name_of(stream)) + "#" +
           format_rfc3339(hour).substr(0, hour_chars);
}

outbox::PauseScope scope_of(outbox::Stream stream) {
    return {.kind = outbox::PauseScope::Kind::stream, .stream = stream, .domain = {}};
}

}  // namespace

void Faults::add_to(schedule::Transaction& transaction, outbox::Stream stream,
                    std::string_view mail, const Happening& bounce) const {
    const auto now = clock_.now();
    if (mails_max_ == 0 || bounce.at <= now - window) return;
    auto row = rows::key(partition_of(stream, bounce.at), mail);
    row.set(at_name, table::Value(to_unix_ms(bounce.at)));
    row.set(why_name, table::Value(bounce.bounce ? bounce.bounce->diagnostic : ""));
    row.set(rows::expiry, table::Value(to_unix_seconds(now + kept_for)));
    transaction.put(table_, std::move(row));
    schedule_.add(transaction, {.queue = std::string(faults_queue),
                                .key = rows::digest_of(bounce.id),
                                .due = now,
                                .data = {{stream_name, people::name_of(stream)}}});
}

void Faults::run(schedule::JobInHand job) {
    const auto done = settle(*job);
    // The job is found again after a pause.
    if (!done) log::error("faults of ours were not counted yet", {{"why", done.error().message}});
}

Result<> Faults::settle(schedule::Job& job) {
    TRY(count(job));
    schedule::Transaction transaction;
    job.finish(transaction);
    TRY(schedule_.commit(transaction));
    return Ok{};
}

Result<> Faults::count(const schedule::Job& job) {
    const auto stream = people::stream_named(job.data().text(stream_name).value_or(""));
    if (!stream || mails_max_ == 0) return Ok{};
    const auto scope = scope_of(*stream);
    const auto after = std::max(clock_.now() - window, TRY(resumed(scope)));
    const auto found = TRY(find(*stream, after));
    if (found.mails < mails_max_) return Ok{};
    const auto reason = std::to_string(found.mails) +
                        " mails within an hour were refused because of us, one with: " + found.why;
    const auto paused = pauses_.pause(scope, "engagement", reason);
    if (!paused && paused.error().code == Errc::conflict) return Ok{};  // It is paused already.
    if (!paused) return paused.error();
    ++pauses_made_;
    log::error("a stream is paused until somebody resumes it",
               {{"stream", people::name_of(*stream)}, {"why", reason}});
    return Ok{};
}

Result<Faults::Found> Faults::find(outbox::Stream stream, Time after) const {
    Found found;
    for (const auto hour : {clock_.now() - window, clock_.now()}) {
        const table::Query all = table::from(table_)
                                     .partition(rows::partition_key, partition_of(stream, hour))
                                     .consistent();
        for (const auto& row : TRY(table::query_all(store_, all))) {
            if (row.integer(at_name).value_or(0) <= to_unix_ms(after)) continue;
            ++found.mails;
            found.why = row.text(why_name).value_or("");
        }
    }
    return found;
}

// Somebody has looked at what happened before that.
Result<Time> Faults::resumed(const outbox::PauseScope& scope) const {
    for (const auto& event : TRY(pauses_.past(past_max))) {
        if (event.what == "resumed" && event.scope == scope.text()) return event.at;
    }
    return Time();
}

}  // namespace mailroom::engagement::bounces
