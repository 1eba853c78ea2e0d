#include "net/url.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

TEST(Url, IsReadInOneWayOrRefused) {
    struct Case {
        std::string_view name, input, want;  // An empty `want` is a refusal.
    };
    using namespace std::string_view_literals;
    // clang-format off
    const Case cases[] = {
        {"plain",             "http://example.com",                  "http://example.com/"},
        {"path and query",    "https://example.com/a/b?c=d&e",       "https://example.com/a/b?c=d&e"},
        {"empty query",       "https://example.com/a?",              "https://example.com/a?"},
        {"query, no path",    "https://example.com?x=/y",            "https://example.com/?x=/y"},
        {"fragment",          "https://example.com/a#b@c",           "https://example.com/a"},
        {"upper case",        "HTTPS://Example.COM/A",               "https://example.com/A"},
        {"own port",          "https://example.com:443/",            "https://example.com/"},
        {"other port",        "https://example.com:8443/",           "https://example.com:8443/"},
        {"zeros in port",     "https://example.com:08443/",          "https://example.com:8443/"},
        {"dots stay",         "http://example.com/a/../b/./%2e",     "http://example.com/a/../b/./%2e"},
        {"dot at the end",    "http://example.com./",                "http://example.com/"},
        {"one label",         "http://intranet/",                    "http://intranet/"},
        {"underscore",        "http://a_b.example/",                 "http://a_b.example/"},
        {"international",     "http://xn--mnchen-3ya.example/",      "http://xn--mnchen-3ya.example/"},
        {"at in the path",    "http://example.com/@b",               "http://example.com/@b"},
        {"colon in the path", "http://example.com/a:b",              "http://example.com/a:b"},
        {"IPv4",              "http://192.0.2.1:81/",                "http://192.0.2.1:81/"},
        {"IPv4 as number",    "http://2130706433/",                  "http://127.0.0.1/"},
        {"IPv4 in hex",       "http://0x7f000001/",                  "http://127.0.0.1/"},
        {"IPv4 in octal",     "http://0177.0.0.1/",                  "http://127.0.0.1/"},
        {"IPv4 short",        "http://127.1/",                       "http://127.0.0.1/"},
        {"IPv4 mixed",        "http://0x7f.1/",                      "http://127.0.0.1/"},
        {"IPv6",              "http://[2001:DB8::1]:81/",            "http://[2001:db8::1]:81/"},
        {"IPv6 long",         "http://[0:0:0:0:0:0:0:1]/",           "http://[::1]/"},
        {"IPv4 in IPv6",      "http://[::ffff:7f00:1]/",             "http://127.0.0.1/"},
        {"no scheme",         "example.com",                         ""},
        {"relative",          "//example.com/",                      ""},
        {"path only",         "/etc/passwd",                         ""},
        {"nothing",           "",                                    ""},
        {"no host",           "http:///a",                           ""},
        {"port only",         "http://:80/",                         ""},
        {"one slash",         "http:/example.com",                   ""},
        {"three slashes",     "http:///example.com",                 ""},
        {"file",              "file:///etc/passwd",                  ""},
        {"gopher",            "gopher://example.com/",               ""},
        {"dict",              "dict://127.0.0.1:6379/INFO",          ""},
        {"ftp",               "ftp://example.com/",                  ""},
        {"scheme in scheme",  "http+https://example.com/",           ""},
        {"user",              "http://user@example.com/",            ""},
        {"user, password",    "http://user:pass@example.com/",       ""},
        {"empty user",        "http://@example.com/",                ""},
        {"two ats",           "http://a@b@example.com/",             ""},
        {"hidden host",       "http://example.com#@127.0.0.1/",      "http://example.com/"},
        {"question and at",   "http://example.com?@127.0.0.1/",      "http://example.com/?@127.0.0.1/"},
        {"backslash",         "http://example.com\\@127.0.0.1/",     ""},
        {"space",             "http://example.com/a b",              ""},
        {"space before",      " http://example.com/",                ""},
        {"line",              "http://example.com/\r\nX: y",         ""},
        {"tab",               "http://exam\tple.com/",               ""},
        {"zero",              "http://example.com\0.evil/"sv,        ""},
        {"delete",            "http://example.com/\x7f",             ""},
        {"non-ASCII host",    "http://münchen.example/",             ""},
        {"wide digits",       "http://１２７.0.0.1/",                ""},
        {"circled letters",   "http://ⓔxample.com/",                 ""},
        {"ideographic dot",   "http://127。0。0。1/",                 ""},
        {"non-ASCII path",    "http://example.com/ä",                ""},
        {"percent in host",   "http://%31%32%37.0.0.1/",             ""},
        {"port 0",            "http://example.com:0/",               ""},
        {"port too large",    "http://example.com:65536/",           ""},
        {"port wraps",        "http://example.com:4294967376/",      ""},
        {"port no number",    "http://example.com:80a/",             ""},
        {"port sign",         "http://example.com:+80/",             ""},
        {"two ports",         "http://example.com:80:80/",           ""},
        {"empty port",        "http://example.com:/",                ""},
        {"empty label",       "http://example..com/",                ""},
        {"label first",       "http://.example.com/",                ""},
        {"two dots at end",   "http://example.com../",               ""},
        {"comma",             "http://a,b.example/",                 ""},
        {"number at the end", "http://example.1/",                   ""},
        {"IPv4 too long",     "http://1.2.3.4.5/",                   ""},
        {"IPv4 too large",    "http://256.1.1.1/",                   ""},
        {"IPv4 with dot",     "http://127.0.0.1./",                  ""},
        {"hex at the end",    "http://example.0x1/",                 ""},
        {"IPv6 bare",         "http://::1/",                         ""},
        {"IPv6 zone",         "http://[fe80::1%25eth0]/",            ""},
        {"IPv6 open",         "http://[::1/",                        ""},
        {"IPv6 then text",    "http://[::1]x/",                      ""},
        {"IPv4 in brackets",  "http://[127.0.0.1]/",                 ""},
        {"name in brackets",  "http://[example.com]/",               ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = Url::parse(c.input);
        EXPECT_EQ(got ? got->text() : "", c.want);
        if (!got) {
            EXPECT_EQ(got.error().code, Errc::invalid);
            EXPECT_FALSE(got.error().message.empty());
        } else {
            EXPECT_EQ(*Url::parse(got->text()), *got);
        }
    }
    const std::string start = "http://example.com/";
    EXPECT_TRUE(Url::parse(start + std::string(url_bytes_max - start.size(), 'a')));
    EXPECT_FALSE(Url::parse(start + std::string(url_bytes_max, 'a')));
    EXPECT_FALSE(Url::parse("http://" + std::string(64, 'a') + ".example/"));
}

TEST(Url, LeadsWhereALocationSays) {
    struct Case {
        const char* location;
        const char* want;  // Empty: a refusal.
    };
    const Case cases[] = {
        {"http://other.example/x", "http://other.example/x"},
        {"https://example.com/x", "https://example.com/x"},
        {"//other.example/x", "https://other.example/x"},
        {"/x?y", "https://example.com:8443/x?y"},
        {"x", "https://example.com:8443/a/x"},
        {"../x", "https://example.com:8443/x"},
        {"?z", "https://example.com:8443/a/b?z"},
        {"#frag", "https://example.com:8443/a/b?c"},
        {" /with space ", "https://example.com:8443/with%20space"},
        {"/ä", "https://example.com:8443/%C3%A4"},
        {"//2130706433/", "https://127.0.0.1/"},
        {"http://user:pass@other.example/", ""},
        {"//user@other.example/", ""},
        {"file:///etc/passwd", ""},
        {"gopher://x/", ""},
        {"javascript:alert(1)", ""},
        {"\\\\other.example/", ""},
        {"http://", ""},
    };
    const auto base = *Url::parse("https://example.com:8443/a/b?c");
    for (const auto& c : cases) {
        SCOPED_TRACE(c.location);
        const auto got = base.resolve(c.location);
        EXPECT_EQ(got ? got->text() : "", c.want);
    }
    EXPECT_FALSE(base.resolve("/" + std::string(url_bytes_max, 'a')));
}

}  // namespace
}  // namespace mailroom::net
