#include "engagement/pages/page.h"

#include "base/base64.h"
#include "base/text.h"
#include "engagement/pages/form.h"
#include "engagement/pages/texts.h"

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <cstring>
#include <set>

namespace mailroom::engagement {
namespace {

std::string header(const program::Rendered& page, std::string_view name) {
    for (const auto& [key, value] : page.headers) {
        if (key == name) return value;
    }
    return "";
}

TEST(PickLanguage, ThePersonsOwnThenTheBrowsersThenTheUsual) {
    struct Case {
        const char *person, *accept;
        Language want;
    };
    // clang-format off
    const Case cases[] = {
        {"", "", Language::nl}, {"de", "fr", Language::de}, {"pt-BR", "", Language::pt}, {"PL_pl", "", Language::pl},
        {"xx", "fr", Language::fr}, {"", "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", Language::fr},
        {"", "ja, de;q=0.3, es;q=0.5", Language::es}, {"", "de;q=0, it;q=0.001", Language::it}, {"", "de;q=0", Language::nl},
        {"", "ja,*;q=0.1", Language::nl}, {"", ",,;;q=,en;q=abc,", Language::nl}, {"", "en;q=1.0,de", Language::en},
    };
    // clang-format on
    for (const auto& [person, accept, want] : cases) {
        EXPECT_EQ(pick_language(person, accept, Language::nl), want) << person << " / " << accept;
    }
}

// A struct of views, so every one of them can be looked at.
TEST(PageTexts, AreThereInEveryLanguageAndNameWhatTheEnglishOnesName) {
    constexpr auto count = sizeof(PageTexts) / sizeof(std::string_view);
    const auto views = [](Language language) {
        std::array<std::string_view, count> all;
        std::memcpy(static_cast<void*>(&all), &texts_in(language), sizeof all);
        return all;
    };
    const auto english = views(Language::en);
    for (const auto& [language, name] : all_names<Language>) {
        const auto texts = views(language);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_FALSE(texts[i].empty()) << name << " " << i;
            EXPECT_TRUE(is_utf8(texts[i]));
            for (const char* part : {"{address}", "{topic}", "{company}", "{link}"}) {
                EXPECT_EQ(texts[i].find(part) == texts[i].npos,
                          english[i].find(part) == english[i].npos)
                    << name << ": " << texts[i];
            }
            EXPECT_EQ(filled(texts[i], {"a", "b", "c", "d"}).find('{'), std::string::npos);
        }
    }
}

TEST(PageTexts, WhatIsFilledInIsNotFilledAgain) {
    EXPECT_EQ(filled("{topic} for {address}", {.address = "a@b", .topic = "{address}"}),
              "{address} for a@b");
    EXPECT_EQ(filled("{what} {", {}), "{what} {");
}

TEST(Pages, TextCannotBecomeMarkup) {
    PageSettings settings;
    settings.company = "<b>A & B</b>";
    PageBody body;
    body.paragraph("<script>").notice("\"").check_box("<", "'", "&", "<i>", true);
    body.link("https://a.example/\"><b>", "<b>");
    const auto page = Pages(settings).show(200, Language::de, "<title>", body);
    for (const char* bad : {"<script", "<b>", "<i>", "<title><title>"}) {
        EXPECT_EQ(page.body.find(bad), std::string::npos) << bad;
    }
    EXPECT_NE(page.body.find("<html lang=\"de\">"), std::string::npos);
    EXPECT_NE(page.body.find("&lt;b&gt;A &amp; B&lt;/b&gt;"), std::string::npos);
}

TEST(Pages, NobodyMayFrameKeepOrScriptThem) {
    PageSettings settings;
    settings.logo = "https://img.example:8443/a/logo.png";
    const auto page = Pages(settings).show(400, Language::en, "x", {});
    EXPECT_EQ(page.status, 400);
    const auto policy = header(page, "Content-Security-Policy");
    for (const char* part : {"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'",
                             "base-uri 'none'", "img-src https://img.example:8443"}) {
        EXPECT_NE(policy.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(policy.find("script-src"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(header(page, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header(page, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header(page, "Cache-Control"), "no-store, private");
    EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
}

TEST(Pages, TheirStyleIsTheOneThatTheirPolicyAllows) {
    PageSettings settings;
    settings.color = "#abcdef";
    const auto page = Pages(settings).show(200, Language::en, "x", {});
    const auto begin = page.body.find("<style>") + 7;
    const auto style = page.body.substr(begin, page.body.find("</style>") - begin);
    EXPECT_NE(style.find("#abcdef"), std::string::npos);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(style.data()), style.size(), digest);
    const auto hash = base64_encode({reinterpret_cast<const char*>(digest), sizeof digest});
    EXPECT_NE(header(page, "Content-Security-Policy").find("'sha256-" + hash + "'"),
              std::string::npos);
}

TEST(Veiled, ShowsNoMoreThanWhoOwnsTheAddressNeeds) {
    EXPECT_EQ(veiled("ann@example.com"), "a•••@example.com");
    EXPECT_EQ(veiled("älva@example.com"), "ä•••@example.com");
    EXPECT_EQ(veiled("\"a@b\"@example.com"), "\"•••@example.com");
    EXPECT_EQ(veiled("nobody"), "•••");
    EXPECT_EQ(veiled("@example.com"), "•••");
}

TEST(ReadForm, TakesWhatBrowsersSend) {
    const auto form = read_form("act=leave&topic=a%20b&topic=c+d&&x&=y&bad=%zz&e=%E2%80%A2&q=%");
    const program::Pairs want = {{"act", "leave"}, {"topic", "a b"}, {"topic", "c d"}, {"x", ""},
                                 {"", "y"},        {"bad", "%zz"},   {"e", "•"},       {"q", "%"}};
    EXPECT_EQ(form, want);
    EXPECT_EQ(find_in(form, "topic"), "a b");
    EXPECT_FALSE(find_in(form, "none"));
    EXPECT_TRUE(read_form("").empty());
}

}  // namespace
}  // namespace mailroom::engagement
