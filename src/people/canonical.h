// Addresses as people's rows are named by them.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace mailroom::people {

// One text for all ways to write the same address (mime::canonical). `invalid` if it is none.
Result<std::string> canonical_of(std::string_view address);

}  // namespace mailroom::people
