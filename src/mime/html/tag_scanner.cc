#include "mime/html/tag_scanner.h"

#include "base/text.h"
#include "mime/html/balance.h"
#include "mime/html/vocabulary.h"

#include <algorithm>
#include <array>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t name_bytes_max = 16;  // Longer than any name of the vocabulary.

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool ends_name(char c) { return is_space(c) || c == '/' || c == '>'; }

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

void TagScanner::next(Token& token) {
    token.attributes.clear();
    token.dropped_attributes = 0;
    if (at_ >= html_.size()) {
        token.kind = Token::Kind::end;
        return;
    }
    if (html_[at_] == '<') {
        const char after = peek(1);
        if (is_letter(after) || (after == '/' && is_letter(peek(2)))) return read_tag(token);
        if (after == '!' || after == '?' || (after == '/' && at_ + 2 < html_.size())) {
            token.kind = Token::Kind::comment;
            const auto begin = at_;
            skip_declaration();
            token.text = html_.substr(begin, at_ - begin);
            return;
        }
        token.kind = Token::Kind::text;
        token.text = html_.substr(at_++, 1);
        return;
    }
    const auto end = std::min(html_.find('<', at_), html_.size());
    token.kind = Token::Kind::text;
    token.text = html_.substr(at_, end - at_);
    at_ = end;
}

void TagScanner::read_tag(Token& token) {
    const auto tag = at_;
    const bool closes = peek(1) == '/';
    token.kind = closes ? Token::Kind::end_tag : Token::Kind::start_tag;
    at_ += closes ? 2 : 1;
    const auto begin = at_;
    while (at_ < html_.size() && !ends_name(html_[at_])) ++at_;
    // A name too long to be known is cut, so that a hostile one is not copied.
    token.name = html_.substr(begin, std::min(at_ - begin, name_bytes_max));
    std::ranges::transform(token.name, token.name.begin(), to_lower);
    while (at_ < html_.size()) {
        if (html_[at_] == '>') {
            ++at_;
            token.text = html_.substr(tag, at_ - tag);
            return;
        }
        if (!read_attribute(token)) ++at_;
    }
    token.kind = Token::Kind::end;
}

// False at a character that only separates attributes, or at the end.
bool TagScanner::read_attribute(Token& token) {
    if (is_space(peek()) || peek() == '/') return false;
    const auto begin = at_++;  // Even `=` begins a name.
    while (at_ < html_.size() && !ends_name(html_[at_]) && html_[at_] != '=') ++at_;
    const auto given = html_.substr(begin, std::min(at_ - begin, name_bytes_max));
    std::array<char, name_bytes_max> lower;
    std::ranges::transform(given, lower.begin(), to_lower);
    const auto name = known_attribute({lower.data(), given.size()});
    const auto after_name = at_;
    skip_space();
    std::string_view value;
    if (peek() == '=' && at_ < html_.size()) {
        ++at_;
        value = read_value();
    } else {
        at_ = after_name;
    }
    if (!name.empty() && token.attributes.size() < attributes_max) {
        token.attributes.push_back({name, value});
    } else {
        ++token.dropped_attributes;
    }
    return true;
}

std::string_view TagScanner::read_value() {
    skip_space();
    const char quote = peek();
    if (quote == '"' || quote == '\'') {
        const auto begin = ++at_;
        const auto end = std::min(html_.find(quote, at_), html_.size());
        at_ = std::min(end + 1, html_.size());
        return html_.substr(begin, end - begin);
    }
    const auto begin = at_;
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>') ++at_;
    return html_.substr(begin, at_ - begin);
}

// Comments, document types, and what the standard calls bogus comments (`<?xml ...>`).
void TagScanner::skip_declaration() {
    const auto rest_of = html_.substr(at_);
    if (!rest_of.starts_with("<!--")) {
        at_ = std::min(html_.find('>', at_), html_.size() - 1) + 1;
        return;
    }
    if (rest_of.starts_with("<!-->")) {
        at_ += 5;
        return;
    }
    // The dashes that open a comment can also be those that close it: <!--->
    const auto plain = html_.find("-->", at_ + 3);
    const auto loud = html_.substr(0, plain).find("--!>", at_ + 4);
    if (loud != html_.npos) {
        at_ = loud + 4;
    } else {
        at_ = plain == html_.npos ? html_.size() : plain + 3;
    }
}

void TagScanner::skip_space() {
    while (at_ < html_.size() && is_space(html_[at_])) ++at_;
}

std::string_view TagScanner::raw_text(std::string_view name) {
    const auto begin = at_;
    for (auto close = html_.find("</", at_); close != html_.npos; close = html_.find("</", at_)) {
        at_ = close + 2;
        if (!ascii_equal_ignoring_case(html_.substr(at_, name.size()), name)) continue;
        if (at_ + name.size() < html_.size() && !ends_name(html_[at_ + name.size()])) continue;
        at_ = close;
        Token end_tag;
        read_tag(end_tag);
        return html_.substr(begin, close - begin);
    }
    at_ = begin;
    return rest();
}

std::string_view TagScanner::rest() {
    const auto left = html_.substr(at_);
    at_ = html_.size();
    return left;
}

void skip_content(TagScanner& scanner, const std::string& name) {
    switch (element_kind(name)) {
        case ElementKind::style_sheet:
        case ElementKind::invisible_raw:
            scanner.raw_text(name);
            break;
        case ElementKind::visible_raw:
            name == "plaintext" ? scanner.rest() : scanner.raw_text(name);
            break;
        default:
            break;
    }
}

}  // namespace mailroom::mime::html
