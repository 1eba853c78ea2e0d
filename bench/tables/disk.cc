#include "disk.h"

#include "file_descriptor.h"

#include <fcntl.h>
#include <mntent.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <memory>

namespace mailroom::bench {

namespace {

using Steady = std::chrono::steady_clock;

constexpr auto probe_time = std::chrono::milliseconds(300);  // Some hundred syncs of a common disk.
constexpr std::size_t probe_bytes = 4096;                    // One page: the least a disk writes.

struct Mount {
    std::string file_system = "unknown";
    std::string device = "unknown";
};

Mount mount_of(const std::filesystem::path& directory) {
    struct stat wanted {};
    Mount found;
    if (::stat(directory.c_str(), &wanted) != 0) return found;
    const std::unique_ptr<FILE, int (*)(FILE*)> mounts(::setmntent("/proc/self/mounts", "r"),
                                                       ::endmntent);
    if (!mounts) return found;
    // The last entry wins: later mounts cover earlier ones.
    while (const mntent* entry = ::getmntent(mounts.get())) {
        struct stat here {};
        if (::stat(entry->mnt_dir, &here) != 0 || here.st_dev != wanted.st_dev) continue;
        found = {entry->mnt_type, entry->mnt_fsname};
    }
    return found;
}

Result<double> syncs_per_second(const std::filesystem::path& directory) {
    const auto path = directory / "sync-probe";
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.is_open()) return Error{Errc::unavailable, "cannot write in " + directory.string()};

    const std::string page(probe_bytes, 'p');
    const auto start = Steady::now();
    int syncs = 0;
    for (; Steady::now() - start < probe_time; ++syncs) {
        const bool written =
            ::write(file.number(), page.data(), page.size()) == static_cast<ssize_t>(page.size());
        if (!written || ::fdatasync(file.number()) != 0) {
            return Error{Errc::unavailable, "cannot write in " + directory.string()};
        }
    }
    const std::chrono::duration<double> took = Steady::now() - start;
    ::unlink(path.c_str());
    return syncs / took.count();
}

}  // namespace

Result<Disk> inspect_disk(const std::filesystem::path& directory) {
    const auto mount = mount_of(directory);
    const bool is_memory = mount.file_system == "tmpfs" || mount.file_system == "ramfs";
    return Disk{mount.file_system, mount.device, is_memory, TRY(syncs_per_second(directory))};
}

}  // namespace mailroom::bench
