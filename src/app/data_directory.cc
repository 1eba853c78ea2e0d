#include "app/data_directory.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::app {

namespace {

namespace fs = std::filesystem;

// On disk: raise it when an older mailroom could no longer read what a newer one wrote.
constexpr unsigned format_version = 1;
constexpr std::string_view format_word = "mailroom-data ";

constexpr std::size_t small_file_bytes_max = 256;  // LOCK and FORMAT are one short line each.

Error unavailable(const std::string& what, const fs::path& path) {
    return {Errc::unavailable, what + " " + path.string() + ": " + std::strerror(errno)};
}

// An open file that is closed at the end of the scope.
class File {
public:
    File(const fs::path& path, int flags, mode_t mode = 0)
        : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    explicit operator bool() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    int release() { return std::exchange(descriptor_, -1); }

private:
    int descriptor_;
};

std::string read_start(int file) {
    std::array<char, small_file_bytes_max> bytes;
    const auto got = ::pread(file, bytes.data(), bytes.size(), 0);
    return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Makes new names in the directory survive a power cut.
Result<> sync_directory(const fs::path& path) {
    const File directory(path, O_RDONLY | O_DIRECTORY);
    if (!directory || ::fsync(directory.get()) != 0) return unavailable("cannot sync", path);
    return Ok{};
}

Result<> make_directory(const fs::path& path) {
    struct stat found;
    if (::stat(path.c_str(), &found) == 0) {
        if (S_ISDIR(found.st_mode)) return Ok{};
        return Error{Errc::invalid, "data directory " + path.string() + " is not a directory"};
    }
    std::error_code error;
    const auto parent = fs::absolute(path, error).parent_path();
    if (!error) fs::create_directories(parent, error);
    if (error) {
        return Error{Errc::unavailable, "cannot make " + parent.string() + ": " + error.message()};
    }
    if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return unavailable("cannot make data directory", path);
    }
    return sync_directory(parent);
}

// Also one that was there before us, or that was opened to others since.
Result<> keep_private(const fs::path& path) {
    struct stat found;
    if (::stat(path.c_str(), &found) != 0) return unavailable("cannot read", path);
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) == 0) return Ok{};
    if (::chmod(path.c_str(), S_IRWXU) != 0) {
        return unavailable("others may read the data directory, and that cannot be changed:", path);
    }
    log::info("the data directory is closed to others now", {{"directory", path.string()}});
    return Ok{};
}

Result<> check_present(const fs::path& path) {
    std::error_code error;
    if (fs::exists(path / "FORMAT", error)) return Ok{};
    return Error{Errc::not_found, "there is no data in " + path.string()};
}

Result<int> take_lock(const fs::path& directory) {
    const auto path = directory / "LOCK";
    File file(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
    if (!file) return unavailable("cannot open", path);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return unavailable("cannot lock", path);
        const auto text = read_start(file.get());
        const auto holder = std::string(trim(text));
        return Error{Errc::conflict, "data directory " + directory.string() +
                                         " is in use by another mailroom" +
                                         (holder.empty() ? "" : " (pid " + holder + ")")};
    }
    if (::ftruncate(file.get(), 0) != 0 ||
        !write_all(file.get(), std::to_string(::getpid()) + "\n")) {
        return unavailable("cannot write", path);
    }
    return file.release();
}

// None if the text is not what write_format() writes.
std::optional<unsigned> parse_format(std::string_view text) {
    if (!text.starts_with(format_word) || !text.ends_with('\n')) return std::nullopt;
    text.remove_prefix(format_word.size());
    text.remove_suffix(1);
    unsigned version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return version;
}

Result<> write_format(const fs::path& directory) {
    const auto path = directory / "FORMAT", next = directory / "FORMAT.new";
    {
        const File file(next, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
        const auto text = std::string(format_word) + std::to_string(format_version) + "\n";
        if (!file || !write_all(file.get(), text) || ::fsync(file.get()) != 0) {
            return unavailable("cannot write", next);
        }
    }
    if (::rename(next.c_str(), path.c_str()) != 0) return unavailable("cannot write", path);
    return sync_directory(directory);
}

Result<> write_new(const fs::path& directory) {
    const auto path = directory / "NEW";
    const File file(path, O_WRONLY | O_CREAT, S_IRUSR | S_IWUSR);
    if (!file || ::fsync(file.get()) != 0) return unavailable("cannot write", path);
    return sync_directory(directory);
}

// Refuses a directory with anything in it that we would not have left behind before FORMAT was
// there.
Result<> check_unused(const fs::path& directory) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(directory, error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const auto name = entry->path().filename();
        if (name == "LOCK" || name == "FORMAT.new" || name == "NEW" || name == "lost+found") {
            continue;
        }
        return Error{Errc::invalid, "data directory " + directory.string() + " holds " +
                                        name.string() +
                                        " but no FORMAT: it is not a mailroom data directory"};
    }
    if (error) {
        return Error{Errc::unavailable,
                     "cannot read " + directory.string() + ": " + error.message()};
    }
    return Ok{};
}

Result<> check_format(const fs::path& directory) {
    const auto path = directory / "FORMAT";
    const File file(path, O_RDONLY);
    if (!file) {
        if (errno != ENOENT) return unavailable("cannot read", path);
        TRY(check_unused(directory));
        TRY(write_new(directory));
        return write_format(directory);
    }
    const auto version = parse_format(read_start(file.get()));
    if (!version) return Error{Errc::corrupt, path.string() + " is not a format file of mailroom"};
    if (*version > format_version) {
        return Error{Errc::invalid, "data directory " + directory.string() +
                                        " was written by a newer mailroom (format " +
                                        std::to_string(*version) + "; this one reads up to " +
                                        std::to_string(format_version) + ")"};
    }
    return Ok{};
}

}  // namespace

Result<DataDirectory> DataDirectory::open(const fs::path& path, Absent absent) {
    if (absent == Absent::refuse) TRY(check_present(path));
    TRY(make_directory(path));
    DataDirectory directory(path, TRY(take_lock(path)));
    TRY(check_format(path));
    TRY(keep_private(path));
    return directory;
}

bool DataDirectory::is_new() const { return ::access((path_ / "NEW").c_str(), F_OK) == 0; }

Result<> DataDirectory::mark_used() const {
    const auto path = path_ / "NEW";
    if (::unlink(path.c_str()) != 0) {
        if (errno == ENOENT) return Ok{};
        return unavailable("cannot remove", path);
    }
    return sync_directory(path_);
}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataDirectory::~DataDirectory() {
    if (lock_ >= 0) ::close(lock_);
}

}  // namespace mailroom::app
