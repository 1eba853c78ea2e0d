// Numbers as JavaScript writes and reads them, which is how templates expect to see them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::liquid {

void append_number(std::string& out, double number);
void append_number(std::string& out, std::int64_t number);

// The number a text stands for: 0 for an empty one, NaN for what is no number. Accepts surrounding
// space, a sign, a fraction, an exponent, Infinity, and the prefixes 0x, 0o and 0b.
double parse_number(std::string_view text);

// `number` times ten to the power of `exponent`, without the error a multiplication would add.
double shift_decimal(double number, double exponent);

}  // namespace mailroom::liquid
