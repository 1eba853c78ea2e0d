// DynamoDB's attribute values in JSON, {"S": "text"}, to the canonical bytes of value.h.
#pragma once

#include "json/json.h"
#include "table/value.h"
#include "table/wire/problems.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::wire {

constexpr std::string_view nesting_too_deep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";

// The first check of the third round that some values failed, in DynamoDB's words; none if they are
// fine.
using Complaint = std::optional<std::string>;

// What is wrong with the name of an attribute: it has 1 to 65,535 bytes.
Complaint check_attribute_name(std::string_view name);

// Keeps its buffers from one request to the next. Not thread-safe.
class Attributes {
public:
    explicit Attributes(Problems& problems) : problems_(problems) {}

    // Appends the encoded form of what `json` holds. What is malformed goes to the problems; what
    // is well-formed but refused is returned. In both cases the bytes appended mean nothing.
    Complaint append_value(const json::View& json, std::string& out);
    // All members of a JSON object, as the fields of an item.
    Complaint append_fields(const json::View& json, std::string& out);

private:
    struct Span {
        std::size_t name, name_bytes, begin, end;
    };

    void value(const json::View& json, std::string& out, int depth);
    void typed_value(const json::View& json, std::string& out, int depth);
    void typed(std::string_view type, const json::View& json, std::string& out, int depth);
    void fields(const json::View& json, std::string& out, int depth);
    void sort_fields(std::string& out, std::size_t begin, std::size_t first_span);
    void text(const json::View& json, std::string& out);
    void number(const json::View& json, std::string& out);
    void binary(const json::View& json, std::string& out);
    void null(const json::View& json, std::string& out);
    void list(const json::View& json, std::string& out, int depth);
    void map(const json::View& json, std::string& out, int depth);
    void set(Kind kind, const json::View& json, std::string& out);
    bool set_element(Kind kind, const json::View& json);
    void write_set(Kind kind, const json::View& json, std::string& out);
    void complain(std::string_view message);

    Problems& problems_;
    Complaint complaint_;
    std::vector<Span> spans_;
    std::vector<std::string>
        elements_;  // Of the set in hand; only the first `element_count_` count.
    std::size_t element_count_ = 0;
    std::string sorted_;
};

// What DynamoDB answers when a JSON text, or anything else but a collection, stands where it takes
// another type: "NUMBER_VALUE cannot be converted to String".
void wrong_type(Problems& problems, const json::View& json, std::string_view wanted);
// Base 64 as DynamoDB takes it: padded, nothing but the alphabet. False, and noted, if it is not.
bool read_blob(Problems& problems, const json::View& json, std::string& out);
// true and false, and the texts that DynamoDB takes for them.
std::optional<bool> read_boolean(Problems& problems, const json::View& json);

}  // namespace mailroom::table::wire
