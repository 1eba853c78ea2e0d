// What a key may be allowed to do. A program declares its own words with its routes.
//
//   scope := "admin" | "send" | "read" | PROGRAM ":" WORD
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mailroom::program {

namespace scope {
constexpr std::string_view send = "send";    // Ask for mails to be sent, and call them back.
constexpr std::string_view read = "read";    // See everything but keys.
constexpr std::string_view admin = "admin";  // Everything, keys included.
}  // namespace scope

// Whether `scopes` have `wanted`: by name, as admin, or, where it is PROGRAM:read, as `read` or as
// any other scope of that program.
bool allows(std::span<const std::string> scopes, std::string_view wanted);

}  // namespace mailroom::program
