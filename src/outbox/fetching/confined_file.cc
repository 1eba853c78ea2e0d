// Reading files that a stranger named, below one directory.
#include "outbox/fetching/attachments.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace mailroom::outbox {

namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_;
};

Error problem(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            return {Errc::not_found, "no such file"};
        case EXDEV:
            return {Errc::invalid, "it leads out of the directory for attachments"};
        case ELOOP:
            return {Errc::invalid, "it is a link that leads nowhere"};
        case EACCES:
        case EPERM:
            return {Errc::invalid, "this server may not read the file"};
        case ENAMETOOLONG:
            return {Errc::invalid, "the path is too long"};
        default:
            return {Errc::unavailable,
                    "the file cannot be read: " + std::generic_category().message(error)};
    }
}

std::optional<std::filesystem::path> place_of(const Descriptor& file) {
    std::error_code error;
    auto place =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.get()), error);
    if (error) return std::nullopt;
    return place;
}

bool is_below(const std::filesystem::path& place, const std::filesystem::path& directory) {
    const auto relative = place.lexically_relative(directory);
    return !relative.empty() && *relative.begin() != "..";
}

// For kernels without openat2: what was opened says itself where it is, so nothing can be exchanged
// between the look and the use. O_PATH touches no device and waits for no pipe.
Result<Descriptor> open_and_look(const Descriptor& base, const std::string& path) {
    Descriptor found(::openat(base.get(), path.c_str(), O_PATH | O_CLOEXEC));
    if (!found) return problem(errno);
    const auto place = place_of(found);
    const auto directory = place_of(base);
    if (!place || !directory || !is_below(*place, *directory)) return problem(EXDEV);
    const auto again = "/proc/self/fd/" + std::to_string(found.get());
    Descriptor file(::open(again.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!file) return problem(errno);
    return file;
}

Result<Descriptor> open_below(const Descriptor& base, const std::string& path) {
    open_how how = {};
    how.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;  // A pipe must not make us wait for its writer.
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const auto number = ::syscall(SYS_openat2, base.get(), path.c_str(), &how, sizeof how);
    if (number >= 0) return Descriptor(static_cast<int>(number));
    if (errno == ENOSYS || errno == EPERM) return open_and_look(base, path);
    return problem(errno);
}

Result<std::string> read_all(const Descriptor& file, std::size_t bytes, std::size_t bytes_max) {
    // One more than it should be, to see whether it has grown meanwhile.
    std::string content(bytes + 1, '\0');
    std::size_t length = 0;
    while (length < content.size()) {
        const auto count = ::read(file.get(), content.data() + length, content.size() - length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return problem(errno);
        if (count == 0) break;
        length += static_cast<std::size_t>(count);
    }
    if (length > bytes) return Error{Errc::unavailable, "the file is being written"};
    if (length > bytes_max) return Error{Errc::throttled, "the file is too large"};
    content.resize(length);
    return content;
}

}  // namespace

Result<std::string> read_confined(const std::filesystem::path& directory, std::string_view path,
                                  std::size_t bytes_max) {
    const auto below = TRY(confined_path(path));
    const Descriptor base(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!base) {
        return Error{Errc::unavailable, "the directory for attachments cannot be opened"};
    }
    const auto file = TRY(open_below(base, below));
    struct stat about = {};
    if (::fstat(file.get(), &about) != 0) return problem(errno);
    if (!S_ISREG(about.st_mode)) return Error{Errc::invalid, "it is not a regular file"};
    const auto bytes = static_cast<std::size_t>(about.st_size);
    if (bytes > bytes_max) return Error{Errc::throttled, "the file is too large"};
    return read_all(file, bytes, bytes_max);
}

}  // namespace mailroom::outbox
