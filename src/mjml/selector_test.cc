#include "mjml/selector.h"

#include <gtest/gtest.h>

namespace mailroom::mjml {
namespace {

// The ids of the elements that match.
std::string matched(std::string_view text, std::string_view html) {
    const auto selector = parse_selector(text);
    if (!selector) return "none";
    const auto elements = read_markup(html);
    MatchBudget budget(1'000'000);
    std::string ids;
    for (std::size_t place = 0; place < elements.size(); ++place) {
        if (matches(*selector, elements, place, budget)) ids += elements[place].attribute("id");
    }
    return ids;
}

TEST(Selector, MatchesAsBrowsersDo) {
    constexpr std::string_view html =
        "<div id=a class='x y'><p id=b title='one two'>t<br id=c><a id=d "
        "href='https://e.org/f.png'>"
        "u</a></p><!-- <p id=no> --><p id=e class=x lang=de-AT><li id=f><li id=g></p></div>"
        "<ul id=h><p id=i>";
    struct Case {
        std::string_view selector, want;
    };
    const Case cases[] = {
        {"p", "bei"},
        {"*", "abcdefghi"},
        {".x", "ae"},
        {"div.x.y", "a"},
        {"#b", "b"},
        {"p#b.x", ""},
        {"div p", "be"},
        {"div > a", ""},
        {"div>p>a", "d"},
        {"p + p", "e"},
        {"br ~ a", "d"},
        {"p ~ p li", "fg"},
        {"[title]", "b"},
        {"[title~=two]", "b"},
        {"[lang|=de]", "e"},
        {"[href^='http']", "d"},
        {"[href$=\".png\"]", "d"},
        {"[href*=e.org]", "none"},
        {"[title='one two']", "b"},
        {"li:first-child", "f"},
        {"li:last-child", "g"},
        {"P", "bei"},
        {"ul p", "i"},
        {"div div", ""},
        {"a:hover", "none"},
        {"a::before", "none"},
        {"", "none"},
        {"p >", "none"},
        {"[", "none"},
        {"p[a", "none"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.selector);
        EXPECT_EQ(matched(c.selector, html), c.want);
    }
}

TEST(Selector, IsWeighedByIdsClassesAndTypes) {
    EXPECT_EQ(parse_selector("#a .b[c] d:first-child e")->specificity, (std::array{1, 2, 3}));
    EXPECT_EQ(parse_selector("*")->specificity, (std::array{0, 0, 0}));
}

TEST(Selector, TriesHaveAnEnd) {
    std::string html, text = "p";
    for (int i = 0; i < 500; ++i) html += "<b>";
    for (int i = 0; i < 15; ++i) text = "b " + text;
    const auto elements = read_markup(html + "<p>");
    MatchBudget budget(10'000);
    const auto selector = parse_selector("i " + text);
    ASSERT_TRUE(selector);
    EXPECT_FALSE(matches(*selector, elements, elements.size() - 1, budget));
    EXPECT_TRUE(budget.is_spent());
}

}  // namespace
}  // namespace mailroom::mjml
