// Amounts of money: whole numbers inside, decimals outside.
//
// Inside, an amount is in hundredths of its currency ("cents"), or in thousandths and less where
// the currency has such (a dinar has 1,000 fils): see scale_of(). What has no decimals (yen) is a
// whole hundred of them.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom {

struct Amount {
    std::int64_t cents = 0;
    std::string currency;
};

// Ten thousand million: more is a slip of the finger, and sums of many stay far from overflowing.
inline constexpr std::int64_t whole_max = 10'000'000'000;

// A code of ISO 4217 for money that people pay with.
bool is_currency(std::string_view text);
// Decimals that people write: 2, or 0, 3 or 4 as ISO 4217 says; 2 for an unknown one.
int decimals_of(std::string_view currency);
// Decimals of what is kept: at least two.
int scale_of(std::string_view currency);

// "1500", "1500.5" or "1500.50", not negative, with no more decimals than the currency has.
// `invalid`, completing "amount …", otherwise.
Result<std::int64_t> parse_cents(std::string_view text, std::string_view currency = "USD");
// Of a number from JSON.
Result<std::int64_t> cents_of(double amount, std::string_view currency = "USD");

std::string decimal_text(std::int64_t cents, std::string_view currency = "USD");  // "1500.00"
// As a person reads it: "$1,500.00", "€1,500.00", "1,500.00 CHF", "¥1,500".
std::string money_text(std::int64_t cents, std::string_view currency);

// The amounts of money that a text has, as written and in cents: numbers with a sign or code of a
// currency beside them.
std::vector<std::pair<std::string, std::int64_t>> amounts_in(std::string_view text,
                                                             std::string_view currency);

}  // namespace mailroom
