// What templates are called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::campaigns {

// Why it is no key: "must be …". A key is one or more words of letters, digits, ".", "_" and "-",
// with slashes between them: onboarding/welcome. The last word is none of those that follow a key
// in paths (versions, preview, check), and none is "." or "..", which clients take out of paths.
std::optional<std::string> key_fault(std::string_view key);

// Whose display names hold in all templates.
inline constexpr std::string_view common_names_key = "display-names";

}  // namespace mailroom::campaigns
