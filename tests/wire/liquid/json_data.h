// Template data from parsed JSON. For test and benchmark programs.
#pragma once

#include "liquid/owned_value.h"

#include <simdjson.h>

namespace mailroom::liquid {

inline OwnedValue from_json(simdjson::dom::element element) {
    using Type = simdjson::dom::element_type;
    switch (element.type()) {
        case Type::ARRAY: {
            const simdjson::dom::array items = element;
            auto array = OwnedValue::array();
            for (const auto item : items) array.push(from_json(item));
            return array;
        }
        case Type::OBJECT: {
            const simdjson::dom::object members = element;
            auto object = OwnedValue::object();
            for (const auto& [key, item] : members) object.set(key, from_json(item));
            return object;
        }
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

}  // namespace mailroom::liquid
