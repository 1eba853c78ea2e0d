// Amounts as people's programs export them: 1234.5, 1,234.50, 1.234,50, 1 234,50.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mailroom {

// Which of '.' and ',' comes before the decimals, as a text shows by itself; none if it may be
// either ("1,234") or there is none.
std::optional<char> decimal_sign_in(std::string_view text);
// As all that show one agree; none if they do not, or none does.
std::optional<char> decimal_sign_of(const std::vector<std::string_view>& texts);

// `usual_sign` is that of the file, for a text that does not show its own. `invalid`, completing
// "amount …", for what is no amount, may be two, or has more decimals than the currency.
Result<std::int64_t> parse_exported_cents(std::string_view text, std::optional<char> usual_sign,
                                          std::string_view currency);

}  // namespace mailroom
