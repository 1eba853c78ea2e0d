// Amounts of money: whole cents inside, decimals outside.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::reminders {

// Ten thousand million: more is a slip of the finger, and sums of many stay far from overflowing.
inline constexpr std::int64_t cents_max = 1'000'000'000'000;

// "1500", "1500.5" or "1500.50", not negative. `invalid`, completing "amount …", otherwise.
Result<std::int64_t> parse_cents(std::string_view text);
// Of a number from JSON. `invalid` if it has more than two decimals.
Result<std::int64_t> cents_of(double amount);

std::string decimal_text(std::int64_t cents);  // "1500.00"
// As a person reads it: "$1,500.00", "€1,500.00", "1,500.00 CHF".
std::string money_text(std::int64_t cents, std::string_view currency);

// Three capital letters (ISO 4217).
bool is_currency(std::string_view text);

}  // namespace mailroom::reminders
