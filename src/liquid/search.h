// Finding a text in another in linear time, whatever the two are: std::string_view::find takes the
// product of their lengths where they repeat themselves.
#pragma once

#include <cstddef>
#include <string_view>

namespace mailroom::liquid {

// Where `pattern` begins for the first time at or after `from`; npos when it does not.
std::size_t find_text(std::string_view text, std::string_view pattern, std::size_t from = 0);
// Where it begins for the last time.
std::size_t find_last_text(std::string_view text, std::string_view pattern);

}  // namespace mailroom::liquid
