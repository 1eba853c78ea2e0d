#include "liquid/json_value.h"

#include <simdjson.h>

#include <string>
#include <vector>

namespace mailroom::liquid {

namespace {

OwnedValue convert(simdjson::dom::element element);

OwnedValue convert_array(simdjson::dom::array items) {
    OwnedValue::Array converted;
    for (const auto item : items) converted.push_back(convert(item));
    return OwnedValue::array(std::move(converted));
}

OwnedValue convert_object(simdjson::dom::object fields) {
    std::vector<OwnedValue::Member> members;
    for (const auto& field : fields) members.emplace_back(field.key, convert(field.value));
    return OwnedValue::object(std::move(members));
}

// simdjson has refused what is nested more than 1024 deep.
OwnedValue convert(simdjson::dom::element element) {
    using Type = simdjson::dom::element_type;
    switch (element.type()) {
        case Type::ARRAY:
            return convert_array(element);
        case Type::OBJECT:
            return convert_object(element);
        case Type::INT64:
            return std::int64_t{element};
        case Type::UINT64:
            return static_cast<double>(std::uint64_t{element});
        case Type::DOUBLE:
            return double{element};
        case Type::STRING:
            return std::string_view{element};
        case Type::BOOL:
            return bool{element};
        default:
            return {};
    }
}

}  // namespace

Result<OwnedValue> value_from_json(std::string_view text) {
    simdjson::dom::parser parser;
    const auto parsed = parser.parse(text.data(), text.size());
    if (parsed.error() != simdjson::SUCCESS) {
        return Error{Errc::invalid,
                     std::string("not JSON: ") + simdjson::error_message(parsed.error())};
    }
    return convert(parsed.value_unsafe());
}

}  // namespace mailroom::liquid
