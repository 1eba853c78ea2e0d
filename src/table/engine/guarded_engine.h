// The embedded engine as strangers see it: items, tables, streams and backups, each behind the
// guard. Whoever holds one of these cannot reach the engine past it.
#pragma once

#include "table/engine/engine.h"
#include "table/guarded_store.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mailroom::table {

// Streams are for those who may read their tables.
class GuardedStreams final : public Streams {
public:
    GuardedStreams(const Streams& streams, TableGuard guard) : streams_(streams), guard_(guard) {}

    // Those of the caller's tables. What is not theirs neither shortens a page nor ends one, so
    // that no page tells of it.
    Outcome<StreamList> list(const std::optional<std::string>& table, const std::string& after,
                             std::size_t limit) const override;
    Outcome<StreamDescription> describe(const std::string& arn) const override;
    Outcome<std::string> iterator(const GetShardIterator& request) const override;
    Outcome<StreamPage> records(const std::string& iterator, std::size_t limit) const override;

private:
    Outcome<> check(const std::string& arn_or_iterator) const;

    const Streams& streams_;
    const TableGuard guard_;
};

// Backups are for those who may do as much with their tables.
class GuardedBackups final : public Backups {
public:
    GuardedBackups(Backups& backups, TableGuard guard) : backups_(backups), guard_(guard) {}

    Outcome<BackupSummary> create(const CreateBackup& request) override;
    Outcome<BackupDescription> describe(const std::string& arn) const override;
    // As the list of streams.
    Outcome<BackupList> list(const ListBackups& request) const override;
    Outcome<BackupDescription> remove(const std::string& arn) override;
    // Both the source and the new table must be the caller's.
    Outcome<TableDescription> restore(const RestoreBackup& request) override;
    Outcome<TableDescription> restore(const RestoreToTime& request) override;
    Outcome<ContinuousBackups> continuous(const std::string& table) const override;
    Outcome<ContinuousBackups> set_continuous(const std::string& table,
                                              const ContinuousSetting& setting) override;

private:
    Backups& backups_;
    const TableGuard guard_;
};

// Made for one caller, and copied with what is left to do for them. Thread-safe, as the engine is.
class GuardedEngine {
public:
    // Shared with requests, which may go on after the caller's key was revoked; null: anybody.
    using Caller = std::shared_ptr<const TableScope>;

    // `engine`, `own` and `watches` must outlive it.
    GuardedEngine(Engine& engine, const OwnTables& own, Caller caller, WriteWatches watches = {})
        : engine_(engine),
          caller_(std::move(caller)),
          watches_(watches),
          store_(engine, TableGuard(own, caller_.get()), watches) {}

    // Its calls block until they are done.
    Store& store() { return store_; }

    // The writes without waiting: see Engine. What is refused is told before the call returns.
    template <class Done>
    void put(const PutItem& request, Done done) {
        write<WriteResult>(request, std::move(done), [this](const auto& write, auto then) {
            engine_.put(write, std::move(then));
        });
    }
    template <class Done>
    void update(const UpdateItem& request, Done done) {
        write<WriteResult>(request, std::move(done), [this](const auto& write, auto then) {
            engine_.update(write, std::move(then));
        });
    }
    template <class Done>
    void erase(const DeleteItem& request, Done done) {
        write<WriteResult>(request, std::move(done), [this](const auto& write, auto then) {
            engine_.erase(write, std::move(then));
        });
    }
    template <class Done>
    void batch_write(const BatchWrite& request, Done done) {
        write<BatchWriteResult>(request, std::move(done), [this](const auto& write, auto then) {
            engine_.batch_write(write, std::move(then));
        });
    }
    template <class Done>
    void transact(const TransactWrite& request, Done done) {
        write<TransactWriteResult>(request, std::move(done), [this](const auto& write, auto then) {
            engine_.transact(write, std::move(then));
        });
    }

    Outcome<std::optional<Page>> query_if_small(const Query& request, std::size_t bytes_max) {
        TRY(store_.guard().check(request));
        return engine_.query_if_small(request, bytes_max);
    }

    GuardedStreams streams() const { return {engine_.streams(), store_.guard()}; }
    GuardedBackups backups() const { return {engine_.backups(), store_.guard()}; }

private:
    template <class Written, class Request, class Done, class Write>
    void write(const Request& request, Done done, const Write& write_it) {
        if (auto seen = store_.guard().check(request); !seen) return done(std::move(seen).error());
        write_it(request, Engine::Done<Written>(
                              [done = std::move(done), watched = watch_write(watches_, request)](
                                  Outcome<Written> outcome) { done(std::move(outcome)); }));
    }

    Engine& engine_;
    Caller caller_;
    WriteWatches watches_;
    GuardedStore store_;  // Asks the caller's scope.
};

}  // namespace mailroom::table
