#include "liquid/json_value.h"

#include "json/json.h"

#include <string>
#include <vector>

namespace mailroom::liquid {

namespace {

OwnedValue convert_array(const json::View& list) {
    OwnedValue::Array converted;
    json::Elements elements(list);
    for (json::View element; elements.next(element);) converted.push_back(value_from_json(element));
    return OwnedValue::array(std::move(converted));
}

OwnedValue convert_object(const json::View& object) {
    std::vector<OwnedValue::Member> converted;
    json::Members members(object);
    std::string_view name;
    for (json::View value; members.next(name, value);) {
        converted.emplace_back(name, value_from_json(value));
    }
    return OwnedValue::object(std::move(converted));
}

}  // namespace

// The parser has refused what is nested too deep to recurse into.
OwnedValue value_from_json(const json::View& view) {
    using Type = json::View::Type;
    switch (view.type()) {
        case Type::list:
            return convert_array(view);
        case Type::object:
            return convert_object(view);
        case Type::integer:
            if (const auto integer = view.integer()) return *integer;
            return view.decimal();
        case Type::decimal:
            return view.decimal();
        case Type::text:
            return view.text();
        case Type::boolean:
            return view.boolean();
        case Type::null:
            break;
    }
    return {};
}

Result<OwnedValue> value_from_json(std::string_view text) {
    json::Parser parser;
    const auto parsed = parser.parse(text);
    if (!parsed) {
        return Error{Errc::invalid, std::string(json::describe(parsed.error()))};
    }
    return value_from_json(*parsed);
}

}  // namespace mailroom::liquid
