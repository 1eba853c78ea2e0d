// The header fields of HTTP requests and answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::net {

// Name and value, in the order they are written. Names compare without case.
using Headers = std::vector<std::pair<std::string, std::string>>;

// The value of the first field of that name: a view into `headers`.
std::optional<std::string_view> find_header(const Headers& headers, std::string_view name);

// RFC 9110, 5.6.2: what a field name and a method are made of; not empty.
bool is_token(std::string_view text);
// RFC 9110, 5.5: no CR, LF, NUL or other control character but the tab.
bool is_header_value(std::string_view text);

}  // namespace mailroom::net
