// A parsed JSON value as text again.
#pragma once

#include "json/json.h"

#include <string>

namespace mailroom::outbox {

// Without spaces, members in the order they came. Whole numbers beyond 64 bits become decimals.
std::string json_text(const json::View& value);

}  // namespace mailroom::outbox
