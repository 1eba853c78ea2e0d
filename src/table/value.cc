#include "table/value.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

std::size_t number_size(std::string_view encoded) {
    return Number::from_encoded(encoded).size_in_item();
}

// DynamoDB counts 3 bytes for a list or map and 1 for each of its elements.
constexpr std::size_t container_bytes = 3;
constexpr std::size_t element_bytes = 1;

// Of an attribute's name in an encoded item; names have at most 64 KB.
constexpr std::size_t name_length_bytes_max = 3;

void append_field(std::string& out, std::string_view name, const ValueView& value) {
    append_length(out, name.size());
    out.append(name).append(value.encoded());
}

}  // namespace

std::string_view type_name(Kind kind) {
    switch (kind) {
        case Kind::string:
            return "S";
        case Kind::number:
            return "N";
        case Kind::binary:
            return "B";
        case Kind::boolean_true:
        case Kind::boolean_false:
            return "BOOL";
        case Kind::null:
            return "NULL";
        case Kind::list:
            return "L";
        case Kind::map:
            return "M";
        case Kind::string_set:
            return "SS";
        case Kind::number_set:
            return "NS";
        case Kind::binary_set:
            return "BS";
    }
    assert(false);
    return "";
}

void append_length(std::string& out, std::size_t length) {
    for (; length >= 0x80; length >>= 7) out += static_cast<char>(0x80 | (length & 0x7f));
    out += static_cast<char>(length);
}

std::size_t read_long_length(std::string_view& in) {
    std::size_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert(!in.empty() && shift < 64);
        const auto byte = static_cast<unsigned char>(in.front());
        in.remove_prefix(1);
        length |= static_cast<std::size_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return length;
    }
}

std::string_view ValueView::text() const {
    assert(kind_ == Kind::string);
    return payload();
}
std::string_view ValueView::bytes() const {
    assert(kind_ == Kind::binary);
    return payload();
}
bool ValueView::boolean() const {
    assert(is_bool());
    return kind_ == Kind::boolean_true;
}
Number ValueView::number() const {
    assert(kind_ == Kind::number);
    return Number::from_encoded(payload());
}
ListView ValueView::list() const {
    assert(kind_ == Kind::list);
    return ListView(payload());
}
ItemView ValueView::map() const {
    assert(kind_ == Kind::map);
    return ItemView(payload());
}
SetView ValueView::set() const {
    assert(is_set(kind_));
    return SetView(payload());
}

std::size_t ValueView::size_in_item() const {
    std::size_t size = 0;
    switch (kind_) {
        case Kind::boolean_true:
        case Kind::boolean_false:
        case Kind::null:
            return 1;
        case Kind::string:
        case Kind::binary:
            return payload().size();
        case Kind::number:
            return number_size(payload());
        case Kind::number_set:
            for (const auto element : set()) size += number_size(element);
            return size;
        case Kind::string_set:
        case Kind::binary_set:
            for (const auto element : set()) size += element.size();
            return size;
        case Kind::list:
            for (const auto& value : list()) size += element_bytes + value.size_in_item();
            return container_bytes + size;
        case Kind::map:
            for (const auto& field : map()) {
                size += element_bytes + field.name.size() + field.value.size_in_item();
            }
            return container_bytes + size;
    }
    assert(false);
    return 0;
}

std::optional<ValueView> ListView::at(std::size_t index) const {
    for (const auto& value : *this) {
        if (index-- == 0) return value;
    }
    return std::nullopt;
}

bool SetView::contains(std::string_view payload) const {
    for (const auto element : *this) {
        if (element == payload) return true;
    }
    return false;
}

std::optional<ValueView> ItemView::find(std::string_view name) const {
    for (auto rest = bytes(); !rest.empty();) {
        const auto field_name = read_element(rest);
        const auto value = ValueView::read(rest);
        if (field_name == name) return value;
        if (field_name > name) break;
    }
    return std::nullopt;
}

std::optional<std::string_view> ItemView::text(std::string_view name) const {
    const auto value = find(name);
    if (!value || value->kind() != Kind::string) return std::nullopt;
    return value->text();
}

std::optional<std::int64_t> ItemView::integer(std::string_view name) const {
    const auto value = find(name);
    if (!value || value->kind() != Kind::number) return std::nullopt;
    return value->number().to_int64();
}

std::optional<bool> ItemView::boolean(std::string_view name) const {
    const auto value = find(name);
    if (!value || !value->is_bool()) return std::nullopt;
    return value->boolean();
}

std::size_t ItemView::size_in_item() const {
    std::size_t size = 0;
    for (const auto& field : *this) size += field.name.size() + field.value.size_in_item();
    return size;
}

Value Value::make(Kind kind, std::string_view payload) {
    assert(has_payload(kind));
    std::string encoded;
    encoded.reserve(payload.size() + 6);
    encoded += static_cast<char>(kind);
    append_length(encoded, payload.size());
    encoded += payload;
    return from_encoded(std::move(encoded));
}

Value Value::list(const std::vector<Value>& elements) {
    std::string payload;
    for (const auto& element : elements) payload += element.encoded();
    return make(Kind::list, payload);
}

Value Value::string_set(std::vector<std::string> elements) {
    return set_of(Kind::string_set, {elements.begin(), elements.end()});
}

Value Value::set_of(Kind kind, std::vector<std::string_view> payloads) {
    assert(is_set(kind));
    std::ranges::sort(payloads);
    payloads.erase(std::unique(payloads.begin(), payloads.end()), payloads.end());
    std::string bytes;
    for (const auto payload : payloads) {
        append_length(bytes, payload.size());
        bytes += payload;
    }
    return make(kind, bytes);
}

ValueView Value::view() const {
    std::string_view in = encoded_;
    return ValueView::read(in);
}

Item::Item(std::initializer_list<std::pair<std::string_view, Value>> fields) {
    std::vector<const std::pair<std::string_view, Value>*> sorted;
    sorted.reserve(fields.size());
    std::size_t bytes = 0;
    for (const auto& field : fields) {
        sorted.push_back(&field);
        bytes += name_length_bytes_max + field.first.size() + field.second.encoded().size();
    }
    std::ranges::sort(sorted, [](const auto* a, const auto* b) {
        const int order = a->first.compare(b->first);
        return order != 0 ? order < 0 : a < b;
    });
    bytes_.reserve(bytes);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto& [name, value] = *sorted[i];
        if (i + 1 < sorted.size() && sorted[i + 1]->first == name) continue;
        append_length(bytes_, name.size());
        bytes_.append(name).append(value.encoded());
    }
}

Item Item::from_encoded(std::string bytes) {
    Item item;
    item.bytes_ = std::move(bytes);
    return item;
}

Item Item::from_fields(std::vector<Field> fields) {
    std::ranges::sort(fields, {}, &Field::name);
    Item item;
    std::size_t bytes = 0;
    for (const auto& field : fields) {
        bytes += name_length_bytes_max + field.name.size() + field.value.encoded().size();
    }
    item.bytes_.reserve(bytes);
    for (const auto& field : fields) append_field(item.bytes_, field.name, field.value);
    return item;
}

Item& Item::set(std::string_view name, const ValueView& value) {
    std::string bytes;
    bytes.reserve(bytes_.size() + name.size() + value.encoded().size() + 3);
    bool written = false;
    for (const auto& field : view()) {
        if (!written && field.name >= name) {
            append_field(bytes, name, value);
            written = true;
        }
        if (field.name != name) append_field(bytes, field.name, field.value);
    }
    if (!written) append_field(bytes, name, value);
    bytes_ = std::move(bytes);
    return *this;
}

Item& Item::erase(std::string_view name) {
    std::string bytes;
    bytes.reserve(bytes_.size());
    for (const auto& field : view()) {
        if (field.name != name) append_field(bytes, field.name, field.value);
    }
    bytes_ = std::move(bytes);
    return *this;
}

}  // namespace mailroom::table
