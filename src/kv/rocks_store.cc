#include "kv/rocks_store.h"

#include "kv/acknowledged.h"
#include "kv/batch_order.h"
#include "kv/disk_room.h"
#include "kv/rocks_reclaimer.h"
#include "kv/rocks_tuning.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <cassert>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace mailroom::kv {

namespace {

rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

Error to_error(std::string_view doing, const rocksdb::Status& status) {
    const auto code = status.IsCorruption() ? Errc::corrupt : Errc::unavailable;
    return {code, std::string(doing) + ": " + status.ToString()};
}

Result<> to_result(std::string_view doing, const rocksdb::Status& status) {
    if (!status.ok()) return to_error(doing, status);
    return Ok{};
}

class RocksSnapshot final : public Snapshot {
public:
    explicit RocksSnapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
    ~RocksSnapshot() override { db_.ReleaseSnapshot(snapshot_); }
    RocksSnapshot(const RocksSnapshot&) = delete;
    RocksSnapshot& operator=(const RocksSnapshot&) = delete;

    const rocksdb::Snapshot* get() const { return snapshot_; }

private:
    rocksdb::DB& db_;
    const rocksdb::Snapshot* const snapshot_;
};

rocksdb::ReadOptions reading(const Snapshot* snapshot) {
    rocksdb::ReadOptions options;
    if (snapshot) options.snapshot = static_cast<const RocksSnapshot*>(snapshot)->get();
    return options;
}

// Says why reading failed, each reason once: whoever asked for the row is told only that it did.
// Thread-safe.
class ReadFailures {
public:
    explicit ReadFailures(std::function<void(std::string_view)> tell) : tell_(std::move(tell)) {}

    Error note(std::string_view doing, const rocksdb::Status& status) const {
        auto error = to_error(doing, status);
        if (is_new(error.message) && tell_) tell_(error.message);
        return error;
    }

private:
    static constexpr std::size_t reasons_max = 1000;

    bool is_new(const std::string& reason) const {
        const std::lock_guard lock(mutex_);
        return told_.size() < reasons_max && told_.insert(reason).second;
    }

    const std::function<void(std::string_view)> tell_;
    mutable std::mutex mutex_;
    mutable std::set<std::string> told_;
};

class RocksCursor final : public Cursor {
public:
    RocksCursor(rocksdb::DB& db, std::string_view from, std::string_view to,
                const Snapshot* snapshot, const ReadFailures& failures)
        : failures_(failures), from_(from), to_(to), from_slice_(from_), to_slice_(to_) {
        auto options = reading(snapshot);
        // With its bounds known, an iterator opens no table and reads no block outside them.
        if (!from_.empty()) options.iterate_lower_bound = &from_slice_;
        if (!to_.empty()) options.iterate_upper_bound = &to_slice_;
        options.total_order_seek = true;
        iterator_.reset(db.NewIterator(options));
    }
    RocksCursor(const RocksCursor&) = delete;
    RocksCursor& operator=(const RocksCursor&) = delete;

    void seek(std::string_view key) override { iterator_->Seek(slice(key)); }
    void seek_before(std::string_view key) override {
        if (key.empty()) return iterator_->SeekToLast();
        iterator_->SeekForPrev(slice(key));
        if (iterator_->Valid() && view(iterator_->key()) == key) iterator_->Prev();
    }
    void next() override {
        assert(valid());
        iterator_->Next();
    }
    void prev() override {
        assert(valid());
        iterator_->Prev();
    }
    bool valid() const override { return iterator_->Valid(); }
    std::string_view key() const override {
        assert(valid());
        return view(iterator_->key());
    }
    std::string_view value() const override {
        assert(valid());
        return view(iterator_->value());
    }
    Result<> status() const override {
        const auto status = iterator_->status();
        if (!status.ok()) return failures_.note("cannot read rows", status);
        return Ok{};
    }

private:
    const ReadFailures& failures_;
    const std::string from_, to_;
    const rocksdb::Slice from_slice_, to_slice_;  // The iterator points at these.
    std::unique_ptr<rocksdb::Iterator> iterator_;
};

// What a row of a WriteBatch takes beyond its key and value: a tag and two lengths.
constexpr std::size_t row_overhead_bytes = 11;

rocksdb::Status translate(const Batch& from, rocksdb::WriteBatch& to) {
    for (const auto number : order_by_key(from)) {
        const auto change = from.change(number);
        rocksdb::Status status;
        switch (change.kind) {
            case Batch::Kind::put:
                status = to.Put(slice(change.key), slice(change.value));
                break;
            case Batch::Kind::erase:
                status = to.Delete(slice(change.key));
                break;
            case Batch::Kind::erase_range:
                // RocksDB finds an inverted range only after it has written it to the log.
                if (change.key >= change.value) break;
                status = to.DeleteRange(slice(change.key), slice(change.value));
                break;
        }
        if (!status.ok()) return status;
    }
    return {};
}

class RocksStore final : public Store {
public:
    RocksStore(std::unique_ptr<rocksdb::DB> db, std::shared_ptr<rocksdb::Cache> cache,
               DiskRoom room, std::unique_ptr<Acknowledged> acknowledged,
               std::function<void(std::string_view)> tell)
        : failures_(std::move(tell)),
          cache_(std::move(cache)),
          room_(std::move(room)),
          acknowledged_(std::move(acknowledged)),
          db_(std::move(db)),
          reclaimer_(*db_) {}

    Result<std::optional<std::string>> get(std::string_view key,
                                           const Snapshot* snapshot) const override {
        std::string value;
        const auto status =
            db_->Get(reading(snapshot), db_->DefaultColumnFamily(), slice(key), &value);
        if (status.IsNotFound()) return std::optional<std::string>();
        if (!status.ok()) return failures_.note("cannot read a row", status);
        return std::optional(std::move(value));
    }

    std::unique_ptr<Snapshot> snapshot() const override {
        return std::make_unique<RocksSnapshot>(*db_);
    }

    std::unique_ptr<Cursor> scan(std::string_view from, std::string_view to,
                                 const Snapshot* snapshot) const override {
        return std::make_unique<RocksCursor>(*db_, from, to, snapshot, failures_);
    }

    // RocksDB writes and syncs the log first, then fills the memtable, then moves the sequence
    // number that readers start from; so nobody sees a batch that is not durable, whether it has
    // one writer or several. (`unordered_write` would break the last step, and is off.) When the
    // log cannot be written, the memtable is never touched and all writes are refused until
    // recover(), which starts a new log. On a full disk it is not asked at all: where it is built
    // with its asserts on, as Debian builds it, the second failure of a log ends the process, and
    // Resume() waits for ever for tables that cannot be written.
    Result<> commit(const Batch& batch, Sync sync) override {
        TRY(room_.check());
        rocksdb::WriteBatch rows(batch.bytes() + batch.size() * row_overhead_bytes);
        auto status = translate(batch, rows);
        rocksdb::WriteOptions options;
        options.sync = sync == Sync::full;
        if (status.ok()) status = db_->Write(options, &rows);
        if (status.ok() && options.sync) acknowledged_->advance(db_->GetLatestSequenceNumber());
        return to_result("cannot commit", status);
    }

    Result<> recover() override {
        TRY(room_.check());
        return to_result("cannot make the store writable again", db_->Resume());
    }

    void reclaim(std::string_view from, std::string_view to) override {
        reclaimer_.reclaim(from, to);
    }

    std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const override {
        const std::string end = to.empty() ? after_last_row() : std::string(to);
        if (from >= end) return 0;
        rocksdb::SizeApproximationOptions options;
        options.include_memtables = true;
        options.include_files = true;
        const rocksdb::Range range(slice(from), slice(end));
        std::uint64_t bytes = 0;
        const auto status =
            db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &range, 1, &bytes);
        return status.ok() ? bytes : 0;
    }

    Result<> checkpoint(const std::filesystem::path& directory) const {
        const auto doing = "cannot copy the tables to " + directory.string();
        rocksdb::Checkpoint* made = nullptr;
        TRY(to_result(doing, rocksdb::Checkpoint::Create(db_.get(), &made)));
        const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
        return to_result(doing, checkpoint->CreateCheckpoint(directory.string()));
    }

    RocksUsage usage() const {
        return {.memory_bytes = cache_->GetUsage() +
                                property(rocksdb::DB::Properties::kEstimateTableReadersMem),
                .table_bytes = property(rocksdb::DB::Properties::kTotalSstFilesSize) +
                               property(rocksdb::DB::Properties::kTotalBlobFileSize)};
    }

private:
    std::string after_last_row() const {
        const std::unique_ptr<rocksdb::Iterator> rows(db_->NewIterator(reading(nullptr)));
        rows->SeekToLast();
        return rows->Valid() ? rows->key().ToString() + '\0' : std::string();
    }

    std::uint64_t property(const std::string& name) const {
        std::uint64_t value = 0;
        return db_->GetIntProperty(name, &value) ? value : 0;
    }

    const ReadFailures failures_;
    const std::shared_ptr<rocksdb::Cache> cache_;
    const DiskRoom room_;
    const std::unique_ptr<Acknowledged> acknowledged_;
    const std::unique_ptr<rocksdb::DB> db_;
    RocksReclaimer reclaimer_;  // Stops before the database closes.
};

// RocksDB reports a lock held by somebody else like any failure of a file, so ask for the lock. It
// is safe to ask for one that this process holds: RocksDB looks into a table of its own first.
bool is_locked(const std::filesystem::path& directory) {
    auto& env = *rocksdb::Env::Default();
    rocksdb::FileLock* lock = nullptr;
    if (!env.LockFile((directory / "LOCK").string(), &lock).ok()) return true;
    static_cast<void>(env.UnlockFile(lock));
    return false;
}

Error open_error(const std::filesystem::path& directory, const rocksdb::Status& status) {
    if (status.IsIOError() && is_locked(directory)) {
        return {Errc::conflict, "the data directory " + directory.string() +
                                    " is in use by another Mailroom; stop it or choose another"};
    }
    return to_error("cannot open the data directory " + directory.string(), status);
}

// The number of the last change that was acknowledged; `corrupt` if it is not there any more.
Result<std::uint64_t> check_complete(const std::filesystem::path& directory,
                                     const rocksdb::DB& db) {
    const auto promised = Acknowledged::read(directory).value_or(0);
    const auto found = db.GetLatestSequenceNumber();
    if (promised <= found) return promised;
    return Error{Errc::corrupt, "the log of the data directory " + directory.string() +
                                    " ends too early: " + std::to_string(promised - found) +
                                    " changes of rows that were acknowledged, "
                                    "numbers " +
                                    std::to_string(found + 1) + " to " + std::to_string(promised) +
                                    ", are missing. A .log file was cut short or is gone"};
}

Error missing_tables(const std::filesystem::path& directory) {
    return {Errc::corrupt, "the tables are missing: there is no " +
                               (directory / "CURRENT").string() + ", but there was one"};
}

}  // namespace

Result<std::unique_ptr<Store>> open_rocks(const std::filesystem::path& directory,
                                          const RocksOptions& options) {
    std::error_code failed;
    if (options.missing_tables == MissingTables::refuse &&
        !std::filesystem::exists(directory / "CURRENT", failed) && !failed) {
        return missing_tables(directory);
    }
    std::filesystem::create_directories(directory, failed);
    if (failed) {
        return Error{Errc::unavailable, "cannot make the data directory " + directory.string() +
                                            ": " + failed.message()};
    }
    const auto tuned = tuned_for(options);
    rocksdb::DB* opened = nullptr;
    const auto status = rocksdb::DB::Open(tuned, directory.string(), &opened);
    if (!status.ok()) return open_error(directory, status);
    std::unique_ptr<rocksdb::DB> db(opened);
    // What else was read from the log may not be durable, and is not promised.
    const bool may_lose = options.damaged_log == DamagedLog::cut_off;
    const auto promised = may_lose ? 0 : TRY(check_complete(directory, *db));
    auto acknowledged = TRY(Acknowledged::begin(directory, promised));
    auto cache = tuned.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()->block_cache;
    return std::unique_ptr<Store>(std::make_unique<RocksStore>(
        std::move(db), std::move(cache), DiskRoom(directory, store_room_bytes_min),
        std::move(acknowledged), options.on_warning));
}

Result<> rocks_checkpoint(const Store& store, const std::filesystem::path& directory) {
    const auto* rocks = dynamic_cast<const RocksStore*>(&store);
    if (!rocks) return Error{Errc::invalid, "only tables on disk can be copied"};
    return rocks->checkpoint(directory);
}

Result<> verify_rocks(const std::filesystem::path& directory) {
    constexpr std::size_t cache_bytes = 16 * 1024 * 1024;
    const auto doing = "the tables in " + directory.string() + " cannot be trusted";
    RocksOptions options{.cache_bytes = cache_bytes};
    options.missing_tables = MissingTables::refuse;
    rocksdb::DB* opened = nullptr;
    TRY(to_result(doing,
                  rocksdb::DB::OpenForReadOnly(tuned_for(options), directory.string(), &opened)));
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::ReadOptions reading;
    reading.verify_checksums = true;
    reading.fill_cache = false;
    TRY(to_result(doing, db->VerifyChecksum(reading)));
    // That leaves out values in files of their own: each is verified when it is read.
    std::uint64_t values_files = 0;
    db->GetIntProperty(rocksdb::DB::Properties::kNumBlobFiles, &values_files);
    if (values_files == 0) return Ok{};
    const std::unique_ptr<rocksdb::Iterator> rows(db->NewIterator(reading));
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) static_cast<void>(rows->value());
    return to_result(doing, rows->status());
}

std::optional<RocksUsage> rocks_usage(const Store& store) {
    const auto* rocks = dynamic_cast<const RocksStore*>(&store);
    if (!rocks) return std::nullopt;
    return rocks->usage();
}

}  // namespace mailroom::kv
