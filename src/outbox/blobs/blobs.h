// Where payloads and messages are kept.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "table/write_builder.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// Thread-safe.
class Blobs {
public:
    virtual ~Blobs() = default;

    // Keeps `bytes` under `path` ("eml/2026/November/ID.EML", our own making) until about
    // `expires`. Small ones become part of the transaction; what does not fit is written before,
    // and is of no use to anybody until the transaction is committed. An earlier blob of that path
    // is replaced.
    virtual Result<> add(table::write::Transaction& transaction, const std::string& path,
                         std::string_view bytes, Time expires) = 0;
    // Whether a blob of that size is added without waiting for anything.
    virtual bool adds_quickly(std::size_t /*bytes*/) const { return false; }
    // None if there is no such blob.
    virtual Result<std::optional<std::string>> read(const std::string& path) = 0;
    // Whether blobs could be added now; `unavailable`, with the reason, if not. Those in the tables
    // can be if the tables can be written to. May wait for a disk.
    virtual Result<> writable() const { return Ok{}; }
};

}  // namespace mailroom::outbox
