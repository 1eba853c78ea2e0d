// The words that DynamoDB does not take as attribute names in expressions.
#pragma once

#include <string_view>

namespace mailroom::table {

// In any mixture of upper and lower case.
bool is_reserved_word(std::string_view word);

}  // namespace mailroom::table
