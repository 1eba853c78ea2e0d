// How RocksDB is set up for Mailroom: some ten million rows of about 300 bytes, on two cores, in a
// bounded amount of memory.
#pragma once

#include "kv/rocks_store.h"

namespace rocksdb {
struct Options;
}

namespace mailroom::kv {

rocksdb::Options tuned_for(const RocksOptions& options);

}  // namespace mailroom::kv
