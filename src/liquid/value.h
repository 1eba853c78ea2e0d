// What a template sees of its data: small views of somebody else's values. Nothing is copied.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

class Value;
struct Entry;

// Reads the arrays of one kind of tree. One reader, without state, serves every array of that kind;
// `node` is the pointer that was given to Value::array. Called from any thread.
class ArrayReader {
public:
    virtual ~ArrayReader() = default;
    virtual std::size_t size(const void* node) const = 0;
    virtual Value at(const void* node, std::size_t index) const = 0;  // index < size
};

// Reads the objects of one kind of tree, as ArrayReader does its arrays.
class ObjectReader {
public:
    virtual ~ObjectReader() = default;
    virtual std::size_t size(const void* node) const = 0;
    // Undefined when there is no such key.
    virtual Value get(const void* node, std::string_view key) const = 0;
    // Appends every entry in the order in which a template should see them.
    virtual void list(const void* node, std::vector<Entry>& entries) const = 0;
};

enum class Kind : std::uint8_t {
    undefined,  // There is no such variable or key.
    nil,        // There is one, and it holds nothing.
    boolean,
    integer,
    decimal,
    text,
    array,
    object,
    nothing,  // The words nil, empty and blank, which compare by rules of their own.
    empty,
    blank,
};

// Does not own: texts and nodes must outlive every use of the value, so for a render until it ends.
class Value {
public:
    constexpr Value() : integer_(0) {}
    static constexpr Value of(Kind word) {
        Value value;
        value.kind_ = word;
        return value;
    }
    static constexpr Value nil() { return of(Kind::nil); }
    static constexpr Value boolean(bool truth) {
        Value value = of(Kind::boolean);
        value.integer_ = truth ? 1 : 0;
        return value;
    }
    static constexpr Value integer(std::int64_t number) {
        Value value = of(Kind::integer);
        value.integer_ = number;
        return value;
    }
    static constexpr Value decimal(double number) {
        Value value = of(Kind::decimal);
        value.decimal_ = number;
        return value;
    }
    static constexpr Value text(std::string_view text) {
        Value value = of(Kind::text);
        value.node_ = text.data();
        value.length_ = text.size();
        return value;
    }
    static Value array(const ArrayReader& reader, const void* node) {
        Value value = of(Kind::array);
        value.array_ = &reader;
        value.node_ = node;
        return value;
    }
    static Value object(const ObjectReader& reader, const void* node) {
        Value value = of(Kind::object);
        value.object_ = &reader;
        value.node_ = node;
        return value;
    }

    Kind kind() const { return kind_; }
    bool is(Kind kind) const { return kind_ == kind; }
    bool is_number() const { return kind_ == Kind::integer || kind_ == Kind::decimal; }
    bool is_nil() const {
        return kind_ == Kind::undefined || kind_ == Kind::nil || kind_ == Kind::nothing;
    }

    // Each of these may be called on its own kind only.
    bool truth() const {
        assert(kind_ == Kind::boolean);
        return integer_ != 0;
    }
    std::int64_t integer() const {
        assert(kind_ == Kind::integer);
        return integer_;
    }
    double decimal() const {
        assert(kind_ == Kind::decimal);
        return decimal_;
    }
    std::string_view text() const {
        assert(kind_ == Kind::text);
        return {static_cast<const char*>(node_), length_};
    }
    std::size_t size() const {  // Of an array or an object.
        return kind_ == Kind::array ? array_->size(node_) : object_->size(node_);
    }
    inline Value at(std::size_t index) const;
    inline Value get(std::string_view key) const;
    void list(std::vector<Entry>& entries) const { object_->list(node_, entries); }
    const void* node() const { return node_; }

    // A text that is already HTML is not escaped again when it is written.
    bool is_markup() const { return markup_; }
    Value as_markup() const {
        Value value = *this;
        value.markup_ = true;
        return value;
    }

private:
    Kind kind_ = Kind::undefined;
    bool markup_ = false;
    const void* node_ = nullptr;
    union {
        std::int64_t integer_;
        double decimal_;
        std::size_t length_;
        const ArrayReader* array_;
        const ObjectReader* object_;
    };
};

struct Entry {
    std::string_view key;
    Value value;
};

inline Value Value::at(std::size_t index) const {
    assert(kind_ == Kind::array);
    return array_->at(node_, index);
}

inline Value Value::get(std::string_view key) const {
    assert(kind_ == Kind::object);
    return object_->get(node_, key);
}

}  // namespace mailroom::liquid
