// What a form on one of our pages sends (application/x-www-form-urlencoded).
#pragma once

#include "program/route.h"

#include <optional>
#include <string_view>

namespace mailroom::engagement {

// In their order; what is not encoded as it should be is taken as it stands. At most 1,000.
program::Pairs read_form(std::string_view body);
// The first of that name.
std::optional<std::string_view> find_in(const program::Pairs& form, std::string_view name);

}  // namespace mailroom::engagement
