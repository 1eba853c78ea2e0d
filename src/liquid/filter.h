// What a filter is given and gives back.
#pragma once

#include "liquid/arena.h"
#include "liquid/program.h"
#include "liquid/value.h"

#include <span>
#include <string>
#include <string_view>

namespace mailroom::liquid {

class Evaluator;
class FilterCall;

using FilterFunction = Value (*)(FilterCall&);

struct FilterEntry {
    std::string_view name;
    FilterFunction function;
};

// Null when there is no such filter.
const FilterEntry* find_filter(std::string_view name);

// All of them, sorted.
std::span<const std::string> filter_names();

// The filters of each file, without order.
std::span<const FilterEntry> text_filters();
std::span<const FilterEntry> markup_filters();
std::span<const FilterEntry> url_filters();
std::span<const FilterEntry> number_filters();
std::span<const FilterEntry> array_filters();
std::span<const FilterEntry> query_filters();
std::span<const FilterEntry> date_filters();
std::span<const FilterEntry> hash_filters();

// One use of a filter. The value it returns may refer to the data, the program and the arena.
class FilterCall {
public:
    FilterCall(Evaluator& the_evaluator, const Program& program, const FilterUse& use,
               const Value& the_input, std::span<const Value> the_arguments)
        : evaluator(the_evaluator),
          input(the_input),
          arguments(the_arguments),
          program_(program),
          use_(use) {}

    Value argument(std::size_t index) const {
        return index < arguments.size() ? arguments[index] : Value();
    }
    bool has(std::size_t index) const { return !argument(index).is(Kind::undefined); }
    Value named(std::string_view name) const;

    Arena& arena() const;
    Budget& budget() const;
    // As output would write it; refers to the value or to the arena.
    std::string_view text(const Value& value) const;
    // 0 for what is no number.
    double number(const Value& value) const;
    Value keep(const std::string& text) const;
    // Ends the render with this message.
    Value fail(std::string message) const;

    Evaluator& evaluator;
    const Value input;
    const std::span<const Value> arguments;

private:
    const Program& program_;
    const FilterUse& use_;
};

}  // namespace mailroom::liquid
