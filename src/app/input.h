// Files that a person named on the command line; "-" is standard input.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <iosfwd>
#include <string>

namespace mailroom::app {

// The whole of it. `not_found`, `unavailable`, or `invalid` when it has more than `bytes_max`; the
// message names the file.
Result<std::string> read_input(const std::string& file, std::istream& standard_input,
                               std::size_t bytes_max);

}  // namespace mailroom::app
