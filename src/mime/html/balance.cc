#include "mime/html/balance.h"

#include "base/text.h"
#include "mime/html/tag_scanner.h"
#include "mime/html/vocabulary.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace mailroom::mime::html {
namespace {

using enum ElementKind;

class Balancer {
public:
    Balancer(BalancedSink& sink, std::string_view html, std::size_t formatting_max)
        : sink_(sink), scanner_(html), formatting_max_(formatting_max) {}

    BalanceCounts run() {
        Token token;
        for (scanner_.next(token); token.kind != Token::Kind::end; scanner_.next(token)) {
            if (token.kind == Token::Kind::text) text(token.text);
            if (token.kind == Token::Kind::start_tag) start(token);
            if (token.kind == Token::Kind::end_tag) end(token.name);
        }
        close_down_to(0);
        return std::move(out_);
    }

private:
    void text(std::string_view text) {
        if (!in_foreign_) sink_.text(text);
    }

    void start(const Token& token) {
        const auto* element = find_element(token.name);
        const auto kind = element == nullptr ? unwrapped : element->kind;
        out_.dropped_attributes += token.dropped_attributes;
        if (drop(token.name, kind)) return;
        in_foreign_ = false;
        close_before(token.name, kind);
        if (kind != no_content) {
            const bool fits =
                open_.size() < depth_max && (kind != formatting || formatting_ < formatting_max_);
            if (!fits) {
                ++out_.dropped_elements;
                return;
            }
            open_.push_back(element);
            formatting_ += kind == formatting;
        }
        sink_.start(*element, token.attributes);
    }

    // Handles the elements that are not kept. False for the others.
    bool drop(std::string_view name, ElementKind kind) {
        switch (kind) {
            case style_sheet:
                out_.style_sheets += scanner_.raw_text(name);
                out_.style_sheets += '\n';
                return true;
            case invisible_raw:
                scanner_.raw_text(name);
                break;
            case visible_raw:
                sink_.raw_text(name == "plaintext" ? scanner_.rest() : scanner_.raw_text(name));
                break;
            case foreign:
                in_foreign_ = true;
                break;
            case body:
                // One is enough; every further one would add attributes to it.
                return std::exchange(body_seen_, true) || !open_.empty();
            case unwrapped:
                if (name == "html" || name == "head") return true;
                break;
            default:
                return false;
        }
        ++out_.dropped_elements;
        return true;
    }

    void end(std::string_view name) {
        const auto* element = find_element(name);
        if (element == nullptr) return;
        const auto kind = element->kind;
        if (kind == foreign) in_foreign_ = false;
        const bool of_table = is_of_table(kind);
        for (auto i = open_.size(); i-- > 0;) {
            if (open_[i] == element) return close_down_to(i);
            // Inside a table only the table's own end tags reach out of a cell.
            if (open_[i]->kind == table || (!of_table && is_of_table(open_[i]->kind))) return;
        }
    }

    static bool is_of_table(ElementKind kind) {
        return kind == cell || kind == row || kind == row_group || kind == table_part ||
               kind == table;
    }

    // Start tags end some open elements, as in HTML: a row ends the row before it.
    void close_before(std::string_view name, ElementKind kind) {
        switch (kind) {
            case cell:
                return close_nearest({cell, table_part});
            case row:
                return close_nearest({row, cell, table_part});
            case row_group:
            case table_part:
                return close_nearest({row_group, row, cell, table_part});
            case list_item:
                close_nearest({paragraph});
                return close_nearest({list_item});
            case term:
                close_nearest({paragraph});
                return close_nearest({term});
            case paragraph:
            case block:
            case table:
                return close_nearest({paragraph});
            case formatting:
                if (name == "a") close_link();
                return;
            default:
                return;
        }
    }

    // Closes the outermost open element of these kinds that belongs to the same table, cell or
    // list.
    void close_nearest(std::initializer_list<ElementKind> kinds) {
        auto close_at = open_.size();
        const bool of_table = is_of_table(*kinds.begin());
        for (auto i = open_.size(); i-- > 0;) {
            const auto& [name, kind] = *open_[i];
            const bool wanted = std::ranges::find(kinds, kind) != kinds.end();
            if (wanted) close_at = i;
            const bool is_list = name == "ul" || name == "ol" || name == "dl";
            if (kind == table || (!wanted && !of_table && (is_of_table(kind) || is_list))) break;
        }
        close_down_to(close_at);
    }

    void close_link() {
        for (auto i = open_.size(); i-- > 0 && !is_of_table(open_[i]->kind);) {
            if (open_[i]->name == "a") return close_down_to(i);
        }
    }

    void close_down_to(std::size_t size) {
        while (open_.size() > size) {
            sink_.end(*open_.back());
            formatting_ -= open_.back()->kind == formatting;
            open_.pop_back();
        }
    }

    BalancedSink& sink_;
    TagScanner scanner_;
    std::size_t formatting_max_;
    BalanceCounts out_;
    std::vector<const Element*> open_;
    std::size_t formatting_ = 0;
    bool in_foreign_ = false;
    bool body_seen_ = false;
};

// Writes the pieces as HTML again.
class HtmlSink final : public BalancedSink {
public:
    explicit HtmlSink(std::string& out) : out_(out) {}

    void start(const Element& element, std::span<const ScannedAttribute> attributes) override {
        out_ += '<';
        out_ += element.name;
        for (const auto& attribute : attributes) {
            out_ += ' ';
            out_ += attribute.name;
            out_ += "=\"";
            append(attribute.value, '"', "&quot;");
            out_ += '"';
        }
        out_ += '>';
    }
    void end(const Element& element) override {
        out_ += "</";
        out_ += element.name;
        out_ += '>';
    }
    void text(std::string_view text) override {
        // Text and what follows a dropped tag must not grow together into a tag.
        out_ += text == "<" ? "&lt;" : text;
    }
    void raw_text(std::string_view text) override { append(text, '<', "&lt;"); }

private:
    void append(std::string_view text, char special, std::string_view reference) {
        for (const char c : text) c == special ? out_ += reference : out_ += c;
    }

    std::string& out_;
};

}  // namespace

BalanceCounts balance_into(BalancedSink& sink, std::string_view html, std::size_t formatting_max) {
    return Balancer(sink, truncate_utf8(html, html_bytes_max), formatting_max).run();
}

BalancedHtml balance(std::string_view html, std::size_t formatting_max) {
    BalancedHtml balanced;
    balanced.html.reserve(std::min(html.size(), html_bytes_max));
    HtmlSink sink(balanced.html);
    static_cast<BalanceCounts&>(balanced) = balance_into(sink, html, formatting_max);
    return balanced;
}

}  // namespace mailroom::mime::html
