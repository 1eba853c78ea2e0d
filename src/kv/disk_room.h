// Whether a directory's file system has room left.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <utility>

namespace mailroom::kv {

// With less the store commits nothing: so much may have to be written after the last commit, for
// the memtables and for tables that are being compacted.
constexpr std::uint64_t store_room_bytes_min = 128 * 1024 * 1024;

// Thread-safe.
class DiskRoom {
public:
    DiskRoom(std::filesystem::path directory, std::uint64_t bytes_min)
        : directory_(std::move(directory)), bytes_min_(bytes_min) {}

    // `unavailable`, with the figures, when less than `bytes_min` is free. A file system that
    // cannot be asked counts as having room: whoever writes will hear what is wrong with it.
    Result<> check() const;

private:
    const std::filesystem::path directory_;
    const std::uint64_t bytes_min_;
};

}  // namespace mailroom::kv
