#include "table/wire/attributes.h"

#include "base/base64.h"
#include "base/text.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table::wire {

namespace {

// Lists and maps around a value; with the value itself that makes DynamoDB's 32 levels.
constexpr int containers_max = 31;

// A refusal shows the elements of a set up to here.
constexpr std::size_t listed_bytes_max = 4096;

constexpr std::size_t name_bytes_max = 65'535;
constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";
constexpr std::string_view no_type =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr std::string_view several_types =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
    "supported datatypes";
constexpr std::string_view not_expected = "Start of structure or map found where not expected.";

std::string_view token_name(const json::View& json) {
    switch (json.type()) {
        case json::View::Type::integer:
            return "NUMBER_VALUE";
        case json::View::Type::decimal:
            return "DECIMAL_VALUE";
        case json::View::Type::boolean:
            return json.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
        default:
            return "STRING_VALUE";
    }
}

// Moves what was written from `begin` on behind its own length.
void insert_length(std::string& out, std::size_t begin) {
    char length[10];
    std::size_t bytes = 0;
    std::size_t rest = out.size() - begin;
    for (; rest >= 0x80; rest >>= 7) length[bytes++] = static_cast<char>(0x80 | (rest & 0x7f));
    length[bytes++] = static_cast<char>(rest);
    out.insert(begin, length, bytes);
}

std::string listed(const json::View& list) {
    std::string out = "[";
    json::Elements elements(list);
    for (json::View element; elements.next(element);) {
        if (out.size() > listed_bytes_max) break;
        if (out.size() > 1) out += ", ";
        if (element.type() == json::View::Type::text) out += element.text();
    }
    return out + "]";
}

}  // namespace

void wrong_type(Problems& problems, const json::View& json, std::string_view wanted) {
    switch (json.type()) {
        case json::View::Type::object:
            return problems.malformed(not_expected);
        case json::View::Type::list:
            return problems.malformed("Unrecognized collection type class java.lang." +
                                      std::string(wanted));
        default:
            return problems.malformed(std::string(token_name(json)) + " cannot be converted to " +
                                      std::string(wanted));
    }
}

bool read_blob(Problems& problems, const json::View& json, std::string& out) {
    switch (json.type()) {
        case json::View::Type::text:
            break;
        case json::View::Type::object:
            problems.malformed(not_expected);
            return false;
        case json::View::Type::list:
            problems.malformed("Unrecognized collection type class java.nio.ByteBuffer");
            return false;
        default:
            problems.malformed("only base-64-encoded strings are convertible to bytes");
            return false;
    }
    const auto text = json.text();
    auto bytes = base64_decode(text);
    if (bytes) {
        out = std::move(*bytes);
        return true;
    }
    problems.malformed(text.size() % 4 == 0
                           ? "Invalid last non-pad Base64 character dectected"
                           : "Base64 encoded length is expected a multiple of 4 bytes but found: " +
                                 std::to_string(text.size()));
    return false;
}

std::optional<bool> read_boolean(Problems& problems, const json::View& json) {
    if (json.type() == json::View::Type::boolean) return json.boolean();
    if (json.type() != json::View::Type::text) {
        wrong_type(problems, json, "Boolean");
        return std::nullopt;
    }
    for (const std::string_view yes : {"true", "1", "yes"}) {
        if (ascii_equal_ignoring_case(json.text(), yes)) return true;
    }
    for (const std::string_view no : {"false", "0", "no"}) {
        if (ascii_equal_ignoring_case(json.text(), no)) return false;
    }
    problems.malformed("Unexpected token received from parser");
    return std::nullopt;
}

Complaint Attributes::append_value(const json::View& json, std::string& out) {
    complaint_.reset();
    value(json, out, 0);
    return std::move(complaint_);
}

Complaint check_attribute_name(std::string_view name) {
    if (name.empty()) return std::string(one_or_more) + "Empty attribute name";
    if (name.size() <= name_bytes_max) return std::nullopt;
    return std::string(one_or_more) + "Attribute name is too large, must be less than 65536 bytes";
}

Complaint Attributes::append_fields(const json::View& json, std::string& out) {
    complaint_.reset();
    if (json.type() == json::View::Type::object) {
        fields(json, out, 0);
    } else if (json.type() == json::View::Type::list) {
        problems_.malformed(
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    } else {
        problems_.malformed("Unexpected field type");
    }
    return std::move(complaint_);
}

void Attributes::complain(std::string_view message) {
    if (!complaint_) complaint_ = message;
}

void Attributes::value(const json::View& json, std::string& out, int depth) {
    switch (json.type()) {
        case json::View::Type::object:
            return typed_value(json, out, depth);
        case json::View::Type::list:
            return problems_.malformed(
                "Unrecognized collection type class "
                "com.amazonaws.dynamodb.v20120810.AttributeValue");
        case json::View::Type::null:
            return complain(no_type);
        default:
            return problems_.malformed("Unexpected value type in payload");
    }
}

void Attributes::typed_value(const json::View& json, std::string& out, int depth) {
    const std::size_t begin = out.size();
    int types = 0;
    json::Members members(json);
    std::string_view type;
    for (json::View inner; members.next(type, inner) && !problems_.is_malformed();) {
        if (inner.is_null()) continue;
        const std::size_t before = out.size();
        typed(type, inner, out, depth);
        if (out.size() > before) ++types;
    }
    if (types == 1 || complaint_) return;
    out.resize(begin);
    complain(types == 0 ? no_type : several_types);
}

// Writes nothing for a member that is no type: those are passed over, as DynamoDB does.
void Attributes::typed(std::string_view type, const json::View& json, std::string& out, int depth) {
    if (type == "S") return text(json, out);
    if (type == "N") return number(json, out);
    if (type == "BOOL") {
        const auto yes = read_boolean(problems_, json);
        out += static_cast<char>(yes.value_or(false) ? Kind::boolean_true : Kind::boolean_false);
        return;
    }
    if (type == "M") return map(json, out, depth);
    if (type == "L") return list(json, out, depth);
    if (type == "SS") return set(Kind::string_set, json, out);
    if (type == "NULL") return null(json, out);
    if (type == "B") return binary(json, out);
    if (type == "NS") return set(Kind::number_set, json, out);
    if (type == "BS") return set(Kind::binary_set, json, out);
}

void Attributes::text(const json::View& json, std::string& out) {
    if (json.type() != json::View::Type::text) return wrong_type(problems_, json, "String");
    const auto text = json.text();
    out += static_cast<char>(Kind::string);
    append_length(out, text.size());
    out += text;
}

void Attributes::number(const json::View& json, std::string& out) {
    if (json.type() != json::View::Type::text) return wrong_type(problems_, json, "String");
    const auto number = Number::parse(json.text());
    if (!number) complain(number.error().message);
    const Number stored = number ? *number : Number();
    out += static_cast<char>(Kind::number);
    append_length(out, stored.encoded().size());
    out += stored.encoded();
}

void Attributes::binary(const json::View& json, std::string& out) {
    std::string bytes;
    if (!read_blob(problems_, json, bytes)) return;
    out += static_cast<char>(Kind::binary);
    append_length(out, bytes.size());
    out += bytes;
}

void Attributes::null(const json::View& json, std::string& out) {
    const auto yes = read_boolean(problems_, json);
    if (yes && !*yes) {
        complain(std::string(one_or_more) +
                 "Null attribute value types must have the value of true");
    }
    out += static_cast<char>(Kind::null);
}

void Attributes::list(const json::View& json, std::string& out, int depth) {
    if (json.type() == json::View::Type::object) return problems_.malformed(not_expected);
    if (json.type() != json::View::Type::list) return problems_.malformed("Unexpected field type");
    out += static_cast<char>(Kind::list);
    if (depth >= containers_max) return complain(nesting_too_deep);
    const std::size_t begin = out.size();
    json::Elements elements(json);
    for (json::View element; elements.next(element) && !problems_.is_malformed();) {
        value(element, out, depth + 1);
    }
    insert_length(out, begin);
}

void Attributes::map(const json::View& json, std::string& out, int depth) {
    if (json.type() == json::View::Type::list) {
        return problems_.malformed(
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    }
    if (json.type() != json::View::Type::object)
        return problems_.malformed("Unexpected field type");
    out += static_cast<char>(Kind::map);
    if (depth >= containers_max) return complain(nesting_too_deep);
    const std::size_t begin = out.size();
    fields(json, out, depth + 1);
    insert_length(out, begin);
}

void Attributes::fields(const json::View& json, std::string& out, int depth) {
    const std::size_t begin = out.size();
    const std::size_t first_span = spans_.size();
    json::Members members(json);
    std::string_view name;
    for (json::View inner; members.next(name, inner) && !problems_.is_malformed();) {
        const std::size_t field = out.size();
        const bool is_bad = name.size() > name_bytes_max || (name.empty() && depth == 0);
        if (is_bad) complain(*check_attribute_name(name));
        append_length(out, name.size());
        const std::size_t name_begin = out.size();
        out += name;
        value(inner, out, depth);
        spans_.push_back({name_begin, name.size(), field, out.size()});
    }
    sort_fields(out, begin, first_span);
    spans_.resize(first_span);
}

void Attributes::sort_fields(std::string& out, std::size_t begin, std::size_t first_span) {
    const auto name_of = [&](const Span& span) {
        return std::string_view(out).substr(span.name, span.name_bytes);
    };
    const auto less = [&](const Span& a, const Span& b) { return name_of(a) < name_of(b); };
    const auto first = spans_.begin() + static_cast<std::ptrdiff_t>(first_span);
    const bool sorted = std::is_sorted(first, spans_.end(), less);
    if (!sorted) std::sort(first, spans_.end(), less);

    const auto same = [&](const Span& a, const Span& b) { return name_of(a) == name_of(b); };
    const auto twice = std::adjacent_find(first, spans_.end(), same);
    if (twice != spans_.end()) {
        return problems_.malformed("Duplicate key in a map: " + std::string(name_of(*twice)));
    }
    if (sorted) return;
    sorted_.clear();
    for (auto span = first; span != spans_.end(); ++span) {
        sorted_.append(out, span->begin, span->end - span->begin);
    }
    out.replace(begin, sorted_.size(), sorted_);
}

void Attributes::set(Kind kind, const json::View& json, std::string& out) {
    if (json.type() == json::View::Type::object) return problems_.malformed(not_expected);
    if (json.type() != json::View::Type::list) return problems_.malformed("Unexpected field type");
    element_count_ = 0;
    json::Elements elements(json);
    for (json::View element; elements.next(element);) {
        if (!set_element(kind, element)) {
            out += static_cast<char>(kind);
            return;
        }
    }
    write_set(kind, json, out);
}

// Adds the payload of one element. False if something is wrong, which is then noted.
bool Attributes::set_element(Kind kind, const json::View& json) {
    if (elements_.size() <= element_count_) elements_.emplace_back();
    auto& element = elements_[element_count_];
    if (json.is_null()) {
        const auto type = kind == Kind::string_set   ? "An string set"
                          : kind == Kind::number_set ? "An number set"
                                                     : "Binary sets";
        complain(std::string(one_or_more) + type + " may not have a null member");
        return false;
    }
    if (kind == Kind::binary_set) {
        if (!read_blob(problems_, json, element)) return false;
    } else if (json.type() != json::View::Type::text) {
        wrong_type(problems_, json, "String");
        return false;
    } else if (kind == Kind::number_set) {
        const auto number = Number::parse(json.text());
        if (!number) {
            complain(number.error().message);
            return false;
        }
        element.assign(number->encoded());
    } else {
        element.assign(json.text());
    }
    ++element_count_;
    return true;
}

void Attributes::write_set(Kind kind, const json::View& json, std::string& out) {
    out += static_cast<char>(kind);
    if (element_count_ == 0) {
        return complain(std::string(one_or_more) +
                        (kind == Kind::string_set   ? "An string set  may not be empty"
                         : kind == Kind::number_set ? "An number set  may not be empty"
                                                    : "Binary sets should not be empty"));
    }
    const auto first = elements_.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(element_count_);
    std::sort(first, last);
    if (std::adjacent_find(first, last) != last) {
        if (kind == Kind::number_set) return complain("Input collection contains duplicates");
        return complain(std::string(one_or_more) + "Input collection " + listed(json) +
                        (kind == Kind::binary_set ? "of type BS contains duplicates."
                                                  : " contains duplicates."));
    }
    const std::size_t begin = out.size();
    for (auto element = first; element != last; ++element) {
        append_length(out, element->size());
        out += *element;
    }
    insert_length(out, begin);
}

}  // namespace mailroom::table::wire
