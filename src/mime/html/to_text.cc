#include "mime/html/to_text.h"

#include "base/text.h"
#include "mime/html/document.h"
#include "mime/html/text_layout.h"
#include "mime/html/url.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace mailroom::mime {
namespace {

using html::Document;
using html::Node;
using html::TextLayout;
using html::Url;

constexpr std::size_t text_bytes_max = 4 * 1024 * 1024;  // More than a person reads.
constexpr std::size_t link_bytes_max = 2048;             // Longer ones are data, not addresses.
constexpr std::string_view rule = "--------------------";

bool is_hidden(const Document& document, const Node& element) {
    if (element.attributes_begin == element.attributes_end) return false;
    if (document.attribute(element, "hidden")) return true;
    const auto style = document.attribute(element, "style");
    if (!style) return false;
    std::string compact;
    for (const char c : ascii_lower(*style)) {
        if (c > ' ') compact += c;
    }
    const auto says = [&](std::string_view what) { return compact.find(what) != compact.npos; };
    return says("display:none") || says("mso-hide:all") || says("visibility:hidden") ||
           (says("max-height:0") && says("overflow:hidden"));
}

// Without what people leave out when they write an address in a text.
std::string_view bare(std::string_view url) {
    for (const std::string_view scheme : {"https://", "http://", "mailto:", "tel:"}) {
        if (ascii_equal_ignoring_case(url.substr(0, scheme.size()), scheme)) {
            url.remove_prefix(scheme.size());
        }
    }
    while (url.ends_with('/')) url.remove_suffix(1);
    return url;
}

// How an element is laid out.
enum class Role {
    in_line,
    line_break,
    ruler,
    image,
    link,
    list,
    item,
    indented,
    quote,
    preformatted,
    cell,
    paragraph,
    line,
};

struct RoleOf {
    std::string_view name;
    Role role;
};
// clang-format off
constexpr RoleOf element_roles[] = {
    {"br", Role::line_break}, {"hr", Role::ruler}, {"img", Role::image}, {"a", Role::link},
    {"ul", Role::list}, {"ol", Role::list}, {"li", Role::item}, {"dd", Role::indented},
    {"blockquote", Role::quote}, {"pre", Role::preformatted}, {"td", Role::cell}, {"th", Role::cell},
    {"p", Role::paragraph}, {"h1", Role::paragraph}, {"h2", Role::paragraph},
    {"h3", Role::paragraph}, {"h4", Role::paragraph}, {"h5", Role::paragraph},
    {"h6", Role::paragraph}, {"dl", Role::paragraph}, {"figure", Role::paragraph},
    {"div", Role::line}, {"center", Role::line}, {"address", Role::line}, {"article", Role::line},
    {"aside", Role::line}, {"footer", Role::line}, {"header", Role::line}, {"main", Role::line},
    {"nav", Role::line}, {"section", Role::line}, {"figcaption", Role::line}, {"dt", Role::line},
    {"table", Role::line}, {"caption", Role::line}, {"tr", Role::line},
};
// clang-format on

Role role_of(const Node& node) {
    static const auto roles = [] {
        std::array<Role, html::elements_max> made{};
        for (const auto& [name, role] : element_roles) {
            made[html::element_index(*html::find_element(name))] = role;
        }
        return made;
    }();
    return node.element == nullptr ? Role::in_line : roles[html::element_index(*node.element)];
}

// Do the attributes say that a mail program quotes here? `class="gmail_quote"`, `type="cite"`,
// `id="yahoo_quoted"`, `name="quote"` and their kin.
bool is_quote_of_program(const Document& document, const Node& element) {
    if (element.attributes_begin == element.attributes_end) return false;
    const auto type = document.attribute(element, "type").value_or("");
    if (ascii_equal_ignoring_case(type, "cite")) return true;
    constexpr std::string_view names[] = {"class", "id", "name"};
    return std::ranges::any_of(names, [&](std::string_view name) {
        const auto value = ascii_lower(document.attribute(element, name).value_or(""));
        return value.find("quote") != value.npos || value.find("zmail") != value.npos;
    });
}

// Which quotations begin with `> `: without a judge all of them.
using IsAttribution = bool (*)(std::string_view line);

class TextWriter {
public:
    TextWriter(const Document& document, IsAttribution is_attribution)
        : document_(document), is_attribution_(is_attribution) {}

    std::string write(const Node& body) {
        write_children(body);
        return layout_.finish();
    }

private:
    // The tree is at most a few times html::depth_max deep, so recursion is safe.
    void write_children(const Node& parent) {
        for (const auto* node = document_.first_child(parent);
             node != nullptr && !layout_.is_full(); node = document_.next(*node)) {
            node->is_text ? write_text(node->text) : write_element(*node);
        }
    }

    void write_text(std::string_view text) {
        if (preformatted_ > 0) {
            layout_.preformatted(text);
        } else {
            layout_.text(text);
        }
    }

    void write_element(const Node& element) {
        if (is_hidden(document_, element)) return;
        switch (role_of(element)) {
            case Role::line_break:
                return layout_.line_break();
            case Role::ruler:
                return write_rule();
            case Role::image:
                return layout_.text(document_.attribute(element, "alt").value_or(""));
            case Role::link:
                return write_link(element);
            case Role::list:
                return write_list(element);
            case Role::item:
                return write_item(element, "- ");
            case Role::indented:
                return write_indented(element, "  ");
            case Role::quote:
                return write_quote(element);
            case Role::preformatted:
                return write_preformatted(element);
            case Role::cell:
                layout_.cell_gap();
                return write_children(element);
            case Role::paragraph:
                layout_.new_paragraph();
                write_children(element);
                return layout_.new_paragraph();
            case Role::line:
                return write_block(element);
            case Role::in_line:
                return write_children(element);
        }
    }

    void write_block(const Node& element) {
        const bool is_quote = is_attribution_ != nullptr && is_quote_of_program(document_, element);
        quotes_of_programs_ += is_quote;
        layout_.new_line();
        write_children(element);
        layout_.new_line();
        quotes_of_programs_ -= is_quote;
    }

    void write_rule() {
        layout_.new_line();
        layout_.text(rule);
        layout_.new_line();
    }

    void write_link(const Node& element) {
        const auto before = layout_.size();
        write_children(element);
        const auto href = document_.attribute(element, "href");
        if (!href || href->size() > link_bytes_max) return;
        const auto url = html::read_url(*href);
        const bool shown = url.kind == Url::Kind::web || url.kind == Url::Kind::mail ||
                           url.kind == Url::Kind::telephone;
        const auto text = trim(layout_.since(before));
        if (!shown || text.empty()) return;
        if (ascii_equal_ignoring_case(bare(text), bare(url.text))) return;
        layout_.append(" <" + url.text + ">");
    }

    void write_list(const Node& list) {
        const bool nested = list_depth_ > 0;
        nested ? layout_.new_line() : layout_.new_paragraph();
        ++list_depth_;
        const bool numbered = list.is("ol");
        int number = first_number(list);
        for (const auto* node = document_.first_child(list); node != nullptr && !layout_.is_full();
             node = document_.next(*node)) {
            if (node->is_text) {
                if (!trim(node->text).empty()) write_text(node->text);
            } else if (numbered && node->is("li") && !is_hidden(document_, *node)) {
                write_item(*node, std::to_string(number++) + ". ");
            } else {
                write_element(*node);
            }
        }
        --list_depth_;
        nested ? layout_.new_line() : layout_.new_paragraph();
    }

    int first_number(const Node& list) const {
        constexpr int number_max = 1'000'000;  // Leaves room to count on.
        int number = 1;
        const auto start = document_.attribute(list, "start").value_or("1");
        std::from_chars(start.data(), start.data() + start.size(), number);
        return number >= 0 && number <= number_max ? number : 1;
    }

    void write_item(const Node& item, std::string_view marker) {
        if (is_hidden(document_, item)) return;
        layout_.new_line();
        const std::string indent(marker.size(), ' ');
        layout_.enter(indent, marker);
        write_children(item);
        layout_.leave(marker.size());
        layout_.new_line();
    }

    void write_indented(const Node& element, std::string_view indent) {
        layout_.new_line();
        layout_.enter(indent, indent);
        write_children(element);
        layout_.leave(indent.size());
        layout_.new_line();
    }

    bool is_marked(const Node& quote) const {
        return is_attribution_ == nullptr || quotes_of_programs_ > 0 ||
               is_quote_of_program(document_, quote) || is_attribution_(layout_.last_line());
    }

    void write_quote(const Node& quote) {
        const bool marked = is_marked(quote);
        const std::string_view prefix = marked ? "> " : "    ";
        quotes_of_programs_ += marked;
        layout_.new_paragraph();
        layout_.enter(prefix, prefix);
        write_children(quote);
        layout_.leave(prefix.size());
        layout_.new_paragraph();
        quotes_of_programs_ -= marked;
    }

    void write_preformatted(const Node& element) {
        layout_.new_paragraph();
        ++preformatted_;
        write_children(element);
        --preformatted_;
        layout_.new_paragraph();
    }

    const Document& document_;
    TextLayout layout_{text_bytes_max};
    int preformatted_ = 0;
    int list_depth_ = 0;
    IsAttribution is_attribution_;
    int quotes_of_programs_ = 0;  // Around what is written.
};

std::string text_of(std::string_view html, IsAttribution is_attribution) {
    const Document document(html);
    if (document.body() == nullptr) return {};
    return TextWriter(document, is_attribution).write(*document.body());
}

}  // namespace

std::string html_to_text(std::string_view html) { return text_of(html, nullptr); }

std::string mail_html_to_text(std::string_view html, IsAttribution is_attribution) {
    return text_of(html, is_attribution);
}

}  // namespace mailroom::mime
