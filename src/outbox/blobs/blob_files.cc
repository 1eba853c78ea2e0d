#include "outbox/blobs/blob_files.h"

#include "base/hex.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace mailroom::outbox {

namespace {

constexpr mode_t file_mode = 0600;
constexpr mode_t directory_mode = 0700;
constexpr std::size_t stored_path_bytes_max = 1024;  // Far above ours.
constexpr off_t file_bytes_max = 256 * 1024 * 1024;  // Far above any message.

class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const { return number_; }
    bool is_open() const { return number_ >= 0; }

private:
    int number_;
};

Error failed(std::string_view doing, std::string_view path) {
    return {Errc::unavailable, "cannot " + std::string(doing) + " " + std::string(path) + ": " +
                                   std::generic_category().message(errno)};
}

struct Location {
    std::vector<std::string> directories;
    std::string name;
};

Location location_of(std::string_view path) {
    Location location;
    for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/')) {
        location.directories.emplace_back(path.substr(0, slash));
        path.remove_prefix(slash + 1);
    }
    location.name = path;
    return location;
}

Result<Descriptor> open_base(const std::filesystem::path& base) {
    Descriptor directory(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.is_open()) return failed("open the directory", base.string());
    return directory;
}

// The directory `name` in `parent`. Not open if there is none.
Descriptor open_below(const Descriptor& parent, const std::string& name) {
    return Descriptor(
        ::openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

Result<Descriptor> make_directories(const std::filesystem::path& base, const Location& location) {
    auto directory = TRY(open_base(base));
    for (const auto& name : location.directories) {
        auto next = open_below(directory, name);
        if (!next.is_open() && errno == ENOENT) {
            if (::mkdirat(directory.get(), name.c_str(), directory_mode) != 0 && errno != EEXIST) {
                return failed("make the directory", name);
            }
            // Else the directory, with a file in it, may be gone after a crash.
            if (::fsync(directory.get()) != 0) return failed("write the directory", name);
            next = open_below(directory, name);
        }
        if (!next.is_open()) return failed("open the directory", name);
        directory = std::move(next);
    }
    return directory;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// As futimens() takes them: when it was read stays as it is.
std::array<timespec, 2> times_of(Time changed) {
    return {timespec{0, UTIME_OMIT}, timespec{to_unix_seconds(changed), 0}};
}

// Of a file of somebody else's, who may share the directory, the time stays as it is.
void renew(const Descriptor& directory, const std::string& name, Time changed) {
    struct stat status {};
    const int failed = ::fstatat(directory.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW);
    if (failed != 0 || status.st_mtim.tv_sec >= to_unix_seconds(changed)) return;
    ::utimensat(directory.get(), name.c_str(), times_of(changed).data(), AT_SYMLINK_NOFOLLOW);
}

// `path` is what errors name.
Result<> write_temporary(const Descriptor& directory, const std::string& name,
                         std::string_view bytes, std::optional<Time> changed,
                         const std::string& path) {
    const Descriptor file(::openat(directory.get(), name.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                   file_mode));
    if (!file.is_open()) return failed("make the file", path);
    const bool written = write_all(file.get(), bytes);
    if (changed) ::futimens(file.get(), times_of(*changed).data());
    if (!written || ::fsync(file.get()) != 0) {
        const auto error = failed("write the file", path);
        ::unlinkat(directory.get(), name.c_str(), 0);
        return error;
    }
    return Ok{};
}

// Whole and durable, or not there. False if there is a file of that name already. `path` is what
// errors name.
Result<bool> write_new(const Descriptor& directory, const std::string& name, std::string_view bytes,
                       std::optional<Time> changed, const std::string& path, Random& random) {
    const auto temporary = "." + hex_encode(random_bytes(random, 16));
    TRY(write_temporary(directory, temporary, bytes, changed, path));
    // Unlike a rename, a link replaces nothing.
    const bool linked =
        ::linkat(directory.get(), temporary.c_str(), directory.get(), name.c_str(), 0) == 0;
    const auto problem = errno;
    ::unlinkat(directory.get(), temporary.c_str(), 0);
    if (!linked && problem == EEXIST) return false;
    errno = problem;
    if (!linked) return failed("make the file", path);
    if (::fsync(directory.get()) != 0) return failed("write the directory of", path);
    return true;
}

// None if there is no such file.
Result<std::optional<std::string>> read_in(const Descriptor& directory, const std::string& name) {
    const Descriptor file(
        ::openat(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open()) {
        if (errno == ENOENT) return std::optional<std::string>();
        return failed("open the file", name);
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return failed("read the file", name);
    if (!S_ISREG(status.st_mode) || status.st_size > file_bytes_max) {
        return Error{Errc::corrupt, name + " is no file of ours"};
    }
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
        const auto got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed("read the file", name);
        if (got == 0) return Error{Errc::corrupt, name + " became shorter while it was read"};
        done += static_cast<std::size_t>(got);
    }
    return std::optional(std::move(bytes));
}

Error not_a_path(const std::string& path) {
    return {Errc::invalid, "\"" + path + "\" is not a path of a blob"};
}

}  // namespace

bool is_blob_path(std::string_view path) {
    if (path.empty() || path.size() > stored_path_bytes_max) return false;
    if (path.find('\0') != path.npos) return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const auto end = std::min(path.find('/', begin), path.size());
        if (end == begin || path[begin] == '.') return false;
        begin = end + 1;
    }
    return true;
}

Result<Written> write_blob_file(const std::filesystem::path& base, const std::string& path,
                                std::string_view bytes, Time changed, Random& random) {
    if (!is_blob_path(path)) return not_a_path(path);
    const auto location = location_of(path);
    const auto directory = TRY(make_directories(base, location));
    auto there = TRY(read_in(directory, location.name));
    if (!there) {
        const auto named = (base / path).string();
        if (TRY(write_new(directory, location.name, bytes, changed, named, random))) {
            return Written::new_file;
        }
        there = TRY(read_in(directory, location.name));
    }
    if (there != bytes) return Written::other_file_there;
    renew(directory, location.name, changed);
    return Written::same_file;
}

Result<std::optional<std::string>> read_blob_file(const std::filesystem::path& base,
                                                  const std::string& path) {
    if (!is_blob_path(path)) return not_a_path(path);
    const auto location = location_of(path);
    auto directory = TRY(open_base(base));
    for (const auto& name : location.directories) {
        auto next = open_below(directory, name);
        if (!next.is_open() && errno == ENOENT) return std::optional<std::string>();
        if (!next.is_open()) return failed("open the directory", name);
        directory = std::move(next);
    }
    return read_in(directory, location.name);
}

Result<std::optional<std::string>> read_mark(const std::filesystem::path& base) {
    const auto directory = TRY(open_base(base));
    auto text = TRY(read_in(directory, mark_file_name));
    if (text) text = std::string(trim(*text));
    return text;
}

Result<std::string> make_mark(const std::filesystem::path& base, const std::string& mark,
                              Random& random) {
    const auto directory = TRY(open_base(base));
    TRY(write_new(directory, mark_file_name, mark + "\n", {}, (base / mark_file_name).string(),
                  random));
    const auto there = TRY(read_mark(base));
    if (!there) return Error{Errc::unavailable, "somebody deletes " + std::string(mark_file_name)};
    return *there;
}

}  // namespace mailroom::outbox
