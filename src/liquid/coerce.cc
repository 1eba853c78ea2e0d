#include "liquid/coerce.h"

#include "liquid/number_text.h"
#include "liquid/search.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mailroom::liquid {

namespace {

constexpr int depth_max = 64;  // Deeper values are cut off, so that no tree can exhaust the stack.
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view object_text = "[object Object]";

// Scalars read the same everywhere; false for arrays and objects.
bool append_scalar(std::string& out, const Value& value) {
    switch (value.kind()) {
        case Kind::boolean:
            out += value.truth() ? "true" : "false";
            return true;
        case Kind::integer:
            append_number(out, value.integer());
            return true;
        case Kind::decimal:
            append_number(out, value.decimal());
            return true;
        case Kind::text:
            out += value.text();
            return true;
        case Kind::array:
        case Kind::object:
            return false;
        default:
            return true;
    }
}

bool may_grow(const std::string& out, Budget& budget, int depth) {
    // A text that can no longer be kept ends the render here, not when it has grown further.
    if (out.size() > budget.bytes_left()) budget.spend_bytes(out.size());
    return depth < depth_max && budget.spend_steps(1);
}

void append_items(std::string& out, const Value& array, std::string_view separator, Budget& budget,
                  int depth, std::string_view nested_separator) {
    const auto count = array.size();
    for (std::size_t i = 0; i < count && may_grow(out, budget, depth); ++i) {
        if (i > 0) out += separator;
        const auto item = array.at(i);
        if (item.is(Kind::text) && !budget.spend_reading(item.text().size())) return;
        if (append_scalar(out, item)) continue;
        if (item.is(Kind::object)) {
            out += object_text;
        } else {
            append_items(out, item, nested_separator, budget, depth + 1, nested_separator);
        }
    }
}

void append_json_text(std::string& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\b':
                out += "\\b";
                break;
            case '\f':
                out += "\\f";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20) {
                    out += c;
                } else {
                    out += "\\u00";
                    out += hex[static_cast<unsigned char>(c) >> 4];
                    out += hex[static_cast<unsigned char>(c) & 15];
                }
        }
    }
    out += '"';
}

class JsonWriter {
public:
    JsonWriter(std::string& out, std::string_view indent, Budget& budget)
        : out_(out), indent_(indent), budget_(budget) {}

    void write(const Value& value, int depth) {
        switch (value.kind()) {
            case Kind::text:
                if (budget_.spend_reading(value.text().size())) {
                    append_json_text(out_, value.text());
                }
                return;
            case Kind::array:
                return write_array(value, depth);
            case Kind::object:
                return write_object(value, depth);
            case Kind::decimal:
                if (!std::isfinite(value.decimal())) break;
                [[fallthrough]];
            case Kind::boolean:
            case Kind::integer:
                append_scalar(out_, value);
                return;
            case Kind::empty:
            case Kind::blank:
                out_ += "\"\"";
                return;
            default:
                break;
        }
        out_ += "null";
    }

private:
    void write_array(const Value& array, int depth) {
        const auto count = array.size();
        out_ += '[';
        for (std::size_t i = 0; i < count && may_grow(out_, budget_, depth); ++i) {
            if (i > 0) out_ += ',';
            new_line(depth + 1);
            write(array.at(i), depth + 1);
        }
        if (count > 0) new_line(depth);
        out_ += ']';
    }

    void write_object(const Value& object, int depth) {
        std::vector<Entry> entries;
        object.list(entries);
        out_ += '{';
        bool first = true;
        for (const auto& [key, value] : entries) {
            if (value.is(Kind::undefined)) continue;
            if (!may_grow(out_, budget_, depth)) break;
            if (!first) out_ += ',';
            first = false;
            new_line(depth + 1);
            append_json_text(out_, key);
            out_ += indent_.empty() ? ":" : ": ";
            write(value, depth + 1);
        }
        if (!first) new_line(depth);
        out_ += '}';
    }

    void new_line(int depth) {
        if (indent_.empty()) return;
        out_ += '\n';
        for (int i = 0; i < depth; ++i) out_ += indent_;
    }

    std::string& out_;
    std::string_view indent_;
    Budget& budget_;
};

bool is_equal(const Value& left, const Value& right, Budget& budget, int depth);

bool is_equal_to_word(Kind word, const Value& value, Budget& budget) {
    if (word == Kind::nothing) return value.is_nil();
    if (word == Kind::blank) {
        if (is_falsy(value)) return true;
        if (value.is(Kind::text)) {
            return budget.spend_reading(value.text().size()) && trim(value.text()).empty();
        }
    }
    switch (value.kind()) {
        case Kind::text:
            return value.text().empty();
        case Kind::array:
        case Kind::object:
            return value.size() == 0;
        default:
            return false;
    }
}

bool is_word(const Value& value) {
    return value.is(Kind::nothing) || value.is(Kind::empty) || value.is(Kind::blank);
}

double number_of(const Value& value) {
    return value.is(Kind::integer) ? static_cast<double>(value.integer()) : value.decimal();
}

bool is_equal_array(const Value& left, const Value& right, Budget& budget, int depth) {
    const auto count = left.size();
    if (depth >= depth_max || count != right.size()) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (!budget.spend_steps(1)) return false;
        if (!is_equal(left.at(i), right.at(i), budget, depth + 1)) return false;
    }
    return true;
}

bool is_equal(const Value& left, const Value& right, Budget& budget, int depth) {
    if (is_word(left)) return is_equal_to_word(left.kind(), right, budget);
    if (is_word(right)) return is_equal_to_word(right.kind(), left, budget);
    if (left.is(Kind::integer) && right.is(Kind::integer)) {
        return left.integer() == right.integer();
    }
    if (left.is_number() && right.is_number()) return number_of(left) == number_of(right);
    if (left.kind() != right.kind()) return false;
    switch (left.kind()) {
        case Kind::boolean:
            return left.truth() == right.truth();
        case Kind::text:
            return left.text().size() == right.text().size() &&
                   budget.spend_reading(left.text().size()) && left.text() == right.text();
        case Kind::array:
            return is_equal_array(left, right, budget, depth);
        case Kind::object:
            return left.node() == right.node();
        default:
            return true;
    }
}

Order order_of_numbers(double left, double right) {
    if (left < right) return Order::less;
    if (left > right) return Order::greater;
    return left == right ? Order::equal : Order::none;
}

// Texts, and what JavaScript turns into one before comparing.
bool is_textual(const Value& value) {
    return value.is(Kind::text) || value.is(Kind::array) || value.is(Kind::object);
}

double number_of_text(std::string_view text, Budget& budget) {
    return budget.spend_reading(text.size()) ? parse_number(text) : not_a_number;
}

}  // namespace

void append_text(std::string& out, const Value& value, Budget& budget) {
    if (value.is(Kind::text) && !budget.spend_reading(value.text().size())) return;
    if (append_scalar(out, value)) return;
    if (value.is(Kind::object)) {
        out += object_text;
    } else {
        append_items(out, value, "", budget, 0, "");
    }
}

void append_joined(std::string& out, const Value& value, std::string_view separator,
                   Budget& budget) {
    append_items(out, value, separator, budget, 0, ",");
}

void append_string(std::string& out, const Value& value, Budget& budget) {
    if (value.is(Kind::undefined)) {
        out += "undefined";
    } else if (value.is_nil()) {
        out += "null";
    } else if (value.is(Kind::array)) {
        append_joined(out, value, ",", budget);
    } else {
        append_text(out, value, budget);
    }
}

bool append_json(std::string& out, const Value& value, std::string_view indent, Budget& budget) {
    if (value.is(Kind::undefined)) return false;
    JsonWriter(out, indent, budget).write(value, 0);
    return true;
}

double to_number(const Value& value, Budget& budget) {
    switch (value.kind()) {
        case Kind::undefined:
        case Kind::object:
            return not_a_number;
        case Kind::boolean:
            return value.truth() ? 1 : 0;
        case Kind::integer:
        case Kind::decimal:
            return number_of(value);
        case Kind::text:
            return number_of_text(value.text(), budget);
        case Kind::array: {
            std::string text;
            append_joined(text, value, ",", budget);
            return number_of_text(text, budget);
        }
        default:
            return 0;
    }
}

bool is_equal(const Value& left, const Value& right, Budget& budget) {
    return is_equal(left, right, budget, 0);
}

Order order_of(const Value& left, const Value& right, Budget& budget) {
    if (is_word(left) || is_word(right)) return Order::none;
    if (left.is_number() && right.is_number()) {
        return order_of_numbers(number_of(left), number_of(right));
    }
    if (!is_textual(left) || !is_textual(right)) {
        return order_of_numbers(to_number(left, budget), to_number(right, budget));
    }
    std::string left_made, right_made;
    const auto text_of = [&](const Value& value, std::string& made) -> std::string_view {
        if (value.is(Kind::text)) return value.text();
        append_string(made, value, budget);
        return made;
    };
    const auto left_text = text_of(left, left_made), right_text = text_of(right, right_made);
    if (!budget.spend_reading(std::min(left_text.size(), right_text.size()))) return Order::none;
    const int order = compare_utf16(left_text, right_text);
    if (order == 0) return Order::equal;
    return order < 0 ? Order::less : Order::greater;
}

bool contains(const Value& whole, const Value& part, Budget& budget) {
    if (whole.is(Kind::array)) {
        const auto count = whole.size();
        for (std::size_t i = 0; i < count && budget.spend_steps(1); ++i) {
            if (is_equal(whole.at(i), part, budget)) return true;
        }
        return false;
    }
    const bool is_empty_text = whole.is(Kind::empty) || whole.is(Kind::blank);
    if (!whole.is(Kind::text) && !is_empty_text) return false;
    const auto text = is_empty_text ? std::string_view() : whole.text();
    if (!budget.spend_reading(text.size())) return false;
    if (part.is(Kind::text)) return find_text(text, part.text()) != std::string_view::npos;
    std::string piece;
    append_string(piece, part, budget);
    return find_text(text, piece) != std::string_view::npos;
}

}  // namespace mailroom::liquid
