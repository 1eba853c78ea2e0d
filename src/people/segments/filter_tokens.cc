#include "people/segments/filter_tokens.h"

#include "base/text.h"
#include "people/activity.h"

#include <algorithm>
#include <array>

namespace mailroom::people {

namespace {

using Kind = FilterToken::Kind;

bool is_letter(char c) {
    const bool is_ascii = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_ascii || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '-'; }
bool is_of_figure(char c) {
    return is_digit(c) || (is_letter(c) && c != '_') || c == ':' || c == '.' || c == '+' ||
           c == '-';
}

constexpr std::array<std::string_view, 12> filter_words = {
    "and", "or", "not", "all", "in", "is", "tag", "topic", "segment", "true", "false", "exists"};

std::size_t characters_in(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string FilterMistake::text() const {
    return "at character " + std::to_string(at) + ": " + why;
}
FilterMistake::operator Error() const { return {Errc::invalid, text()}; }

FilterMistake FilterTokens::mistake(std::size_t at_byte, std::string why) const {
    return {characters_in(text_.substr(0, at_byte)) + 1, std::move(why)};
}

template <class Belongs>
FilterToken FilterTokens::taken(Kind kind, const Belongs& belongs) {
    const auto begin = at_++;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return {kind, std::string(text_.substr(begin, at_ - begin)), begin, at_};
}

FilterTokens::Read FilterTokens::next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    if (at_ == text_.size()) return FilterToken{Kind::end, "", at_, at_};
    const char c = text_[at_];
    const bool is_negative = c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_letter(c)) return taken(Kind::word, is_of_word);
    if (is_digit(c) || is_negative) return taken(Kind::figure, is_of_figure);
    if (c == '"' || c == '\'') return quoted(c, Kind::quoted);
    if (c == '`') return quoted(c, Kind::name);
    return sign();
}

FilterTokens::Read FilterTokens::quoted(char quote, Kind kind) {
    FilterToken token{kind, "", at_, 0};
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        token.text += text_[at_];
    }
    if (at_ == text_.size()) {
        return mistake(token.begin, std::string("the ") + quote + " that begins here has no end");
    }
    token.end = ++at_;
    return token;
}

FilterTokens::Read FilterTokens::sign() {
    static constexpr std::array<std::string_view, 11> signs = {"!=", "<>", "<=", ">=", "=", "<",
                                                               ">",  "(",  ")",  ",",  "."};
    for (const auto one : signs) {
        if (!text_.substr(at_).starts_with(one)) continue;
        const auto begin = at_;
        at_ += one.size();
        return FilterToken{Kind::sign, std::string(one), begin, at_};
    }
    return mistake(at_, std::string("a filter has no ") + text_[at_]);
}

bool is_filter_word(std::string_view word) {
    const auto lower = ascii_lower(word);
    return std::ranges::find(filter_words, lower) != filter_words.end() || named<Deed>(lower);
}

bool is_plain_name(std::string_view name) {
    return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_of_word) &&
           !is_filter_word(name);
}

}  // namespace mailroom::people
