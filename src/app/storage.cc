#include "app/storage.h"

#include "app/open_tables.h"
#include "base/log.h"
#include "kv/disk_room.h"
#include "kv/rocks_store.h"

#include <string_view>

namespace mailroom::app {

namespace {

constexpr std::size_t expiry_batch_items = 20'000;  // Some second's work, then a look at the stop.

}  // namespace

Result<Storage> open_storage(const Config& config, const Clock& clock, Random& random,
                             DataDirectory::Absent absent) {
    if (config.store.remote) {
        return Error{Errc::unavailable, "store.kind is " + config.store.remote->text() +
                                            ", but this version has embedded tables only"};
    }
    Storage storage;
    storage.directory.emplace(TRY(DataDirectory::open(config.server.data, absent)));
    kv::RocksOptions rocks;
    rocks.cache_bytes = config.store.cache_mb * bytes_per_mb;
    rocks.on_warning = [](std::string_view line) { log::warn("store", {{"said", line}}); };
    storage.rows = TRY(open_tables(*storage.directory, rocks));
    table::EngineOptions options;
    options.region = config.dynamodb.region;
    if (config.server.durability == Durability::relaxed) options.sync = kv::Sync::relaxed;
    storage.engine = TRY(table::Engine::open(*storage.rows, clock, random, options));
    return storage;
}

Error explained(const Config& config, const Error& error) {
    const auto room = kv::DiskRoom(config.server.data, kv::store_room_bytes_min).check();
    const bool is_about_storing = error.code != Errc::conflict && error.code != Errc::invalid;
    if (room || !is_about_storing) return error;
    return {error.code, config.server.data + ": " + room.error().message + ". " + error.message};
}

Result<> check_writable(const Config& config, const table::Engine& engine) {
    TRY(kv::DiskRoom(config.server.data, kv::store_room_bytes_min).check());
    const auto writable = engine.writable();
    if (writable) return Ok{};
    const bool is_damaged = writable.error().code == Errc::corrupt;
    return Error{Errc::unavailable, is_damaged ? "a file of the tables is damaged: the log names it"
                                               : "the disk refuses writes: the log says why"};
}

void expire_items(table::Engine& engine, const std::atomic<bool>& stopping) {
    while (!stopping) {
        const auto swept = engine.sweep_expired(expiry_batch_items);
        if (!swept && !engine.writable()) return;  // That has been logged.
        if (!swept) return log::warn("expiry failed", {{"reason", swept.error().message}});
        if (*swept < expiry_batch_items) return;
    }
}

}  // namespace mailroom::app
