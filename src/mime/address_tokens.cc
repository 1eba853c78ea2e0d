#include "mime/address_tokens.h"

#include "mime/header_text.h"

namespace mailroom::mime {

namespace {

using Kind = AddressToken::Kind;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_blank(char c) { return c == ' ' || is_control(c); }
bool is_line_end(char c) { return c == '\r' || c == '\n'; }
bool is_special(char c) {
    return c == '<' || c == '>' || c == '@' || c == ',' || c == ';' || c == ':';
}
bool ends_atom(char c) {
    return is_blank(c) || is_special(c) || c == '"' || c == '(' || c == ')' || c == '[' ||
           c == ']' || c == '\\';
}

void append_clean(std::string& text, char c) {
    if (is_line_end(c)) return;
    text += is_control(c) ? ' ' : c;
}

}  // namespace

std::optional<AddressToken> AddressTokens::next() {
    bool space_before = false;
    while (at_ < text_.size()) {
        if (is_blank(text_[at_])) {
            space_before = true;
            ++at_;
            continue;
        }
        if (auto token = take()) {
            token->space_before = space_before;
            return token;
        }
    }
    return std::nullopt;
}

// None when what stands there is no token; it is passed over then.
std::optional<AddressToken> AddressTokens::take() {
    const char c = text_[at_];
    if (is_special(c)) {
        ++at_;
        return AddressToken{.kind = Kind::special, .text = std::string(1, c)};
    }
    if (c == '"') return take_quoted();
    if (c == '(') return take_comment();
    if (c == '[') return take_literal();
    if (c == ')' || c == ']' || c == '\\') {
        stray(at_++);
        return std::nullopt;
    }
    return take_atom();
}

std::optional<AddressToken> AddressTokens::take_quoted() {
    const auto start = at_++;
    AddressToken token{.kind = Kind::quoted};
    for (; at_ < text_.size() && !quotes_are_broken_; ++at_) {
        if (text_[at_] == '"') {
            ++at_;
            return token;
        }
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        append_clean(token.text, text_[at_]);
    }
    quotes_are_broken_ = true;
    stray(start);
    return std::nullopt;
}

std::optional<AddressToken> AddressTokens::take_comment() {
    const auto start = at_++;
    AddressToken token{.kind = Kind::comment};
    for (std::size_t depth = 1; at_ < text_.size() && !comments_are_broken_; ++at_) {
        const char c = text_[at_];
        if (c == ')' && --depth == 0) {
            ++at_;
            return token;
        }
        if (c == '(') ++depth;
        if (c == '\\' && at_ + 1 < text_.size()) ++at_;
        append_clean(token.text, text_[at_]);
    }
    comments_are_broken_ = true;
    stray(start);
    return std::nullopt;
}

std::optional<AddressToken> AddressTokens::take_literal() {
    const auto end = literals_are_broken_ ? text_.npos : text_.find(']', at_);
    if (end == text_.npos) {
        literals_are_broken_ = true;
        stray(at_++);
        return std::nullopt;
    }
    AddressToken token{.kind = Kind::literal};
    for (; at_ <= end; ++at_) {
        if (!is_blank(text_[at_])) token.text += text_[at_];
    }
    return token;
}

AddressToken AddressTokens::take_atom() {
    AddressToken token;
    // Unquoted commas and the like stand in encoded words of some programs.
    if (const auto size = encoded_word_bytes(text_.substr(at_))) {
        for (const char c : text_.substr(at_, size)) append_clean(token.text, c);
        at_ += size;
        return token;
    }
    const auto start = at_;
    while (at_ < text_.size() && !ends_atom(text_[at_])) ++at_;
    token.text = text_.substr(start, at_ - start);
    return token;
}

void AddressTokens::stray(std::size_t at) {
    at_ = at + 1;
    const std::string character(1, text_[at]);
    add_defect(defects_, "stray-character", "a " + character + " stands where it cannot");
}

}  // namespace mailroom::mime
