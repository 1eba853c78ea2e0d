// Filters about HTML, JSON and absent values.
#include "liquid/coerce.h"
#include "liquid/escape.h"
#include "liquid/filter.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <array>

namespace mailroom::liquid {

namespace {

constexpr auto npos = std::string_view::npos;

Value escape(FilterCall& call) {
    std::string made;
    append_escaped(made, call.text(call.input));
    return call.keep(made).as_markup();
}

Value escape_once(FilterCall& call) {
    std::string plain, made;
    append_unescaped(plain, call.text(call.input));
    append_escaped(made, plain);
    return call.keep(made).as_markup();
}

Value newline_to_br(FilterCall& call) {
    std::string made;
    const auto text = call.text(call.input);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\r' && text.substr(at + 1, 1) == "\n") continue;
        if (text[at] == '\n') made += "<br />";
        made += text[at];
    }
    // The breaks are markup, so they must survive where the rest is known to be markup as well.
    return call.input.is_markup() ? call.keep(made).as_markup() : call.keep(made);
}

struct Element {
    std::string_view opener, closer;
    bool unclosed = false;  // No closer is left in the text: not to be looked for again.
};

// One past the element that begins the text, or npos.
std::size_t element_end(std::string_view text, std::array<Element, 4>& elements) {
    for (auto& [opener, closer, unclosed] : elements) {
        if (unclosed || !text.starts_with(opener)) continue;
        const auto end = text.find(closer, opener.size());
        if (end != npos) return end + closer.size();
        unclosed = true;
    }
    return npos;
}

Value strip_html(FilterCall& call) {
    std::array<Element, 4> elements{
        {{"<script", "</script>"}, {"<style", "</style>"}, {"<!--", "-->"}, {"<", ">"}}};
    auto text = call.text(call.input);
    std::string made;
    while (!text.empty()) {
        const auto open = text.find('<');
        made += text.substr(0, open);
        if (open == npos) break;
        text.remove_prefix(open);
        const auto end = element_end(text, elements);
        if (end == npos) {
            made += text;
            break;
        }
        text.remove_prefix(end);
    }
    return call.keep(made);
}

Value json(FilterCall& call) {
    constexpr double indent_max = 10;  // As JSON.stringify has it.
    std::string indent;
    const auto space = call.argument(0);
    if (space.is_number()) {
        const double width = std::clamp(call.number(space), 0.0, indent_max);
        indent.assign(static_cast<std::size_t>(width), ' ');
    } else if (space.is(Kind::text)) {
        indent = space.text().substr(0, skip_characters(space.text(), 10));
    }
    std::string made;
    if (!append_json(made, call.input, indent, call.budget())) return {};
    return call.keep(made);
}

Value default_value(FilterCall& call) {
    const auto& value = call.input;
    bool is_absent = is_falsy(value) || value.is(Kind::empty) || value.is(Kind::blank);
    if (value.is(Kind::text)) is_absent = value.text().empty();
    if (value.is(Kind::array)) is_absent = value.size() == 0;
    if (value.is(Kind::boolean) && !value.truth()) {
        is_absent = is_falsy(call.named("allow_false"));
    }
    return is_absent ? call.argument(0) : value;
}

Value raw(FilterCall& call) { return call.input; }

constexpr FilterEntry markup_entries[] = {
    {"default", default_value},
    {"escape", escape},
    {"escape_once", escape_once},
    {"inspect", json},
    {"json", json},
    {"jsonify", json},
    {"newline_to_br", newline_to_br},
    {"raw", raw},
    {"strip_html", strip_html},
    {"xml_escape", escape},
};

}  // namespace

std::span<const FilterEntry> markup_filters() { return markup_entries; }

}  // namespace mailroom::liquid
