// The names and values of one request, with their stand-ins made up.
#pragma once

#include "table/operations.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::table {

// For the builders of write_builder.h and query_builder.h. Attribute names are names of whole
// top-level attributes, so any character is fine in them, and reserved words are.
class Clauses {
public:
    // "#n0": the same for the same attribute.
    std::string name(std::string_view attribute);
    // ":v0": a new one each time.
    std::string value(const Value& value);

    // "#n0 = :v0"
    std::string compare(std::string_view attribute, std::string_view comparator,
                        const Value& value);
    // "begins_with(#n0, :v0)"
    std::string begins_with(std::string_view attribute, std::string_view prefix);
    // "attribute_exists(#n0)", "attribute_not_exists(#n0)"
    std::string exists(std::string_view attribute);
    std::string absent(std::string_view attribute);

    const Bindings& bindings() const& { return bindings_; }
    Bindings bindings() && { return std::move(bindings_); }

private:
    Bindings bindings_;
};

// "a AND b", or `term` alone when there is nothing yet.
void append_and(std::string& condition, const std::string& term);
// "a, b"
void append_comma(std::string& list, const std::string& element);

}  // namespace mailroom::table
