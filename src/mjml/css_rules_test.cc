#include "mjml/css_rules.h"

#include <gtest/gtest.h>

namespace mailroom::mjml {
namespace {

std::string text_of(const std::vector<Declaration>& declarations) {
    std::string text;
    for (const auto& each : declarations) {
        text += each.name + "=" + each.value + (each.is_important ? "!" : "") + ";";
    }
    return text;
}

std::string text_of(const CssSheet& sheet) {
    std::string text;
    for (const auto& rule : sheet.rules) {
        for (const auto& selector : rule.selectors) text += selector + "|";
        text += "{" + text_of(rule.declarations) + "}";
    }
    for (const auto& name : sheet.at_rules) text += name;
    return text;
}

TEST(CssRules, SheetsAreReadAsBrowsersReadThem) {
    struct Case {
        std::string_view css, want;
    };
    const Case cases[] = {
        {"", ""},
        {"a{color:red}", "a|{color=red;}"},
        {" a , b > c { COLOR : red ; margin : 0 } d{}", "a|b > c|{color=red;margin=0;}d|{}"},
        {"/* a{b:c} */ a { b: c /* d */ }", "a|{b=c;}"},
        {"@import url('a;b'); a{b:c}", "a|{b=c;}@import"},
        {"@media print { a { b: c } } d{e:f}", "d|{e=f;}@media"},
        {"a[x=\"{,}\"]{b:c}", "a[x=\"{,}\"]|{b=c;}"},
        {"a{b:c", "a|{b=c;}"},
        {"a{b:c}}d{e:f}", "a|{b=c;}d|{e=f;}"},
        {"a{b:{{ x }};c:d}", "a|{b={{ x }};c=d;}"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.css);
        EXPECT_EQ(text_of(parse_sheet(c.css)), c.want);
    }
}

TEST(CssRules, DeclarationsEndOutsideOfQuotesBracketsAndLiquid) {
    struct Case {
        std::string_view css, want;
    };
    const Case cases[] = {
        {"a:b;c:d", "a=b;c=d;"},
        {"background:url(data:a;b,c);x:y", "background=url(data:a;b,c);x=y;"},
        {"font:'a;b' ;c:d", "font='a;b';c=d;"},
        {"a:{{ x | default: ';' }};b:c", "a={{ x | default: ';' }};b=c;"},
        {"a:b ! IMPORTANT;c:d!important", "a=b!;c=d!;"},
        {"a;:b;c:;d:e", "d=e;"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.css);
        EXPECT_EQ(text_of(parse_declarations(c.css)), c.want);
    }
}

}  // namespace
}  // namespace mailroom::mjml
