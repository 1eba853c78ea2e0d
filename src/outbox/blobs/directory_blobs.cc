#include "outbox/blobs/directory_blobs.h"

#include "base/hex.h"
#include "net/sigv4.h"
#include "outbox/blobs/blob_files.h"
#include "table/records/ensure_table.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace mailroom::outbox {

namespace {

const std::string directory_path = "#directory";  // No blob has that path.
// Operators remove files that were not changed for so long (docs/transports.md).
constexpr auto removed_after = std::chrono::days(30);

table::Item row_of(const std::string& path) { return {{"Part", 0}, {"Path", path}}; }

// Another file for another content; two contents of one mail do not share so many digits.
std::string other_name(const std::string& path, std::string_view bytes) {
    return path + "~" + net::sha256_hex(bytes).substr(0, 32);
}

}  // namespace

table::OwnTable DirectoryBlobs::declared(std::string table) {
    return table::own_table(std::move(table),
                            {{"Path", table::Kind::string}, {"Part", table::Kind::number}}, "TTL");
}

Result<DirectoryBlobs> DirectoryBlobs::open(std::filesystem::path base, table::Store& store,
                                            Random& random, std::string table) {
    std::error_code problem;
    if (std::filesystem::create_directories(base, problem)) {
        std::filesystem::permissions(base, std::filesystem::perms::owner_all, problem);
    }
    if (problem || !std::filesystem::is_directory(base, problem)) {
        return Error{Errc::unavailable,
                     "cannot use the directory " + base.string() +
                         (problem ? ": " + problem.message() : ": it is something else")};
    }
    TRY(table::ensure_table(store, declared(table)));
    DirectoryBlobs blobs(std::move(base), store, random, std::move(table));
    TRY(blobs.settle_mark());
    return blobs;
}

Result<> DirectoryBlobs::settle_mark() {
    const auto directory = std::filesystem::absolute(base_).lexically_normal().string();
    const auto known = TRY(row(directory_path));
    const auto known_mark = known ? known->text("Mark") : std::nullopt;
    const bool same_directory = known && known->text("Directory") == directory;
    const auto there = TRY(read_mark(base_));
    if (known_mark && same_directory && there != known_mark) {
        const auto file = (base_ / mark_file_name).string();
        return Error{Errc::unavailable,
                     "the files of the mails are not in " + base_.string() +
                         ": is its file system mounted? If they are lost for good, put \"" +
                         std::string(*known_mark) + "\" into " + file};
    }
    if (there) {
        mark_ = *there;
    } else {
        // Those of another place may be brought here.
        const auto mark =
            known_mark ? std::string(*known_mark) : hex_encode(random_bytes(*random_, 16));
        mark_ = TRY(make_mark(base_, mark, *random_));
    }
    if (same_directory && known_mark == mark_) return Ok{};
    auto item = row_of(directory_path);
    item.set("Mark", table::Value(mark_));
    item.set("Directory", table::Value(directory));
    table::PutItem put;
    put.table = table_;
    put.item = std::move(item);
    TRY(store_->put(put));
    return Ok{};
}

Result<> DirectoryBlobs::check_mark() const {
    const auto there = TRY(read_mark(base_));
    if (there == mark_) return Ok{};
    return Error{Errc::unavailable, base_.string() + " has lost its file " +
                                        std::string(mark_file_name) +
                                        ": is its file system mounted?"};
}

Result<> DirectoryBlobs::writable() const {
    TRY(check_mark());
    if (::faccessat(AT_FDCWD, base_.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        return Error{Errc::unavailable, "cannot write to the directory " + base_.string() + ": " +
                                            std::generic_category().message(errno)};
    }
    return Ok{};
}

Result<std::optional<table::Item>> DirectoryBlobs::row(const std::string& path) {
    table::GetItem request;
    request.table = table_;
    request.key = row_of(path);
    request.consistent = true;
    auto found = TRY(store_->get(request));
    return std::move(found.item);
}

Result<> DirectoryBlobs::add(table::write::Transaction& transaction, const std::string& path,
                             std::string_view bytes, Time expires) {
    TRY(check_mark());
    const auto changed = expires - removed_after;
    auto written = TRY(write_blob_file(base_, path, bytes, changed, *random_));
    if (written == Written::new_file) return Ok{};
    if (written == Written::same_file) {
        // A row that an earlier content left would lead to that one.
        transaction.erase(table_, row_of(path));
        return Ok{};
    }
    const auto other = other_name(path, bytes);
    if (TRY(write_blob_file(base_, other, bytes, changed, *random_)) == Written::other_file_there) {
        return Error{Errc::corrupt, "the file " + other + " is not what its name says"};
    }
    auto row = row_of(path);
    row.set("File", table::Value(other));
    row.set("TTL", table::Value(to_unix_seconds(expires)));
    transaction.put(table_, std::move(row));
    return Ok{};
}

Result<std::optional<std::string>> DirectoryBlobs::read(const std::string& path) {
    if (!is_blob_path(path)) return read_blob_file(base_, path);
    const auto found = TRY(row(path));
    const auto other = found ? found->text("File") : std::nullopt;
    auto bytes = TRY(read_blob_file(base_, other ? std::string(*other) : path));
    if (!bytes) TRY(check_mark());
    return bytes;
}

}  // namespace mailroom::outbox
