#include "engagement/tracking/tokens.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::engagement {
namespace {

constexpr const char* mail = "0191d6f0-1234-7abc-8def-0123456789ab";

TokenKeys keys(std::vector<TokenSecret> secrets) {
    auto made = TokenKeys::make(std::move(secrets));
    EXPECT_TRUE(made);
    return *std::move(made);
}
Tokens tokens() { return Tokens(keys({{1, "the first of our secrets"}})); }

const std::vector<Token>& all_kinds() {
    static const std::vector<Token> all = {
        OpenToken{mail}, ClickToken{mail, 7, "https://example.com/a?b=1&c=%20#part"},
        PersonToken{mail, "news", "ann@example.com"}, PersonToken{"", "", "o'neil|x@example.com"}};
    return all;
}

TEST(Tokens, WhatWasPutIntoATokenComesOutOfIt) {
    for (const auto& token : all_kinds()) {
        const auto text = tokens().make(token);
        ASSERT_TRUE(text);
        EXPECT_EQ(tokens().read(*text), token);
        EXPECT_EQ(tokens().make(token), text);  // A mail that is made again is the same.
    }
}

TEST(Tokens, ATokenShowsNeitherTheAddressNorTheUrl) {
    const auto person = base64url_decode(*tokens().make(PersonToken{mail, "", "ann@example.com"}));
    EXPECT_EQ(person->find("ann"), std::string::npos);
    const auto click = base64url_decode(*tokens().make(ClickToken{mail, 1, "https://example.com"}));
    EXPECT_EQ(click->find("example"), std::string::npos);
}

// Neither a bit of it, nor another key's id, nor less of it.
TEST(Tokens, NothingOfATokenCanBeChanged) {
    for (const auto& token : all_kinds()) {
        const auto bytes = *base64url_decode(*tokens().make(token));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (const int bit : {1, 64}) {
                auto changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ bit);
                EXPECT_FALSE(tokens().read(base64url_encode(changed)));
            }
            EXPECT_FALSE(tokens().read(base64url_encode(bytes.substr(0, i))));
        }
        EXPECT_FALSE(tokens().read(base64url_encode(bytes + "x")));
    }
}

TEST(Tokens, WhatIsNoTokenOfOursIsRefused) {
    const auto other = Tokens(keys({{1, "the secret of another one"}}));
    for (const auto& token : all_kinds()) {
        EXPECT_FALSE(tokens().read(*other.make(token)));
    }
    for (const std::string text : {"", "x", "not-a-valid-token", "AAAA", "=", "%00"}) {
        EXPECT_FALSE(tokens().read(text)) << text;
    }
    EXPECT_FALSE(tokens().read(std::string(token_chars_max + 1, 'A')));
}

TEST(Tokens, ATokenOfOneKindIsNoneOfAnother) {
    const auto open = *tokens().make(OpenToken{mail});
    EXPECT_TRUE(tokens().read_as<OpenToken>(open));
    EXPECT_FALSE(tokens().read_as<PersonToken>(open));
    EXPECT_FALSE(tokens().read_as<ClickToken>(open));
}

TEST(Tokens, LinksOutliveTheSecretThatSignedThemAsLongAsItIsStillKnown) {
    const TokenSecret old{1, "the first of our secrets"}, next{2, "the second of our secrets"};
    const Tokens before(keys({old})), rotated(keys({next, old})), later(keys({next}));
    for (const auto& token : all_kinds()) {
        const auto text = *before.make(token);
        EXPECT_EQ(rotated.read(text), token);
        EXPECT_NE(*rotated.make(token), text);
        EXPECT_EQ(later.read(*rotated.make(token)), token);
        EXPECT_FALSE(later.read(text));
    }
}

TEST(Tokens, WhatATokenCannotHoldMakesNone) {
    const Token cases[] = {
        OpenToken{""},
        OpenToken{"0191D6F0-1234-7ABC-8DEF-0123456789AB"},
        OpenToken{"0191d6f0+1234-7abc-8def-0123456789ab"},
        ClickToken{mail, 0, ""},
        ClickToken{mail, 0, "https://example.com/" + std::string(tracked_url_bytes_max, 'x')},
        PersonToken{mail, "", ""},
        PersonToken{mail, std::string(256, 't'), "ann@example.com"},
        PersonToken{"a mail", "", "ann@example.com"},
    };
    for (const auto& token : cases) EXPECT_FALSE(tokens().make(token));
}

// Links of mails that were sent are followed for years: these must always be good.
TEST(Tokens, TokensOfTheFirstVersionAreUnderstood) {
    const auto click =
        tokens().read("ARmpFi1mm2er9anA3v2IZKouuDsdcEm3p5XEcPMS_jFZTHv4iki_KugkpaHe7xWjgPKwgZeFdA");
    EXPECT_EQ(click, Token(ClickToken{mail, 7, "https://example.com"}));
    const auto person =
        tokens().read("AQKZ61trUdqKzlQx--UyuPe1Ev0wB-7DEcLTO4FoCzAv1yY4Oay7BXMd0CRPgaZNB2o8FZGT");
    EXPECT_EQ(person, Token(PersonToken{mail, "news", "ann@example.com"}));
}

TEST(TokenSecrets, AreAnIdAndASecretThatIsLongEnough) {
    EXPECT_EQ(TokenSecret::parse("12:a secret that is long")->id, 12);
    EXPECT_EQ(TokenSecret::parse("12: a secret: that is long ")->secret, "a secret: that is long");
    for (const char* text : {"", "a secret that is long", "0:a secret that is long", "1:short",
                             "256:a secret that is long", "1 :a secret that is long",
                             ":a secret that is long", "-1:a secret that is long"}) {
        EXPECT_FALSE(TokenSecret::parse(text)) << text;
    }
    EXPECT_FALSE(TokenKeys::make({}));
    EXPECT_FALSE(TokenKeys::make({{1, "the first of our secrets"}, {1, "and another of them"}}));
}

}  // namespace
}  // namespace mailroom::engagement
