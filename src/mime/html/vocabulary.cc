#include "mime/html/vocabulary.h"

#include <algorithm>
#include <iterator>

namespace mailroom::mime::html {
namespace {

struct Entry {
    std::string_view name;
    ElementKind kind;
};

using enum ElementKind;

// Sorted by name.
constexpr Entry elements[] = {
    {"a", formatting},
    {"abbr", text_level},
    {"acronym", text_level},
    {"address", block},
    {"article", block},
    {"aside", block},
    {"b", formatting},
    {"bdo", text_level},
    {"big", formatting},
    {"blockquote", block},
    {"body", body},
    {"br", no_content},
    {"caption", table_part},
    {"center", block},
    {"cite", text_level},
    {"code", formatting},
    {"col", no_content},
    {"colgroup", table_part},
    {"dd", term},
    {"del", text_level},
    {"dfn", text_level},
    {"div", block},
    {"dl", block},
    {"dt", term},
    {"em", formatting},
    {"figcaption", block},
    {"figure", block},
    {"font", formatting},
    {"footer", block},
    {"h1", block},
    {"h2", block},
    {"h3", block},
    {"h4", block},
    {"h5", block},
    {"h6", block},
    {"header", block},
    {"hr", no_content},
    {"i", formatting},
    {"iframe", invisible_raw},
    {"img", no_content},
    {"ins", text_level},
    {"kbd", text_level},
    {"li", list_item},
    {"main", block},
    {"mark", text_level},
    {"math", foreign},
    {"nav", block},
    {"noembed", invisible_raw},
    {"noframes", invisible_raw},
    {"ol", block},
    {"p", paragraph},
    {"plaintext", visible_raw},
    {"pre", block},
    {"q", text_level},
    {"s", formatting},
    {"samp", text_level},
    {"script", invisible_raw},
    {"section", block},
    {"small", formatting},
    {"span", text_level},
    {"strike", formatting},
    {"strong", formatting},
    {"style", style_sheet},
    {"sub", text_level},
    {"sup", text_level},
    {"svg", foreign},
    {"table", table},
    {"tbody", row_group},
    {"td", cell},
    {"template", foreign},
    {"textarea", visible_raw},
    {"tfoot", row_group},
    {"th", cell},
    {"thead", row_group},
    {"title", invisible_raw},
    {"tr", row},
    {"tt", formatting},
    {"u", formatting},
    {"ul", block},
    {"var", text_level},
    {"wbr", no_content},
    {"xmp", visible_raw},
};
static_assert(std::ranges::is_sorted(elements, {}, &Entry::name));

// Sorted.
constexpr std::string_view attributes[] = {
    "abbr",   "align", "alt",     "background", "bgcolor", "border",   "cellpadding", "cellspacing",
    "class",  "color", "colspan", "dir",        "face",    "height",   "hidden",      "href",
    "hspace", "id",    "lang",    "name",       "nowrap",  "reversed", "role",        "rowspan",
    "scope",  "size",  "span",    "src",        "srcset",  "start",    "style",       "summary",
    "title",  "type",  "valign",  "value",      "vspace",  "width",
};
static_assert(std::ranges::is_sorted(attributes));

}  // namespace

ElementKind element_kind(std::string_view name) {
    const auto* found = std::ranges::lower_bound(elements, name, {}, &Entry::name);
    return found != std::end(elements) && found->name == name ? found->kind : unwrapped;
}

bool is_known_attribute(std::string_view name) {
    return std::ranges::binary_search(attributes, name);
}

}  // namespace mailroom::mime::html
