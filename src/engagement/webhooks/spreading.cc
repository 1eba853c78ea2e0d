#include "engagement/webhooks/spreading.h"

#include "base/log.h"
#include "engagement/events/rows.h"

#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

// Of a job's data. On disk: never change.
constexpr std::string_view id_name = "Id", type_name = "Type", at_name = "At",
                           partition_name = "Partition", sort_name = "Sort",
                           webhooks_name = "Webhooks";

std::string text_in(const schedule::Job& job, std::string_view name) {
    return std::string(job.data().text(name).value_or(""));
}

}  // namespace

void add_spreading(schedule::Schedule& schedule, schedule::Transaction& transaction, Time now,
                   const Event& event, const std::vector<std::string>& webhooks) {
    const auto& happening = event.happening;
    const std::vector<table::Value> ids(webhooks.begin(), webhooks.end());
    schedule.add(transaction, {.queue = std::string(spreading_queue),
                               .key = rows::digest_of(happening.id),
                               .due = now,
                               .data = {{id_name, happening.id},
                                        {type_name, name_of(happening.type)},
                                        {at_name, to_unix_ms(happening.at)},
                                        {partition_name, event.partition},
                                        {sort_name, event.sort},
                                        {webhooks_name, table::Value::list(ids)}}});
}

void Spreading::run(schedule::JobInHand job) {
    const auto done = handle(*job);
    if (done) return;
    log::error("webhooks could not be told of an event yet; it will be tried again",
               {{"event", job->key()}, {"why", done.error().message}});
}

Result<> Spreading::handle(schedule::Job& job) {
    const auto type = named<EventType>(text_in(job, type_name));
    const auto webhooks = job.data().find(webhooks_name);
    if (type && webhooks && webhooks->kind() == table::Kind::list) {
        const Deliveries::Told told{.event_id = text_in(job, id_name),
                                    .type = *type,
                                    .at = from_unix_ms(job.data().integer(at_name).value_or(0)),
                                    .partition = text_in(job, partition_name),
                                    .sort = text_in(job, sort_name)};
        const auto& table = *type == EventType::sent ? tables_.audience : tables_.events;
        for (const auto webhook : webhooks->list()) {
            if (webhook.kind() != table::Kind::string) continue;
            schedule::Transaction transaction;
            // Whose event was deleted is forgotten.
            transaction.check(table, rows::key(told.partition, told.sort))
                .if_present(rows::partition_key);
            deliveries_.add_once_to(transaction, std::string(webhook.text()), told);
            TRY(commit(transaction));
        }
    }
    schedule::Transaction transaction;
    job.finish(transaction);
    return commit(transaction);
}

// A conflict: that was done before, by this one or another.
Result<> Spreading::commit(const schedule::Transaction& transaction) {
    const auto committed = schedule_.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

}  // namespace mailroom::engagement::webhooks
