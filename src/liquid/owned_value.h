// A tree of values that owns itself, for callers that have no tree of their own to lend.
#pragma once

#include "liquid/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::liquid {

// Shaped like JSON. Objects keep the order in which keys were first set.
class OwnedValue {
public:
    using Array = std::vector<OwnedValue>;
    using Member = std::pair<std::string, OwnedValue>;

    OwnedValue() = default;  // nil
    OwnedValue(bool truth) : value_(truth) {}
    OwnedValue(int number) : value_(std::int64_t{number}) {}
    OwnedValue(std::int64_t number) : value_(number) {}
    OwnedValue(double number) : value_(number) {}
    OwnedValue(const char* text) : value_(std::string(text)) {}
    OwnedValue(std::string_view text) : value_(std::string(text)) {}
    OwnedValue(std::string text) : value_(std::move(text)) {}
    static OwnedValue array(Array items = {});
    // Of a key that is there twice the last value counts.
    static OwnedValue object(std::vector<Member> members = {});

    void push(OwnedValue item);                       // Arrays only.
    void set(std::string_view key, OwnedValue item);  // Objects only.

    // Valid as long as this value is neither changed nor destroyed.
    Value view() const;

private:
    friend class OwnedArrayReader;
    friend class OwnedObjectReader;
    struct Object {
        std::vector<Member> members;
    };
    const OwnedValue* find(std::string_view key) const;

    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

}  // namespace mailroom::liquid
