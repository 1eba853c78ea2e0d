// The stores on which tests of programs run a second time: see table/front_for_tests.h.
#pragma once

#include "table/front_for_tests.h"

#include <string>
#include <string_view>

namespace mailroom::table {

// By its name: "harsh:SEED" lags, throttles and loses answers by chance; "remote" is the client,
// over HTTP, to our own endpoint; "lossy:SEED" the same, where answers get lost on the way. Null
// for any other name.
FrontMaker front_named(std::string_view name);

}  // namespace mailroom::table
