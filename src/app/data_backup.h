// Copies of a whole data directory, made while a server works in it, and brought back.
//
// A copy is a data directory itself: `mailroom serve --data COPY` works. Bodies of mails that the
// configuration keeps in a directory of their own (outbox.blobs) are not in it, and the commands
// say so.
#pragma once

#include "base/result.h"
#include "kv/store.h"

#include <filesystem>

namespace mailroom::app {

// Makes `target` a data directory with a copy of `rows` as they are now, all of it read once and
// with the checksums of its files (checksums.h). `conflict` if `target` is there already; `corrupt`
// names the file that is damaged. Nothing is left behind when it fails, and `target` appears only
// when it is whole.
Result<> back_up_data(const kv::Store& rows, const std::filesystem::path& target);

// Copies `backup` to `target`, which must not be there or be empty, and checks that every file is
// what it was and that it can be opened. `invalid` if `backup` is no data directory; `conflict` if
// somebody uses it, or if `target` has something in it; `corrupt` names the file that is damaged,
// and nothing is left behind.
Result<> restore_data(const std::filesystem::path& backup, const std::filesystem::path& target);

// Moves a directory, also to another file system. `conflict` if `to` is there already.
Result<> move_directory(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace mailroom::app
