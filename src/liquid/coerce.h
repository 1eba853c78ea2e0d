// How values become texts, numbers and truths, and how they compare: the rules of LiquidJS, which
// are those of JavaScript but for truth (only nil and false are falsy). What reads a text takes its
// length from the budget.
#pragma once

#include "liquid/arena.h"
#include "liquid/value.h"

#include <string>
#include <string_view>

namespace mailroom::liquid {

inline bool is_falsy(const Value& value) {
    return value.is_nil() || (value.is(Kind::boolean) && !value.truth());
}

// As output writes it: nothing for nil, the items of an array run together.
void append_text(std::string& out, const Value& value, Budget& budget);

// As `join` writes items: the items of a nested array with commas between them.
void append_joined(std::string& out, const Value& value, std::string_view separator,
                   Budget& budget);

// As JavaScript's String(): "null", "undefined", and arrays with commas.
void append_string(std::string& out, const Value& value, Budget& budget);

// `indent` is put once per level before each line; without it everything is on one line. False,
// with nothing appended, for a value that JSON cannot express (undefined).
bool append_json(std::string& out, const Value& value, std::string_view indent, Budget& budget);

// NaN for what is no number.
double to_number(const Value& value, Budget& budget);

// Arrays are equal by items, objects only to themselves.
bool is_equal(const Value& left, const Value& right, Budget& budget);

enum class Order : std::uint8_t { less, equal, greater, none };
// `none` where the two have no order, such as a number and a text that is no number.
Order order_of(const Value& left, const Value& right, Budget& budget);

// Whether an array has the item, or a text the piece.
bool contains(const Value& whole, const Value& part, Budget& budget);

}  // namespace mailroom::liquid
