#include "table/records/cursor.h"

#include "base/base64.h"
#include "base/text.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

// As long as the keys of a table and an index may be, with room for base64.
constexpr std::size_t cursor_bytes_max = 16 * 1024;

// A part of a cursor: digits, ":" and as many bytes.
std::optional<std::string_view> take_part(std::string_view& rest) {
    std::size_t length = 0, digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9' && digits < 5) {
        length = length * 10 + static_cast<std::size_t>(rest[digits++] - '0');
    }
    if (digits == 0 || digits == rest.size() || rest[digits] != ':') return std::nullopt;
    rest.remove_prefix(digits + 1);
    if (length > rest.size()) return std::nullopt;
    const auto part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
}

std::string text_of(const ValueView& value) {
    if (value.kind() == Kind::number) return value.number().text();
    return std::string(value.payload());
}

std::optional<Value> value_of(std::string_view part, Kind kind) {
    if (kind == Kind::binary)
        return part.empty() ? std::nullopt : std::optional(Value::binary(part));
    if (kind == Kind::string) {
        if (part.empty() || !is_utf8(part)) return std::nullopt;
        return Value(part);
    }
    const auto number = Number::parse(part);
    return number ? std::optional(Value(*number)) : std::nullopt;
}

}  // namespace

KeyShape key_shape(const CreateTable& table, const std::string& index) {
    auto names = table.keys.names();
    if (!index.empty()) {
        const auto found = std::ranges::find(table.global_indexes, index, &IndexSpec::name);
        assert(found != table.global_indexes.end());
        for (auto& name : found->keys.names()) {
            if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        }
    }
    KeyShape shape;
    for (const auto& name : names) {
        const auto known = std::ranges::find(table.attributes, name, &AttributeDefinition::name);
        assert(known != table.attributes.end());
        shape.push_back(*known);
    }
    return shape;
}

std::string cursor_of(const ItemView& key, const KeyShape& shape) {
    std::string parts;
    for (const auto& attribute : shape) {
        const auto value = key.find(attribute.name);
        assert(value && value->kind() == attribute.kind);
        const auto text = text_of(*value);
        parts += std::to_string(text.size()) + ":" + text;
    }
    return base64url_encode(parts);
}

Result<Item> parse_cursor(std::string_view cursor, const KeyShape& shape) {
    if (cursor.size() > cursor_bytes_max) return wrong_cursor();
    const auto decoded = base64url_decode(cursor);
    if (!decoded) return wrong_cursor();
    std::string_view rest = *decoded;
    Item key;
    for (const auto& attribute : shape) {
        const auto part = take_part(rest);
        const auto value = part ? value_of(*part, attribute.kind) : std::nullopt;
        if (!value) return wrong_cursor();
        key.set(attribute.name, *value);
    }
    if (!rest.empty()) return wrong_cursor();
    return key;
}

Error wrong_cursor() { return {Errc::invalid, "`after` is not what a page of this list said"}; }

}  // namespace mailroom::table
