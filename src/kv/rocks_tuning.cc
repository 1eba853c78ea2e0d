#include "kv/rocks_tuning.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_partitioner.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>
#include <rocksdb/write_buffer_manager.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

namespace mailroom::kv {

namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// One memtable. The log that must be read again after a crash is about as long as the memtables
// that are not in tables yet, so this also bounds the time to open.
constexpr std::size_t memtable_bytes_max = 32 * mib;
constexpr std::size_t memtable_bytes_min = 4 * mib;
constexpr std::size_t log_bytes_max = 96 * mib;
// What tells the rows of one table or index from all others.
constexpr std::size_t row_space_bytes = 5;
// A dozen rows: a cold read of one row fetches and unpacks them all, so fewer are faster.
constexpr std::size_t block_bytes = 4 * kib;
constexpr double filter_bits_per_row = 10;  // About one false look into a table in a hundred.
// Of all the files that the process may open, tables get half: sockets need their share. The least
// used tables are closed when there are more, and a read that opens one again takes some 200 us.
constexpr int open_tables_max = 4096;
constexpr int open_tables_min = 256;
constexpr int background_jobs = 2;  // One flush, one compaction: requests need the cores too.
// Of the first two levels below the newest tables; those of each further one are twice as large.
// New rows mostly come after the old ones of their kind: the smaller the tables, the fewer old rows
// are written again with them. But with 2 MiB reading one row of many takes a sixth longer.
constexpr std::size_t table_bytes = 8 * mib;
constexpr int table_growth = 2;
constexpr std::size_t first_level_bytes = 32 * mib;  // About as much as those newest tables.
// So many of the newest tables are merged at once into the first level, which is written again with
// them. More would make it rarer, but who looks for a row may have to ask each of them.
constexpr int newest_tables_max = 8;
// Values from this size on are written once, into files of their own, and tables only name them:
// merging tables does not copy them again. Smaller ones are worth copying, because a scan finds
// them beside their rows.
constexpr std::size_t apart_value_bytes_min = 4 * kib;
constexpr std::size_t values_file_bytes = 64 * mib;
// A file whose values are mostly erased or replaced is given up, and what is left of it moved, once
// it is among the oldest tenth. Most go whole: what is written together expires together. RocksDB
// also moves what it meets of those oldest when it merges tables, so with a larger share a young
// store writes its values twice.
constexpr double values_file_garbage_max = 0.5;
constexpr double oldest_values_files = 0.1;
// Rows that wait for a time are erased from the front, and whoever looks for the next steps over
// all that are erased and not compacted away. A table with such a run of them is compacted soon.
// Shorter runs are stepped over in some milliseconds, and a queue that is worked off leaves one in
// every memtable: to compact for each of those cost more than all its other writes together.
constexpr std::size_t erased_window_rows = 64 * 1024;
constexpr std::size_t erased_rows_max = 32 * 1024;
// Starts writeback early, so that the fsync of a finished table does not hold up those of the log.
constexpr std::size_t bytes_per_writeback = 1 * mib;
// What merging reads at once of a table; without it, every block is a system call.
constexpr std::size_t merge_read_bytes = 256 * kib;
// Read at every opening; the default is 1 GiB.
constexpr std::size_t manifest_bytes_max = 16 * mib;
constexpr std::size_t warning_bytes_max = 1 * kib;  // Longer ones are cut: they are for people.

// Takes the place of RocksDB's own log file. That file grows without a reader; and where RocksDB is
// built with its asserts on, as Debian builds it, writing to it after the disk was full ends the
// process.
class WarningLog final : public rocksdb::Logger {
public:
    explicit WarningLog(std::function<void(std::string_view)> tell)
        : Logger(rocksdb::InfoLogLevel::WARN_LEVEL), tell_(std::move(tell)) {}

    using Logger::Logv;
    void Logv(const char* format, va_list arguments) override {
        if (!tell_) return;
        char line[warning_bytes_max];
        const int length = std::vsnprintf(line, sizeof(line), format, arguments);
        if (length <= 0) return;
        tell_({line, std::min(static_cast<std::size_t>(length), sizeof(line) - 1)});
    }

private:
    const std::function<void(std::string_view)> tell_;
};

// After an error that stops writes, such as a full disk, RocksDB would look at the disk every few
// seconds and refuse Resume() as busy meanwhile. Store::recover() is to decide instead. Errors that
// stop compaction only are left to RocksDB, because nobody else hears of them.
class RecoveryOnRequest final : public rocksdb::EventListener {
public:
    void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status error,
                              bool* by_itself) override {
        if (error.severity() >= rocksdb::Status::Severity::kHardError) *by_itself = false;
    }
};

rocksdb::CompressionType best_compression() {
    const auto supported = rocksdb::GetSupportedCompressions();
    const bool has_lz4 = std::ranges::count(supported, rocksdb::kLZ4Compression) > 0;
    return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

std::shared_ptr<rocksdb::TableFactory> make_table_format(std::shared_ptr<rocksdb::Cache> cache) {
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = std::move(cache);
    table.block_size = block_bytes;
    table.format_version = 5;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(filter_bits_per_row));
    table.whole_key_filtering = true;
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;

    // Indexes and filters live in the cache, in small parts, so that memory stays bounded and
    // opening a table reads only the top of them.
    table.cache_index_and_filter_blocks = true;
    table.cache_index_and_filter_blocks_with_high_priority = true;
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 4 * kib;
    table.pin_top_level_index_and_filter = true;
    table.pin_l0_filter_and_index_blocks_in_cache = true;
    return std::shared_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(table));
}

int open_tables() {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return open_tables_min;
    const auto half = std::min<rlim_t>(files.rlim_cur / 2, open_tables_max);
    return std::max(static_cast<int>(half), open_tables_min);
}

void tune_large_values(rocksdb::Options& tuned, std::shared_ptr<rocksdb::Cache> cache) {
    tuned.enable_blob_files = true;
    tuned.min_blob_size = apart_value_bytes_min;
    tuned.blob_file_size = values_file_bytes;
    tuned.blob_compression_type = best_compression();
    tuned.enable_blob_garbage_collection = true;
    tuned.blob_garbage_collection_age_cutoff = oldest_values_files;
    tuned.blob_garbage_collection_force_threshold = values_file_garbage_max;
    tuned.blob_cache = std::move(cache);
}

void tune_memory(rocksdb::Options& tuned, std::size_t cache_bytes) {
    const auto cache = rocksdb::NewLRUCache(cache_bytes);
    // Half of it: the more a memtable gathers, the fewer times its rows are merged later. What
    // memtables do not hold is the cache's.
    const auto memtables_bytes = std::max(cache_bytes / 2, 2 * memtable_bytes_min);
    tuned.write_buffer_manager =
        std::make_shared<rocksdb::WriteBufferManager>(memtables_bytes, cache);
    tuned.write_buffer_size =
        std::clamp(memtables_bytes / 2, memtable_bytes_min, memtable_bytes_max);
    tuned.max_write_buffer_number = 4;
    // Most writes ask first whether the row exists, and most often it does not.
    tuned.memtable_prefix_bloom_size_ratio = 0.05;
    tuned.memtable_whole_key_filtering = true;
    // RocksDB could remember per prefix where the last row went, which makes rows in order cheaper
    // (memtable_insert_with_hint_prefix_extractor). But it takes that place for ranges to erase as
    // well, which are in another list: the process ends, and at every start again.
    tuned.memtable_insert_with_hint_prefix_extractor = nullptr;
    tuned.table_factory = make_table_format(cache);
    tune_large_values(tuned, cache);
}

void tune_log(rocksdb::Options& tuned, DamagedLog damaged_log) {
    // Both modes drop an unfinished record at the end. At damage before the end,
    // kPointInTimeRecovery stops reading and opens as if nothing had happened, and acknowledged
    // writes are gone without a word; kTolerateCorruptedTailRecords refuses to open.
    tuned.wal_recovery_mode = damaged_log == DamagedLog::refuse
                                  ? rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords
                                  : rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    // A log that was finished and synced, then lost or cut short, is damage too.
    tuned.track_and_verify_wals_in_manifest = damaged_log == DamagedLog::refuse;
    // Opening need not wait for tables to be written, unless they are to replace a damaged log.
    tuned.avoid_flush_during_recovery = damaged_log == DamagedLog::refuse;
    // To write into logs that were used before, which need not grow, would take a quarter off the
    // time of a sync. But RocksDB 7.8 does so (recycle_log_file_num) only with
    // kSkipAnyCorruptedRecords, which steps over damage without a word, and else ignores it.
    tuned.recycle_log_file_num = 0;
    tuned.max_total_wal_size = log_bytes_max;
    tuned.manual_wal_flush = false;
    tuned.unordered_write = false;
}

}  // namespace

rocksdb::Options tuned_for(const RocksOptions& options) {
    rocksdb::Options tuned;
    tuned.create_if_missing = options.missing_tables == MissingTables::make;
    tuned.paranoid_checks = true;
    tune_memory(tuned, options.cache_bytes);
    tune_log(tuned, options.damaged_log);

    tuned.listeners.push_back(std::make_shared<RecoveryOnRequest>());
    tuned.max_background_jobs = background_jobs;
    tuned.bytes_per_sync = bytes_per_writeback;
    tuned.compaction_readahead_size = merge_read_bytes;
    tuned.compression = best_compression();
    tuned.level0_file_num_compaction_trigger = newest_tables_max;
    tuned.target_file_size_base = table_bytes;
    tuned.target_file_size_multiplier = table_growth;
    tuned.max_bytes_for_level_base = first_level_bytes;
    tuned.level_compaction_dynamic_level_bytes = true;

    // Tables of rows of one table or index only: new rows in order of time are then after all that
    // a deeper level has, and move down as they are.
    tuned.sst_partitioner_factory = rocksdb::NewSstPartitionerFixedPrefixFactory(row_space_bytes);
    tuned.table_properties_collector_factories.push_back(
        rocksdb::NewCompactOnDeletionCollectorFactory(erased_window_rows, erased_rows_max));

    tuned.max_open_files = open_tables();
    tuned.skip_stats_update_on_db_open = true;
    tuned.skip_checking_sst_file_sizes_on_db_open = true;
    tuned.max_manifest_file_size = manifest_bytes_max;

    tuned.info_log = std::make_shared<WarningLog>(options.on_warning);
    tuned.stats_dump_period_sec = 0;
    tuned.stats_persist_period_sec = 0;
    return tuned;
}

}  // namespace mailroom::kv
