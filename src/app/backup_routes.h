// /v1/backups: copies of all data while the server works.
#pragma once

#include "base/result.h"
#include "kv/store.h"
#include "program/api.h"

#include <filesystem>
#include <functional>
#include <string>

namespace mailroom::app {

// Makes a copy of that name and returns the directory it is in. `conflict` if there is one already.
using BackUp = std::function<Result<std::string>(const std::string& name)>;

// Copies `rows` into the data directory, so that what did not change takes no room. `rows` must
// outlive the result.
BackUp backing_up(const kv::Store& rows, std::filesystem::path data);

void add_backup_routes(program::Api& api, BackUp back_up);

}  // namespace mailroom::app
