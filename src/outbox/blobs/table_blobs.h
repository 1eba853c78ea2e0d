// Blobs in a table, beside the rows that name them: one fsync covers both.
//
//   MailroomBlobs   Path S, Part N   Data B   Parts N   TTL N (Unix seconds)
//     a small one   Path, Part 0: Data, Parts 1
//     a large one   Path, Part 0: Parts, Content S (of the parts, as hexadecimal digits)
//                   Path "#" Content, Part 1 to Parts: Data
// The parts of a large one are written before the transaction, under a name that only this content
// has; Part 0 is in the transaction. So nothing that is in use is ever touched by a transaction
// that is refused later, and what that leaves behind goes by its TTL.
#pragma once

#include "base/result.h"
#include "outbox/blobs/blobs.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// Thread-safe.
class TableBlobs final : public Blobs {
public:
    // Up to here a blob is a part of the transaction: two of a mail are far from the 4 MB that one
    // can hold.
    static constexpr std::size_t small_bytes_max = 300 * 1024;
    static constexpr std::size_t part_bytes_max = 350 * 1024;  // An item holds 400 KB.

    static table::OwnTable declared(std::string table = "MailroomBlobs");
    // Makes the table when it is not there. `store` must outlive the result.
    static Result<TableBlobs> open(table::Store& store, std::string table = "MailroomBlobs");

    Result<> add(table::write::Transaction& transaction, const std::string& path,
                 std::string_view bytes, Time expires) override;
    bool adds_quickly(std::size_t bytes) const override { return bytes <= small_bytes_max; }
    // `corrupt` if parts of it are missing.
    Result<std::optional<std::string>> read(const std::string& path) override;

private:
    TableBlobs(table::Store& store, std::string table) : store_(&store), table_(std::move(table)) {}
    Result<> write_parts(const std::string& name, std::string_view bytes, std::int64_t expires);
    Result<std::string> read_parts(const std::string& name, std::int64_t parts);

    table::Store* store_;
    std::string table_;
};

}  // namespace mailroom::outbox
