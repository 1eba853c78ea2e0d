// Texts without regard to case, in any script.
#pragma once

#include <string>
#include <string_view>

namespace mailroom {

bool is_ascii(std::string_view text);

// Two texts that differ in case only become the same: Unicode 14's simple case folding, character
// by character, so ß stays apart from ss, and é apart from e with an accent of its own. Bytes that
// are no UTF-8 stay as they are.
std::string fold_case(std::string_view text);

}  // namespace mailroom
