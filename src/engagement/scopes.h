// What a key may be allowed to do with the account of mails.
#pragma once

#include <string_view>

namespace mailroom::engagement::scope {

inline constexpr std::string_view events = "events";  // See what became of mails.
// See what people did: a word of people/.
inline constexpr std::string_view people_read = "people:read";

}  // namespace mailroom::engagement::scope
