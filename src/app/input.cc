#include "app/input.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>

namespace mailroom::app {

namespace {

constexpr std::size_t piece_bytes = 64 * 1024;

Result<std::string> read_all(std::istream& in, const std::string& name, std::size_t bytes_max) {
    std::string text;
    while (in) {
        const auto before = text.size();
        text.resize(before + piece_bytes);
        in.read(text.data() + before, piece_bytes);
        text.resize(before + static_cast<std::size_t>(in.gcount()));
        if (text.size() > bytes_max) {
            return Error{Errc::invalid,
                         name + " has more than " + std::to_string(bytes_max) + " bytes"};
        }
    }
    if (in.bad()) return Error{Errc::unavailable, "cannot read " + name};
    return text;
}

}  // namespace

Result<std::string> read_input(const std::string& file, std::istream& standard_input,
                               std::size_t bytes_max) {
    if (file == "-") return read_all(standard_input, "standard input", bytes_max);
    std::error_code failed;
    if (std::filesystem::is_directory(file, failed)) {
        return Error{Errc::invalid, file + " is a directory"};
    }
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        const auto code = errno == ENOENT ? Errc::not_found : Errc::unavailable;
        return Error{code, "cannot read " + file + ": " + std::generic_category().message(errno)};
    }
    return read_all(in, file, bytes_max);
}

}  // namespace mailroom::app
