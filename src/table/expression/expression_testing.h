// For the tests of expressions: items as short text, and each kind of expression in one call.
#pragma once

#include "table/expression/expression_cache.h"

#include <string>
#include <string_view>

namespace mailroom::table::testing {

// 'text', 12.5, true, null, b'bytes', ['list', 1], {map: 1}, <'set'>
inline std::string show(const ValueView& value);

inline std::string show(const ItemView& item) {
    std::string text;
    for (const auto& field : item) {
        text += (text.empty() ? "" : ", ") + std::string(field.name) + ": " + show(field.value);
    }
    return "{" + text + "}";
}

inline std::string show_set(const ValueView& value) {
    std::string text;
    for (const auto element : value.set()) {
        if (!text.empty()) text += ", ";
        if (value.kind() == Kind::number_set) {
            text += Number::from_encoded(element).text();
        } else {
            text += "'" + std::string(element) + "'";
        }
    }
    return "<" + text + ">";
}

inline std::string show(const ValueView& value) {
    std::string text;
    switch (value.kind()) {
        case Kind::string:
            return "'" + std::string(value.text()) + "'";
        case Kind::binary:
            return "b'" + std::string(value.bytes()) + "'";
        case Kind::number:
            return value.number().text();
        case Kind::boolean_true:
            return "true";
        case Kind::boolean_false:
            return "false";
        case Kind::null:
            return "null";
        case Kind::map:
            return show(value.map());
        case Kind::list:
            for (const auto& element : value.list()) {
                text += (text.empty() ? "" : ", ") + show(element);
            }
            return "[" + text + "]";
        default:
            return show_set(value);
    }
}

inline Value set_of_numbers(const std::vector<int>& numbers) {
    std::vector<Number> values;
    std::vector<std::string_view> payloads;
    values.reserve(numbers.size());
    for (const int number : numbers) {
        payloads.push_back(values.emplace_back(std::int64_t{number}).encoded());
    }
    return Value::set_of(Kind::number_set, std::move(payloads));
}

// "true", "false" or the refusal.
inline std::string evaluate(std::string_view text, const Item& item, const Bindings& bindings) {
    ExpressionCache cache(1);
    BindingUse use(bindings);
    auto compiled = cache.condition(text);
    if (!compiled) return compiled.error().message;
    const auto bound = bind(*std::move(compiled), bindings, use);
    if (!bound) return bound.error().message;
    return bound->holds(item) ? "true" : "false";
}

// The item afterwards, or the refusal.
inline std::string update(std::string_view text, const Item& item, const Bindings& bindings,
                          ReturnValues returns = ReturnValues::none) {
    ExpressionCache cache(1);
    BindingUse use(bindings);
    auto compiled = cache.update(text);
    if (!compiled) return compiled.error().message;
    const auto bound = bind(*std::move(compiled), bindings, use);
    if (!bound) return bound.error().message;
    const auto effect = bound->apply(item, returns);
    if (!effect) return effect.error().message;
    if (effect->updated_old) return show(effect->updated_old->view());
    if (effect->updated_new) return show(effect->updated_new->view());
    return show(effect->item.view());
}

// The part of the item, or the refusal.
inline std::string project(std::string_view text, const Item& item, const Bindings& bindings) {
    ExpressionCache cache(1);
    BindingUse use(bindings);
    auto compiled = cache.projection(text);
    if (!compiled) return compiled.error().message;
    const auto bound = bind(*std::move(compiled), bindings, use);
    if (!bound) return bound.error().message;
    return show(bound->project(item).view());
}

}  // namespace mailroom::table::testing
