// Sameness as `uniq` and `group_by` mean it: equal numbers, texts and truths are the same, arrays
// and objects only when they are one and the same.
#pragma once

#include "liquid/value.h"

#include <cmath>
#include <functional>

namespace mailroom::liquid {

struct SameValue {
    static double number(const Value& value) {
        return value.is(Kind::integer) ? static_cast<double>(value.integer()) : value.decimal();
    }
    bool operator()(const Value& left, const Value& right) const {
        if (left.is_number() && right.is_number()) {
            const double a = number(left), b = number(right);
            return a == b || (std::isnan(a) && std::isnan(b));
        }
        if (left.kind() != right.kind()) return false;
        switch (left.kind()) {
            case Kind::boolean:
                return left.truth() == right.truth();
            case Kind::text:
                return left.text() == right.text();
            case Kind::array:
            case Kind::object:
                return left.node() == right.node();
            default:
                return true;
        }
    }
};

struct SameValueHash {
    std::size_t operator()(const Value& value) const {
        switch (value.kind()) {
            case Kind::integer:
            case Kind::decimal: {
                const double number = SameValue::number(value);
                return std::isnan(number) ? 0 : std::hash<double>{}(number);
            }
            case Kind::text:
                return std::hash<std::string_view>{}(value.text());
            case Kind::array:
            case Kind::object:
                return std::hash<const void*>{}(value.node());
            case Kind::boolean:
                return value.truth() ? 2 : 1;
            default:
                return static_cast<std::size_t>(value.kind());
        }
    }
};

}  // namespace mailroom::liquid
