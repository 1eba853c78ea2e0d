// The data of the server: its directory, the rows in it and the tables on them.
#pragma once

#include "app/config.h"
#include "app/data_directory.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "kv/store.h"
#include "table/engine/engine.h"

#include <atomic>
#include <memory>
#include <optional>

namespace mailroom::app {

constexpr std::size_t bytes_per_mb = 1024 * 1024;

struct Storage {
    // In the order of opening; closed in reverse.
    std::optional<DataDirectory> directory;
    std::unique_ptr<kv::Store> rows;
    std::unique_ptr<table::Engine> engine;
};

// `unavailable` if the tables are to be elsewhere.
Result<Storage> open_storage(const Config& config, const Clock& clock, Random& random,
                             DataDirectory::Absent absent = DataDirectory::Absent::make);

// A write that is refused at the start says little about why.
Error explained(const Config& config, const Error& error);

// Why nothing can be written. What the disk said, with names of files, is in the log: anybody may
// ask this.
Result<> check_writable(const Config& config, const table::Engine& engine);

// Deletes what has expired, until that is done or `stopping`.
void expire_items(table::Engine& engine, const std::atomic<bool>& stopping);

}  // namespace mailroom::app
