// DynamoDB's number: an exact decimal of at most 38 significant digits, magnitude 1E-130
// to 9.99…E+125.
//
// A Number is held in its order-preserving encoding, which is also its form in keys and items, so
// two numbers compare as their bytes do and equal numbers have equal bytes:
//   number   := 0x01                              zero
//             | 0x02 exponent pair* 0x00          positive
//             | 0x00 (each byte of the positive form after its sign, complemented)
//   exponent := e + 129, one byte, where the value is 0.d1d2d3… × 10^e and d1 is not 0
//   pair     := 10 × d1 + d2 + 1, the last one padded with 0; no trailing pair is zero
#pragma once

#include "base/result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table {

class Number {
public:
    // Sign, exponent, 19 pairs of digits, end.
    static constexpr std::size_t encoded_bytes_max = 22;
    static constexpr int digits_max = 38;

    Number() : size_(1) { bytes_[0] = 0x01; }
    explicit Number(std::int64_t value);

    // Decimal or scientific notation. `invalid` with DynamoDB's own sentence otherwise.
    static Result<Number> parse(std::string_view text);
    // `encoded` must be what encoded() returned once.
    static Number from_encoded(std::string_view encoded);
    // The length of the number that `bytes` begins with.
    static std::size_t encoded_length(std::string_view bytes);

    std::string_view encoded() const { return {bytes_.data(), size_}; }
    // Plain notation without needless zeros, as DynamoDB answers: "-1.5", "1000".
    std::string text() const;
    void append_text(std::string& out) const;
    // The value when it is a whole number in range.
    std::optional<std::int64_t> to_int64() const;
    // What this number counts towards an item's size.
    std::size_t size_in_item() const;

    // Exact; `invalid` with DynamoDB's sentence when the result is out of range or needs more
    // digits.
    friend Result<Number> add(const Number& a, const Number& b);
    friend Result<Number> subtract(const Number& a, const Number& b);

    friend bool operator==(const Number& a, const Number& b) { return a.encoded() == b.encoded(); }
    friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
        return a.encoded() <=> b.encoded();
    }

private:
    std::array<char, encoded_bytes_max> bytes_;
    std::uint8_t size_;
};

Result<Number> add(const Number& a, const Number& b);
Result<Number> subtract(const Number& a, const Number& b);

}  // namespace mailroom::table
