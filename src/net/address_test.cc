#include "net/address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

namespace mailroom::net {
namespace {

TEST(IpAddress, HasOneTextAndTheFormsOfIpv4InIpv6AreThatIpv4) {
    struct Case {
        std::string_view input, want;  // An empty `want` is a refusal.
    };
    using namespace std::string_view_literals;
    const Case cases[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"0.0.0.0", "0.0.0.0"},
        {"255.255.255.255", "255.255.255.255"},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
        {"::", "::"},
        {"::1", "::1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"::FFFF:c000:0201", "192.0.2.1"},
        {"0:0:0:0:0:ffff:7f00:1", "127.0.0.1"},
        {"", ""},
        {"1.2.3", ""},
        {"1.2.3.4.5", ""},
        {"1.2.3.256", ""},
        {"01.2.3.4", ""},
        {"0x7f.0.0.1", ""},
        {"2130706433", ""},
        {" 1.2.3.4", ""},
        {"1.2.3.4 ", ""},
        {"1.2.3.4\0"sv, ""},
        {"1.2.3.4\0.5"sv, ""},
        {"[::1]", ""},
        {"fe80::1%eth0", ""},
        {":::1", ""},
        {"1:2:3:4:5:6:7:8:9", ""},
        {"::ffff:1.2.3.4.5", ""},
        {"localhost", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = IpAddress::parse(c.input);
        EXPECT_EQ(got ? got->text() : "", c.want);
    }
    EXPECT_EQ(IpAddress::parse("::1")->text_in_url(), "[::1]");
    EXPECT_EQ(IpAddress::parse("127.0.0.1")->text_in_url(), "127.0.0.1");
}

TEST(IpAddress, OrdersIpv4First) {
    std::vector<std::string> texts = {"::1", "10.0.0.1", "2001:db8::1", "9.0.0.1", "::"};
    std::ranges::sort(texts, {}, [](const auto& text) { return *IpAddress::parse(text); });
    EXPECT_EQ(texts, (std::vector<std::string>{"9.0.0.1", "10.0.0.1", "::", "::1", "2001:db8::1"}));
}

TEST(IpAddress, ShowsTheIpv4AddressThatIpv6Leads) {
    struct Case {
        const char* input;
        const char* want;  // Empty: none.
    };
    const Case cases[] = {
        {"::192.0.2.1", "192.0.2.1"},
        {"::ffff:0:192.0.2.1", "192.0.2.1"},
        {"64:ff9b::192.0.2.1", "192.0.2.1"},
        {"64:ff9b:1::192.0.2.1", "192.0.2.1"},
        {"2002:c000:201::", "192.0.2.1"},
        {"2002:7f00:1:1234::5", "127.0.0.1"},
        {"2001:0:1:2:3:4:80ff:fffe", "127.0.0.1"},
        {"2001:db8::5efe:10.0.0.1", "10.0.0.1"},
        {"2001:db8::200:5efe:10.0.0.1", "10.0.0.1"},
        {"2001:db8::1", ""},
        {"192.0.2.1", ""},
        {"::ffff:192.0.2.1", ""},
        {"2001:1::1", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = IpAddress::parse(c.input)->embedded_v4();
        EXPECT_EQ(got ? got->text() : "", c.want);
    }
}

TEST(IpAddress, IsReadFromSockets) {
    sockaddr_in v4 = {};
    v4.sin_family = AF_INET;
    v4.sin_addr.s_addr = htonl(0xc0000201);
    EXPECT_EQ(IpAddress::from_socket(reinterpret_cast<const sockaddr&>(v4))->text(), "192.0.2.1");
    sockaddr_in6 v6 = {};
    v6.sin6_family = AF_INET6;
    v6.sin6_addr.s6_addr[15] = 1;
    EXPECT_EQ(IpAddress::from_socket(reinterpret_cast<const sockaddr&>(v6))->text(), "::1");
    v6.sin6_family = AF_UNIX;
    EXPECT_FALSE(IpAddress::from_socket(reinterpret_cast<const sockaddr&>(v6)));
}

TEST(Network, IsAnAddressAndALengthThatFits) {
    struct Case {
        const char* input;
        const char* want;  // Empty: a refusal.
    };
    const Case cases[] = {
        {"10.0.0.0/8", "10.0.0.0/8"},
        {"0.0.0.0/0", "0.0.0.0/0"},
        {"192.0.2.1", "192.0.2.1/32"},
        {"192.0.2.1/32", "192.0.2.1/32"},
        {"2001:db8::/32", "2001:db8::/32"},
        {"::/0", "::/0"},
        {"::1", "::1/128"},
        {"::ffff:10.0.0.0/104", "10.0.0.0/8"},
        {"10.0.0.1/8", ""},
        {"10.0.0.0/33", ""},
        {"10.0.0.0/", ""},
        {"10.0.0.0/08", ""},
        {"10.0.0.0/-1", ""},
        {"10.0.0.0/8x", ""},
        {"10.0.0.0/255.0.0.0", ""},
        {"2001:db8::/129", ""},
        {"2001:db8::1/64", ""},
        {"::ffff:0:0/90", ""},
        {"/8", ""},
        {"", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = Network::parse(c.input);
        EXPECT_EQ(got ? got->text() : "", c.want);
    }
}

TEST(Network, ContainsWhatSharesItsPrefixInTheSameFamily) {
    struct Case {
        const char* network;
        const char* address;
        bool want;
    };
    const Case cases[] = {
        {"10.0.0.0/8", "10.255.255.255", true},  {"10.0.0.0/8", "11.0.0.0", false},
        {"172.16.0.0/12", "172.31.0.1", true},   {"172.16.0.0/12", "172.32.0.1", false},
        {"0.0.0.0/0", "8.8.8.8", true},          {"0.0.0.0/0", "2001:db8::1", false},
        {"::/0", "2001:db8::1", true},           {"::/0", "8.8.8.8", false},
        {"10.0.0.0/8", "::ffff:10.0.0.1", true}, {"fc00::/7", "fdff::1", true},
        {"fc00::/7", "fe00::1", false},          {"192.0.2.1", "192.0.2.1", true},
        {"192.0.2.1", "192.0.2.2", false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.network) + " " + c.address);
        EXPECT_EQ(Network::parse(c.network)->contains(*IpAddress::parse(c.address)), c.want);
    }
}

}  // namespace
}  // namespace mailroom::net
