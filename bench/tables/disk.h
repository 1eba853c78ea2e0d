// The disk that the measured servers write to: the figures mean nothing without it.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace mailroom::bench {

struct Disk {
    std::string file_system;  // "ext4", say.
    std::string device;
    bool is_memory;           // A file system that has no disk under it, where fsync costs nothing.
    double syncs_per_second;  // Appends of 4 KB, each followed by fdatasync, one after the other.
};

// Looks up the file system of an existing directory and times its fdatasync for a moment.
// `unavailable` when it cannot be written to.
Result<Disk> inspect_disk(const std::filesystem::path& directory);

}  // namespace mailroom::bench
