// The words of a filter's text.
//
//   word   := (letter | "_" | byte above 7F) (letter | digit | "_" | "-" | byte above 7F)*
//   quoted := '"' … '"' | "'" … "'"        a text;  \ keeps the next character as it is
//   name   := "`" … "`"                    an attribute, whatever it is called; \ as above
//   figure := (digit | "-" digit) (letter | digit | ":" | "." | "+" | "-")*
//   sign   := "=" "!=" "<>" "<" "<=" ">" ">=" "(" ")" "," "."
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::people {

// What is wrong with the text of a filter, and where.
struct FilterMistake {
    std::size_t at = 1;  // The character, from 1.
    std::string why;

    // "at character 7: …"
    std::string text() const;
    operator Error() const;
};

struct FilterToken {
    enum class Kind { word, quoted, name, figure, sign, end };
    Kind kind = Kind::end;
    std::string text;       // Without quotes and escapes.
    std::size_t begin = 0;  // In bytes.
    std::size_t end = 0;
};

// `text` must outlive it.
class FilterTokens {
public:
    explicit FilterTokens(std::string_view text) : text_(text) {}

    Result<FilterToken, FilterMistake> next();
    FilterMistake mistake(std::size_t at_byte, std::string why) const;

private:
    using Read = Result<FilterToken, FilterMistake>;
    Read quoted(char quote, FilterToken::Kind kind);
    Read sign();
    template <class Belongs>
    FilterToken taken(FilterToken::Kind kind, const Belongs& belongs);

    std::string_view text_;
    std::size_t at_ = 0;
};

// Whether a name can stand in a filter without quotes: a word, and none that filters use.
bool is_plain_name(std::string_view name);
bool is_filter_word(std::string_view word);

}  // namespace mailroom::people
