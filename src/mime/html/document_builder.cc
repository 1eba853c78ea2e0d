#include "mime/html/document_builder.h"

#include "base/text.h"
#include "mime/html/entities.h"

#include <algorithm>
#include <utility>

namespace mailroom::mime::html {
namespace {

using enum ElementKind;

constexpr std::string_view white_space = " \t\n\f\r";

bool is_heading(std::string_view name) {
    return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
}

bool is_column(const Element& element) {
    return element.name == "col" || element.name == "colgroup";
}

bool belongs_in_table(const Element& element) {
    switch (element.kind) {
        case cell:
        case row:
        case row_group:
        case table_part:
            return true;
        default:
            return element.name == "col";
    }
}

// Controls and what is no character by definition: gumbo replaces them. Text of mails has bytes
// that may begin such a one (`maybe`) in many languages, but no control characters.
bool has_odd_characters(std::string_view html) {
    bool is_control = false, maybe = false;
    for (const char c : html) {
        const auto byte = static_cast<unsigned char>(c);
        is_control |=
            (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\f' && byte != '\r') ||
            byte == 0x7f;
        maybe |= byte == 0xc2 || byte == 0xef || byte >= 0xf0;
    }
    if (is_control || !maybe) return is_control;
    const auto at = [&](std::size_t i) {
        return i < html.size() ? static_cast<unsigned char>(html[i]) : 0U;
    };
    for (std::size_t i = 0; i < html.size(); ++i) {
        const auto byte = at(i);
        if (byte == 0xc2 && at(i + 1) < 0xa0) return true;
        if (byte == 0xef && at(i + 1) == 0xb7 && at(i + 2) >= 0x90 && at(i + 2) <= 0xaf)
            return true;
        const auto last = byte == 0xef ? i + 1 : i + 2;  // Of U+FFFE, U+1FFFE and so on.
        if ((byte == 0xef || byte >= 0xf0) && at(last) == 0xbf && at(last + 1) >= 0xbe) return true;
    }
    return false;
}

}  // namespace

bool DocumentBuilder::build(std::string_view html) {
    if (has_odd_characters(html) || !is_utf8(html)) return false;
    document_.nodes_.reserve(html.size() / 32 + 16);
    document_.nodes_.emplace_back();
    document_.nodes_[0].element = find_element("body");
    document_.counts_ = balance_into(*this, html);
    flush_text();
    return is_regular_;
}

ElementKind DocumentBuilder::parent_kind() const {
    return open_.empty() ? body : open_.back().element->kind;
}

void DocumentBuilder::start(const Element& element, std::span<const ScannedAttribute> attributes) {
    if (!is_regular_) return;
    flush_text();
    has_begun_ = true;
    after_pre_ = element.name == "pre";
    if (element.kind == body) {
        set_attributes(document_.nodes_[0], attributes);
        open_.push_back({0, &element});
        return;
    }
    if (!fits(element)) {
        is_regular_ = false;
        return;
    }
    open(element, attributes);
}

bool DocumentBuilder::fits(const Element& element) {
    while (closes_implied(element)) open_.pop_back();
    switch (parent_kind()) {
        case table:
        case row_group:
        case row:
            return fits_table(element);
        case table_part:
            if (open_.back().element->name == "colgroup") return element.name == "col";
            break;
        default:
            break;
    }
    if (belongs_in_table(element)) return false;
    const bool is_nested_heading =
        is_heading(element.name) && !open_.empty() && is_heading(open_.back().element->name);
    return !is_nested_heading && (element.name != "hr" || !has_open_paragraph());
}

// A row ends the one that a parser has opened for cells without a row.
bool DocumentBuilder::closes_implied(const Element& element) {
    if (open_.empty() || !open_.back().is_implied) return false;
    const auto implied = open_.back().element->kind;
    if (implied == row) return element.kind != cell;
    return element.kind == row_group || element.kind == table_part;
}

bool DocumentBuilder::fits_table(const Element& element) {
    const auto parent = parent_kind();
    if (element.kind == cell) {
        if (parent == table) imply("tbody");
        if (parent != row) imply("tr");
        return true;
    }
    if (element.kind == row && parent != row) {
        if (parent == table) imply("tbody");
        return true;
    }
    // Columns outside of their group, and captions after rows, are for a parser.
    return parent == table && (element.kind == row_group || element.kind == table_part);
}

bool DocumentBuilder::has_open_paragraph() const {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
        if (open->element->kind == paragraph) return true;
        if (open->element->kind == cell || open->element->kind == table_part) return false;
    }
    return false;
}

void DocumentBuilder::imply(std::string_view name) {
    open(*find_element(name), {});
    open_.back().is_implied = true;
}

void DocumentBuilder::open(const Element& element, std::span<const ScannedAttribute> attributes) {
    Node node;
    node.element = &element;
    set_attributes(node, attributes);
    const auto place = document_.add(open_.empty() ? 0 : open_.back().node, node);
    if (element.kind != no_content) open_.push_back({place, &element});
}

void DocumentBuilder::set_attributes(Node& node, std::span<const ScannedAttribute> attributes) {
    auto& all = document_.attributes_;
    node.attributes_begin = static_cast<std::uint32_t>(all.size());
    for (const auto& scanned : attributes) {
        const auto own = std::span(all).subspan(node.attributes_begin);
        // Of two with one name the first counts.
        const auto is_same = [&](const Attribute& one) {
            return one.name.data() == scanned.name.data();
        };
        if (std::ranges::none_of(own, is_same)) {
            all.push_back({scanned.name, decoded(scanned.value, true)});
        }
    }
    node.attributes_end = static_cast<std::uint32_t>(all.size());
}

void DocumentBuilder::end(const Element& element) {
    if (!is_regular_) return;
    flush_text();
    after_pre_ = false;
    while (open_.back().is_implied) open_.pop_back();
    if (open_.back().element != &element) {
        is_regular_ = false;
        return;
    }
    open_.pop_back();
}

void DocumentBuilder::text(std::string_view text) { take_text(text == "<" ? "&lt;" : text); }

void DocumentBuilder::raw_text(std::string_view text) {
    for (auto open = text.find('<'); open != text.npos; open = text.find('<')) {
        take_text(text.substr(0, open));
        take_text("&lt;");
        text.remove_prefix(open + 1);
    }
    take_text(text);
}

void DocumentBuilder::take_text(std::string_view text) {
    if (text.empty() || !is_regular_) return;
    if (text_.empty() && !is_joined_) {
        text_ = text;
        return;
    }
    if (!is_joined_) {
        joined_text_ = text_;
        is_joined_ = true;
    }
    joined_text_ += text;
}

std::string_view DocumentBuilder::decoded(std::string_view raw, bool in_attribute) {
    if (!needs_decoding(raw)) return raw;
    auto& made = document_.new_string();
    append_decoded(made, raw, in_attribute ? Where::attribute : Where::text);
    return made;
}

void DocumentBuilder::flush_text() {
    if (text_.empty() || !is_regular_) return;
    auto raw = text_;
    if (is_joined_) raw = document_.new_string() = joined_text_;
    text_ = {};
    is_joined_ = false;
    auto shown = decoded(raw, false);
    if (!has_begun_) {
        shown.remove_prefix(std::min(shown.find_first_not_of(white_space), shown.size()));
        has_begun_ = !shown.empty();
    }
    if (std::exchange(after_pre_, false) && shown.starts_with('\n')) shown.remove_prefix(1);
    if (shown.empty()) return;
    const auto parent = parent_kind();
    const bool is_between = parent == table || parent == row_group || parent == row ||
                            (!open_.empty() && is_column(*open_.back().element));
    if (is_between && shown.find_first_not_of(white_space) != shown.npos) {
        is_regular_ = false;
        return;
    }
    Node node;
    node.is_text = true;
    node.text = shown;
    document_.add(open_.empty() ? 0 : open_.back().node, node);
}

}  // namespace mailroom::mime::html
