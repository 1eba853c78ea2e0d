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

namespace mailroom::table::wire {

class Json {
public:
    enum class Type { null, boolean, integer, decimal, text, list, object };

    Json() = default;
    Type type() const;
    bool is_null() const { return type() == Type::null; }

    // Each of these asserts the type.
    std::string_view text() const;
    bool boolean() const;
    // None when it does not fit.
    std::optional<std::int64_t> integer() const;
    double decimal() const;  // An integer too.

private:
    friend class JsonParser;
    friend class JsonMembers;
    friend class JsonElements;
    const void* document_ = nullptr;
    std::size_t position_ = 0;
};

// Walks over the members of an object, in the order of the text.
class JsonMembers {
public:
    explicit JsonMembers(const Json& object);
    // False at the end.
    bool next(std::string_view& name, Json& value);

private:
    Json at_, end_;
};

// Walks over the elements of a list.
class JsonElements {
public:
    explicit JsonElements(const Json& list);
    bool next(Json& value);

private:
    Json at_, end_;
};

// Reuses its buffers from one document to the next. Not thread-safe.
class JsonParser {
public:
    JsonParser();
    ~JsonParser();

    enum class Refusal { not_json, not_utf8, too_deep };
    // The document, whose views do not refer to `text`.
    Result<Json, Refusal> parse(std::string_view text);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::table::wire
