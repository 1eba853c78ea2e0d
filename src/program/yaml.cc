// A document of JSON as YAML 1.2, which has JSON's values and its quoted texts.
#include "json/json.h"
#include "json/writer.h"
#include "program/openapi.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace mailroom::program {

namespace {

using Type = json::View::Type;

// Whether the text is itself without quotes, for readers of YAML 1.1, too.
bool is_plain(std::string_view text) {
    static const std::set<std::string_view> words = {"true", "false", "null", "yes", "no",
                                                     "on",   "off",   "y",    "n",   "~"};
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view(" _/.-").find(c) != std::string_view::npos;
    };
    if (text.empty() || words.contains(text) || !std::ranges::all_of(text, plain)) return false;
    const char first = text.front();
    const bool begins_well = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                             (first == '/' && text.size() > 1);
    return begins_well && text.back() != ' ';
}

void append_scalar(std::string& out, std::string_view text) {
    if (is_plain(text)) {
        out += text;
    } else {
        json::append_text(out, text);
    }
}

class Yaml {
public:
    explicit Yaml(std::string& out) : out_(out) {}

    // After "KEY:" or "-": on the same line, or on lines of its own.
    void value(const json::View& view, std::size_t depth) {
        switch (view.type()) {
            case Type::object:
                return object(view, depth);
            case Type::list:
                return list(view, depth);
            default:
                out_ += ' ';
                scalar(view);
                out_ += '\n';
        }
    }

    void members(const json::View& object, std::size_t depth, bool first_is_indented) {
        json::Members all(object);
        std::string_view name;
        json::View view;
        bool is_first = true;
        while (all.next(name, view)) {
            if (!is_first || !first_is_indented) indent(depth);
            is_first = false;
            append_scalar(out_, name);
            out_ += ':';
            value(view, depth + 1);
        }
    }

private:
    void indent(std::size_t depth) { out_.append(depth * 2, ' '); }

    void scalar(const json::View& view) {
        if (view.type() == Type::text) return append_scalar(out_, view.text());
        json::Writer writer(out_);
        if (view.type() == Type::boolean) out_ += view.boolean() ? "true" : "false";
        if (view.type() == Type::null) out_ += "null";
        if (view.type() == Type::integer) out_ += std::to_string(*view.integer());
        if (view.type() == Type::decimal) writer.decimal(view.decimal());
    }

    static bool is_empty(const json::View& view) {
        if (view.type() != Type::object) return false;
        json::Members all(view);
        std::string_view name;
        json::View member;
        return !all.next(name, member);
    }

    void object(const json::View& view, std::size_t depth) {
        out_ += is_empty(view) ? " {}\n" : "\n";
        members(view, depth, false);
    }

    static bool is_short_list(const json::View& view) {
        json::Elements all(view);
        json::View element;
        std::size_t chars = 0;
        while (all.next(element)) {
            if (element.type() != Type::text) return false;
            chars += element.text().size() + 2;
        }
        return chars <= 80;
    }

    void list(const json::View& view, std::size_t depth) {
        json::Elements all(view);
        json::View element;
        if (is_short_list(view)) {
            out_ += " [";
            for (bool is_first = true; all.next(element); is_first = false) {
                if (!is_first) out_ += ", ";
                scalar(element);
            }
            out_ += "]\n";
            return;
        }
        out_ += '\n';
        while (all.next(element)) {
            indent(depth);
            out_ += '-';
            if (is_empty(element) || element.type() != Type::object) {
                value(element, depth + 1);
            } else {
                out_ += ' ';
                members(element, depth + 1, true);
            }
        }
    }

    std::string& out_;
};

}  // namespace

std::string yaml_of(std::string_view json) {
    json::Parser parser;
    const auto document = parser.parse(json);
    assert(document && document->type() == Type::object);
    std::string out;
    Yaml(out).members(*document, 0, false);
    return out;
}

}  // namespace mailroom::program
