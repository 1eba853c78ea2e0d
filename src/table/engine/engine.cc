#include "table/engine/engine.h"

#include "base/hex.h"
#include "kv/key.h"
#include "table/engine/backup_store.h"
#include "table/engine/core.h"
#include "table/engine/definition_change.h"
#include "table/engine/expiry.h"
#include "table/engine/fingerprint.h"
#include "table/engine/reader.h"
#include "table/engine/rows.h"
#include "table/engine/stream_reader.h"
#include "table/engine/sums.h"
#include "table/engine/tables.h"
#include "table/engine/transaction_checks.h"
#include "table/engine/writer.h"

#include <algorithm>
#include <future>

namespace mailroom::table {

class Engine::Impl {
public:
    Impl(kv::Store& kv, const Clock& clock, Random& random, const EngineOptions& options)
        : core(kv, clock, random, options),
          writer(core),
          reader(core),
          streams(core),
          backups(core, writer, tables),
          tables(core, writer) {
        core.committer.before_commit([this](kv::Batch& batch) { return prepare(batch); },
                                     [this] { core.catalog.counts().take_back(); });
    }

    // For the commit: what its batches deferred.
    Result<> prepare(kv::Batch& batch) {
        Tally tally;
        TRY(add_sums(core.kv, batch, tally));
        core.catalog.counts().add_to(batch, std::move(tally));
        return Ok{};
    }

    Core core;
    Writer writer;
    Reader reader;
    StreamReader streams;
    BackupStore backups;  // Before `tables`, whose thread works for it until it has stopped.
    Tables tables;
};

namespace {

WriteResult single_result(GroupResult group) {
    WriteResult result;
    result.attributes = std::move(group.attributes.front());
    result.consumed = std::move(group.consumed.front());
    return result;
}

// A request that is one step.
template <class Request>
void run_single(Core& core, Writer& writer, const Request& request,
                Engine::Done<WriteResult> done) {
    const auto reading = core.catalog.read();
    auto step = prepare(core, request);
    if (!step) return done(std::move(step).error());
    std::vector<Step> steps;
    steps.push_back(*std::move(step));
    writer.run({steps}, Writer::Rule::single, std::nullopt,
               [done = std::move(done)](Outcome<GroupResult> outcome) {
                   if (!outcome) return done(std::move(outcome).error());
                   done(single_result(*std::move(outcome)));
               });
}

Outcome<> refuse_repeated_rows(const std::vector<Step>& steps, const char* message) {
    std::vector<std::string_view> rows;
    rows.reserve(steps.size());
    for (const auto& step : steps) rows.push_back(step.row);
    std::ranges::sort(rows);
    if (std::ranges::adjacent_find(rows) != rows.end()) return invalid(message);
    return Ok{};
}

// Items that are too large are told first, then tables that are missing, then all else.
Outcome<> check_batch(const Core& core, const BatchWrite& request) {
    for (const auto& per_table : request.tables) {
        for (const auto& action : per_table.actions) {
            const auto* put = std::get_if<BatchWrite::Put>(&action);
            if (put) TRY(check_item_size(put->item));
        }
    }
    for (const auto& per_table : request.tables) TRY(core.catalog.get(per_table.table));
    return Ok{};
}

Outcome<std::vector<Step>> prepare_batch(const Core& core, const BatchWrite& request) {
    std::vector<Step> steps;
    for (const auto& per_table : request.tables) {
        const auto table = TRY(core.catalog.get(per_table.table));
        for (const auto& action : per_table.actions) {
            if (const auto* put = std::get_if<BatchWrite::Put>(&action)) {
                steps.push_back(TRY(prepare_put(table, put->item)));
            } else {
                steps.push_back(
                    TRY(prepare_erase(table, std::get<BatchWrite::Delete>(action).key)));
            }
        }
    }
    TRY(refuse_repeated_rows(steps, "Provided list of item keys contains duplicates"));
    return steps;
}

Outcome<std::vector<Step>> batch_steps(const Core& core, const BatchWrite& request) {
    auto steps = prepare_batch(core, request);
    if (!steps) TRY(check_batch(core, request));
    return steps;
}

Outcome<std::vector<Step>> transaction_steps(Core& core, const TransactWrite& request) {
    std::vector<Step> steps;
    steps.reserve(request.actions.size());
    for (const auto& action : request.actions) {
        auto step = std::visit([&](const auto& write) { return prepare(core, write); }, action);
        if (!step) return refusal_of_transaction(core, request, std::move(step).error());
        step->is_new = steps.size() < request.new_puts_end && step->kind == Step::Kind::put;
        steps.push_back(*std::move(step));
    }
    TRY(check_transaction_size(steps));
    TRY(refuse_repeated_rows(steps,
                             "Transaction request cannot include multiple operations on one item"));
    return steps;
}

// After a commit that the disk refused, another one. What is damaged is not mended by trying.
void try_to_write(Core& core) {
    const auto failure = core.committer.failure();
    if (!failure || failure->code == Errc::corrupt) return;
    kv::Batch batch;
    batch.put(attempt_key(), {});
    // The committer remembers what came of it.
    static_cast<void>(queue_commit(core, batch).get());
}

// Calls the non-blocking form and waits for it.
template <class T, class Start>
Outcome<T> wait_for(const Start& start) {
    std::promise<Outcome<T>> promise;
    auto future = promise.get_future();
    start([&promise](Outcome<T> outcome) { promise.set_value(std::move(outcome)); });
    return future.get();
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(kv::Store& kv, const Clock& clock, Random& random,
                                             const EngineOptions& options) {
    auto impl = std::make_unique<Impl>(kv, clock, random, options);
    TRY(impl->core.catalog.load(kv));
    TRY(impl->core.streams.load(kv));
    impl->tables.resume();
    TRY(impl->backups.resume());
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

Outcome<GetResult> Engine::get(const GetItem& request) { return impl_->reader.get(request); }
Outcome<Page> Engine::query(const Query& request) { return impl_->reader.query(request); }
Outcome<Page> Engine::scan(const Scan& request) { return impl_->reader.scan(request); }
Outcome<BatchGetResult> Engine::batch_get(const BatchGet& request) {
    return impl_->reader.batch_get(request);
}
Outcome<TransactGetResult> Engine::transact_get(const TransactGet& request) {
    return impl_->reader.transact_get(request);
}
Outcome<std::optional<Page>> Engine::query_if_small(const Query& request, std::size_t bytes_max) {
    return impl_->reader.query_if_small(request, bytes_max);
}

void Engine::put(const PutItem& request, Done<WriteResult> done) {
    run_single(impl_->core, impl_->writer, request, std::move(done));
}
void Engine::update(const UpdateItem& request, Done<WriteResult> done) {
    run_single(impl_->core, impl_->writer, request, std::move(done));
}
void Engine::erase(const DeleteItem& request, Done<WriteResult> done) {
    run_single(impl_->core, impl_->writer, request, std::move(done));
}

void Engine::batch_write(const BatchWrite& request, Done<BatchWriteResult> done) {
    const auto reading = impl_->core.catalog.read();
    const auto steps = batch_steps(impl_->core, request);
    if (!steps) return done(steps.error());
    impl_->writer.run({*steps}, Writer::Rule::independent, std::nullopt,
                      [done = std::move(done)](Outcome<GroupResult> outcome) {
                          if (!outcome) return done(std::move(outcome).error());
                          done(BatchWriteResult{{}, std::move(outcome->consumed)});
                      });
}

void Engine::transact(const TransactWrite& request, Done<TransactWriteResult> done) {
    const auto reading = impl_->core.catalog.read();
    const auto steps = transaction_steps(impl_->core, request);
    if (!steps) return done(steps.error());
    const auto additions = prepare(impl_->core.catalog, request.additions);
    if (!additions) return done(additions.error());
    std::optional<Token> token;
    if (!request.token.empty()) token = Token{request.token, fingerprint(request)};
    impl_->writer.run({*steps, *additions}, Writer::Rule::transaction, token,
                      [done = std::move(done)](Outcome<GroupResult> outcome) {
                          if (!outcome) return done(std::move(outcome).error());
                          done(TransactWriteResult{std::move(outcome->consumed)});
                      });
}

Outcome<WriteResult> Engine::put(const PutItem& request) {
    return wait_for<WriteResult>([&](auto done) { put(request, std::move(done)); });
}
Outcome<WriteResult> Engine::update(const UpdateItem& request) {
    return wait_for<WriteResult>([&](auto done) { update(request, std::move(done)); });
}
Outcome<WriteResult> Engine::erase(const DeleteItem& request) {
    return wait_for<WriteResult>([&](auto done) { erase(request, std::move(done)); });
}
Outcome<BatchWriteResult> Engine::batch_write(const BatchWrite& request) {
    return wait_for<BatchWriteResult>([&](auto done) { batch_write(request, std::move(done)); });
}
Outcome<TransactWriteResult> Engine::transact(const TransactWrite& request) {
    return wait_for<TransactWriteResult>([&](auto done) { transact(request, std::move(done)); });
}

Outcome<TableDescription> Engine::create_table(const CreateTable& request) {
    return impl_->tables.create(request);
}
Outcome<TableDescription> Engine::describe_table(const std::string& table) {
    return impl_->tables.describe(table);
}
Outcome<TableDescription> Engine::update_table(const UpdateTable& request) {
    return impl_->tables.update(request);
}
Outcome<TableDescription> Engine::delete_table(const std::string& table) {
    return impl_->tables.remove(table);
}
Outcome<TableNames> Engine::list_tables(const std::string& after, std::size_t limit) {
    const auto reading = impl_->core.catalog.read();
    return impl_->core.catalog.names_after(after, limit);
}
Outcome<TimeToLive> Engine::set_time_to_live(const std::string& table, const TimeToLive& setting) {
    return impl_->tables.set_time_to_live(table, setting);
}
Outcome<TimeToLive> Engine::time_to_live(const std::string& table) {
    return impl_->tables.time_to_live(table);
}
Outcome<> Engine::tag(const std::string& arn, const Tags& tags) {
    return impl_->tables.tag(arn, tags);
}
Outcome<> Engine::untag(const std::string& arn, const std::vector<std::string>& keys) {
    return impl_->tables.untag(arn, keys);
}
Outcome<Tags> Engine::tags(const std::string& arn) { return impl_->tables.tags(arn); }

Result<> Engine::writable() const {
    auto failure = impl_->core.committer.failure();
    if (failure) return *std::move(failure);
    return Ok{};
}

Outcome<std::size_t> Engine::sweep_expired(std::size_t limit) {
    try_to_write(impl_->core);
    impl_->tables.jobs().retry_due();
    TRY(forget_tokens(impl_->core, limit));
    TRY(sweep_streams(impl_->core, limit));
    return sweep_expired_items(impl_->core, impl_->writer, limit);
}

bool Engine::listen(const std::string& table, ChangeListener& listener) {
    {
        // Writers hold this until their batch is queued: what is not told is queued already.
        const auto changing = impl_->core.catalog.change();
        impl_->core.listeners.add(table, listener);
    }
    impl_->core.committer.drain();
    return true;
}

void Engine::stop_listening(ChangeListener& listener) { impl_->core.listeners.remove(listener); }

const Streams& Engine::streams() const { return impl_->streams; }
Backups& Engine::backups() { return impl_->backups; }

void Engine::finish_jobs() { impl_->tables.drain(); }

Engine::Stats Engine::stats() const {
    const auto reading = impl_->core.catalog.read();
    return {impl_->core.committer.stats(), impl_->core.committer.pending_bytes(),
            impl_->core.catalog.size()};
}

}  // namespace mailroom::table
