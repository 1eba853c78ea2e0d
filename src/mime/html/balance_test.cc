#include "mime/html/balance.h"

#include <gtest/gtest.h>

namespace mailroom::mime::html {
namespace {

TEST(Balance, ClosesEveryTagInOrderAndKeepsOnlyWhatIsKnown) {
    struct Case {
        std::string_view name, html, want;
    };
    const Case cases[] = {
        {"as it is", "<p>a <b>b</b></p>", "<p>a <b>b</b></p>"},
        {"attributes", "<A HREF=x onclick=1 Title='\"' nowrap>a</a>",
         "<a href=\"x\" title=\"&quot;\" nowrap=\"\">a</a>"},
        {"misnested", "<b><i>a</b>b</i>", "<b><i>a</i></b>b"},
        {"paragraphs", "<p>a<p>b<div>c", "<p>a</p><p>b</p><div>c</div>"},
        {"cells and rows", "<table><tr><td>a<td>b<tr><td>c",
         "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"},
        {"nested table", "<table><tr><td><table><td>a</table></td></table>",
         "<table><tr><td><table><td>a</td></table></td></tr></table>"},
        {"end tag from inside a cell", "<b><table><td></b>a", "<b><table><td>a</td></table></b>"},
        {"nested lists", "<ul><li>a<ul><li>b</ul><li>c",
         "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
        {"link in a link", "<a href=x>a<a href=y>b", "<a href=\"x\">a</a><a href=\"y\">b</a>"},
        {"two bodies", "<body id=1>a<body id=2>b</body>", "<body id=\"1\">ab</body>"},
        {"slashes", "<br/><img/alt=a/>", "<br><img alt=\"a/\">"},
        {"equals sign in front", "<b =title=a>x", "<b>x</b>"},
        {"no value", "<b title=>x", "<b title=\"\">x</b>"},
        {"greater than in quotes", "<b title='>'>x", "<b title=\">\">x</b>"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(balance(c.html).html, c.want);
    }
}

TEST(Balance, NestingIsBounded) {
    std::string divs, bolds;
    for (int i = 0; i < 1000; ++i) {
        divs += "<div>";
        bolds += "<b>";
    }
    EXPECT_EQ(balance(divs).html.size(), depth_max * std::string_view("<div></div>").size());
    EXPECT_EQ(balance(divs).dropped_elements, 1000 - depth_max);
    EXPECT_EQ(balance(bolds).html.size(),
              formatting_depth_max * std::string_view("<b></b>").size());
}

TEST(Balance, CollectsStyleSheets) {
    EXPECT_EQ(balance("<style>a</style>x<STYLE>b</p></Style >y").style_sheets, "a\nb</p>\n");
    EXPECT_EQ(balance("<style>a</styles>b").style_sheets, "a</styles>b\n");
}

}  // namespace
}  // namespace mailroom::mime::html
