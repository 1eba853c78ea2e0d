#include "table/number.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace mailroom::table {

namespace {

constexpr int exponent_min = -129;  // 0.1E-129 is 1E-130.
constexpr int exponent_max = 126;   // 0.9E+126 is 9E+125.
constexpr int exponent_bias = 129;  // One byte holds exponent_min to exponent_max exactly.

constexpr char sign_negative = 0x00;
constexpr char sign_zero = 0x01;
constexpr char sign_positive = 0x02;

// Sums of two numbers whose exponents are this far apart cannot be exact in 38 digits.
constexpr int window_digits = 2 * Number::digits_max + 2;

// The digits of 0.d1d2d3… × 10^exponent. No digits is zero.
struct Decimal {
    bool negative = false;
    int exponent = 0;
    int count = 0;
    std::array<std::uint8_t, window_digits> digits{};
};

Error bad(std::string message) { return {Errc::invalid, std::move(message)}; }
Error not_a_number(std::string_view text) {
    std::string message = "The parameter cannot be converted to a numeric value";
    if (!text.empty()) message.append(": ").append(text);
    return bad(std::move(message));
}

void trim(Decimal& decimal) {
    while (decimal.count > 0 && decimal.digits[static_cast<std::size_t>(decimal.count - 1)] == 0) {
        --decimal.count;
    }
    int leading = 0;
    while (leading < decimal.count && decimal.digits[static_cast<std::size_t>(leading)] == 0) {
        ++leading;
    }
    std::move(decimal.digits.begin() + leading, decimal.digits.begin() + decimal.count,
              decimal.digits.begin());
    decimal.count -= leading;
    decimal.exponent -= leading;
    if (decimal.count == 0) decimal = {};
}

Result<Ok> check(const Decimal& decimal) {
    if (decimal.count == 0) return Ok{};
    if (decimal.count > Number::digits_max) {
        return bad("Attempting to store more than 38 significant digits in a Number");
    }
    if (decimal.exponent > exponent_max) {
        return bad(
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
    }
    if (decimal.exponent < exponent_min) {
        return bad(
            "Number underflow. Attempting to store a number with magnitude smaller than supported "
            "range");
    }
    return Ok{};
}

std::size_t encode(const Decimal& decimal, char* out) {
    if (decimal.count == 0) {
        out[0] = sign_zero;
        return 1;
    }
    std::size_t size = 0;
    out[size++] = decimal.negative ? sign_negative : sign_positive;
    out[size++] = static_cast<char>(decimal.exponent + exponent_bias);
    for (int i = 0; i < decimal.count; i += 2) {
        const int high = decimal.digits[static_cast<std::size_t>(i)];
        const int low = i + 1 < decimal.count ? decimal.digits[static_cast<std::size_t>(i) + 1] : 0;
        out[size++] = static_cast<char>(10 * high + low + 1);
    }
    out[size++] = 0;
    if (decimal.negative) {
        for (std::size_t i = 1; i < size; ++i) out[i] = static_cast<char>(~out[i]);
    }
    return size;
}

Decimal decode(std::string_view encoded) {
    Decimal decimal;
    if (encoded[0] == sign_zero) return decimal;
    decimal.negative = encoded[0] == sign_negative;
    const unsigned flip = decimal.negative ? 0xff : 0;
    const auto byte = [&](std::size_t i) {
        return (static_cast<unsigned>(static_cast<unsigned char>(encoded[i])) ^ flip) & 0xff;
    };
    decimal.exponent = static_cast<int>(byte(1)) - exponent_bias;
    for (std::size_t i = 2; byte(i) != 0; ++i) {
        const unsigned pair = byte(i) - 1;
        decimal.digits[static_cast<std::size_t>(decimal.count++)] =
            static_cast<std::uint8_t>(pair / 10);
        decimal.digits[static_cast<std::size_t>(decimal.count++)] =
            static_cast<std::uint8_t>(pair % 10);
    }
    if (decimal.digits[static_cast<std::size_t>(decimal.count - 1)] == 0) --decimal.count;
    return decimal;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads "123.45" off the front of `text`. Digits past what a Number holds are counted, not kept.
struct Mantissa {
    Decimal decimal;
    bool any = false;       // At least one digit was there.
    bool too_long = false;  // More significant digits than a Number holds.
};

Mantissa read_mantissa(std::string_view& text) {
    Mantissa mantissa;
    Decimal& decimal = mantissa.decimal;
    bool after_point = false;
    int zeros = 0;  // Zeros seen since the last other digit: kept only if another one follows.
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!is_digit(c)) break;
        mantissa.any = true;
        const bool significant = c != '0' || decimal.count > 0;
        if (significant ? !after_point : false) ++decimal.exponent;
        if (!significant && after_point) --decimal.exponent;
        if (!significant) continue;
        if (c == '0') {
            ++zeros;
        } else if (decimal.count + zeros + 1 > Number::digits_max) {
            mantissa.too_long = true;
        } else {
            for (; zeros > 0; --zeros) {
                decimal.digits[static_cast<std::size_t>(decimal.count++)] = 0;
            }
            decimal.digits[static_cast<std::size_t>(decimal.count++)] =
                static_cast<std::uint8_t>(c - '0');
        }
    }
    return mantissa;
}

// Reads "E+10" off the front of `text`; clamped far outside of the range of a Number.
std::optional<int> read_exponent(std::string_view& text) {
    constexpr int clamp = 1'000'000;
    if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return 0;
    text.remove_prefix(1);
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    int exponent = 0;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
        exponent = std::min(clamp, exponent * 10 + (text.front() - '0'));
    }
    return negative ? -exponent : exponent;
}

// |a| + |b| or |a| - |b|, on digits aligned at the larger exponent. |a| >= |b| for a difference.
Decimal combine(const Decimal& a, const Decimal& b, bool difference) {
    // One more digit in front for the carry.
    Decimal sum;
    sum.exponent = std::max(a.exponent, b.exponent) + 1;
    sum.count = window_digits;
    const auto digit = [&](const Decimal& from, int place) -> int {
        const int i = place - (sum.exponent - from.exponent);
        return i >= 0 && i < from.count ? from.digits[static_cast<std::size_t>(i)] : 0;
    };
    int carry = 0;
    for (int place = window_digits - 1; place >= 0; --place) {
        int value = digit(a, place) + carry + (difference ? -digit(b, place) : digit(b, place));
        carry = value < 0 ? -1 : value / 10;
        if (value < 0) value += 10;
        sum.digits[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(value % 10);
    }
    trim(sum);
    return sum;
}

bool magnitude_less(const Decimal& a, const Decimal& b) {
    if (a.count == 0 || b.count == 0) return a.count < b.count;
    if (a.exponent != b.exponent) return a.exponent < b.exponent;
    return std::lexicographical_compare(a.digits.begin(), a.digits.begin() + a.count,
                                        b.digits.begin(), b.digits.begin() + b.count);
}

// The digits of the sum reach further apart than the window (and so than 38 digits).
bool too_far_apart(const Decimal& a, const Decimal& b) {
    if (a.count == 0 || b.count == 0) return false;
    const int top = std::max(a.exponent, b.exponent) + 1;
    const int bottom = std::min(a.exponent - a.count, b.exponent - b.count);
    return top - bottom > window_digits;
}

Result<Decimal> add_decimals(const Decimal& a, const Decimal& b) {
    if (too_far_apart(a, b)) {
        return bad("Attempting to store more than 38 significant digits in a Number");
    }
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    Decimal sum;
    if (a.negative == b.negative) {
        sum = combine(a, b, false);
        sum.negative = a.negative;
    } else {
        const bool swap = magnitude_less(a, b);
        sum = swap ? combine(b, a, true) : combine(a, b, true);
        sum.negative = sum.count > 0 && (swap ? b.negative : a.negative);
    }
    TRY(check(sum));
    return sum;
}

Number to_number(const Decimal& decimal) {
    std::array<char, Number::encoded_bytes_max> bytes;
    const auto size = encode(decimal, bytes.data());
    return Number::from_encoded({bytes.data(), size});
}

// Counters are the common case, and whole numbers of this size add up in one instruction.
std::optional<Number> add_small(const Number& a, const Number& b, bool negate_b) {
    const auto left = a.to_int64(), right = b.to_int64();
    if (!left || !right) return std::nullopt;
    std::int64_t sum = 0;
    const bool too_large = negate_b ? __builtin_sub_overflow(*left, *right, &sum)
                                    : __builtin_add_overflow(*left, *right, &sum);
    if (too_large) return std::nullopt;
    return Number(sum);
}

}  // namespace

Number::Number(std::int64_t value) {
    Decimal decimal;
    decimal.negative = value < 0;
    std::uint64_t magnitude = decimal.negative ? 0 - static_cast<std::uint64_t>(value)
                                               : static_cast<std::uint64_t>(value);
    constexpr int places = 20;
    for (int i = places - 1; i >= 0; --i, magnitude /= 10) {
        decimal.digits[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(magnitude % 10);
    }
    decimal.count = decimal.exponent = places;
    trim(decimal);
    size_ = static_cast<std::uint8_t>(encode(decimal, bytes_.data()));
}

Result<Number> Number::parse(std::string_view text) {
    const auto whole = text;
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);

    auto mantissa = read_mantissa(text);
    const auto exponent = read_exponent(text);
    if (!mantissa.any || !exponent || !text.empty()) return not_a_number(whole);
    if (mantissa.too_long) {
        return bad("Attempting to store more than 38 significant digits in a Number");
    }
    auto& decimal = mantissa.decimal;
    if (decimal.count == 0) return Number();
    decimal.exponent += *exponent;
    decimal.negative = negative;
    TRY(check(decimal));
    return to_number(decimal);
}

Number Number::from_encoded(std::string_view encoded) {
    assert(!encoded.empty() && encoded.size() <= encoded_bytes_max);
    Number number;
    std::memcpy(number.bytes_.data(), encoded.data(), encoded.size());
    number.size_ = static_cast<std::uint8_t>(encoded.size());
    return number;
}

std::size_t Number::encoded_length(std::string_view bytes) {
    assert(!bytes.empty());
    if (bytes[0] == sign_zero) return 1;
    const char end = bytes[0] == sign_negative ? '\xff' : '\0';
    const auto at = bytes.find(end, 2);
    assert(at != bytes.npos);
    return at + 1;
}

void Number::append_text(std::string& out) const {
    const auto decimal = decode(encoded());
    if (decimal.count == 0) {
        out += '0';
        return;
    }
    if (decimal.negative) out += '-';
    if (decimal.exponent <= 0) {
        out += "0.";
        out.append(static_cast<std::size_t>(-decimal.exponent), '0');
    }
    for (int i = 0; i < decimal.count; ++i) {
        if (i > 0 && i == decimal.exponent) out += '.';
        out += static_cast<char>('0' + decimal.digits[static_cast<std::size_t>(i)]);
    }
    if (decimal.exponent > decimal.count) {
        out.append(static_cast<std::size_t>(decimal.exponent - decimal.count), '0');
    }
}

std::string Number::text() const {
    std::string out;
    append_text(out);
    return out;
}

std::optional<std::int64_t> Number::to_int64() const {
    const auto decimal = decode(encoded());
    if (decimal.count == 0) return 0;
    if (decimal.exponent < decimal.count || decimal.exponent > 19) return std::nullopt;
    std::uint64_t magnitude = 0;
    for (int i = 0; i < decimal.exponent; ++i) {
        const auto digit =
            i < decimal.count ? decimal.digits[static_cast<std::size_t>(i)] : std::uint8_t{0};
        magnitude = magnitude * 10 + digit;
    }
    constexpr auto limit = static_cast<std::uint64_t>(INT64_MAX);
    if (magnitude > limit + (decimal.negative ? 1 : 0)) return std::nullopt;
    return static_cast<std::int64_t>(decimal.negative ? 0 - magnitude : magnitude);
}

std::size_t Number::size_in_item() const {
    const auto decimal = decode(encoded());
    if (decimal.count == 0) return 1;
    // Two digits to a byte, aligned at the decimal point: an even run at an odd place needs one
    // more.
    const bool aligned = decimal.count % 2 != 0 || (decimal.exponent - 1) % 2 != 0;
    return 1 + static_cast<std::size_t>((decimal.count + 1) / 2) + (aligned ? 0 : 1) +
           (decimal.negative ? 1 : 0);
}

Result<Number> add(const Number& a, const Number& b) {
    if (auto small = add_small(a, b, false)) return *small;
    return to_number(TRY(add_decimals(decode(a.encoded()), decode(b.encoded()))));
}

Result<Number> subtract(const Number& a, const Number& b) {
    if (auto small = add_small(a, b, true)) return *small;
    auto negated = decode(b.encoded());
    negated.negative = negated.count > 0 && !negated.negative;
    return to_number(TRY(add_decimals(decode(a.encoded()), negated)));
}

}  // namespace mailroom::table
