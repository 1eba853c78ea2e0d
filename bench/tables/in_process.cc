#include "in_process.h"

#include "kv/rocks_store.h"
#include "table/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::bench {

namespace {

using Steady = std::chrono::steady_clock;

const std::string table_name = "Bench";

std::string customer(std::uint64_t partition) { return fmt::format("CUSTOMER#{:08}", partition); }
std::string mail(std::uint64_t sort) { return fmt::format("MAIL#{:04}", sort); }
std::string token(std::uint64_t random) {
    return fmt::format("{:016}", random % 10'000'000'000'000'000);
}

// The item of workload.cc.
table::Item mail_item(std::uint64_t partition, std::uint64_t sort, std::uint64_t random) {
    const table::Item delivery{{"relay", "mx1.example.com"}, {"tries", 1}, {"signed", true}};
    return {{"pk", customer(partition)},
            {"sk", mail(sort)},
            {"subject", "Invoice " + token(random) + " is due on Friday"},
            {"state", "queued"},
            {"opens", 0},
            {"created_at", 1'700'000'000'123},
            {"preview", "Dear customer, " + token(random) +
                            " is the reference to name when you pay. Thank you for your order and "
                            "for paying on time, Anna Smith."},
            {"delivery", table::Value::map(delivery)}};
}

table::Item hot_key() { return {{"pk", "COUNTER"}, {"sk", "HOT"}}; }

table::UpdateItem increment(table::Item key) {
    table::UpdateItem update;
    update.table = table_name;
    update.key = std::move(key);
    update.update = "SET #n = #n + :one";
    update.condition = "attribute_exists(pk)";
    update.bind = {{{"#n", "opens"}}, {{":one", 1}}};
    return update;
}

table::PutItem put_of(table::Item item) {
    table::PutItem put;
    put.table = table_name;
    put.item = std::move(item);
    return put;
}

table::CreateTable bench_table() {
    table::CreateTable create;
    create.name = table_name;
    create.attributes = {{"pk", table::Kind::string}, {"sk", table::Kind::string}};
    create.keys = {"pk", "sk"};
    return create;
}

}  // namespace

// One thread of a run.
struct InProcess::Caller {
    RandomNumbers random;
    Steady::time_point counting_from, deadline;
    LoadResult result = {};
    std::optional<Error> failed = {};
};

Result<std::unique_ptr<InProcess>> InProcess::open(const std::filesystem::path& directory,
                                                   std::uint32_t partitions) {
    std::unique_ptr<InProcess> opened(new InProcess(partitions));
    opened->disk_ = TRY(kv::open_rocks(directory, {}));
    opened->store_ = TRY(table::Engine::open(*opened->disk_, opened->clock_, opened->random_));
    TRY(opened->fill());
    return opened;
}

InProcess::~InProcess() = default;

Result<> InProcess::fill() {
    TRY(store_->create_table(bench_table()));
    RandomNumbers random(1);
    const auto items = std::uint64_t{partitions_} * items_per_partition;
    for (std::uint64_t item = 0; item < items;) {
        table::BatchWrite::PerTable puts{table_name, {}};
        for (std::uint32_t i = 0; i < items_per_batch; ++i, ++item) {
            puts.actions.emplace_back(table::BatchWrite::Put{
                mail_item(item / items_per_partition, item % items_per_partition, random.next())});
        }
        table::BatchWrite batch;
        batch.tables.push_back(std::move(puts));
        TRY(store_->batch_write(batch));
    }
    auto hot = hot_key();
    hot.set("opens", table::Value(0)).set("state", table::Value("queued"));
    TRY(store_->put(put_of(std::move(hot))));
    return Ok{};
}

Result<LoadResult> InProcess::run(Operation operation, std::size_t threads,
                                  std::chrono::nanoseconds warm_up,
                                  std::chrono::nanoseconds measured) {
    const auto counting_from = Steady::now() + warm_up;
    const auto deadline = counting_from + measured;
    std::vector<Caller> callers;
    for (std::size_t i = 0; i < threads; ++i) {
        callers.push_back({RandomNumbers(i + 1), counting_from, deadline});
    }
    {
        std::vector<std::jthread> running;
        for (auto& caller : callers) {
            running.emplace_back([this, operation, &caller] { repeat(operation, caller); });
        }
    }
    LoadResult total;
    total.measured_seconds = std::chrono::duration<double>(measured).count();
    for (const auto& caller : callers) {
        if (caller.failed) return *caller.failed;
        total.requests += caller.result.requests;
        total.latency.add_all(caller.result.latency);
    }
    return total;
}

void InProcess::repeat(Operation operation, Caller& caller) {
    for (auto started = Steady::now(); started < caller.deadline;) {
        const auto done = perform(operation, caller);
        if (!done) {
            caller.failed = done.error();
            return;
        }
        const auto now = Steady::now();
        ++caller.result.requests;
        if (now >= caller.counting_from && now < caller.deadline) {
            caller.result.latency.add(now - started);
        }
        started = now;
    }
}

Result<> InProcess::perform(Operation operation, Caller& caller) {
    switch (operation) {
        case Operation::empty:
            break;
        case Operation::get:
            return get(caller);
        case Operation::query:
            return query(caller);
        case Operation::put:
            return put(caller);
        case Operation::update:
            return update(caller);
        case Operation::hot_item:
            return count_hot_item();
        case Operation::transact:
            return transact(caller);
        case Operation::batch:
            return write_batch(caller);
    }
    return Error{Errc::invalid, "no such operation in process"};
}

Result<> InProcess::get(Caller& caller) {
    const auto random = caller.random.next();
    table::GetItem request;
    request.table = table_name;
    request.key = {{"pk", customer(random % partitions_)},
                   {"sk", mail((random >> 32) % items_per_partition)}};
    const auto answer = TRY(store_->get(request));
    if (!answer.item) return Error{Errc::not_found, "a preloaded item is missing"};
    return Ok{};
}

Result<> InProcess::query(Caller& caller) {
    table::Query request;
    request.table = table_name;
    request.key_condition = "pk = :pk";
    request.limit = items_per_partition;
    request.bind.values = {{":pk", customer(caller.random.next() % partitions_)}};
    const auto page = TRY(store_->query(request));
    if (page.items.size() == items_per_partition) return Ok{};
    return Error{Errc::not_found, "a query brought fewer than ten items"};
}

table::Item InProcess::new_item(Caller& caller) {
    return mail_item(new_partition(new_partitions_++), 0, caller.random.next());
}

Result<> InProcess::put(Caller& caller) {
    TRY(store_->put(put_of(new_item(caller))));
    return Ok{};
}

Result<> InProcess::update(Caller& caller) {
    const auto random = caller.random.next();
    TRY(store_->update(increment({{"pk", customer(random % partitions_)},
                                  {"sk", mail((random >> 32) % items_per_partition)}})));
    return Ok{};
}

Result<> InProcess::count_hot_item() {
    TRY(store_->update(increment(hot_key())));
    return Ok{};
}

Result<> InProcess::transact(Caller& caller) {
    table::TransactWrite request;
    request.actions.emplace_back(put_of(new_item(caller)));
    request.actions.emplace_back(put_of(new_item(caller)));
    TRY(store_->transact(request));
    return Ok{};
}

Result<> InProcess::write_batch(Caller& caller) {
    table::BatchWrite::PerTable puts{table_name, {}};
    for (std::uint32_t i = 0; i < items_per_batch; ++i) {
        puts.actions.emplace_back(table::BatchWrite::Put{new_item(caller)});
    }
    table::BatchWrite batch;
    batch.tables.push_back(std::move(puts));
    const auto answer = TRY(store_->batch_write(batch));
    if (answer.unprocessed.tables.empty()) return Ok{};
    return Error{Errc::throttled, "a batch was not written whole"};
}

Result<std::uint64_t> InProcess::hot_item_count() {
    table::GetItem request;
    request.table = table_name;
    request.key = hot_key();
    request.consistent = true;
    const auto answer = TRY(store_->get(request));
    const auto count = answer.item ? answer.item->integer("opens") : std::nullopt;
    if (!count) return Error{Errc::not_found, "the hot item is missing"};
    return static_cast<std::uint64_t>(*count);
}

}  // namespace mailroom::bench
