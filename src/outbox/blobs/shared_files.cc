#include "outbox/blobs/shared_files.h"

#include "outbox/accept/compose.h"
#include "outbox/fetching/attachments.h"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>

namespace mailroom::outbox {

namespace {

constexpr std::size_t shared_bytes_max = 2 * raw_bytes_max;  // A payload may have base64 in it.

// The part of `path` below `directory`; none if it is not below it.
std::optional<std::string> below(const std::filesystem::path& directory, const std::string& path) {
    const auto base = std::filesystem::absolute(directory).lexically_normal();
    const auto relative =
        std::filesystem::path(path).lexically_normal().lexically_relative(base).string();
    if (relative.empty() || relative == "." || relative.starts_with("..")) return std::nullopt;
    return relative;
}

// 0 if there is none.
std::uint64_t device_of(const std::filesystem::path& directory) {
    struct stat about = {};
    return ::stat(directory.c_str(), &about) == 0 ? about.st_dev : 0;
}

}  // namespace

SharedFiles::SharedFiles(std::unique_ptr<Blobs> own, std::optional<std::filesystem::path> directory)
    : own_(std::move(own)), directory_(std::move(directory)) {
    if (directory_) device_ = device_of(*directory_);
}

// What is left when a file system is gone is an empty directory, or at least another file system's.
Result<> SharedFiles::require_mounted() {
    std::error_code problem;
    const bool is_empty = std::filesystem::is_empty(*directory_, problem);
    if (!problem && !is_empty && device_of(*directory_) == device_) return Ok{};
    return Error{Errc::unavailable,
                 "nothing is in outbox.shared_directory: is its file system mounted?"};
}

Result<std::optional<std::string>> SharedFiles::read(const std::string& path) {
    if (!is_shared_path(path)) return own_->read(path);
    if (!directory_) {
        return Error{Errc::invalid, path +
                                        " is a file of another program, and "
                                        "outbox.shared_directory is not set"};
    }
    const auto relative = below(*directory_, path);
    if (!relative) {
        return Error{Errc::invalid, path + " is not below outbox.shared_directory"};
    }
    auto bytes = read_confined(*directory_, *relative, shared_bytes_max);
    if (bytes) {
        device_ = device_of(*directory_);
        return std::optional(*std::move(bytes));
    }
    if (bytes.error().code == Errc::not_found) {
        TRY(require_mounted());
        return std::optional<std::string>();
    }
    // What is too large stays so, and what may not be read is not ours to wait for.
    const bool may_pass = bytes.error().code == Errc::unavailable;
    return Error{may_pass ? Errc::unavailable : Errc::invalid, path + ": " + bytes.error().message};
}

}  // namespace mailroom::outbox
