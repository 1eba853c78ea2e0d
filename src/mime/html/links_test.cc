#include "mime/html/links.h"

#include <gtest/gtest.h>

#include <vector>

namespace mailroom::mime {
namespace {

struct Seen {
    std::vector<std::string> addresses;
    std::string html;
};

Seen replaced(std::string_view html, std::string_view at_end = "") {
    Seen seen;
    seen.html = replace_links(
        html,
        [&](std::string_view address) {
            seen.addresses.emplace_back(address);
            return std::optional<std::string>("L" + std::to_string(seen.addresses.size()));
        },
        at_end);
    return seen;
}

TEST(ReplaceLinks, ReplacesTheAddressAndNothingElse) {
    struct Case {
        const char *html, *address, *want;
    };
    // clang-format off
    const Case cases[] = {
        {R"(<p>x <a class=y href="https://a.example/?b=1&amp;c=2#d" >z</A></p>)", "https://a.example/?b=1&c=2#d", R"(<p>x <a class=y href="L1" >z</A></p>)"},
        {R"(<a href='https://a.example'>z</a>)", "https://a.example", R"(<a href='L1'>z</a>)"},
        {R"(<a href=https://a.example>z</a>)", "https://a.example", R"(<a href=L1>z</a>)"},
        {R"(<A HREF=" https://a.example ">z</A>)", "https://a.example", R"(<A HREF="L1">z</A>)"},
        {R"(<map><area href="u"></map>)", "u", R"(<map><area href="L1"></map>)"},
        {R"(<a href="u" href="v">z</a>)", "u", R"(<a href="L1" href="v">z</a>)"},
        {R"(<!--[if mso]><v:roundrect href="u"><![endif]-->)", "u", R"(<!--[if mso]><v:roundrect href="L1"><![endif]-->)"},
        {R"(<!--[if !mso]><!--><a href="u">z</a><!--<![endif]-->)", "u", R"(<!--[if !mso]><!--><a href="L1">z</a><!--<![endif]-->)"},
    };
    // clang-format on
    for (const auto& c : cases) {
        const auto seen = replaced(c.html);
        ASSERT_EQ(seen.addresses.size(), 1U) << c.html;
        EXPECT_EQ(seen.addresses[0], c.address);
        EXPECT_EQ(seen.html, c.want);
    }
}

TEST(ReplaceLinks, WhatIsNoLinkStaysAsItIs) {
    for (const char* html : {
             "",
             "text",
             "<a name=x>y</a>",
             "<a href>y</a>",
             R"(<a href="">y</a>)",
             R"(<!-- <a href="u">y</a> -->)",
             R"(<style>a{}<a href="u"></style>)",
             R"(<script>"<a href='u'>"</script>)",
             R"(<textarea><a href="u"></textarea>)",
             R"(<link href="u">)",
             R"(<img src="u">)",
             R"(<a href="u)",
             R"(<a ses:no-track href="u">y</a>)",
             R"(<a data-no-track href="u">y</a>)",
         }) {
        const auto seen = replaced(html);
        EXPECT_TRUE(seen.addresses.empty()) << html;
        EXPECT_EQ(seen.html, html);
    }
}

TEST(ReplaceLinks, ALinkThatIsNotReplacedKeepsItsBytes) {
    const std::string html = R"(<a href=" https://a.example/?b=1&c=2 ">x</a>)";
    EXPECT_EQ(replace_links(html, [](auto) { return std::nullopt; }), html);
}

TEST(ReplaceLinks, ANewAddressCannotLeaveItsPlace) {
    const auto got = replace_links("<a href=u>x</a>",
                                   [](auto) { return std::optional<std::string>(R"("><b x='&)"); });
    EXPECT_EQ(got, "<a href=&quot;&gt;&lt;b%20x=&#39;&amp;>x</a>");
}

TEST(ReplaceLinks, WhatBelongsToTheEndStandsWhereTheBodyEnds) {
    EXPECT_EQ(replaced("<html><body><p>x</body></html>", "<i>").html,
              "<html><body><p>x<i></body></html>");
    EXPECT_EQ(replaced("<p>x", "<i>").html, "<p>x<i>");
    EXPECT_EQ(replaced("a</body>b</BODY >c", "<i>").html, "a</body>b<i></BODY >c");
    EXPECT_EQ(replaced("<body>x<!-- </body> -->y", "<i>").html, "<body>x<!-- </body> -->y<i>");
    EXPECT_EQ(replaced(R"(<body><a href="u">x</a></body>)", "<i>").html,
              R"(<body><a href="L1">x</a><i></body>)");
}

}  // namespace
}  // namespace mailroom::mime
