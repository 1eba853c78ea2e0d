#include "app/open_tables.h"

#include "app/checksums.h"

#include <string>
#include <utility>

namespace mailroom::app {

namespace {

constexpr std::string_view way_out =
    ". Bring the files back, restore a backup, or see \"When data is missing\" in docs/failures.md";

}  // namespace

Result<std::unique_ptr<kv::Store>> open_tables(const DataDirectory& directory,
                                               kv::RocksOptions options) {
    const bool is_new = directory.is_new();
    options.missing_tables = is_new ? kv::MissingTables::make : kv::MissingTables::refuse;
    // They hold for files that nobody has changed since.
    TRY(forget_checksums(directory.path()));
    auto rows = kv::open_rocks(directory.tables(), options);
    if (!rows) {
        auto error = std::move(rows).error();
        if (error.code == Errc::corrupt) error.message += way_out;
        return error;
    }
    if (is_new) TRY(directory.mark_used());
    return rows;
}

}  // namespace mailroom::app
