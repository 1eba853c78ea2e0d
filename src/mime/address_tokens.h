// The lexical part of reading addresses (RFC 5322, 3.2). For address.cc only.
#pragma once

#include "mime/defect.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

struct AddressToken {
    enum class Kind {
        atom,     // May hold dots and bytes above 0x7F; also one encoded word, whatever it holds.
        quoted,   // Opened: without quotes and backslashes.
        literal,  // `[…]`, with its brackets.
        comment,  // Without its parentheses.
        special,  // One of `<>@,;:`.
    };

    Kind kind = Kind::atom;
    std::string text{};  // Without control characters.
    bool space_before = false;

    bool is(char c) const { return kind == Kind::special && text[0] == c; }
};

// Gives the tokens of a header one by one, in linear time. Characters that belong to no token, such
// as a quote that is never closed, are left out and reported.
class AddressTokens {
public:
    // Both must outlive this object.
    AddressTokens(std::string_view text, Defects& defects) : text_(text), defects_(defects) {}

    std::optional<AddressToken> next();

private:
    std::optional<AddressToken> take();
    std::optional<AddressToken> take_quoted();
    std::optional<AddressToken> take_comment();
    std::optional<AddressToken> take_literal();
    AddressToken take_atom();
    void stray(std::size_t at);

    std::string_view text_;
    Defects& defects_;
    std::size_t at_ = 0;
    // One of the kind has no end, so none is looked for again: the search stays linear.
    bool quotes_are_broken_ = false, comments_are_broken_ = false, literals_are_broken_ = false;
};

}  // namespace mailroom::mime
