// Reading JSON text: a view of one parsed document, kept by its parser.
//
// Only json.cc knows the library below. Views are two words, cheap to copy, and valid until their
// parser parses again or goes away.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace mailroom::json {

class View {
public:
    enum class Type { null, boolean, integer, decimal, text, list, object };

    View() = default;
    Type type() const;
    bool is_null() const { return type() == Type::null; }

    // Each of these asserts the type.
    std::string_view text() const;
    bool boolean() const;
    // None when it does not fit.
    std::optional<std::int64_t> integer() const;
    double decimal() const;  // An integer too.
    // Of an object: the first member of that name, or none. Looks at the members one by one.
    std::optional<View> find(std::string_view name) const;

private:
    friend class Parser;
    friend class Members;
    friend class Elements;
    const void* document_ = nullptr;
    std::size_t position_ = 0;
};

// Walks over the members of an object, in the order of the text.
class Members {
public:
    explicit Members(const View& object);
    // False at the end.
    bool next(std::string_view& name, View& value);

private:
    View at_, end_;
};

// Walks over the elements of a list.
class Elements {
public:
    explicit Elements(const View& list);
    bool next(View& value);

private:
    View at_, end_;
};

// Reuses its buffers from one document to the next. Not thread-safe.
class Parser {
public:
    Parser();
    ~Parser();

    enum class Refusal { not_json, not_utf8, too_deep };  // More than 256 levels are too deep.
    // The document, whose views do not refer to `text`.
    Result<View, Refusal> parse(std::string_view text);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// For people: completes "the text is …".
std::string_view describe(Parser::Refusal refusal);

}  // namespace mailroom::json
