#include "table/clauses.h"

namespace mailroom::table {

namespace {

void append_joined(std::string& text, std::string_view separator, const std::string& part) {
    if (!text.empty()) text += separator;
    text += part;
}

}  // namespace

std::string Clauses::name(std::string_view attribute) {
    for (const auto& [stand_in, known] : bindings_.names) {
        if (known == attribute) return stand_in;
    }
    bindings_.names.emplace_back("#n" + std::to_string(bindings_.names.size()), attribute);
    return bindings_.names.back().first;
}

std::string Clauses::value(const Value& value) {
    bindings_.values.emplace_back(":v" + std::to_string(bindings_.values.size()), value);
    return bindings_.values.back().first;
}

std::string Clauses::compare(std::string_view attribute, std::string_view comparator,
                             const Value& operand) {
    return name(attribute) + " " + std::string(comparator) + " " + value(operand);
}

std::string Clauses::begins_with(std::string_view attribute, std::string_view prefix) {
    return "begins_with(" + name(attribute) + ", " + value(prefix) + ")";
}

std::string Clauses::exists(std::string_view attribute) {
    return "attribute_exists(" + name(attribute) + ")";
}

std::string Clauses::absent(std::string_view attribute) {
    return "attribute_not_exists(" + name(attribute) + ")";
}

void append_and(std::string& condition, const std::string& term) {
    append_joined(condition, " AND ", term);
}

void append_comma(std::string& list, const std::string& element) {
    append_joined(list, ", ", element);
}

}  // namespace mailroom::table
