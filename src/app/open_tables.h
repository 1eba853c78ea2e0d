// The tables of a data directory.
#pragma once

#include "app/data_directory.h"
#include "base/result.h"
#include "kv/rocks_store.h"
#include "kv/store.h"

#include <memory>

namespace mailroom::app {

// Makes them in a directory that is new. `corrupt`, with what is missing and the way out, if there
// is damage, if tables are gone that were there, or if acknowledged writes are missing.
Result<std::unique_ptr<kv::Store>> open_tables(const DataDirectory& directory,
                                               kv::RocksOptions options = {});

}  // namespace mailroom::app
