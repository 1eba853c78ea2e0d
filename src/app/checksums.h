// The checksums of all files of a backup, in a file of their own: damage is found by its name, also
// by `sha256sum -c CHECKSUMS`.
//
//   CHECKSUMS := (sha-256 in hexadecimal "  " path below the directory "\n")*
#pragma once

#include "base/result.h"

#include <filesystem>

namespace mailroom::app {

bool has_checksums(const std::filesystem::path& directory);
// Of all files there but LOCK. `unavailable` if one cannot be read or the list not be written.
Result<> write_checksums(const std::filesystem::path& directory);
// `corrupt` names the first file, by its path below the directory, that is not what it was or is
// gone. Files that are not listed may be there.
Result<> check_checksums(const std::filesystem::path& directory);
// When the files are about to change.
Result<> forget_checksums(const std::filesystem::path& directory);

}  // namespace mailroom::app
