#include "net/dns_resolver.h"

#include "net/scripted_dns_server.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <set>

namespace mailroom::net {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

constexpr unsigned a = 1, cname = 5, soa = 6, mx = 15, txt = 16, aaaa = 28;
constexpr unsigned server_failure = 2, name_error = 3, refused = 5;
const std::string loopback4 = "\x7f\x00\x00\x01"s;

std::string v4(const char* text) { return wire32(IpAddress::parse(text)->v4()); }
std::string v6(const char* text) {
    const auto bytes = IpAddress::parse(text)->bytes();
    return {bytes.begin(), bytes.end()};
}

class DnsResolverTest : public testing::Test {
protected:
    void serve(ScriptedDnsServer::Script script, DnsOptions options = {}) {
        resolver.reset();
        server = std::make_unique<ScriptedDnsServer>(std::move(script));
        options.channel.servers = {server->address()};
        options.channel.use_hosts_file = false;
        if (options.channel.timeout == 2s) options.channel.timeout = 200ms;
        auto opened = DnsResolver::open(options, clock, random);
        ASSERT_TRUE(opened) << opened.error().message;
        resolver = *std::move(opened);
    }
    void serve_impatiently(ScriptedDnsServer::Script script) {
        DnsOptions options;
        options.channel.timeout = 50ms;
        options.channel.tries = 2;
        serve(std::move(script), options);
    }
    std::string addresses(const char* name, Family family = Family::any) {
        const auto found = resolver->addresses(name, family);
        if (!found) return text_of(found.error().reason);
        std::string text;
        for (const auto& address : *found) text += (text.empty() ? "" : " ") + address.text();
        return text;
    }
    static std::string text_of(NoRecords reason) {
        constexpr const char* texts[] = {"no such name", "no data", "temporary", "bad name"};
        return texts[static_cast<int>(reason)];
    }

    ManualClock clock{from_unix_ms(1'794'721'884'000)};
    SeededRandom random{7};
    std::unique_ptr<ScriptedDnsServer> server;
    std::unique_ptr<DnsResolver> resolver;
};

struct ScriptCase {
    const char* name;
    ScriptedDnsServer::Script script;
    const char* want;
};
using Packets = std::vector<std::string>;

TEST_F(DnsResolverTest, TellsTheFourAnswersApart) {
    const ScriptCase cases[] = {
        {"found",
         [](const DnsQuery& q) {
             return Packets{dns_answer(q, 0, {wire_record(q.name, a, 60, v4("192.0.2.7"))})};
         },
         "192.0.2.7"},
        {"alias",
         [](const DnsQuery& q) {
             return Packets{
                 dns_answer(q, 0,
                            {wire_record("two.example", a, 60, v4("192.0.2.8")),
                             wire_record("one.example", cname, 60, wire_name("two.example")),
                             wire_record(q.name, cname, 60, wire_name("ONE.example"))})};
         },
         "192.0.2.8"},
        {"records of others",
         [](const DnsQuery& q) {
             return Packets{
                 dns_answer(q, 0, {wire_record("other.example", a, 60, v4("192.0.2.7"))})};
         },
         "no data"},
        {"no such name", [](const DnsQuery& q) { return Packets{dns_answer(q, name_error, {})}; },
         "no such name"},
        {"no data", [](const DnsQuery& q) { return Packets{dns_answer(q, 0, {})}; }, "no data"},
        {"server failure",
         [](const DnsQuery& q) { return Packets{dns_answer(q, server_failure, {})}; }, "temporary"},
        {"refused", [](const DnsQuery& q) { return Packets{dns_answer(q, refused, {})}; },
         "temporary"},
        {"silence", [](const DnsQuery&) { return Packets{}; }, "temporary"},
        {"truncated, then over TCP",
         [](const DnsQuery& q) {
             if (!q.over_tcp) return Packets{dns_answer(q, dns_truncated, {})};
             return Packets{dns_answer(q, 0, {wire_record(q.name, a, 60, v4("192.0.2.9"))})};
         },
         "192.0.2.9"},
        {"a wrong packet, then the right one",
         [](const DnsQuery& q) {
             auto wrong = q;
             wrong.id ^= 1;
             return Packets{dns_answer(wrong, 0, {wire_record(q.name, a, 60, v4("192.0.2.66"))}),
                            dns_answer(q, 0, {wire_record(q.name, a, 60, v4("192.0.2.7"))})};
         },
         "192.0.2.7"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        serve_impatiently(c.script);
        EXPECT_EQ(addresses("name.example", Family::v4), c.want);
    }
}

TEST_F(DnsResolverTest, WhatIsNoAnswerLeavesItUnknown) {
    const ScriptCase cases[] = {
        {"garbage",
         [](const DnsQuery&) {
             return Packets{"garbage", "", std::string(600, '\xff')};
         },
         "temporary"},
        {"wrong id",
         [](DnsQuery q) {
             ++q.id;
             return Packets{dns_answer(q, 0, {wire_record(q.name, a, 60, v4("192.0.2.7"))})};
         },
         "temporary"},
        {"other question",
         [](DnsQuery q) {
             q.name = "other.example";
             return Packets{
                 dns_answer(q, 0, {wire_record("name.example", a, 60, v4("192.0.2.7"))})};
         },
         "temporary"},
        {"short address",
         [](const DnsQuery& q) {
             return Packets{dns_answer(q, 0, {wire_record(q.name, a, 60, "abc")})};
         },
         "temporary"},
        {"cut off",
         [](const DnsQuery& q) {
             auto answer = dns_answer(q, 0, {wire_record(q.name, a, 60, v4("192.0.2.7"))});
             answer.pop_back();
             return Packets{answer};
         },
         "temporary"},
        {"aliases in a circle",
         [](const DnsQuery& q) {
             return Packets{dns_answer(q, 0, {wire_record(q.name, cname, 60, wire_name(q.name))})};
         },
         "temporary"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        serve_impatiently(c.script);
        EXPECT_EQ(addresses("name.example", Family::v4), c.want);
    }
}

TEST_F(DnsResolverTest, JoinsBothFamiliesAndIsSureOnlyWhenBothAre) {
    struct Case {
        const char* name;
        bool has_v4;
        unsigned code_v4;
        bool has_v6;
        unsigned code_v6;
        const char* want;
    };
    const Case cases[] = {
        {"both", true, 0, true, 0, "192.0.2.1 2001:db8::1"},
        {"IPv4 only", true, 0, false, 0, "192.0.2.1"},
        {"IPv6 only", false, 0, true, 0, "2001:db8::1"},
        {"IPv4, other unknown", true, 0, false, server_failure, "192.0.2.1"},
        {"none, other unknown", false, 0, false, server_failure, "temporary"},
        {"no name, other unknown", false, name_error, false, server_failure, "temporary"},
        {"none", false, 0, false, 0, "no data"},
        {"no name", false, name_error, false, name_error, "no such name"},
        {"servers that disagree", false, name_error, false, 0, "no data"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto script = [c](const DnsQuery& q) {
            std::vector<std::string> records;
            const bool is_v4 = q.type == a;
            if (is_v4 && c.has_v4) records = {wire_record(q.name, a, 9, v4("192.0.2.1"))};
            if (!is_v4 && c.has_v6) records = {wire_record(q.name, aaaa, 9, v6("2001:db8::1"))};
            return std::vector{dns_answer(q, is_v4 ? c.code_v4 : c.code_v6, records)};
        };
        serve(script);
        EXPECT_EQ(addresses("name.example"), c.want);
    }
}

TEST_F(DnsResolverTest, MailGoesByPreferenceAndByChanceAmongEquals) {
    serve([](const DnsQuery& q) {
        return std::vector{dns_answer(q, 0,
                                      {wire_record(q.name, mx, 9, wire_mx(20, "c.example")),
                                       wire_record(q.name, mx, 9, wire_mx(10, "A.example")),
                                       wire_record(q.name, mx, 9, wire_mx(10, "b.example")),
                                       wire_record(q.name, mx, 9, wire_mx(5, ""))})};
    });
    std::set<std::string> orders;
    for (int i = 0; i < 40; ++i) {
        const auto route = resolver->mail_route("Name.Example.");
        ASSERT_TRUE(route);
        EXPECT_EQ(route->kind, MailRoute::Kind::by_mx);
        ASSERT_EQ(route->hosts.size(), 3u);
        EXPECT_EQ(route->hosts[2], (MailHost{20, "c.example"}));
        orders.insert(route->hosts[0].name + " " + route->hosts[1].name);
    }
    EXPECT_EQ(orders, (std::set<std::string>{"a.example b.example", "b.example a.example"}));
    EXPECT_EQ(server->queries().size(), 1u);
}

TEST_F(DnsResolverTest, TellsADomainWithoutMailFromOneWithoutMailServers) {
    struct Case {
        const char* name;
        unsigned code;
        std::vector<std::string> hosts;
        const char* want;
    };
    const Case cases[] = {
        {"refuses mail", 0, {""}, "no mail"},
        {"no records", 0, {}, "implicit name.example"},
        {"no name", name_error, {}, "no such name"},
        {"failure", server_failure, {}, "temporary"},
        {"no host name", 0, {"mail host.example"}, "temporary"},
        {"one of two", 0, {"mail host.example", "mail.example"}, "mx mail.example"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        serve([c](const DnsQuery& q) {
            std::vector<std::string> records;
            for (const auto& host : c.hosts) {
                records.push_back(wire_record(q.name, mx, 9, wire_mx(0, host)));
            }
            return std::vector{dns_answer(q, c.code, records)};
        });
        const auto route = resolver->mail_route("name.example");
        constexpr const char* kinds[] = {"mx", "implicit", "no mail"};
        auto text = route ? kinds[static_cast<int>(route->kind)] : text_of(route.error().reason);
        if (route && !route->hosts.empty()) text += " " + route->hosts[0].name;
        EXPECT_EQ(text, c.want);
    }
}

TEST_F(DnsResolverTest, JoinsTheStringsOfATextAndTakesLongOnesOverTcp) {
    const std::string half(200, 'k');
    serve([half](const DnsQuery& q) {
        if (!q.over_tcp) return std::vector{dns_answer(q, dns_truncated, {})};
        const auto size = std::string(1, static_cast<char>(half.size()));
        std::vector<std::string> records = {
            wire_record(q.name, txt, 9, size + half + size + half),
            wire_record(q.name, txt, 9, std::string(1, '\0')),
            wire_record(q.name, txt, 9, "\x09too short"),
        };
        for (int i = 0; i < 100; ++i) {
            records.push_back(wire_record(q.name, txt, 9, size + half));
        }
        return std::vector{dns_answer(q, 0, records)};
    });
    const auto texts = resolver->texts("sel._domainkey.name.example");
    ASSERT_TRUE(texts) << texts.error().message;
    ASSERT_EQ(texts->size(), records_max) << "bounded";
    EXPECT_EQ(texts->at(0), half + half);
    EXPECT_EQ(texts->at(1), "");
    EXPECT_EQ(texts->at(2), "too short");
}

TEST_F(DnsResolverTest, AsksAgainWhenAnAnswerNoLongerHolds) {
    struct Case {
        const char* name;
        unsigned code;
        std::vector<std::string> answers;
        std::vector<std::string> authorities;
        std::chrono::seconds holds;  // 0: not kept.
    };
    const Case cases[] = {
        {"its time", 0, {wire_record("n.example", a, 60, loopback4)}, {}, 60s},
        {"lowest of the chain",
         0,
         {wire_record("n.example", cname, 30, wire_name("m.example")),
          wire_record("m.example", a, 60, loopback4)},
         {},
         30s},
        {"no time", 0, {wire_record("n.example", a, 0, loopback4)}, {}, 0s},
        {"negative time", 0, {wire_record("n.example", a, 0x80000001, loopback4)}, {}, 0s},
        {"a year", 0, {wire_record("n.example", a, 31'536'000, loopback4)}, {}, 24h},
        {"no name", name_error, {}, {wire_record("example", soa, 300, wire_soa(60))}, 60s},
        {"no data", 0, {}, {wire_record("example", soa, 30, wire_soa(60))}, 30s},
        {"no data for a year",
         0,
         {},
         {wire_record("example", soa, 31'536'000, wire_soa(31'536'000))},
         1h},
        {"no name, no authority", name_error, {}, {}, 0s},
        {"failure", server_failure, {}, {}, 5s},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        DnsOptions options;
        options.channel.tries = 1;
        serve(
            [c](const DnsQuery& q) {
                return std::vector{dns_answer(q, c.code, c.answers, c.authorities)};
            },
            options);
        const auto first = addresses("n.example", Family::v4);
        if (c.holds > 0s) {
            clock.advance(c.holds - 1ms);
            EXPECT_EQ(addresses("N.Example.", Family::v4), first);
            EXPECT_EQ(server->queries().size(), 1u);
            clock.advance(1ms);
        }
        EXPECT_EQ(addresses("n.example", Family::v4), first);
        EXPECT_EQ(server->queries().size(), 2u);
    }
}

TEST_F(DnsResolverTest, WhoAsksTheSameAtTheSameTimeSharesOneQuestion) {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    serve(
        [&](const DnsQuery& q) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return open; });
            return std::vector{dns_answer(q, 0, {wire_record(q.name, a, 0, v4("192.0.2.1"))})};
        },
        {.channel = {.timeout = 5s}});
    std::vector<std::thread> threads;
    std::atomic<int> started = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            ++started;
            EXPECT_EQ(addresses("name.example", Family::v4), "192.0.2.1");
        });
    }
    while (started < 8 || server->queries().empty()) std::this_thread::yield();
    {
        const std::lock_guard lock(mutex);
        open = true;
    }
    changed.notify_all();
    for (auto& thread : threads) thread.join();
    // Threads that were slow to ask may have come after the answer, which is not kept.
    EXPECT_LT(server->queries().size(), 8u);
    // What the script uses goes now.
    resolver.reset();
    server.reset();
}

TEST_F(DnsResolverTest, ACallEndsInItsTimeAndStoppingEndsTheRest) {
    serve([](const DnsQuery&) { return std::vector<std::string>{}; },
          {.channel = {.timeout = 60s}, .total_timeout = 50ms});
    EXPECT_EQ(addresses("name.example"), "temporary");
    resolver.reset();
}

TEST_F(DnsResolverTest, SomeNamesAreKnownWithoutAskingAndSomeCannotBeNames) {
    serve([](const DnsQuery& q) { return std::vector{dns_answer(q, name_error, {})}; });
    struct Case {
        const char* name;
        const char* want;
    };
    const Case cases[] = {
        {"localhost", "127.0.0.1 ::1"},
        {"LOCALHOST.", "127.0.0.1 ::1"},
        {"deep.localhost", "127.0.0.1 ::1"},
        {"192.0.2.1", "192.0.2.1"},
        {"2001:db8::1", "2001:db8::1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"", "bad name"},
        {".", "bad name"},
        {"a..example", "bad name"},
        {".example", "bad name"},
        {"a b.example", "bad name"},
        {"a\\.example", "bad name"},
        {"münchen.example", "bad name"},
        {"a/b", "bad name"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(addresses(c.name), c.want);
    }
    EXPECT_EQ(addresses((std::string(64, 'a') + ".example").c_str()), "bad name");
    std::string longest;
    for (int i = 0; i < 127; ++i) longest += "a.";
    EXPECT_EQ(addresses((longest + "example").c_str()), "bad name");
    EXPECT_TRUE(server->queries().empty());
    EXPECT_EQ(resolver->mail_route("localhost")->kind, MailRoute::Kind::implicit);
}

TEST(DnsResolver, RefusesServersThatAreNoAddresses) {
    ManualClock clock(from_unix_ms(0));
    SeededRandom random(1);
    const auto opened =
        DnsResolver::open({.channel = {.servers = {"not a server"}}}, clock, random);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::invalid);
}

}  // namespace
}  // namespace mailroom::net
