#include "outbox/transports/relay.h"

#include "net/fake_resolver.h"
#include "outbox/transports/delivering_for_tests.h"
#include "smtp/scripted_peer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using smtp::PeerConnection;
using smtp::ScriptedPeer;

TEST(RelayUrl, IsReadOrRefusedWithoutNamingThePassword) {
    struct Case {
        std::string_view text, want;  // An empty `want` is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"smtp://mail.example.com",                  "mail.example.com 25 opportunistic"},
        {"smtp://mail.example.com/",                 "mail.example.com 25 opportunistic"},
        {"SMTP://Mail.Example.com:2525",             "mail.example.com 2525 opportunistic"},
        {"smtp://127.0.0.1:1025",                    "127.0.0.1 1025 opportunistic"},
        {"smtp://[::1]:1025",                        "::1 1025 opportunistic"},
        {"smtp://[::1]",                             "::1 25 opportunistic"},
        {"smtp://ann:s3cret@mail.example.com",       "mail.example.com 587 required ann/s3cret"},
        {"smtp://ann:s3cret@mail.example.com:25",    "mail.example.com 25 required ann/s3cret"},
        {"smtp://ann%40x:s%3a%2Fcret@[2001:db8::1]", "2001:db8::1 587 required ann@x/s:/cret"},
        {"smtp://ann:s3@cret@mail.example.com",      "mail.example.com 587 required ann/s3@cret"},
        {"smtp://ann:@mail.example.com",             "mail.example.com 587 required ann/"},
        {"smtps://mail.example.com",                 "mail.example.com 465 implicit"},
        {"smtps://ann:s3cret@mail.example.com:4650", "mail.example.com 4650 implicit ann/s3cret"},
        {"",                                         ""},
        {"mail.example.com",                         ""},
        {"http://mail.example.com",                  ""},
        {"smtp://",                                  ""},
        {"smtp://:25",                               ""},
        {"smtp://mail.example.com:0",                ""},
        {"smtp://mail.example.com:65536",            ""},
        {"smtp://mail.example.com:25x",              ""},
        {"smtp://mail.example.com:",                 ""},
        {"smtp://mail.example.com/path",             ""},
        {"smtp://mail example.com",                  ""},
        {"smtp://[::1",                              ""},
        {"smtp://[mail]:25",                         ""},
        {"smtp://[::1]25",                           ""},
        {"smtp://s3cret@mail.example.com",           ""},
        {"smtp://:s3cret@mail.example.com",          ""},
        {"smtp://ann:s3cret%4@mail.example.com",     ""},
        {"smtp://ann:s3cret%@mail.example.com",      ""},
        {"smtp://ann:s3cret@mail.example.com:99999", ""},
    };
    // clang-format on
    constexpr const char* modes[] = {"none", "opportunistic", "required", "implicit"};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto got = parse_relay_url(c.text);
        ASSERT_EQ(bool(got), !c.want.empty());
        if (!got) {
            EXPECT_EQ(got.error().message.find("s3cret"), std::string::npos);
            continue;
        }
        auto text =
            got->host + " " + std::to_string(got->port) + " " + modes[static_cast<int>(got->tls)];
        if (got->login) text += " " + got->login->user + "/" + got->login->password;
        EXPECT_EQ(text, c.want);
    }
}

class RelayTest : public ::testing::Test {
protected:
    std::unique_ptr<Relay> open(RelayOptions options) {
        options.timeouts = short_timeouts();
        auto relay = Relay::open(resolver, clock, std::move(options));
        EXPECT_TRUE(relay) << relay.error().message;
        return *std::move(relay);
    }
    net::FakeResolver resolver;
    ManualClock clock{from_unix_ms(1'800'000'000'000)};
};

TEST_F(RelayTest, EachRecipientGetsItsOwnAnswer) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client, {.replies = {{"RCPT TO:<c@", "550 no such user\r\n"},
                                   {"RCPT TO:<d@", "451 later\r\n"}}});
    });
    const auto relay = open({.host = "127.0.0.1", .port = peer.port()});
    const auto delivery =
        deliver(*relay, mail_to({"b@example.org", "c@example.org", "d@example.org"}));
    EXPECT_EQ(
        briefs(delivery),
        "accepted message 250, refused_for_good recipient 550, refused_for_now recipient 451");
    EXPECT_EQ(delivery.recipients[1].verdict.text, "no such user");
    EXPECT_EQ(delivery.peer, "127.0.0.1:" + std::to_string(peer.port()));
    EXPECT_NE(delivery.transcript.find("RCPT TO:<c@example.org>"), std::string::npos);
    EXPECT_LE(delivery.transcript.size(), 2048U);
    relay->stop(0ms);
}

TEST_F(RelayTest, ConnectionsAreUsedAgainUpToTheLimit) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {}); });
    const auto relay = open({.host = "127.0.0.1",
                             .port = peer.port(),
                             .limits = {.connections_max = 1, .messages_per_connection_max = 2}});
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org"}))), "accepted message 250");
    }
    EXPECT_EQ(peer.connections(), 3);
    relay->stop(0ms);
}

TEST_F(RelayTest, APeerThatDropsAfterTheFinalDotLeavesTheMailUnknown) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {.replies = {{".", "slam"}}}); });
    const auto relay = open({.host = "127.0.0.1", .port = peer.port()});
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org", "c@example.org"}))),
              "unknown message 0, unknown message 0");
    relay->stop(0ms);
}

TEST_F(RelayTest, TheNameIsLookedUpForEachMailAndMayMove) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {}); });
    resolver.set_addresses(
        "relay.example",
        {net::FakeResolver::Addresses(
             net::DnsFailure{net::NoRecords::temporary, "no server answered"}),
         net::FakeResolver::Addresses(std::vector{*net::IpAddress::parse("127.0.0.1")})});
    const auto relay = open({.host = "relay.example", .port = peer.port()});
    const auto first = deliver(*relay, mail_to({"b@example.org"}));
    EXPECT_EQ(briefs(first), "refused_for_now connect 0");
    EXPECT_EQ(first.recipients[0].verdict.text,
              "the relay relay.example cannot be found: no server answered");
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org"}))), "accepted message 250");
    resolver.set_addresses("relay.example", std::initializer_list<const char*>{"127.0.0.1"});
    EXPECT_EQ(resolver.asked().size(), 2U);
    relay->stop(0ms);
}

TEST_F(RelayTest, LocalhostIsThisMachineWithoutAskingAnybody) {
    ScriptedPeer peer([](PeerConnection& client) { serve(client, {}); });
    const auto relay = open({.host = "localhost", .port = peer.port()});
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org"}))), "accepted message 250");
    EXPECT_TRUE(resolver.asked().empty());
    relay->stop(0ms);
}

TEST_F(RelayTest, AServerThatCannotBeReachedRefusesForNow) {
    std::uint16_t port = 0;
    {
        port = ScriptedPeer([](PeerConnection&) {}).port();
    }
    const auto relay = open({.host = "127.0.0.1", .port = port});
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org"}))), "refused_for_now connect 0");
    relay->stop(0ms);
}

TEST_F(RelayTest, APasswordIsNotSentInClear) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client, {.hello = "250-peer.example\r\n250 AUTH PLAIN LOGIN\r\n"});
    });
    auto options = parse_relay_url("smtp://ann:s3cret@127.0.0.1:" + std::to_string(peer.port()));
    ASSERT_TRUE(options);
    const auto relay = open(*options);
    const auto delivery = deliver(*relay, mail_to({"b@example.org"}));
    EXPECT_NE(delivery.recipients[0].verdict.outcome, smtp::Outcome::accepted);
    relay->stop(0ms);
    peer.finish();
    for (const auto& line : peer.heard()) EXPECT_FALSE(line.starts_with("AUTH")) << line;
}

TEST_F(RelayTest, ARefusedPasswordIsNotTriedAgainAtOnce) {
    std::atomic<bool> right = false;
    ScriptedPeer peer([&](PeerConnection& client) {
        serve(client, {.hello = "250-peer.example\r\n250 AUTH PLAIN\r\n",
                       .replies = {{"AUTH", right ? "235 welcome\r\n" : "535 wrong\r\n"}}});
    });
    const auto relay = open({.host = "127.0.0.1",
                             .port = peer.port(),
                             .login = smtp::Login{"ann", "s3cret"},
                             .clear_text_login = smtp::ClearTextLogin::on_loopback});
    struct Step {
        std::chrono::seconds later;
        bool right;
        std::string_view want;
        int connections;  // So far.
    };
    constexpr std::string_view wrong = "refused_for_now login 535", good = "accepted message 250";
    const Step steps[] = {
        {0s, false, wrong, 1}, {0s, false, wrong, 1},  {59s, true, wrong, 1},
        {1s, false, wrong, 2}, {60s, false, wrong, 2}, {60s, false, wrong, 3},
        {4min, true, good, 4}, {0s, true, good, 4},
    };
    int number = 0;
    for (const auto& step : steps) {
        SCOPED_TRACE(number++);
        clock.advance(step.later);
        right = step.right;
        const auto delivery = deliver(*relay, mail_to({"b@example.org"}));
        EXPECT_EQ(briefs(delivery), step.want);
        EXPECT_EQ(peer.connections(), step.connections);
    }
    relay->stop(0ms);
}

TEST_F(RelayTest, AClockThatIsSetBackDoesNotLeaveTheRelayAloneForLonger) {
    std::atomic<bool> right = false;
    ScriptedPeer peer([&](PeerConnection& client) {
        serve(client, {.hello = "250-peer.example\r\n250 AUTH PLAIN\r\n",
                       .replies = {{"AUTH", right ? "235 welcome\r\n" : "535 wrong\r\n"}}});
    });
    const auto relay = open({.host = "127.0.0.1",
                             .port = peer.port(),
                             .login = smtp::Login{"ann", "s3cret"},
                             .clear_text_login = smtp::ClearTextLogin::on_loopback});
    const auto sent = [&] { return briefs(deliver(*relay, mail_to({"b@example.org"}))); };
    EXPECT_EQ(sent(), "refused_for_now login 535");
    right = true;
    clock.set(clock.now() - 24h);
    EXPECT_EQ(sent(), "accepted message 250");
    relay->stop(0ms);
}

TEST_F(RelayTest, WhatCannotBeSentIsRefusedForGoodAndNothingAfterItStopped) {
    const auto relay = open({.host = "127.0.0.1", .port = 1});
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org", "c d@example.org"}))),
              "refused_for_good check 0, refused_for_good check 0");
    relay->stop(0ms);
    EXPECT_EQ(briefs(deliver(*relay, mail_to({"b@example.org"}))), "refused_for_now check 0");
}

TEST_F(RelayTest, OptionsThatCannotBeUsedAreRefusedAtTheStart) {
    EXPECT_FALSE(Relay::open(resolver, clock, {.host = ""}));
    EXPECT_FALSE(Relay::open(resolver, clock, {.host = "a", .hello_name = "two words"}));
    EXPECT_FALSE(Relay::open(resolver, clock, {.host = "a", .limits = {.connections_max = 0}}));
}

TEST_F(RelayTest, StoppingLetsAnOpenSessionFinish) {
    std::promise<void> in_data, go_on;
    ScriptedPeer peer([&](PeerConnection& client) {
        client.say("220 hi\r\n");
        client.hear();
        client.say("250 hi\r\n");
        for (int i = 0; i < 3; ++i) {  // MAIL, RCPT, DATA
            client.hear();
            client.say(i == 2 ? "354 go on\r\n" : "250 ok\r\n");
        }
        client.hear_message();
        in_data.set_value();
        go_on.get_future().wait();
        client.say("250 taken\r\n");
        client.hear();
    });
    const auto relay = open({.host = "127.0.0.1", .port = peer.port()});
    std::promise<smtp::Delivery> settled;
    relay->send(mail_to({"b@example.org"}),
                [&](smtp::Delivery delivery) { settled.set_value(std::move(delivery)); });
    in_data.get_future().wait();
    std::thread stopper([&] { relay->stop(10s); });
    go_on.set_value();
    stopper.join();
    EXPECT_EQ(briefs(settled.get_future().get()), "accepted message 250");
}

}  // namespace
}  // namespace mailroom::outbox
