// What a key may be allowed to do with campaigns.
#pragma once

#include <string_view>

namespace mailroom::campaigns::scope {

inline constexpr std::string_view read = "campaigns:read";    // See all of it.
inline constexpr std::string_view draft = "campaigns:draft";  // Write what would be sent.
inline constexpr std::string_view send = "campaigns:send";    // Have it sent.

}  // namespace mailroom::campaigns::scope
