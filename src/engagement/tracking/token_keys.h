// The secrets that sign the tokens in our links.
//
// Links in mails are followed for years, so a secret is never replaced, only followed by another:
// the first signs, all of them are believed. Each has an id, which stands in the token.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

inline constexpr std::size_t token_secret_bytes_min = 16;

// A secret as an operator writes it: "2:correct horse battery staple"; ids are 1 to 255. 0 is that
// of the secret that the server makes up for itself.
struct TokenSecret {
    std::uint8_t id = 0;
    std::string secret;

    // `invalid` if it has another form, or the secret is too short to be one.
    static Result<TokenSecret> parse(std::string_view text);
};

// Immutable.
class TokenKeys {
public:
    // The first signs. `invalid` if there is none, or two have one id.
    static Result<TokenKeys> make(std::vector<TokenSecret> secrets);

    // What is made of a secret, for two purposes that must not share one.
    struct Key {
        std::uint8_t id = 0;
        std::array<std::uint8_t, 32> mark{}, seal{};
    };
    const Key& signing() const { return keys_.front(); }
    const Key* find(std::uint8_t id) const;

private:
    std::vector<Key> keys_;
};

}  // namespace mailroom::engagement
