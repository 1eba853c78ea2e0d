// Blobs as files below a directory, which may be a shared file system.
//
// The file of "eml/2026/November/ID.EML" is that, below the base. When another content is there
// already, that stays, because a mail may be using it: the new one becomes "….EML~" and a hash of
// it, and a row of the table of blobs, in the transaction, says so:
//   MailroomBlobs   Path S, Part N (0)   File S   TTL N
//
// The base has a mark, the file .mailroom-blobs, and a row says which:
//   MailroomBlobs   Path "#directory", Part 0   Mark S   Directory S (the base)
// Where the mark is not, the file system is not mounted: nothing is written there, and what is not
// found is not taken for lost.
//
// Files are on disk before add() returns. They are never deleted by Mailroom: the operator's own
// rules decide how long they are kept (30 days are enough). A crash may leave files whose names
// begin with ".".
#pragma once

#include "base/random.h"
#include "base/result.h"
#include "outbox/blobs/blobs.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// Files have mode 0600, directories 0700. The file system must have hard links. Thread-safe, and
// several processes may use one directory.
class DirectoryBlobs final : public Blobs {
public:
    static table::OwnTable declared(std::string table = "MailroomBlobs");
    // Makes the directory and the table when they are not there. `store` and `random` must outlive
    // the result. `unavailable` if the directory cannot be used, or has lost its mark.
    static Result<DirectoryBlobs> open(std::filesystem::path base, table::Store& store,
                                       Random& random, std::string table = "MailroomBlobs");

    // `invalid` if `path` leads out of the base or its parts begin with a dot; `unavailable`, with
    // the system's reason, if the file cannot be written, or the mark is not there.
    Result<> add(table::write::Transaction& transaction, const std::string& path,
                 std::string_view bytes, Time expires) override;
    Result<std::optional<std::string>> read(const std::string& path) override;
    // The mark is there and we may write. Whether there is room is not asked.
    Result<> writable() const override;

private:
    DirectoryBlobs(std::filesystem::path base, table::Store& store, Random& random,
                   std::string table)
        : base_(std::move(base)), store_(&store), random_(&random), table_(std::move(table)) {}
    // Compares the mark with the one that is known, and makes it for a new directory.
    Result<> settle_mark();
    Result<> check_mark() const;
    Result<std::optional<table::Item>> row(const std::string& path);

    std::filesystem::path base_;
    table::Store* store_;
    Random* random_;
    std::string table_;
    std::string mark_;
};

}  // namespace mailroom::outbox
