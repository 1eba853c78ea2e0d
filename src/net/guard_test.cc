#include "net/guard.h"

#include "net/fake_resolver.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

std::string reason_of(const GuardRefusal& refusal) {
    constexpr const char* texts[] = {"forbidden", "unresolved", "temporary"};
    return texts[static_cast<int>(refusal.reason)];
}

std::string check(const Guard& guard, const std::string& text) {
    const auto url = Url::parse(text);
    if (!url) return "bad";
    const auto checked = guard.check(*url);
    if (!checked) return reason_of(checked.error());
    std::string addresses;
    for (const auto& address : *checked) {
        addresses += (addresses.empty() ? "" : " ") + address.text();
    }
    return addresses;
}

TEST(Guard, LetsOnlyThePublicInternetPass) {
    struct Case {
        const char* url;
        const char* want;
    };
    // clang-format off
    const Case cases[] = {
        {"http://93.184.216.34/", "93.184.216.34"},
        {"http://1.1.1.1/", "1.1.1.1"},
        {"http://[2606:2800:220:1::1]/", "2606:2800:220:1::1"},
        {"http://[64:ff9b::5db8:d822]/", "64:ff9b::5db8:d822"},
        {"http://0.0.0.0/", "forbidden"},
        {"http://0.1.2.3/", "forbidden"},
        {"http://0/", "forbidden"},
        {"http://10.0.0.1/", "forbidden"},
        {"http://10.255.255.255/", "forbidden"},
        {"http://100.64.0.1/", "forbidden"},
        {"http://100.100.100.200/", "forbidden"},
        {"http://100.127.255.255/", "forbidden"},
        {"http://100.128.0.1/", "100.128.0.1"},
        {"http://127.0.0.1/", "forbidden"},
        {"http://127.255.255.254/", "forbidden"},
        {"http://127.1/", "forbidden"},
        {"http://0x7f.1/", "forbidden"},
        {"http://0x7f000001/", "forbidden"},
        {"http://2130706433/", "forbidden"},
        {"http://017700000001/", "forbidden"},
        {"http://0177.0.0.1/", "forbidden"},
        {"http://0177.0.0x0.1/", "forbidden"},
        {"http://169.254.169.254/latest/meta-data/", "forbidden"},
        {"http://169.254.170.2/", "forbidden"},
        {"http://2852039166/", "forbidden"},
        {"http://0xa9fea9fe/", "forbidden"},
        {"http://168.63.129.16/", "forbidden"},
        {"http://172.15.255.255/", "172.15.255.255"},
        {"http://172.16.0.1/", "forbidden"},
        {"http://172.31.255.255/", "forbidden"},
        {"http://172.32.0.1/", "172.32.0.1"},
        {"http://192.0.0.192/", "forbidden"},
        {"http://192.0.2.1/", "forbidden"},
        {"http://192.88.99.1/", "forbidden"},
        {"http://192.168.0.1/", "forbidden"},
        {"http://192.169.0.1/", "192.169.0.1"},
        {"http://198.18.0.1/", "forbidden"},
        {"http://198.19.255.255/", "forbidden"},
        {"http://198.51.100.1/", "forbidden"},
        {"http://203.0.113.1/", "forbidden"},
        {"http://224.0.0.1/", "forbidden"},
        {"http://239.255.255.255/", "forbidden"},
        {"http://240.0.0.1/", "forbidden"},
        {"http://255.255.255.255/", "forbidden"},
        {"http://[::]/", "forbidden"},
        {"http://[::1]/", "forbidden"},
        {"http://[::127.0.0.1]/", "forbidden"},
        {"http://[::ffff:127.0.0.1]/", "forbidden"},
        {"http://[::ffff:a00:1]/", "forbidden"},
        {"http://[::ffff:93.184.216.34]/", "93.184.216.34"},
        {"http://[::ffff:0:127.0.0.1]/", "forbidden"},
        {"http://[64:ff9b::127.0.0.1]/", "forbidden"},
        {"http://[64:ff9b::a9fe:a9fe]/", "forbidden"},
        {"http://[64:ff9b:1::1.1.1.1]/", "forbidden"},
        {"http://[100::1]/", "forbidden"},
        {"http://[2001::1]/", "forbidden"},
        {"http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", "forbidden"},
        {"http://[2001:2::1]/", "forbidden"},
        {"http://[2001:db8::1]/", "forbidden"},
        {"http://[2002:7f00:1::]/", "forbidden"},
        {"http://[2002:a00:1::1]/", "forbidden"},
        {"http://[2002:101:101::1]/", "2002:101:101::1"},
        {"http://[2606:4700::5efe:10.0.0.1]/", "forbidden"},
        {"http://[3fff::1]/", "forbidden"},
        {"http://[5f00::1]/", "forbidden"},
        {"http://[fc00::1]/", "forbidden"},
        {"http://[fd00:ec2::254]/", "forbidden"},
        {"http://[fe80::1]/", "forbidden"},
        {"http://[fec0::1]/", "forbidden"},
        {"http://[ff02::1]/", "forbidden"},
        {"http://1.1.1.1:8080/", "1.1.1.1"},
        {"https://1.1.1.1/", "1.1.1.1"},
        {"http://1.1.1.1:443/", "1.1.1.1"},
        {"http://1.1.1.1:22/", "forbidden"},
        {"http://1.1.1.1:25/", "forbidden"},
        {"http://1.1.1.1:993/", "forbidden"},
        {"http://1.1.1.1:1023/", "forbidden"},
        {"http://1.1.1.1:1024/", "1.1.1.1"},
        {"http://good.example/", "1.1.1.1 2606:4700::1"},
        {"http://GOOD.example./", "1.1.1.1 2606:4700::1"},
        {"http://inside.example/", "forbidden"},
        {"http://mixed.example/", "1.1.1.1"},
        {"http://mapped.example/", "forbidden"},
        {"http://localhost/", "forbidden"},
        {"http://gone.example/", "unresolved"},
        {"http://slow.example/", "temporary"},
        {"http://user@good.example/", "bad"},
        {"ftp://good.example/", "bad"},
    };
    // clang-format on
    FakeResolver resolver;
    resolver.set_addresses("good.example", {"1.1.1.1", "2606:4700::1"});
    resolver.set_addresses("inside.example", {"10.0.0.1", "fd00::1"});
    resolver.set_addresses("mixed.example", {"127.0.0.1", "1.1.1.1", "::1"});
    resolver.set_addresses("mapped.example", {"::ffff:10.0.0.1", "64:ff9b::7f00:1"});
    resolver.set_addresses("localhost", {"127.0.0.1", "::1"});
    resolver.set_addresses("slow.example", std::vector<FakeResolver::Addresses>{
                                               DnsFailure{NoRecords::temporary, "no answer"}});
    const Guard guard(resolver, {});
    for (const auto& c : cases) {
        SCOPED_TRACE(c.url);
        EXPECT_EQ(check(guard, c.url), c.want);
    }
}

TEST(Guard, OpensTheBlocksAndPortsThatTheOperatorAllowsAndNoOthers) {
    struct Case {
        const char* url;
        const char* want;
    };
    const Case cases[] = {
        {"http://10.1.2.3:99/", "10.1.2.3"},          {"http://10.2.0.1:99/", "forbidden"},
        {"http://[::ffff:10.1.0.1]:99/", "10.1.0.1"}, {"http://[64:ff9b::a01:1]:99/", "forbidden"},
        {"http://[2002:a01:1::]:99/", "forbidden"},   {"http://[::1]:99/", "::1"},
        {"http://127.0.0.1:99/", "forbidden"},        {"http://1.1.1.1:99/", "1.1.1.1"},
        {"http://10.1.2.3:80/", "forbidden"},         {"http://10.1.2.3:98/", "forbidden"},
    };
    FakeResolver resolver;
    const Guard guard(
        resolver,
        {.allowed = {*Network::parse("10.1.0.0/16"), *Network::parse("::1")}, .ports = {{99, 99}}});
    for (const auto& c : cases) {
        SCOPED_TRACE(c.url);
        EXPECT_EQ(check(guard, c.url), c.want);
    }
}

TEST(Guard, DoesNotTellWhatIsInside) {
    FakeResolver resolver;
    resolver.set_addresses("inside.example", {"10.20.30.40"});
    const Guard guard(resolver, {});
    const auto refused = guard.check(*Url::parse("http://inside.example/"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message.find("10.20"), std::string::npos);
}

}  // namespace
}  // namespace mailroom::net
