#include "mjml/compile.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::mjml {
namespace {

// What becomes of `html` in an mj-raw under a sheet that is inlined.
std::string inlined(const std::string& css, const std::string& html) {
    const auto compiled =
        compile("<mjml><mj-head><mj-style inline='inline'>" + css +
                "</mj-style></mj-head><mj-body><mj-raw>[[" + html + "]]</mj-raw></mj-body></mjml>");
    if (!compiled) return Error(compiled.error()).message;
    const auto begin = compiled->html.find("[[");
    return compiled->html.substr(begin + 2, compiled->html.find("]]") - begin - 2);
}

TEST(Inliner, TheStrongerRuleWins) {
    struct Case {
        std::string css, html, want;
    };
    const Case cases[] = {
        {"p{color:red}", "<p>a</p>", "<p style=\"color:red;\">a</p>"},
        {"p{color:red}", "<b>a</b>", "<b>a</b>"},
        {".x{color:red}p{color:blue}", "<p class='x'>", "<p class=\"x\" style=\"color:red;\">"},
        {"p{color:red}p{color:blue}", "<p>", "<p style=\"color:blue;\">"},
        {"p{color:red!important}", "<p style='color:blue'>", "<p style=\"color:red;\">"},
        {"p{color:red}", "<p style='color:blue'>", "<p style=\"color:blue;\">"},
        {"p{margin-top:1px}.x{margin:2px}", "<p class=x>",
         "<p class=\"x\" style=\"margin-top:1px;margin:2px;\">"},
        {"p{font-family:\"A B\"}", "<p>", "<p style=\"font-family:'A B';\">"},
        {"td{width:20px;background-color:red}", "<td>",
         "<td style=\"width:20px;background-color:red;\" width=\"20\" bgcolor=\"red\">"},
        {"p{color:{{ c | default: \"red\" }}}", "<p>",
         "<p style=\"color:{{ c | default: \"red\" }};\">"},
        {"p{color:red}", "{% if a < b %}<p>{% endif %}",
         "{% if a < b %}<p style=\"color:red;\">{% endif %}"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.css + " " + c.html);
        EXPECT_EQ(inlined(c.css, c.html), c.want);
    }
}

TEST(Inliner, SaysWhatItCannotInline) {
    const auto compiled = compile(
        "<mjml><mj-head>\n<mj-style inline='inline'>a:hover{color:red}@media print{a{b:c}}"
        "</mj-style></mj-head><mj-body/></mjml>");
    ASSERT_TRUE(compiled);
    ASSERT_EQ(compiled->warnings.size(), 2u);
    EXPECT_EQ(compiled->warnings[0],
              (Warning{2, "mj-style", "\"@media\" cannot be inlined and is left out"}));
    EXPECT_EQ(compiled->warnings[1],
              (Warning{2, "mj-style", "\"a:hover\" cannot be inlined and is left out"}));
}

TEST(Inliner, TooMuchWorkIsAFailure) {
    std::string many_rules, many_declarations, elements;
    for (int i = 0; i < 900; ++i) many_rules += "b b b b b{a:b}";
    for (int i = 0; i < 2000; ++i) many_declarations += "a" + std::to_string(i) + ":b;";
    for (int i = 0; i < 20'000; ++i) elements += "<b>";
    const std::string want = "line 1: inlining these styles is too much work";
    EXPECT_EQ(inlined(many_rules, elements), want);
    EXPECT_EQ(inlined("b{" + many_declarations + "}", elements), want);
    EXPECT_EQ(inlined("b{a:" + std::string(1000, 'x') + "}", elements), want);
    EXPECT_EQ(inlined(many_rules + many_rules, ""), "line 1: there are too many inlined rules");
}

TEST(HtmlAttributes, AreSetWhereASelectorMatches) {
    const auto compiled = compile(
        "<mjml><mj-head><mj-html-attributes><mj-selector path='.x a, p'><mj-html-attribute "
        "name='data-a'>{{ b }}</mj-html-attribute></mj-selector><mj-selector path='a:hover'/>"
        "</mj-html-attributes></mj-head><mj-body><mj-raw><i class=x><a>1</a></i><a>2</a><p>3"
        "</mj-raw></mj-body></mjml>");
    ASSERT_TRUE(compiled);
    EXPECT_NE(compiled->html.find("<i class=x><a data-a=\"{{ b }}\">1</a></i><a>2</a>"
                                  "<p data-a=\"{{ b }}\">3"),
              std::string::npos);
    ASSERT_EQ(compiled->warnings.size(), 1u);
    EXPECT_EQ(compiled->warnings[0].message, "\"a:hover\" cannot be matched");
}

}  // namespace
}  // namespace mailroom::mjml
