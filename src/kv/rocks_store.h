// A Store on disk, in RocksDB. The only part of the program that knows RocksDB.
#pragma once

#include "base/result.h"
#include "kv/store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace mailroom::kv {

// What to do when the write-ahead log is damaged before its end, or acknowledged writes are missing
// from it. (A log that merely stops in the middle of its last record is the trace of a crash; if
// that record was never acknowledged, it is dropped silently.)
enum class DamagedLog {
    refuse,   // Do not open: `corrupt`, and the message says what is missing.
    cut_off,  // Open with what came before the damage, and lose the rest: an operator's decision.
};

// What to do when there are no tables in the directory.
enum class MissingTables {
    make,
    refuse,  // `corrupt`: there must have been some.
};

struct RocksOptions {
    // Bounds nearly all memory: rows read, indexes, filters, and rows written but not yet in
    // tables.
    std::size_t cache_bytes = 256 * 1024 * 1024;
    DamagedLog damaged_log = DamagedLog::refuse;
    MissingTables missing_tables = MissingTables::make;
    // Told what RocksDB warns of, and why a row could not be read, a line at a time, from any
    // thread. May be empty.
    std::function<void(std::string_view)> on_warning = {};
};

// Opens the store in `directory`, making it if it is missing and may be made. `conflict` if a
// running process, this one included, has it open; `corrupt` if it cannot be read or is not whole;
// `unavailable` otherwise.
//
// Commits are refused as `unavailable` while less than 128 MiB of the disk are free: what waits in
// memory must find its place. They are taken again as soon as there is room. After any other
// failure of the disk only opening anew helps.
//
// Closing is no different from crashing: what is not yet in tables is read from the log at the next
// opening.
Result<std::unique_ptr<Store>> open_rocks(const std::filesystem::path& directory,
                                          const RocksOptions& options);

// Writes a copy of everything that is committed by now into `directory`, which must not be there:
// open_rocks() opens it. Readers and writers go on meanwhile. What the copy shares with the store
// takes no room while both are on one file system. `invalid` if `store` was not made by open_rocks.
Result<> rocks_checkpoint(const Store& store, const std::filesystem::path& directory);

// Reads everything that the store in `directory` has, none of which may be in use: `corrupt` names
// what is damaged, `unavailable` what cannot be read. Nothing is changed.
Result<> verify_rocks(const std::filesystem::path& directory);

struct RocksUsage {
    std::uint64_t memory_bytes;  // The cache and what is charged to it, and open tables.
    std::uint64_t table_bytes;   // On disk, with large values, without the log.
};
// For metrics. None if `store` was not made by open_rocks.
std::optional<RocksUsage> rocks_usage(const Store& store);

}  // namespace mailroom::kv
