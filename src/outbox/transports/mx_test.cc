#include "outbox/transports/mx.h"

#include "net/fake_resolver.h"
#include "outbox/transports/delivering_for_tests.h"
#include "outbox/transports/mx_parcel.h"
#include "outbox/transports/mx_route.h"
#include "smtp/scripted_peer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using net::DnsFailure;
using net::FakeResolver;
using net::MailHost;
using net::MailRoute;
using net::NoRecords;
using smtp::PeerConnection;
using smtp::ScriptedPeer;

MailRoute by_mx(std::vector<MailHost> hosts) { return {MailRoute::Kind::by_mx, std::move(hosts)}; }

class MxTest : public ::testing::Test {
protected:
    std::unique_ptr<Mx> open(std::uint16_t port) {
        auto mx =
            Mx::open(resolver, guard, clock,
                     {.hello_name = "us.example", .port = port, .timeouts = short_timeouts()});
        EXPECT_TRUE(mx) << mx.error().message;
        return *std::move(mx);
    }
    // All hosts that a domain's MX records name.
    void set_route(const std::string& domain, std::vector<MailHost> hosts) {
        resolver.set_mail_route(domain, {FakeResolver::Route(by_mx(std::move(hosts)))});
    }
    void set_failure(const std::string& domain, NoRecords reason) {
        resolver.set_mail_route(domain,
                                {FakeResolver::Route(DnsFailure{reason, "so says the test"})});
    }
    void set_address(const std::string& host, const char* address) {
        resolver.set_addresses(host, {address});
    }

    SystemClock clock;
    FakeResolver resolver;
    // The tests' servers are on 127.0.0.1 and 127.0.0.2; the rest of loopback stays forbidden.
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.0/30")}}};
};

TEST_F(MxTest, DomainsGetTheirSharesAndTheAnswersKeepTheOrderOfTheMail) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client, {.replies = {{"RCPT TO:<d@two.", "550 no such user\r\n"}}});
    });
    set_route("one.example", {{10, "mx.one.example"}});
    set_route("two.example", {{10, "mx.two.example"}});
    set_address("mx.one.example", "127.0.0.1");
    set_address("mx.two.example", "127.0.0.1");
    set_failure("gone.example", NoRecords::no_such_name);
    const auto mx = open(peer.port());
    const auto delivery = deliver(*mx, mail_to({"a@one.example", "b@two.example", "c@gone.example",
                                                "d@two.example", "e@ONE.example", "nobody"}));
    EXPECT_EQ(briefs(delivery),
              "accepted message 250, accepted message 250, refused_for_good connect 0, "
              "refused_for_good recipient 550, accepted message 250, refused_for_good check 0");
    EXPECT_EQ(delivery.recipients[4].recipient, "e@ONE.example");
    mx->stop(0ms);
    peer.finish();
    EXPECT_EQ(std::ranges::count(peer.heard(), "DATA"), 2) << "one message for each domain";
}

TEST_F(MxTest, EachDomainAsksForItsOwnRecipientsBeforeItsEndLeaves) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client, {.replies = {{"RCPT TO:<d@two.", "550 no such user\r\n"}}});
    });
    for (const std::string domain : {"one.example", "two.example", "three.example"}) {
        set_route(domain, {{10, "mx." + domain}});
        set_address("mx." + domain, "127.0.0.1");
    }
    const auto mx = open(peer.port());
    auto mail = mail_to(
        {"a@one.example", "b@two.example", "c@three.example", "d@two.example", "e@one.example"});
    std::mutex mutex;
    std::set<std::vector<std::size_t>> asked;
    mail.before_end = [&](const std::vector<std::size_t>& recipients,
                          const std::function<void(smtp::Leave)>& answer) {
        const std::lock_guard lock(mutex);
        asked.insert(recipients);
        // The second domain's end must not leave.
        answer(recipients.front() == 1 ? smtp::Leave() : [] { return true; });
    };
    EXPECT_EQ(briefs(deliver(*mx, mail)),
              "accepted message 250, refused_for_now check 0, accepted message 250, "
              "refused_for_good recipient 550, accepted message 250");
    EXPECT_EQ(asked, (std::set<std::vector<std::size_t>>{{0, 4}, {1}, {2}}));
    mx->stop(0ms);
}

TEST_F(MxTest, RoutesThatLeadNowhereAreToldApart) {
    struct Case {
        std::string_view name;
        std::string domain;
        std::vector<FakeResolver::Route> route;
        std::vector<const char*> addresses;  // Of mx.b.example.
        std::string_view want, text;
    };
    using R = FakeResolver::Route;
    const R one = by_mx({{10, "mx.b.example"}});
    // clang-format off
    const Case cases[] = {
        {"no such domain",  "b.example", {R(DnsFailure{NoRecords::no_such_name, "x"})}, {}, "refused_for_good", "there is no domain b.example"},
        {"not known",       "b.example", {R(DnsFailure{NoRecords::temporary, "timeout"})}, {}, "refused_for_now", "the mail servers of b.example cannot be looked up now: timeout"},
        {"no data",         "b.example", {R(DnsFailure{NoRecords::no_data, "x"})}, {}, "refused_for_good", "the domain b.example has no mail server"},
        {"bad name",        "b.example", {R(DnsFailure{NoRecords::bad_name, "x"})}, {}, "refused_for_good", "b.example cannot be the name of a domain"},
        {"takes no mail",   "b.example", {R(MailRoute{MailRoute::Kind::no_mail, {}})}, {}, "refused_for_good", "the domain b.example takes no mail"},
        {"no address",      "b.example", {one}, {}, "refused_for_good", "the mail servers of b.example have no address"},
        {"loopback",        "b.example", {one}, {"127.0.0.9"}, "refused_for_good", "the mail servers of b.example are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"private",         "b.example", {one}, {"10.1.2.3", "192.168.0.1"}, "refused_for_good", "the mail servers of b.example are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"metadata",        "b.example", {one}, {"169.254.169.254"}, "refused_for_good", "the mail servers of b.example are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"loopback, IPv6",  "b.example", {one}, {"::1"}, "refused_for_good", "the mail servers of b.example are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"a literal",       "[10.0.0.1]", {}, {}, "refused_for_good", "the mail servers of [10.0.0.1] are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"an IPv6 literal", "[IPv6:::1]", {}, {}, "refused_for_good", "the mail servers of [ipv6:::1] are at addresses that are not on the public Internet, and mail is not delivered there"},
        {"no literal",      "[nonsense]", {}, {}, "refused_for_good", ""},
        {"ourselves",       "b.example", {R(by_mx({{10, "US.example"}, {20, "mx.b.example"}}))}, {"127.0.0.1"}, "refused_for_good", "mail for b.example would come back to this server"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto mx = open(9);  // One that knows nothing of the cases before.
        if (!c.route.empty()) resolver.set_mail_route(c.domain, c.route);
        std::vector<net::IpAddress> addresses;
        for (const char* text : c.addresses) addresses.push_back(*net::IpAddress::parse(text));
        resolver.set_addresses(
            "mx.b.example",
            std::vector<FakeResolver::Addresses>{
                addresses.empty() ? FakeResolver::Addresses(DnsFailure{NoRecords::no_data, "none"})
                                  : FakeResolver::Addresses(addresses)});
        const auto delivery = deliver(*mx, mail_to({"a@" + c.domain}));
        const auto& verdict = delivery.recipients.at(0).verdict;
        EXPECT_EQ(name_of(verdict.outcome), c.want);
        if (!c.text.empty()) {
            EXPECT_EQ(verdict.text, c.text);
        }
    }
}

TEST_F(MxTest, AServerAtAForbiddenAddressIsPassedOverForOneThatIsNot) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {}); });
    set_route("b.example",
              {{10, "inside.b.example"}, {20, "lost.b.example"}, {30, "mx.b.example"}});
    set_address("inside.b.example", "10.0.0.1");
    set_address("mx.b.example", "127.0.0.1");
    const auto mx = open(peer.port());
    EXPECT_EQ(briefs(deliver(*mx, mail_to({"a@b.example"}))), "accepted message 250");
    EXPECT_EQ(resolver.asked(), (std::vector<std::string>{"b.example", "inside.b.example",
                                                          "lost.b.example", "mx.b.example"}));
}

TEST_F(MxTest, AnAddressThatIsNotKnownNowMakesItTemporary) {
    set_route("b.example", {{10, "inside.b.example"}, {20, "mx.b.example"}});
    set_address("inside.b.example", "10.0.0.1");
    resolver.set_addresses(
        "mx.b.example",
        std::vector{FakeResolver::Addresses(DnsFailure{NoRecords::temporary, "timeout"})});
    const auto mx = open(9);
    EXPECT_EQ(briefs(deliver(*mx, mail_to({"a@b.example"}))), "refused_for_now connect 0");
}

TEST_F(MxTest, TheNextServerIsTriedWhereTheFirstHasNotHeardOfTheRecipients) {
    struct Case {
        std::string_view name;
        smtp::Manners first;  // How the first connection goes; all others go well.
        std::string_view want;
        int connections;
    };
    using Replies = std::map<std::string, std::string>;
    // clang-format off
    const Case cases[] = {
        {"busy greeting",     {.greeting = "421 too busy\r\n"},                       "accepted message 250", 2},
        {"no greeting",       {.greeting = "hang up"},                                "accepted message 250", 2},
        {"greeting for good", {.greeting = "554 go away\r\n"},                        "accepted message 250", 2},
        {"sender for now",    {.replies = Replies{{"MAIL", "451 later\r\n"}}},         "accepted message 250", 2},
        {"sender for good",   {.replies = Replies{{"MAIL", "550 not you\r\n"}}},       "refused_for_good sender 550", 1},
        {"recipient for now", {.replies = Replies{{"RCPT", "450 greylisted\r\n"}}},    "refused_for_now recipient 450", 1},
        {"dropped at the end", {.replies = Replies{{".", "slam"}}},                    "unknown message 0", 1},
        {"refused at the end", {.replies = Replies{{".", "451 try again\r\n"}}},       "refused_for_now message 451", 1},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ScriptedPeer peer([&](PeerConnection& client) {
            serve(client, client.number() == 0 ? c.first : smtp::Manners{});
        });
        set_route("b.example", {{10, "mx1.b.example"}, {20, "mx2.b.example"}});
        set_address("mx1.b.example", "127.0.0.1");
        set_address("mx2.b.example", "127.0.0.1");
        const auto mx = open(peer.port());
        EXPECT_EQ(briefs(deliver(*mx, mail_to({"a@b.example"}))), c.want);
        EXPECT_EQ(peer.connections(), c.connections);
        mx->stop(0ms);
    }
}

TEST_F(MxTest, ServersAreTriedByPreferenceAndTheLastAnswerIsTold) {
    // Nothing listens on 127.0.0.2.
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {.greeting = "421 busy\r\n"}); });
    set_route("b.example", {{10, "mx1.b.example"}, {20, "mx2.b.example"}});
    set_address("mx1.b.example", "127.0.0.2");
    set_address("mx2.b.example", "127.0.0.1");
    const auto mx = open(peer.port());
    const auto delivery = deliver(*mx, mail_to({"a@b.example"}));
    EXPECT_EQ(briefs(delivery), "refused_for_now greeting 421");
    const auto port = std::to_string(peer.port());
    EXPECT_EQ(delivery.peer, "mx2.b.example (127.0.0.1:" + port + ")");
    EXPECT_TRUE(delivery.transcript.starts_with("* mx1.b.example\n* 127.0.0.2:" + port))
        << delivery.transcript;
    EXPECT_NE(delivery.transcript.find("* mx2.b.example\n* connected to"), std::string::npos)
        << delivery.transcript;
    EXPECT_EQ(resolver.asked(),
              (std::vector<std::string>{"b.example", "mx1.b.example", "mx2.b.example"}));
    mx->stop(0ms);
}

TEST_F(MxTest, ServersThatTurnEverybodyAwaySayNothingForGoodAboutTheMail) {
    struct Case {
        std::string first, second;  // Greetings.
        std::string_view want;
    };
    const Case cases[] = {
        {"421 busy\r\n", "554 go away\r\n", "refused_for_now greeting 554"},
        {"554 go away\r\n", "421 busy\r\n", "refused_for_now greeting 421"},
        {"554 go away\r\n", "521 no mail\r\n", "refused_for_now greeting 521"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.first + c.second);
        ScriptedPeer peer([&](PeerConnection& client) {
            serve(client, {.greeting = client.number() == 0 ? c.first : c.second});
        });
        set_route("b.example", {{10, "mx1.b.example"}, {20, "mx2.b.example"}});
        set_address("mx1.b.example", "127.0.0.1");
        set_address("mx2.b.example", "127.0.0.1");
        const auto mx = open(peer.port());
        const auto delivery = deliver(*mx, mail_to({"a@b.example"}));
        EXPECT_EQ(briefs(delivery), c.want);
        for (const auto* name : {"* mx1.b.example\n", "* mx2.b.example\n"}) {
            EXPECT_NE(delivery.transcript.find(name), std::string::npos) << delivery.transcript;
        }
        mx->stop(0ms);
    }
}

TEST_F(MxTest, NoMoreThanFiveServersOfADomainAreTried) {
    std::vector<MailHost> hosts;
    for (std::uint16_t i = 0; i < 50; ++i) {
        hosts.push_back({i, "mx" + std::to_string(i) + ".b.example"});
        set_address(hosts.back().name, "127.0.0.1");
    }
    set_route("b.example", hosts);
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {.greeting = "421 busy\r\n"}); });
    const auto mx = open(peer.port());
    EXPECT_EQ(briefs(deliver(*mx, mail_to({"a@b.example"}))), "refused_for_now greeting 421");
    EXPECT_EQ(peer.connections(), 5);
    mx->stop(0ms);
}

TEST_F(MxTest, EveryMailIsAnsweredWhenItStops) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {}); });
    for (int d = 0; d < 5; ++d) {
        const auto domain = std::to_string(d) + ".example";
        set_route(domain, {{10, "mx." + domain}});
        set_address("mx." + domain, "127.0.0.1");
    }
    const auto mx = open(peer.port());
    std::atomic<int> answers = 0;
    std::atomic<bool> began = false;
    std::thread sender([&] {
        for (int i = 0; i < 200; ++i) {
            mx->send(mail_to({"a@" + std::to_string(i % 5) + ".example",
                              "b@" + std::to_string(i % 3) + ".example"}),
                     [&](const smtp::Delivery& delivery) {
                         EXPECT_EQ(delivery.recipients.size(), 2U);
                         ++answers;
                     });
            began = true;
        }
    });
    while (!began) std::this_thread::yield();
    mx->stop(100ms);
    sender.join();
    EXPECT_EQ(answers, 200);
}

TEST(MxParcel, RecipientsAreSharedOutByDomainHoweverItIsWritten) {
    const auto shares =
        shares_of({"a@b.example", "c@BÜCHER.example", "d@B.Example.", "e@xn--bcher-kva.example",
                   "\"x@y\"@b.example", "f@[192.0.2.1]"});
    ASSERT_EQ(shares.size(), 3U);
    EXPECT_EQ(shares[0].domain, "b.example");
    EXPECT_EQ(shares[0].indexes, (std::vector<std::size_t>{0, 2, 4}));
    EXPECT_EQ(shares[1].domain, "xn--bcher-kva.example");
    EXPECT_EQ(shares[1].indexes, (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(shares[2].domain, "[192.0.2.1]");
}

}  // namespace
}  // namespace mailroom::outbox
