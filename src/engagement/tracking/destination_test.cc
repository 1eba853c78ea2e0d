#include "engagement/tracking/destination.h"

#include <gtest/gtest.h>

namespace mailroom::engagement {
namespace {

struct Case {
    const char *address, *want;  // Empty: it leads to no page.
};

TEST(WebAddress, KeepsQueryAndFragmentAndEncodesWhatBreaksAHeader) {
    // clang-format off
    const Case cases[] = {
        {"https://a.example", "https://a.example"},
        {" HTTPS://A.Example/P?q=1&r=%20#f=2 ", "https://a.example/P?q=1&r=%20#f=2"},
        {"http://a.example:8080/x", "http://a.example:8080/x"},
        {"https://[::1]:8080/x", "https://[::1]:8080/x"},
        {"https://u:p@a.example/x", "https://u:p@a.example/x"},
        {"https://münchen.example/straße?q=ä#ü", "https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%C3%A4#%C3%BC"},
        {"https://a.example\\a b|c\"d?\\", "https://a.example/a%20b%7Cc%22d?%5C"},
        {"https://a.example/a\r\n\tb", "https://a.example/ab"},
        {"https://a.example/a\x01\x7f", "https://a.example/a%01%7F"},
        {"https://a.example?q#f", "https://a.example?q#f"},
        {"https://", ""}, {"https:///x", ""}, {"mailto:a@a.example", ""}, {"#x", ""}, {"/x", ""},
        {"javascript:alert(1)//://", ""}, {"ftp://a.example", ""}, {"https://a..example", ""},
        {"https://a.example:80x/", ""}, {"https://[::1/x", ""}, {"https://a b.example/", ""},
        {"", ""}, {"{{ link }}", ""},
    };
    // clang-format on
    for (const auto& [address, want] : cases) {
        EXPECT_EQ(web_address(address).value_or(""), want) << address;
    }
}

TEST(WithUtm, AddsTheNamesThatTheQueryDoesNotHaveBeforeTheFragment) {
    outbox::Utm utm;
    utm.source = "mail";
    utm.campaign = "spring & sun";
    // clang-format off
    const Case cases[] = {
        {"https://a.example", "https://a.example?utm_source=mail&utm_campaign=spring%20%26%20sun"},
        {"https://a.example/?", "https://a.example/?utm_source=mail&utm_campaign=spring%20%26%20sun"},
        {"https://a.example/?x=1#f", "https://a.example/?x=1&utm_source=mail&utm_campaign=spring%20%26%20sun#f"},
        {"https://a.example/?x=1&", "https://a.example/?x=1&utm_source=mail&utm_campaign=spring%20%26%20sun"},
        {"https://a.example/?utm_source=own", "https://a.example/?utm_source=own&utm_campaign=spring%20%26%20sun"},
        {"https://a.example/#?x", "https://a.example/?utm_source=mail&utm_campaign=spring%20%26%20sun#?x"},
    };
    // clang-format on
    for (const auto& [address, want] : cases) EXPECT_EQ(with_utm(address, utm), want);
    EXPECT_EQ(with_utm("https://a.example/?x#f", {}), "https://a.example/?x#f");
}

}  // namespace
}  // namespace mailroom::engagement
