#include "json/json.h"

#include <simdjson.h>

#include <bit>
#include <cassert>
#include <cstring>
#include <string>

namespace mailroom::json {

namespace dom = simdjson::dom;

namespace {

// What one request may leave allocated for the next. Most bodies are far smaller; a few are 16 MB,
// for which the parser holds ten times that.
constexpr std::size_t kept_bytes_max = 1024 * 1024;

// Any legal request is shallower: 32 levels of values, two levels of JSON each, and a few around.
constexpr std::size_t depth_max = 256;

static_assert(sizeof(View) == sizeof(dom::element));
static_assert(sizeof(View) == sizeof(dom::object::iterator));
static_assert(sizeof(View) == sizeof(dom::array::iterator));

dom::element element(const View& json) { return std::bit_cast<dom::element>(json); }

}  // namespace

View::Type View::type() const {
    switch (element(*this).type()) {
        case dom::element_type::NULL_VALUE:
            return Type::null;
        case dom::element_type::BOOL:
            return Type::boolean;
        case dom::element_type::INT64:
        case dom::element_type::UINT64:
            return Type::integer;
        case dom::element_type::DOUBLE:
            return Type::decimal;
        case dom::element_type::STRING:
            return Type::text;
        case dom::element_type::ARRAY:
            return Type::list;
        case dom::element_type::OBJECT:
            return Type::object;
    }
    assert(false);
    return Type::null;
}

std::string_view View::text() const {
    const auto text = element(*this).get_string();
    assert(text.error() == simdjson::SUCCESS);
    return text.value_unsafe();
}

bool View::boolean() const {
    const auto value = element(*this).get_bool();
    assert(value.error() == simdjson::SUCCESS);
    return value.value_unsafe();
}

std::optional<std::int64_t> View::integer() const {
    assert(type() == Type::integer);
    const auto value = element(*this).get_int64();
    if (value.error() != simdjson::SUCCESS) return std::nullopt;
    return value.value_unsafe();
}

double View::decimal() const {
    const auto value = element(*this).get_double();
    assert(value.error() == simdjson::SUCCESS);
    return value.value_unsafe();
}

std::optional<View> View::find(std::string_view wanted) const {
    Members members(*this);
    std::string_view name;
    for (View value; members.next(name, value);) {
        if (name == wanted) return value;
    }
    return std::nullopt;
}

Members::Members(const View& object) {
    const auto members = element(object).get_object();
    assert(members.error() == simdjson::SUCCESS);
    at_ = std::bit_cast<View>(members.value_unsafe().begin());
    end_ = std::bit_cast<View>(members.value_unsafe().end());
}

bool Members::next(std::string_view& name, View& value) {
    auto iterator = std::bit_cast<dom::object::iterator>(at_);
    if (iterator == std::bit_cast<dom::object::iterator>(end_)) return false;
    name = iterator.key();
    value = std::bit_cast<View>(iterator.value());
    at_ = std::bit_cast<View>(++iterator);
    return true;
}

Elements::Elements(const View& list) {
    const auto elements = element(list).get_array();
    assert(elements.error() == simdjson::SUCCESS);
    at_ = std::bit_cast<View>(elements.value_unsafe().begin());
    end_ = std::bit_cast<View>(elements.value_unsafe().end());
}

bool Elements::next(View& value) {
    auto iterator = std::bit_cast<dom::array::iterator>(at_);
    if (iterator == std::bit_cast<dom::array::iterator>(end_)) return false;
    value = std::bit_cast<View>(*iterator);
    at_ = std::bit_cast<View>(++iterator);
    return true;
}

class Parser::Impl {
public:
    dom::parser parser;
    std::string padded;  // The text and the bytes that the library may read after it.
};

Parser::Parser() : impl_(std::make_unique<Impl>()) {}
Parser::~Parser() = default;

Result<View, Parser::Refusal> Parser::parse(std::string_view text) {
    if (impl_->padded.capacity() > kept_bytes_max && text.size() < kept_bytes_max) {
        impl_ = std::make_unique<Impl>();
    }
    auto& [parser, padded] = *impl_;
    const std::size_t padded_bytes = text.size() + simdjson::SIMDJSON_PADDING;
    if (padded.size() < padded_bytes) padded.resize(padded_bytes);
    if (!text.empty()) std::memcpy(padded.data(), text.data(), text.size());
    if (parser.capacity() < text.size()) {
        if (parser.allocate(text.size(), depth_max) != simdjson::SUCCESS) return Refusal::not_json;
    }

    const auto document = parser.parse(padded.data(), text.size(), false);
    switch (document.error()) {
        case simdjson::SUCCESS:
            return std::bit_cast<View>(document.value_unsafe());
        case simdjson::DEPTH_ERROR:
            return Refusal::too_deep;
        case simdjson::UTF8_ERROR:
            return Refusal::not_utf8;
        default:
            return Refusal::not_json;
    }
}

std::string_view describe(Parser::Refusal refusal) {
    switch (refusal) {
        case Parser::Refusal::not_utf8:
            return "not UTF-8";
        case Parser::Refusal::too_deep:
            return "nested too deep";
        case Parser::Refusal::not_json:
            break;
    }
    return "not JSON";
}

}  // namespace mailroom::json
