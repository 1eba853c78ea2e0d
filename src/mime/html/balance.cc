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
    Balancer(std::string_view html, std::size_t formatting_max)
        : scanner_(html), formatting_max_(formatting_max) {
        out_.html.reserve(html.size());
    }

    BalancedHtml run() {
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
    struct Open {
        std::string name;
        ElementKind kind;
    };

    void text(std::string_view text) {
        if (in_foreign_) return;
        // Text and what follows a dropped tag must not grow together into a tag.
        if (text == "<") {
            out_.html += "&lt;";
        } else {
            out_.html += text;
        }
    }

    void raw(std::string_view text) {
        for (const char c : text) {
            if (c == '<') {
                out_.html += "&lt;";
            } else {
                out_.html += c;
            }
        }
    }

    void start(const Token& token) {
        const auto kind = element_kind(token.name);
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
            open_.push_back({token.name, kind});
            formatting_ += kind == formatting;
        }
        write_start(token);
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
                raw(name == "plaintext" ? scanner_.rest() : scanner_.raw_text(name));
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

    void write_start(const Token& token) {
        auto& out = out_.html;
        out += '<';
        out += token.name;
        for (const auto& attribute : token.attributes) {
            out += ' ';
            out += attribute.name;
            out += "=\"";
            for (const char c : attribute.value) {
                if (c == '"') {
                    out += "&quot;";
                } else {
                    out += c;
                }
            }
            out += '"';
        }
        out += '>';
    }

    void end(std::string_view name) {
        const auto kind = element_kind(name);
        if (kind == foreign) in_foreign_ = false;
        const bool of_table = is_of_table(kind);
        for (auto i = open_.size(); i-- > 0;) {
            if (open_[i].name == name) return close_down_to(i);
            // Inside a table only the table's own end tags reach out of a cell.
            if (open_[i].kind == table || (!of_table && is_of_table(open_[i].kind))) return;
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
            const auto& [name, kind] = open_[i];
            const bool wanted = std::ranges::find(kinds, kind) != kinds.end();
            if (wanted) close_at = i;
            const bool is_list = name == "ul" || name == "ol" || name == "dl";
            if (kind == table || (!wanted && !of_table && (is_of_table(kind) || is_list))) break;
        }
        close_down_to(close_at);
    }

    void close_link() {
        for (auto i = open_.size(); i-- > 0 && !is_of_table(open_[i].kind);) {
            if (open_[i].name == "a") return close_down_to(i);
        }
    }

    void close_down_to(std::size_t size) {
        while (open_.size() > size) {
            out_.html += "</";
            out_.html += open_.back().name;
            out_.html += '>';
            formatting_ -= open_.back().kind == formatting;
            open_.pop_back();
        }
    }

    TagScanner scanner_;
    std::size_t formatting_max_;
    BalancedHtml out_;
    std::vector<Open> open_;
    std::size_t formatting_ = 0;
    bool in_foreign_ = false;
    bool body_seen_ = false;
};

}  // namespace

BalancedHtml balance(std::string_view html, std::size_t formatting_max) {
    return Balancer(truncate_utf8(html, html_bytes_max), formatting_max).run();
}

}  // namespace mailroom::mime::html
