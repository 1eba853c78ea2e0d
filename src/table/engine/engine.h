// The embedded table engine: DynamoDB's tables on ordered bytes (kv/), in this process.
//
// Item operations are linearisable; conditional writes and transactions are serialisable. A writer
// evaluates its condition against the writes queued ahead of it, since they reach the disk in that
// order; readers, and refusals that rest on a queued write, wait for what is durable. No lock is
// held over an fsync.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "kv/committer.h"
#include "kv/store.h"
#include "table/backups.h"
#include "table/store.h"
#include "table/streams.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::table {

struct EngineOptions {
    kv::Sync sync = kv::Sync::full;
    kv::Committer::Mode commit_mode = kv::Committer::Mode::threaded;
    // Named in ARNs only.
    std::string region = "us-east-1";
    std::string account = "000000000000";
};

class Engine final : public Store {
public:
    // `kv`, `clock` and `random` must outlive the engine. `corrupt` when the rows are not ours.
    static Result<std::unique_ptr<Engine>> open(kv::Store& kv, const Clock& clock, Random& random,
                                                const EngineOptions& options = {});
    ~Engine() override;

    Outcome<GetResult> get(const GetItem& request) override;
    Outcome<WriteResult> put(const PutItem& request) override;
    Outcome<WriteResult> update(const UpdateItem& request) override;
    Outcome<WriteResult> erase(const DeleteItem& request) override;
    Outcome<Page> query(const Query& request) override;
    Outcome<Page> scan(const Scan& request) override;
    Outcome<BatchGetResult> batch_get(const BatchGet& request) override;
    Outcome<BatchWriteResult> batch_write(const BatchWrite& request) override;
    Outcome<TransactWriteResult> transact(const TransactWrite& request) override;
    Outcome<TransactGetResult> transact_get(const TransactGet& request) override;
    Outcome<TableDescription> create_table(const CreateTable& request) override;
    Outcome<TableDescription> describe_table(const std::string& table) override;
    Outcome<TableDescription> update_table(const UpdateTable& request) override;
    Outcome<TableDescription> delete_table(const std::string& table) override;
    Outcome<TableNames> list_tables(const std::string& after, std::size_t limit) override;
    Outcome<TimeToLive> set_time_to_live(const std::string& table,
                                         const TimeToLive& setting) override;
    Outcome<TimeToLive> time_to_live(const std::string& table) override;
    Outcome<> tag(const std::string& arn, const Tags& tags) override;
    Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override;
    Outcome<Tags> tags(const std::string& arn) override;

    // The same writes without waiting: evaluated at once on the caller's thread; `done` runs
    // exactly once, on the committer's thread when the outcome is durable, or on the caller's
    // before the call returns when the request is refused as such. It must be quick and must not
    // call the engine.
    template <class T>
    using Done = std::function<void(Outcome<T>)>;
    void put(const PutItem& request, Done<WriteResult> done);
    void update(const UpdateItem& request, Done<WriteResult> done);
    void erase(const DeleteItem& request, Done<WriteResult> done);
    void batch_write(const BatchWrite& request, Done<BatchWriteResult> done);
    void transact(const TransactWrite& request, Done<TransactWriteResult> done) override;

    // The page, if it can be had by reading at most `bytes_max` of rows; none when it needs more:
    // then ask query() where waiting is fine. For callers that must not block long.
    Outcome<std::optional<Page>> query_if_small(const Query& request, std::size_t bytes_max);

    bool listen(const std::string& table, ChangeListener& listener) override;
    void stop_listening(ChangeListener& listener) override;

    // The streams of its tables.
    const Streams& streams() const;

    Backups& backups();

    // Deletes what has expired by now, at most `limit` items, and returns how many were; drops old
    // records of streams too. Tries work behind earlier calls again that failed (a full disk, say):
    // a second after the failure, later at longer intervals. Called by a timer about every few
    // seconds. Reads only rows that are due.
    Outcome<std::size_t> sweep_expired(std::size_t limit);

    // Blocks until the work behind earlier table calls is done or has failed: indexes filled,
    // dropped ones erased, tables restored.
    void finish_jobs();

    struct Stats {
        kv::Committer::Stats commits;
        std::size_t pending_bytes = 0;
        std::size_t tables = 0;
    };
    Stats stats() const;

    // Whether writes succeed: the last commit did. After one that the disk refused, sweep_expired()
    // tries another, so that this is known without anybody's writing. `corrupt` stays until a write
    // succeeds.
    Result<> writable() const;

private:
    class Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::table
