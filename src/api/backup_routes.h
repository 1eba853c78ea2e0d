// Copies of all data while the server works.
#pragma once

#include "api/routes.h"
#include "base/result.h"

#include <functional>
#include <string>

namespace mailroom::api {

// Makes a copy of that name and returns the directory it is in. `conflict` if there is one already.
using BackUp = std::function<Result<std::string>(const std::string& name)>;

void add_backup_routes(Routes& routes, BackUp back_up);

}  // namespace mailroom::api
