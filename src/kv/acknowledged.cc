#include "kv/acknowledged.h"

#include "kv/key.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace mailroom::kv {

namespace {

constexpr const char* file_name = "ACKNOWLEDGED";
constexpr std::size_t file_bytes = 16;

std::string encode(std::uint64_t number) {
    std::string bytes;
    append_u64(bytes, number);
    append_u64(bytes, ~number);
    return bytes;
}

// So few bytes of one block are written whole or not at all.
bool write_number(int file, std::uint64_t number) {
    const auto bytes = encode(number);
    return ::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

std::optional<std::uint64_t> Acknowledged::read(const std::filesystem::path& directory) {
    const int file = ::open((directory / file_name).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    std::array<char, file_bytes> bytes;
    const auto got = ::pread(file, bytes.data(), bytes.size(), 0);
    ::close(file);
    if (got != static_cast<ssize_t>(file_bytes)) return std::nullopt;
    std::string_view in(bytes.data(), bytes.size());
    const auto number = read_u64(in), check = read_u64(in);
    if (!number || !check || *check != ~*number) return std::nullopt;
    return number;
}

Result<std::unique_ptr<Acknowledged>> Acknowledged::begin(const std::filesystem::path& directory,
                                                          std::uint64_t number) {
    const auto path = directory / file_name;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    const auto failed = [&] {
        Error error{Errc::unavailable,
                    "cannot write " + path.string() + ": " + std::strerror(errno)};
        if (file >= 0) ::close(file);
        return error;
    };
    if (file < 0 || !write_number(file, number) || ::fsync(file) != 0) return failed();
    return std::unique_ptr<Acknowledged>(new Acknowledged(file, number));
}

Acknowledged::~Acknowledged() { ::close(file_); }

void Acknowledged::advance(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (number <= number_) return;
    number_ = number;
    static_cast<void>(write_number(file_, number));
}

}  // namespace mailroom::kv
