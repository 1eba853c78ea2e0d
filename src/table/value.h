// Attribute values and items, held as compact bytes that can be read in place.
//
//   item  := field*                         sorted by name, names unique
//   field := name value
//   name  := length bytes
//   value := kind                           for true, false and null
//          | kind length payload            for the others
//   payload of string, binary: the bytes;  number: see number.h;  list: value*;  map: an item;
//              sets: (length bytes)*, sorted, unique
//   length := LEB128
// The form is canonical: equal values have equal bytes. Kinds are on disk: never change or reuse
// one.
//
// Views borrow; the bytes they were made from must outlive them. They trust their bytes: these were
// written by this code, and what comes from outside is checked where it is encoded.
#pragma once

#include "table/number.h"

#include <cassert>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

enum class Kind : char {
    string = 'S',
    number = 'N',
    binary = 'B',
    boolean_true = 'T',
    boolean_false = 'F',
    null = 'Z',
    list = 'L',
    map = 'M',
    string_set = 's',
    number_set = 'n',
    binary_set = 'b',
};

// DynamoDB's name of the type: S, N, B, BOOL, NULL, L, M, SS, NS, BS.
std::string_view type_name(Kind kind);
inline bool has_payload(Kind kind) {
    return kind != Kind::boolean_true && kind != Kind::boolean_false && kind != Kind::null;
}
inline bool is_set(Kind kind) {
    return kind == Kind::string_set || kind == Kind::number_set || kind == Kind::binary_set;
}

void append_length(std::string& out, std::size_t length);
std::size_t read_long_length(std::string_view& in);
inline std::size_t read_length(std::string_view& in) {
    assert(!in.empty());
    const auto byte = static_cast<unsigned char>(in.front());
    if (byte >= 0x80) return read_long_length(in);
    in.remove_prefix(1);
    return byte;
}
// Takes a length and that many bytes off the front.
inline std::string_view read_element(std::string_view& in) {
    const auto length = read_length(in);
    assert(length <= in.size());
    const std::string_view element(in.data(), length);
    in.remove_prefix(length);
    return element;
}

class ItemView;
class ListView;
class SetView;

class ValueView {
public:
    // Takes the value that `in` begins with off its front.
    static ValueView read(std::string_view& in) {
        assert(!in.empty());
        ValueView value;
        const auto* const begin = in.data();
        value.kind_ = static_cast<Kind>(in.front());
        in.remove_prefix(1);
        std::size_t payload_bytes = 0;
        if (has_payload(value.kind_)) payload_bytes = read_element(in).size();
        value.encoded_ = {begin, static_cast<std::size_t>(in.data() - begin)};
        value.header_bytes_ = static_cast<std::uint8_t>(value.encoded_.size() - payload_bytes);
        return value;
    }

    Kind kind() const { return kind_; }
    std::string_view encoded() const { return encoded_; }
    std::string_view payload() const {
        return {encoded_.data() + header_bytes_, encoded_.size() - header_bytes_};
    }

    bool is_bool() const { return kind_ == Kind::boolean_true || kind_ == Kind::boolean_false; }
    // Each of these asserts the kind.
    std::string_view text() const;   // String.
    std::string_view bytes() const;  // Binary.
    bool boolean() const;
    Number number() const;
    ListView list() const;
    ItemView map() const;
    SetView set() const;

    // What the value counts towards an item's size (400 KB at most), its name not included.
    std::size_t size_in_item() const;

    friend bool operator==(const ValueView& a, const ValueView& b) {
        return a.encoded_ == b.encoded_;
    }

private:
    Kind kind_{};
    std::uint8_t header_bytes_ = 0;  // The kind and the length, in front of the payload.
    std::string_view encoded_;
};

struct Field {
    std::string_view name;
    ValueView value;
};

// Iterates over encoded elements: `for (ValueView v : list)`, `for (Field f : item)`,
// `for (std::string_view payload : set)`.
template <class Element, Element (*read)(std::string_view&)>
class Sequence {
public:
    explicit Sequence(std::string_view bytes) : bytes_(bytes) {}

    class Iterator {
    public:
        explicit Iterator(std::string_view rest) : rest_(rest) { advance(); }
        const Element& operator*() const { return current_; }
        Iterator& operator++() {
            advance();
            return *this;
        }
        bool operator==(std::default_sentinel_t) const { return done_; }

    private:
        void advance() {
            done_ = rest_.empty();
            if (!done_) current_ = read(rest_);
        }
        std::string_view rest_;
        Element current_{};
        bool done_ = false;
    };
    Iterator begin() const { return Iterator(bytes_); }
    std::default_sentinel_t end() const { return {}; }
    bool empty() const { return bytes_.empty(); }
    std::size_t count() const {
        std::size_t n = 0;
        for (auto it = begin(); it != end(); ++it) ++n;
        return n;
    }
    std::string_view bytes() const { return bytes_; }

private:
    std::string_view bytes_;
};

inline Field read_field(std::string_view& in) {
    const auto name = read_element(in);
    return {name, ValueView::read(in)};
}

class ListView : public Sequence<ValueView, &ValueView::read> {
public:
    using Sequence::Sequence;
    std::optional<ValueView> at(std::size_t index) const;
};

class SetView : public Sequence<std::string_view, &read_element> {
public:
    using Sequence::Sequence;
    bool contains(std::string_view payload) const;
};

// A map, and also a whole item: read_field gives its fields in order of name.
class ItemView : public Sequence<Field, &read_field> {
public:
    using Sequence::Sequence;
    std::optional<ValueView> find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name).has_value(); }

    // The attribute when it is there and of that type.
    std::optional<std::string_view> text(std::string_view name) const;
    std::optional<std::int64_t> integer(std::string_view name) const;
    std::optional<bool> boolean(std::string_view name) const;

    // DynamoDB's item size: names and values, as the 400 KB limit and the capacity units count
    // them.
    std::size_t size_in_item() const;
};

// One owned value.
class Value {
public:
    Value(std::string_view text) : Value(make(Kind::string, text)) {}
    Value(const char* text) : Value(std::string_view(text)) {}
    Value(const std::string& text) : Value(std::string_view(text)) {}
    Value(const Number& number) : Value(make(Kind::number, number.encoded())) {}
    Value(bool value)
        : encoded_(1, static_cast<char>(value ? Kind::boolean_true : Kind::boolean_false)) {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) Value(Integer value)
        : Value(Number(static_cast<std::int64_t>(value))) {}
    explicit Value(const ValueView& view) : encoded_(view.encoded()) {}

    static Value null() {
        return Value(std::in_place, std::string(1, static_cast<char>(Kind::null)));
    }
    static Value binary(std::string_view bytes) { return make(Kind::binary, bytes); }
    static Value list(const std::vector<Value>& elements);
    static Value map(const ItemView& fields) { return make(Kind::map, fields.bytes()); }
    static Value string_set(std::vector<std::string> elements);
    // `kind` is a set kind; `payloads` are element payloads in any order, duplicates are dropped.
    static Value set_of(Kind kind, std::vector<std::string_view> payloads);
    // A kind with a length and this payload.
    static Value make(Kind kind, std::string_view payload);
    // `encoded` is a whole value in the grammar above.
    static Value from_encoded(std::string encoded) {
        return Value(std::in_place, std::move(encoded));
    }

    ValueView view() const;
    operator ValueView() const { return view(); }
    const std::string& encoded() const { return encoded_; }
    bool operator==(const Value&) const = default;

private:
    Value(std::in_place_t, std::string encoded) : encoded_(std::move(encoded)) {}
    std::string encoded_;
};

// One owned item (or map).
class Item {
public:
    Item() = default;
    // In any order; of several with one name the last counts.
    Item(std::initializer_list<std::pair<std::string_view, Value>> fields);
    explicit Item(const ItemView& view) : bytes_(view.bytes()) {}
    static Item from_encoded(std::string bytes);
    // From fields in any order; the names must be unique.
    static Item from_fields(std::vector<Field> fields);

    ItemView view() const { return ItemView(bytes_); }
    operator ItemView() const { return view(); }
    const std::string& bytes() const& { return bytes_; }
    std::string bytes() && { return std::move(bytes_); }
    bool empty() const { return bytes_.empty(); }

    std::optional<ValueView> find(std::string_view name) const { return view().find(name); }
    std::optional<std::string_view> text(std::string_view name) const { return view().text(name); }
    std::optional<std::int64_t> integer(std::string_view name) const {
        return view().integer(name);
    }
    std::optional<bool> boolean(std::string_view name) const { return view().boolean(name); }
    bool has(std::string_view name) const { return view().has(name); }

    // Adds or replaces one attribute.
    Item& set(std::string_view name, const ValueView& value);
    Item& set(std::string_view name, const Value& value) { return set(name, value.view()); }
    Item& erase(std::string_view name);

    bool operator==(const Item&) const = default;

private:
    std::string bytes_;
};

}  // namespace mailroom::table
