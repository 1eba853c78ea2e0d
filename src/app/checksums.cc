#include "app/checksums.h"

#include "base/hex.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace mailroom::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* list_name = "CHECKSUMS";
constexpr std::size_t digest_digits = 64;
constexpr std::string_view gap = "  ";  // As sha256sum writes and reads it.
constexpr std::size_t piece_bytes = 256 * 1024;

Error unavailable(const std::string& doing, const fs::path& path, const std::string& why) {
    return {Errc::unavailable, doing + " " + path.string() + ": " + why};
}

Result<std::string> digest_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return unavailable("cannot read", path, std::strerror(errno));
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    bool is_fine = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
    std::vector<char> piece(piece_bytes);
    while (is_fine && file) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto got = static_cast<std::size_t>(file.gcount());
        is_fine = EVP_DigestUpdate(context.get(), piece.data(), got) == 1;
    }
    if (file.bad()) return unavailable("cannot read", path, std::strerror(errno));
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned length = 0;
    is_fine = is_fine && EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1;
    if (!is_fine) return unavailable("cannot compute the checksum of", path, "no SHA-256");
    return hex_encode({reinterpret_cast<const char*>(digest.data()), length});
}

Result<std::vector<std::string>> files_below(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(directory, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (!entry->is_regular_file(error)) continue;
        const auto name = entry->path().lexically_relative(directory).generic_string();
        if (name != list_name && entry->path().filename() != "LOCK") names.push_back(name);
    }
    if (error) return unavailable("cannot read", directory, error.message());
    std::ranges::sort(names);
    return names;
}

}  // namespace

bool has_checksums(const fs::path& directory) {
    std::error_code error;
    return fs::exists(directory / list_name, error);
}

Result<> write_checksums(const fs::path& directory) {
    std::string list;
    for (const auto& name : TRY(files_below(directory))) {
        list += TRY(digest_of(directory / name));
        list.append(gap).append(name).append("\n");
    }
    std::ofstream file(directory / list_name, std::ios::binary | std::ios::trunc);
    file << list << std::flush;
    if (!file) return unavailable("cannot write", directory / list_name, std::strerror(errno));
    return Ok{};
}

Result<> check_checksums(const fs::path& directory) {
    std::ifstream file(directory / list_name, std::ios::binary);
    if (!file) return unavailable("cannot read", directory / list_name, std::strerror(errno));
    const Error damaged_list{Errc::corrupt, "CHECKSUMS is damaged"};
    std::size_t listed = 0;
    for (std::string line; std::getline(file, line); ++listed) {
        const bool is_line =
            line.size() > digest_digits + gap.size() && line.substr(digest_digits, 2) == gap;
        if (!is_line || file.eof()) return damaged_list;
        const auto name = line.substr(digest_digits + gap.size());
        std::error_code error;
        if (!fs::exists(directory / name, error)) {
            return Error{Errc::corrupt, name + " is missing, but CHECKSUMS has it"};
        }
        if (TRY(digest_of(directory / name)) != line.substr(0, digest_digits)) {
            return Error{Errc::corrupt, name + " is damaged: it is not what CHECKSUMS says"};
        }
    }
    if (listed == 0) return damaged_list;
    return Ok{};
}

Result<> forget_checksums(const fs::path& directory) {
    std::error_code error;
    fs::remove(directory / list_name, error);
    if (error) return unavailable("cannot remove", directory / list_name, error.message());
    return Ok{};
}

}  // namespace mailroom::app
