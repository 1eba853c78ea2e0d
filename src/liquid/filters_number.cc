// Arithmetic. All numbers are doubles, as in JavaScript.
#include "liquid/coerce.h"
#include "liquid/filter.h"
#include "liquid/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mailroom::liquid {

namespace {

constexpr double exact_integer_max = 9007199254740991.0;  // 2^53 - 1

double input_number(FilterCall& call) { return call.number(call.input); }

// An argument that is not given makes the result NaN; one that is no number counts as 0.
double operand(FilterCall& call, std::size_t index = 0) {
    if (index >= call.arguments.size()) return std::numeric_limits<double>::quiet_NaN();
    return call.number(call.arguments[index]);
}

Value abs(FilterCall& call) { return Value::decimal(std::abs(input_number(call))); }
Value ceil(FilterCall& call) { return Value::decimal(std::ceil(input_number(call))); }
Value floor(FilterCall& call) { return Value::decimal(std::floor(input_number(call))); }
Value plus(FilterCall& call) { return Value::decimal(input_number(call) + operand(call)); }
Value minus(FilterCall& call) { return Value::decimal(input_number(call) - operand(call)); }
Value times(FilterCall& call) { return Value::decimal(input_number(call) * operand(call)); }

Value at_least(FilterCall& call) {
    const double number = input_number(call);
    return Value::decimal(call.arguments.empty() ? number : std::max(number, operand(call)));
}

Value at_most(FilterCall& call) {
    const double number = input_number(call);
    return Value::decimal(call.arguments.empty() ? number : std::min(number, operand(call)));
}

Value divided_by(FilterCall& call) {
    const double quotient = input_number(call) / operand(call);
    const bool whole = call.arguments.size() > 1 && operand(call, 1) != 0;
    return Value::decimal(whole ? std::floor(quotient) : quotient);
}

Value modulo(FilterCall& call) {
    const double divisor = operand(call);
    return Value::decimal(std::fmod(std::fmod(input_number(call), divisor) + divisor, divisor));
}

Value round(FilterCall& call) {
    const double number = input_number(call);
    const double places = call.has(0) ? operand(call) : 0;
    const double scaled = shift_decimal(std::abs(number), places);
    if (!(scaled <= exact_integer_max)) return Value::decimal(number);
    const double whole = std::floor(scaled);
    const double rounded = shift_decimal(scaled - whole >= 0.5 ? whole + 1 : whole, -places);
    return Value::decimal(number < 0 ? -rounded : rounded);
}

Value to_integer(FilterCall& call) { return Value::decimal(to_number(call.input, call.budget())); }

constexpr FilterEntry number_entries[] = {
    {"abs", abs},     {"at_least", at_least},     {"at_most", at_most},
    {"ceil", ceil},   {"divided_by", divided_by}, {"floor", floor},
    {"minus", minus}, {"modulo", modulo},         {"plus", plus},
    {"round", round}, {"times", times},           {"to_integer", to_integer},
};

}  // namespace

std::span<const FilterEntry> number_filters() { return number_entries; }

}  // namespace mailroom::liquid
