#include "table/expression/expression.h"

#include <algorithm>

namespace mailroom::table {

namespace {

// Of a placeholder, its first character included (DynamoDB's limit).
constexpr std::size_t placeholder_bytes_max = 255;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Outcome<> check_placeholder(const std::string& key, char first, const std::string& parameter) {
    const auto refusal = parameter + " contains invalid key: ";
    if (key.size() > placeholder_bytes_max) {
        return invalid(
            refusal +
            "The expression attribute map contains a key that is too long; size of key: " +
            std::to_string(key.size()));
    }
    if (key.size() < 2 || key.front() != first ||
        !std::all_of(key.begin() + 1, key.end(), is_word)) {
        return invalid(refusal + "Syntax error; key: \"" + key + "\"");
    }
    return Ok{};
}

template <class Pairs, class Used>
Outcome<> check_used(const Pairs& pairs, const Used& used, const std::string& parameter) {
    std::string unused;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (used[i]) continue;
        if (!unused.empty()) unused += ", ";
        unused += pairs[i].first;
    }
    if (unused.empty()) return Ok{};
    return invalid("Value provided in " + parameter + " unused in expressions: keys: {" + unused +
                   "}");
}

constexpr const char* names_parameter = "ExpressionAttributeNames";
constexpr const char* values_parameter = "ExpressionAttributeValues";

}  // namespace

std::string_view refusal_prefix(ExpressionUse use) {
    switch (use) {
        case ExpressionUse::condition:
            return "Invalid ConditionExpression: ";
        case ExpressionUse::filter:
            return "Invalid FilterExpression: ";
        case ExpressionUse::key_condition:
            return "Invalid KeyConditionExpression: ";
        case ExpressionUse::projection:
            return "Invalid ProjectionExpression: ";
        case ExpressionUse::update:
            return "Invalid UpdateExpression: ";
        case ExpressionUse::partiql:
            return "";
    }
    return "";
}

Failure refuse(ExpressionUse use, std::string_view message) {
    return invalid(std::string(refusal_prefix(use)).append(message));
}

BindingUse::BindingUse(const Bindings& bindings)
    : bindings_(bindings), names_(bindings.names.size()), values_(bindings.values.size()) {}

Outcome<> BindingUse::complete() const {
    TRY(check_used(bindings_.names, names_, names_parameter));
    return check_used(bindings_.values, values_, values_parameter);
}

Outcome<> check_bindings(const Bindings& bindings) {
    for (const auto& [key, name] : bindings.names) {
        TRY(check_placeholder(key, '#', names_parameter));
        if (name.empty()) {
            return invalid(std::string(names_parameter) +
                           " contains invalid value: Empty attribute name for key " + key);
        }
    }
    for (const auto& binding : bindings.values) {
        TRY(check_placeholder(binding.first, ':', values_parameter));
    }
    return Ok{};
}

}  // namespace mailroom::table
