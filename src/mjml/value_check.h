// Whether the value of an attribute is one that MJML knows. Private to this folder.
#pragma once

#include "mjml/vocabulary.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mjml {

// What the value must be instead: "must be a color". None when it is fine.
std::optional<std::string> value_fault(const ValueType& type, std::string_view value);

}  // namespace mailroom::mjml
