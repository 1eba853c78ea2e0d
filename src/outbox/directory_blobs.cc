#include "outbox/directory_blobs.h"

#include "net/sigv4.h"
#include "outbox/blob_files.h"
#include "outbox/table_setup.h"

#include <system_error>

namespace mailroom::outbox {

namespace {

table::Item row_of(const std::string& path) { return {{"Part", 0}, {"Path", path}}; }

// Another file for another content; two contents of one mail do not share so many digits.
std::string other_name(const std::string& path, std::string_view bytes) {
    return path + "~" + net::sha256_hex(bytes).substr(0, 32);
}

}  // namespace

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
    table::CreateTable wanted;
    wanted.name = table;
    wanted.attributes = {{"Path", table::Kind::string}, {"Part", table::Kind::number}};
    wanted.keys = {"Path", "Part"};
    TRY(ensure_table(store, wanted));
    return DirectoryBlobs(std::move(base), store, random, std::move(table));
}

Result<> DirectoryBlobs::add(table::write::Transaction& transaction, const std::string& path,
                             std::string_view bytes, Time expires) {
    auto written = TRY(write_blob_file(base_, path, bytes, *random_));
    if (written == Written::new_file) return Ok{};
    if (written == Written::same_file) {
        // A row that an earlier content left would lead to that one.
        transaction.erase(table_, row_of(path));
        return Ok{};
    }
    const auto other = other_name(path, bytes);
    if (TRY(write_blob_file(base_, other, bytes, *random_)) == Written::other_file_there) {
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
    table::GetItem request;
    request.table = table_;
    request.key = row_of(path);
    request.consistent = true;
    const auto found = TRY(store_->get(request));
    const auto other = found.item ? found.item->text("File") : std::nullopt;
    return read_blob_file(base_, other ? std::string(*other) : path);
}

}  // namespace mailroom::outbox
