#include "mime/html/sanitise.h"

#include "base/text.h"
#include "mime/html/attributes.h"
#include "mime/html/css.h"
#include "mime/html/document.h"
#include "mime/html/escape.h"
#include "mime/html/to_text.h"
#include "mime/html/vocabulary.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

using html::ElementKind;

constexpr std::string_view scope_class = "mail-body";
// Leaves room for the end tags, so that the output can be read back whole.
constexpr std::size_t output_bytes_max = html::html_bytes_max - 64 * 1024;
// Almost every document is stable after one.
constexpr int rounds_max = 4;

enum class In { text, attribute };

bool needs_escape(char c) { return c == '&' || c == '<' || c == '>' || c == '\r' || c == '"'; }

void append_escaped(std::string& out, std::string_view text, In where) {
    while (!text.empty()) {
        const auto plain =
            static_cast<std::size_t>(std::ranges::find_if(text, needs_escape) - text.begin());
        out += text.substr(0, plain);
        if (plain == text.size()) return;
        const char c = text[plain];
        text.remove_prefix(plain + 1);
        if (c == '\r') {  // Left as it is, it would be read back as LF.
            out += "&#13;";
        } else if (c == '"' && where == In::text) {
            out += c;
        } else {
            append_html(out, c);
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
    HtmlWriter(const html::Document& document, const SanitiseOptions& options)
        : document_(document), filter_(options, result_) {}

    SanitisedHtml write() {
        const auto& source = document_.counts();
        result_.removed.elements = source.dropped_elements;
        result_.removed.attributes = source.dropped_attributes;
        const auto sheet = html::safe_style_sheet(source.style_sheets, scope_class);
        result_.removed.styles = sheet.removed;
        if (!sheet.text.empty()) result_.html += "<style>\n" + sheet.text + "</style>";

        const auto attributes = safe_attributes(*document_.body(), "body");
        const bool wrap = !is_wrapped() && (!sheet.text.empty() || !attributes.empty());
        if (wrap) result_.html += "<div class=\"mail-body\"" + attributes + ">";
        write_children(*document_.body());
        if (wrap) result_.html += "</div>";
        return std::move(result_);
    }

private:
    // Whether the body is what an earlier run has written.
    bool is_wrapped() const {
        const auto* only = document_.first_child(*document_.body());
        return only != nullptr && document_.next(*only) == nullptr && only->is("div") &&
               document_.attribute(*only, "class") == scope_class;
    }

    // The tree is at most a few times html::depth_max deep, so recursion is safe.
    void write_children(const html::Node& parent) {
        for (const auto* node = document_.first_child(parent); node != nullptr;
             node = document_.next(*node)) {
            node->is_text ? write_text(node->text) : write_element(*node);
        }
    }

    void write_text(std::string_view text) {
        const auto before = result_.html.size();
        append_escaped(result_.html, text, In::text);
        if (result_.html.size() <= output_bytes_max) return;
        result_.html.resize(before);
        result_.truncated = true;
    }

    void write_element(const html::Node& element) {
        const auto kind =
            element.element == nullptr ? ElementKind::unwrapped : element.element->kind;
        if (!is_kept(kind)) {
            ++result_.removed.elements;
            return write_children(element);
        }
        const auto name = element.element->name;
        std::string tag = "<" + std::string(name) + safe_attributes(element, name) + ">";
        // A parser drops one line end after this tag.
        if (name == "pre" && begins_with_line_end(element)) tag += '\n';
        if (!add(tag) || kind == ElementKind::no_content) return;
        write_children(element);
        result_.html += "</" + std::string(name) + ">";
    }

    bool begins_with_line_end(const html::Node& element) const {
        const auto* first = document_.first_child(element);
        return first != nullptr && first->is_text && first->text.starts_with('\n');
    }

    std::string safe_attributes(const html::Node& element, std::string_view name) {
        std::string out;
        bool is_web_link = false;
        for (const auto& [key, given] : document_.attributes(element)) {
            const auto value = filter_.filter(name, key, given);
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

    const html::Document& document_;
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
        const html::Document document(current);
        if (document.body() == nullptr) break;
        auto written = HtmlWriter(document, keeping).write();
        const bool stable = written.html == current;
        if (round == 0) {
            result = std::move(written);
            result.truncated |= html.size() > html::html_bytes_max;
        } else {
            result.html = std::move(written.html);
        }
        if (stable) {
            if (options.content_address) {
                auto with_addresses = HtmlWriter(document, options).write();
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
