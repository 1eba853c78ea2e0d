// Where a list goes on: the texts of a key, in the form that a client carries to the next page.
//   cursor := base64url( text *( " " text ) )     The last text may hold blanks, too.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

std::string list_cursor(const std::vector<std::string>& texts);
// As many texts as are wanted. `invalid` for what no page has said.
Result<std::vector<std::string>> parse_list_cursor(std::string_view cursor, std::size_t wanted);
// The same refusal for whoever looks closer.
Error wrong_list_cursor();

}  // namespace mailroom::reminders
