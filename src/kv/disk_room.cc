#include "kv/disk_room.h"

#include <string>
#include <system_error>

namespace mailroom::kv {

namespace {

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

Result<> DiskRoom::check() const {
    std::error_code failed;
    const auto space = std::filesystem::space(directory_, failed);
    if (failed || space.available >= bytes_min_) return Ok{};
    return Error{Errc::unavailable, "the disk is full: " + mebibytes(space.available) +
                                        " are free, and " + mebibytes(bytes_min_) +
                                        " must stay free"};
}

}  // namespace mailroom::kv
