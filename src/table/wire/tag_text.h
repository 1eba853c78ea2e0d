// What the keys and values of tags are made of. Private to this folder.
#pragma once

#include "table/wire/reader.h"

#include <optional>
#include <string_view>

namespace mailroom::table::wire {

// Letters, numbers and white space of any script, and the signs that AWS allows in tags.
bool is_tag_text(std::string_view utf8);

// A text of so many characters (not bytes) that is_tag_text().
std::optional<std::string_view> read_tag_text(Reader& reader, const Place& place, LengthRule rule);

}  // namespace mailroom::table::wire
