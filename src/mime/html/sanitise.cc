#include "mime/html/sanitise.h"

#include "base/text.h"
#include "mime/html/attributes.h"
#include "mime/html/css.h"
#include "mime/html/to_text.h"
#include "mime/html/tree.h"
#include "mime/html/vocabulary.h"

namespace mailroom::mime {
namespace {

using html::ElementKind;

constexpr std::string_view scope_class = "mail-body";
// Leaves room for the end tags, so that the output can be read back whole.
constexpr std::size_t output_bytes_max = html::html_bytes_max - 64 * 1024;
// Almost every document is stable after one.
constexpr int rounds_max = 4;

enum class In { text, attribute };

void append_escaped(std::string& out, std::string_view text, In where) {
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '\r':  // Left as it is, it would be read back as LF.
                out += "&#13;";
                break;
            case '"':
                out += where == In::attribute ? "&quot;" : "\"";
                break;
            default:
                out += c;
        }
    }
}

bool is_kept(ElementKind kind) {
    switch (kind) {
        case ElementKind::body:
        case ElementKind::style_sheet:
        case ElementKind::invisible_raw:
        case ElementKind::visible_raw:
        case ElementKind::foreign:
        case ElementKind::unwrapped:
            return false;
        default:
            return true;
    }
}

// Writes a tree with what is allowed of it.
class HtmlWriter {
public:
    HtmlWriter(const html::Tree& tree, const SanitiseOptions& options)
        : tree_(tree), filter_(options, result_) {}

    SanitisedHtml write() {
        const auto& source = tree_.source();
        result_.removed.elements = source.dropped_elements;
        result_.removed.attributes = source.dropped_attributes;
        const auto sheet = html::safe_style_sheet(source.style_sheets, scope_class);
        result_.removed.styles = sheet.removed;
        if (!sheet.text.empty()) result_.html += "<style>\n" + sheet.text + "</style>";

        const auto attributes = safe_attributes(*tree_.body(), "body");
        const bool wrap = !is_wrapped() && (!sheet.text.empty() || !attributes.empty());
        if (wrap) result_.html += "<div class=\"mail-body\"" + attributes + ">";
        write_children(*tree_.body());
        if (wrap) result_.html += "</div>";
        return std::move(result_);
    }

private:
    // Whether the body is what an earlier run has written.
    bool is_wrapped() const {
        const auto& nodes = html::children(*tree_.body());
        if (nodes.length != 1) return false;
        const auto& only = *static_cast<const GumboNode*>(nodes.data[0]);
        return only.type == GUMBO_NODE_ELEMENT && only.v.element.tag == GUMBO_TAG_DIV &&
               html::attribute(only, "class") == scope_class;
    }

    // The tree is at most a few times html::depth_max deep, so recursion is safe.
    void write_children(const GumboNode& parent) {
        const auto& nodes = html::children(parent);
        for (unsigned i = 0; i < nodes.length; ++i) {
            const auto& node = *static_cast<const GumboNode*>(nodes.data[i]);
            if (node.type == GUMBO_NODE_ELEMENT) {
                write_element(node);
            } else if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) {
                write_text(node.v.text.text);
            }
        }
    }

    void write_text(std::string_view text) {
        std::string escaped;
        append_escaped(escaped, text, In::text);
        add(escaped);
    }

    void write_element(const GumboNode& element) {
        const auto name = html::element_name(element);
        const auto kind = html::element_kind(name);
        if (!is_kept(kind)) {
            ++result_.removed.elements;
            return write_children(element);
        }
        std::string tag = "<" + std::string(name) + safe_attributes(element, name) + ">";
        // A parser drops one line end after this tag.
        if (name == "pre" && begins_with_line_end(element)) tag += '\n';
        if (!add(tag) || kind == ElementKind::no_content) return;
        write_children(element);
        result_.html += "</" + std::string(name) + ">";
    }

    static bool begins_with_line_end(const GumboNode& element) {
        const auto& nodes = html::children(element);
        if (nodes.length == 0) return false;
        const auto& first = *static_cast<const GumboNode*>(nodes.data[0]);
        const bool is_text = first.type == GUMBO_NODE_TEXT || first.type == GUMBO_NODE_WHITESPACE;
        return is_text && first.v.text.text[0] == '\n';
    }

    std::string safe_attributes(const GumboNode& element, std::string_view name) {
        std::string out;
        bool is_web_link = false;
        const auto& attributes = element.v.element.attributes;
        for (unsigned i = 0; i < attributes.length; ++i) {
            const auto& attribute = *static_cast<const GumboAttribute*>(attributes.data[i]);
            const std::string_view key = attribute.name;
            const auto value = filter_.filter(name, key, attribute.value);
            if (!value) continue;
            is_web_link |= key == "href" && !value->starts_with('#');
            out += ' ';
            out += key;
            out += "=\"";
            append_escaped(out, *value, In::attribute);
            out += '"';
        }
        if (is_web_link) out += " target=\"_blank\" rel=\"noopener noreferrer nofollow\"";
        return out;
    }

    bool add(std::string_view piece) {
        if (result_.html.size() + piece.size() > output_bytes_max) {
            result_.truncated = true;
            return false;
        }
        result_.html += piece;
        return true;
    }

    const html::Tree& tree_;
    SanitisedHtml result_;
    html::AttributeFilter filter_;
};

std::string as_plain_text(std::string_view html) {
    std::string out = "<pre>";
    append_escaped(out, truncate_utf8(html_to_text(html), output_bytes_max / 8), In::text);
    return out + "</pre>";
}

}  // namespace

SanitisedHtml sanitise_html(std::string_view html, const SanitiseOptions& options) {
    auto keeping = options;
    keeping.content_address = {};
    SanitisedHtml result;
    std::string current(html);
    // Reading the output back proves that a parser sees in it what we meant to write.
    for (int round = 0; round < rounds_max; ++round) {
        const html::Tree tree(current);
        if (tree.body() == nullptr) break;
        auto written = HtmlWriter(tree, keeping).write();
        const bool stable = written.html == current;
        if (round == 0) {
            result = std::move(written);
            result.truncated |= html.size() > html::html_bytes_max;
        } else {
            result.html = std::move(written.html);
        }
        if (stable) {
            if (options.content_address) {
                auto with_addresses = HtmlWriter(tree, options).write();
                result.html = std::move(with_addresses.html);
                result.removed.addresses += with_addresses.removed.addresses;
            }
            return result;
        }
        current = result.html;
    }
    result.html = as_plain_text(html);
    return result;
}

}  // namespace mailroom::mime
