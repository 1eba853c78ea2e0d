// What may be said of a person.
#pragma once

#include "people/change.h"
#include "table/records/reading.h"

#include <cstddef>
#include <string_view>

namespace mailroom::people {

inline constexpr std::size_t tag_bytes_max = 256, first_name_bytes_max = 500;
inline constexpr std::size_t attribute_name_bytes_max = 255, source_bytes_max = 200;
// Of all attributes and tags together: an item holds 400 KB, with what the tables add.
inline constexpr std::size_t described_bytes_max = 350 * 1024;

// "must …", if it may not be the name of an attribute; empty if it may.
std::string_view wrong_with_attribute_name(std::string_view name);
// The same for a tag.
std::string_view wrong_with_tag(std::string_view tag);
// Says all that is wrong, by the names of members of the request that asks for it.
void check_change(const Change& change, table::Reading& reading);

}  // namespace mailroom::people
