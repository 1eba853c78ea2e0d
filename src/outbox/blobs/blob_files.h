// Files below a directory, written so that they are whole or not there. For directory_blobs.h.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// One or more names joined by "/", none of which begins with a dot: it stays below whatever it is
// put below, and is no file that is still being written.
bool is_blob_path(std::string_view path);

enum class Written { new_file, same_file, other_file_there };

// Both refuse paths that are no blob paths (`invalid`), and follow no symbolic links below `base`.
// Writes the file durably unless there is one: then it says whether that has the same bytes.
// Its time of change becomes `changed`, that of one with the same bytes only if it was earlier.
Result<Written> write_blob_file(const std::filesystem::path& base, const std::string& path,
                                std::string_view bytes, Time changed, Random& random);
// None if there is no such file.
Result<std::optional<std::string>> read_blob_file(const std::filesystem::path& base,
                                                  const std::string& path);

// A file that tells this directory from an empty one that is there while its file system is not
// mounted.
inline constexpr const char* mark_file_name = ".mailroom-blobs";
// None if there is no mark.
Result<std::optional<std::string>> read_mark(const std::filesystem::path& base);
// Makes it unless there is one. The mark that is there then.
Result<std::string> make_mark(const std::filesystem::path& base, const std::string& mark,
                              Random& random);

}  // namespace mailroom::outbox
