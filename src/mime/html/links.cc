#include "mime/html/links.h"

#include "base/text.h"
#include "mime/html/entities.h"
#include "mime/html/escape.h"
#include "mime/html/tag_scanner.h"

#include <cstddef>

namespace mailroom::mime {

namespace {

using html::TagScanner;
using html::Token;

constexpr std::string_view conditional_begin = "<!--[if";

// Of an address; one with a space in it would be two words.
void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == ' ') out += "%20";
        if (c != ' ') append_html(out, c);
    }
}

bool may_link(std::string_view element) {
    return element == "a" || element == "area" || element.starts_with("v:");
}

bool is_left_alone(std::string_view tag) {
    const auto lower = ascii_lower(tag);
    return lower.find("ses:no-track") != lower.npos || lower.find("data-no-track") != lower.npos;
}

class Replacing {
public:
    Replacing(std::string_view html, const ReplaceLink& replace) : html_(html), replace_(replace) {}

    std::string run(std::string_view at_end) {
        scan(html_, Depth::document);
        copy_until(html_.size());
        out_.insert(body_end_.value_or(out_.size()), at_end);
        return std::move(out_);
    }

private:
    enum class Depth { document, comment };

    void scan(std::string_view part, Depth depth) {
        TagScanner scanner(part);
        Token token;
        for (scanner.next(token); token.kind != Token::Kind::end; scanner.next(token)) {
            if (token.kind == Token::Kind::start_tag) {
                if (may_link(token.name)) replace_in(token);
                html::skip_content(scanner, token.name);
            } else if (token.kind == Token::Kind::end_tag && depth == Depth::document) {
                if (token.name == "body") note_body_end(token);
            } else if (token.kind == Token::Kind::comment && depth == Depth::document) {
                if (token.text.starts_with(conditional_begin)) {
                    scan(token.text.substr(conditional_begin.size()), Depth::comment);
                }
            }
        }
    }

    void replace_in(const Token& token) {
        for (const auto& [name, value] : token.attributes) {
            if (name != "href") continue;
            // Of several the first counts.
            if (!value.empty() && !is_left_alone(token.text)) replace_value(value);
            return;
        }
    }

    void replace_value(std::string_view value) {
        std::string address;
        html::append_decoded(address, value, html::Where::attribute);
        const auto other = replace_(trim(address));
        if (!other) return;
        copy_until(position_of(value));
        append_escaped(out_, *other);
        copied_ += value.size();
    }

    // The last one: what stands behind an earlier one is still shown.
    void note_body_end(const Token& token) {
        copy_until(position_of(token.text));
        body_end_ = out_.size();
    }

    std::size_t position_of(std::string_view part) const {
        return static_cast<std::size_t>(part.data() - html_.data());
    }
    void copy_until(std::size_t position) {
        out_ += html_.substr(copied_, position - copied_);
        copied_ = position;
    }

    const std::string_view html_;
    const ReplaceLink& replace_;
    std::string out_;
    std::size_t copied_ = 0;
    std::optional<std::size_t> body_end_;
};

}  // namespace

std::string replace_links(std::string_view html, const ReplaceLink& replace,
                          std::string_view at_end) {
    return Replacing(html, replace).run(at_end);
}

}  // namespace mailroom::mime
