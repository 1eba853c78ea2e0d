// The tokens in our links: what they say was said by us, and nobody else can read it or change it.
//
//   token := base64url( key id u8 · mark[16] · sealed )
//   mark  := the beginning of HMAC-SHA256( key, key id · said )
//   sealed:= said, encrypted by AES-256 in counter mode that begins at the mark
//   said  := "o" mail | "c" mail link u16 url | "p" mail topic-length u8 topic address
//   mail  := the 16 bytes of its UUID; of none: zeros.                  Integers are big-endian.
// In mails that were sent: never change, only add.
//
// The address is sealed because tokens end up in the logs of proxies. The same link has the same
// token, so a mail that is made again is the same mail.
#pragma once

#include "engagement/tracking/token_keys.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace mailroom::engagement {

// Longer ones are refused unread: no link of ours is.
inline constexpr std::size_t token_chars_max = 4000;
// Of what a click leads to: longer ones lead there directly.
inline constexpr std::size_t tracked_url_bytes_max = 2000;

// The picture of a mail.
struct OpenToken {
    std::string mail_id;
    bool operator==(const OpenToken&) const = default;
};

// The link of that number, from 0, in the mail's HTML.
struct ClickToken {
    std::string mail_id;
    std::uint16_t link = 0;
    std::string url;
    bool operator==(const ClickToken&) const = default;
};

// Who got a mail, for what they decide about further ones.
struct PersonToken {
    std::string mail_id;  // Empty: it was in none of ours.
    std::string topic;    // Of the mail; empty: none.
    std::string address;
    bool operator==(const PersonToken&) const = default;
};

using Token = std::variant<OpenToken, ClickToken, PersonToken>;

// Immutable; thread-safe.
class Tokens {
public:
    explicit Tokens(TokenKeys keys) : keys_(std::move(keys)) {}

    // None for what a token cannot hold: a mail id that is no UUID, an address or a URL that is too
    // long.
    std::optional<std::string> make(const Token& token) const;
    // None for what we did not make.
    std::optional<Token> read(std::string_view text) const;

    // The same of one kind.
    template <class Kind>
    std::optional<Kind> read_as(std::string_view text) const {
        auto token = read(text);
        auto* kind = token ? std::get_if<Kind>(&*token) : nullptr;
        return kind ? std::optional(std::move(*kind)) : std::nullopt;
    }

private:
    TokenKeys keys_;
};

}  // namespace mailroom::engagement
