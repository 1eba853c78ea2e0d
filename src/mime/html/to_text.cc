#include "mime/html/to_text.h"

#include "base/text.h"
#include "mime/html/text_layout.h"
#include "mime/html/tree.h"
#include "mime/html/url.h"

#include <charconv>

namespace mailroom::mime {
namespace {

using html::attribute;
using html::TextLayout;
using html::Url;

constexpr std::size_t text_bytes_max = 4 * 1024 * 1024;  // More than a person reads.
constexpr std::size_t link_bytes_max = 2048;             // Longer ones are data, not addresses.
constexpr std::string_view rule = "--------------------";

bool is_hidden(const GumboNode& element) {
    if (attribute(element, "hidden")) return true;
    const auto style = attribute(element, "style");
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

class TextWriter {
public:
    std::string write(const GumboNode& body) {
        write_children(body);
        return layout_.finish();
    }

private:
    // The tree is at most a few times html::depth_max deep, so recursion is safe.
    void write_children(const GumboNode& parent) {
        const auto& nodes = html::children(parent);
        for (unsigned i = 0; i < nodes.length && !layout_.is_full(); ++i) {
            const auto& node = *static_cast<const GumboNode*>(nodes.data[i]);
            if (node.type == GUMBO_NODE_ELEMENT) {
                write_element(node);
            } else if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) {
                write_text(node.v.text.text);
            }
        }
    }

    void write_text(std::string_view text) {
        if (preformatted_ > 0) {
            layout_.preformatted(text);
        } else {
            layout_.text(text);
        }
    }

    void write_element(const GumboNode& element) {
        if (is_hidden(element)) return;
        switch (element.v.element.tag) {
            case GUMBO_TAG_BR:
                return layout_.line_break();
            case GUMBO_TAG_HR:
                return write_rule();
            case GUMBO_TAG_IMG:
                return layout_.text(attribute(element, "alt").value_or(""));
            case GUMBO_TAG_A:
                return write_link(element);
            case GUMBO_TAG_UL:
            case GUMBO_TAG_OL:
                return write_list(element);
            case GUMBO_TAG_LI:
                return write_item(element, "- ");
            case GUMBO_TAG_DD:
                return write_indented(element, "  ");
            case GUMBO_TAG_BLOCKQUOTE:
                return write_quote(element);
            case GUMBO_TAG_PRE:
                return write_preformatted(element);
            case GUMBO_TAG_TD:
            case GUMBO_TAG_TH:
                layout_.cell_gap();
                return write_children(element);
            default:
                return write_block_or_inline(element);
        }
    }

    void write_block_or_inline(const GumboNode& element) {
        switch (element.v.element.tag) {
            case GUMBO_TAG_P:
            case GUMBO_TAG_H1:
            case GUMBO_TAG_H2:
            case GUMBO_TAG_H3:
            case GUMBO_TAG_H4:
            case GUMBO_TAG_H5:
            case GUMBO_TAG_H6:
            case GUMBO_TAG_DL:
            case GUMBO_TAG_FIGURE:
                layout_.new_paragraph();
                write_children(element);
                return layout_.new_paragraph();
            case GUMBO_TAG_DIV:
            case GUMBO_TAG_CENTER:
            case GUMBO_TAG_ADDRESS:
            case GUMBO_TAG_ARTICLE:
            case GUMBO_TAG_ASIDE:
            case GUMBO_TAG_FOOTER:
            case GUMBO_TAG_HEADER:
            case GUMBO_TAG_MAIN:
            case GUMBO_TAG_NAV:
            case GUMBO_TAG_SECTION:
            case GUMBO_TAG_FIGCAPTION:
            case GUMBO_TAG_DT:
            case GUMBO_TAG_TABLE:
            case GUMBO_TAG_CAPTION:
            case GUMBO_TAG_TR:
                layout_.new_line();
                write_children(element);
                return layout_.new_line();
            default:
                return write_children(element);
        }
    }

    void write_rule() {
        layout_.new_line();
        layout_.text(rule);
        layout_.new_line();
    }

    void write_link(const GumboNode& element) {
        const auto before = layout_.size();
        write_children(element);
        const auto href = attribute(element, "href");
        if (!href || href->size() > link_bytes_max) return;
        const auto url = html::read_url(*href);
        const bool shown = url.kind == Url::Kind::web || url.kind == Url::Kind::mail ||
                           url.kind == Url::Kind::telephone;
        const auto text = trim(layout_.since(before));
        if (!shown || text.empty()) return;
        if (ascii_equal_ignoring_case(bare(text), bare(url.text))) return;
        layout_.append(" <" + url.text + ">");
    }

    void write_list(const GumboNode& list) {
        const bool nested = list_depth_ > 0;
        nested ? layout_.new_line() : layout_.new_paragraph();
        ++list_depth_;
        const bool numbered = list.v.element.tag == GUMBO_TAG_OL;
        int number = first_number(list);
        const auto& nodes = html::children(list);
        for (unsigned i = 0; i < nodes.length && !layout_.is_full(); ++i) {
            const auto& node = *static_cast<const GumboNode*>(nodes.data[i]);
            if (node.type != GUMBO_NODE_ELEMENT) {
                if (node.type == GUMBO_NODE_TEXT) write_text(node.v.text.text);
            } else if (node.v.element.tag == GUMBO_TAG_LI && numbered && !is_hidden(node)) {
                write_item(node, std::to_string(number++) + ". ");
            } else {
                write_element(node);
            }
        }
        --list_depth_;
        nested ? layout_.new_line() : layout_.new_paragraph();
    }

    static int first_number(const GumboNode& list) {
        constexpr int number_max = 1'000'000;  // Leaves room to count on.
        int number = 1;
        const auto start = attribute(list, "start").value_or("1");
        std::from_chars(start.data(), start.data() + start.size(), number);
        return number >= 0 && number <= number_max ? number : 1;
    }

    void write_item(const GumboNode& item, std::string_view marker) {
        if (is_hidden(item)) return;
        layout_.new_line();
        const std::string indent(marker.size(), ' ');
        layout_.enter(indent, marker);
        write_children(item);
        layout_.leave(marker.size());
        layout_.new_line();
    }

    void write_indented(const GumboNode& element, std::string_view indent) {
        layout_.new_line();
        layout_.enter(indent, indent);
        write_children(element);
        layout_.leave(indent.size());
        layout_.new_line();
    }

    void write_quote(const GumboNode& quote) {
        layout_.new_paragraph();
        layout_.enter("> ", "> ");
        write_children(quote);
        layout_.leave(2);
        layout_.new_paragraph();
    }

    void write_preformatted(const GumboNode& element) {
        layout_.new_paragraph();
        ++preformatted_;
        write_children(element);
        --preformatted_;
        layout_.new_paragraph();
    }

    TextLayout layout_{text_bytes_max};
    int preformatted_ = 0;
    int list_depth_ = 0;
};

}  // namespace

std::string html_to_text(std::string_view html) {
    const html::Tree tree(html);
    if (tree.body() == nullptr) return {};
    return TextWriter().write(*tree.body());
}

}  // namespace mailroom::mime
