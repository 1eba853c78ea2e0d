#include "http/target.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::http {
namespace {

// `a|b ? key=value;…`
std::string text_of(const Target& target) {
    std::string text;
    for (const auto& segment : target.segments) text += segment + "|";
    text += "?";
    for (const auto& [name, value] : target.parameters) text += name + "=" + value + ";";
    return text;
}

TEST(Target, IsTakenApartAndDecodedOrRefused) {
    struct Case {
        std::string_view name, input, want;  // An empty `want` is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"root",                "/",                          "?"},
        {"segments",            "/v1/emails/7",               "v1|emails|7|?"},
        {"trailing slash",      "/v1/",                       "v1||?"},
        {"doubled slash",       "//v1",                       "|v1|?"},
        {"escapes",             "/a%20b/%C3%A9",              "a b|é|?"},
        {"escaped slash",       "/a%2Fb",                     "a/b|?"},
        {"plus in a path",      "/a+b",                       "a+b|?"},
        {"dots stay",           "/a/../b",                    "a|..|b|?"},
        {"query",               "/x?a=1&b=2",                 "x|?a=1;b=2;"},
        {"query escapes",       "/x?a=%26%3D&b=c+d%2B",       "x|?a=&=;b=c d+;"},
        {"no value",            "/x?a&b=",                    "x|?a=;b=;"},
        {"question mark alone", "/x?",                        "x|?"},
        {"nothing between",     "/x?&a=1&&b",                 "x|?a=1;b=;"},
        {"twice",               "/x?a=1&a=2",                 "x|?a=1;a=2;"},
        {"absolute form",       "http://host:1/x/y?a=b",      "x|y|?a=b;"},
        {"absolute, no path",   "http://host",                "?"},
        {"empty",               "",                           ""},
        {"asterisk",            "*",                          ""},
        {"authority form",      "host:443",                   ""},
        {"half an escape",      "/a%2",                       ""},
        {"bad escape",          "/a%zz",                      ""},
        {"bad escape in query", "/a?b=%g0",                   ""},
        {"escaped NUL",         "/a%00",                      ""},
        {"NUL in query",        "/a?b=%00",                   ""},
        {"not UTF-8",           "/a%ff",                      ""},
        {"raw bytes",           "/\xff",                      ""},
        {"fragment",            "/a#b",                       ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = parse_target(c.input);
        EXPECT_EQ(got ? text_of(*got) : "", c.want);
        EXPECT_TRUE(got || got.error().code == Errc::invalid);
    }
}

}  // namespace
}  // namespace mailroom::http
