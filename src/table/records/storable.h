// Texts of other people's making, made fit for a row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::table {

// UTF-8 of at most that many bytes: tables at a distance take nothing else.
std::string storable(std::string_view text, std::size_t bytes_max);

}  // namespace mailroom::table
