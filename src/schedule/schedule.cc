#include "schedule/schedule.h"

#include "schedule/core.h"
#include "schedule/places.h"
#include "schedule/rows.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"
#include "table/write_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::schedule {

namespace {

constexpr std::size_t dead_page_jobs_max = 1000;

DeadJob dead_job(std::string_view queue, const table::Item& item, Row row) {
    return {.queue = std::string(queue),
            .place = row.position.place,
            .key = std::string(row.position.key()),
            .data = std::move(row.data),
            .attempts = row.attempts,
            .reason = std::string(item.text(attribute::reason).value_or("")),
            .buried = row.position.due()};
}

Error no_such_dead_job() { return {Errc::not_found, "no such job among the dead"}; }

}  // namespace

Schedule::Schedule(std::unique_ptr<Core> core) : core_(std::move(core)) {}

Schedule::~Schedule() = default;

table::OwnTable Schedule::declared(std::string table) {
    return table::own_table(std::move(table), {{attribute::queue, table::Kind::string},
                                               {attribute::position, table::Kind::string}});
}

Result<std::unique_ptr<Schedule>> Schedule::open(table::Store& store, const Clock& clock,
                                                 Random& random, ScheduleOptions options) {
    TRY(table::ensure_table(store, declared(options.table)));
    auto core = std::make_unique<Core>(store, clock, random, std::move(options));
    return std::unique_ptr<Schedule>(new Schedule(std::move(core)));
}

Position Schedule::add(Transaction& transaction, NewJob job) {
    return core_->add(transaction, job, 0);
}

void Schedule::cancel(Transaction& transaction, const Position& position) {
    transaction.erase(core_->table(), key_item(position))
        .if_present(attribute::queue)
        .if_absent(attribute::lease);
}

Result<bool> Schedule::has(const Position& position) {
    table::GetItem get;
    get.table = core_->table();
    get.key = key_item(position);
    get.consistent = true;
    return TRY(core_->store().get(get)).item.has_value();
}

Result<std::optional<Time>> Schedule::first_due(std::string_view queue) {
    std::optional<Time> first;
    for (std::size_t shard = 0; shard < shards; ++shard) {
        const auto page =
            TRY(core_->store().query(table::from(core_->table())
                                         .partition(attribute::queue, partition_name(queue, shard))
                                         .limit(1)
                                         .consistent()));
        for (const auto& item : page.items) {
            const auto due = TRY(read_row(item)).position.due();
            if (!first || due < *first) first = due;
        }
    }
    return first;
}

table::Outcome<> Schedule::commit(const Transaction& transaction) {
    return core_->commit(Transaction(transaction).seal());
}

void Schedule::commit(Transaction transaction, Then then) {
    core_->commit(std::make_shared<const SealedTransaction>(std::move(transaction).seal()),
                  std::move(then));
}

const std::string& Schedule::node() const { return core_->node(); }

Result<DeadPage> Schedule::dead(std::string_view queue, std::size_t limit,
                                const std::optional<std::string>& after) {
    auto query = table::from(core_->table());
    query.partition(attribute::queue, dead_partition_name(queue))
        .limit(static_cast<std::int64_t>(std::clamp<std::size_t>(limit, 1, dead_page_jobs_max)))
        .consistent();
    if (after) {
        if (!is_place(*after)) return Error{Errc::invalid, "not a place among the dead jobs"};
        query.above(attribute::position, *after);
    }
    const auto page = TRY(core_->store().query(query));
    DeadPage dead;
    for (const auto& item : page.items) {
        dead.jobs.push_back(dead_job(queue, item, TRY(read_row(item))));
    }
    if (page.last_key && !dead.jobs.empty()) dead.next = dead.jobs.back().place;
    return dead;
}

Result<> Schedule::revive(std::string_view queue, std::string_view place) {
    const Position grave{dead_partition_name(queue), std::string(place)};
    if (!is_place(place) || !is_queue_name(queue)) return no_such_dead_job();
    table::GetItem get;
    get.table = core_->table();
    get.key = key_item(grave);
    get.consistent = true;
    const auto found = TRY(core_->store().get(get));
    if (!found.item) return no_such_dead_job();
    auto row = TRY(read_row(*found.item));

    Transaction together;
    together.erase(core_->table(), key_item(grave)).if_present(attribute::queue);
    core_->add(together,
               {.queue = std::string(queue),
                .key = std::string(row.position.key()),
                .due = core_->clock().now(),
                .data = std::move(row.data)},
               0);
    TRY(core_->commit(std::move(together).seal()));
    return Ok{};
}

Result<> Schedule::discard(std::string_view queue, std::string_view place) {
    const Position grave{dead_partition_name(queue), std::string(place)};
    if (!is_place(place) || !is_queue_name(queue)) return no_such_dead_job();
    const auto erased = core_->store().erase(
        table::write::Erase(core_->table(), key_item(grave)).if_present(attribute::queue));
    if (erased) return Ok{};
    if (erased.error().fault == table::Fault::conditional_check_failed) return no_such_dead_job();
    return erased.error();
}

}  // namespace mailroom::schedule
