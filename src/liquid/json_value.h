// Template data from JSON.
#pragma once

#include "base/result.h"
#include "json/json.h"
#include "liquid/owned_value.h"

#include <string_view>

namespace mailroom::liquid {

// Any JSON text; of a key that is there twice the last value counts. `invalid` says what is wrong
// with the text. Whole numbers beyond 64 bits become decimals.
Result<OwnedValue> value_from_json(std::string_view text);
OwnedValue value_from_json(const json::View& view);

}  // namespace mailroom::liquid
