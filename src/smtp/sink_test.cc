#include "smtp/sink.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/scratch_directory.h"
#include "smtp/server.h"
#include "smtp/server_client_for_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace mailroom::smtp {
namespace {

using namespace std::chrono_literals;
using Kind = SinkRule::Kind;

SinkRule rule(Kind kind, std::string_view text) {
    auto parsed = parse_sink_rule(kind, text);
    EXPECT_TRUE(parsed) << parsed.error().message;
    return *parsed;
}

TEST(SinkOptions, RulesAreReadAsTheyAreWritten) {
    const auto refusal = rule(Kind::refuse, "rcpt@Slow.example=450:5%");
    EXPECT_EQ(refusal.step, Step::rcpt);
    EXPECT_EQ(refusal.domain, "slow.example");
    EXPECT_EQ(refusal.code, 450);
    EXPECT_DOUBLE_EQ(refusal.rate, 0.05);
    EXPECT_DOUBLE_EQ(rule(Kind::refuse, "end=554").rate, 1);
    EXPECT_DOUBLE_EQ(rule(Kind::drop, "end=0.5%").rate, 0.005);
    EXPECT_EQ(rule(Kind::stall, "connect").step, Step::connect);
    EXPECT_EQ(rule(Kind::rubbish, "mail@*.example=100%").domain, "*.example");
    const auto delay = rule(Kind::delay, "data=100ms-2s:10%");
    EXPECT_EQ(delay.delay_min, 100ms);
    EXPECT_EQ(delay.delay_max, 2s);
    EXPECT_DOUBLE_EQ(delay.rate, 0.1);
    EXPECT_EQ(rule(Kind::delay, "helo=3s").delay_max, 3s);
}

TEST(SinkOptions, WrongRulesAreNamed) {
    struct Case {
        Kind kind;
        std::string_view text, says;
    };
    const Case cases[] = {
        {Kind::refuse, "rctp=450", "there is no step \"rctp\": it is connect, helo, auth"},
        {Kind::refuse, "rcpt", "a refusal needs a code, as in rcpt=450:5%"},
        {Kind::refuse, "rcpt=250", "the code \"250\" is not between 400 and 599"},
        {Kind::refuse, "rcpt=45x:5%", "the code \"45x\" is not"},
        {Kind::refuse, "rcpt=450:5", "the rate \"5\" is not like 5% or 0.5%"},
        {Kind::refuse, "rcpt=450:101%", "the rate \"101%\""},
        {Kind::refuse, "rcpt=450:-1%", "the rate \"-1%\""},
        {Kind::refuse, "rcpt=450:nan%", "the rate \"nan%\""},
        {Kind::refuse, "connect@a.example=450", "the step connect knows no domain"},
        {Kind::refuse, "rcpt@a..b=450", "\"a..b\" is not a domain"},
        {Kind::drop, "end=", "the rate \"\""},
        {Kind::delay, "rcpt", "a delay needs a time, as in rcpt=200ms"},
        {Kind::delay, "rcpt=5", "the time \"5\" is not like 250ms or 2s"},
        {Kind::delay, "rcpt=ms", "the time \"ms\""},
        {Kind::delay, "rcpt=2s-1s", "the times \"2s-1s\" are in the wrong order"},
        {Kind::delay, "rcpt=4000s", "over an hour"},
        {Kind::drop, "", "there is no step \"\""},
    };
    for (const auto& c : cases) {
        const auto parsed = parse_sink_rule(c.kind, c.text);
        ASSERT_FALSE(parsed) << c.text;
        EXPECT_NE(parsed.error().message.find(c.says), std::string::npos) << parsed.error().message;
    }
}

TEST(SinkCounts, FindsMessageIds) {
    struct Case {
        std::string_view data, want;
    };
    const Case cases[] = {
        {"Message-ID: <a@b>\r\n\r\n", "<a@b>"},
        {"Subject: x\r\nMESSAGE-id:<a@b>  \r\n\r\n", "<a@b>"},
        {"Message-ID:\r\n <a@b>\r\nTo: x\r\n\r\n", "<a@b>"},
        {"Subject: x\r\n\r\nMessage-ID: <a@b>\r\n", ""},
        {"", ""},
        {"Message-ID: <a@b>", "<a@b>"},
    };
    for (const auto& c : cases) EXPECT_EQ(message_id_of(c.data), c.want) << c.data;
}

// A Sink behind a real server, and a client that sends mails to it.
class SinkServer {
public:
    explicit SinkServer(SinkOptions options) : sink_(options) {
        Server::Options server_options{.settings = sink_settings(options)};
        server_ = *Server::listen(std::move(server_options), sink_, clock_, random_);
    }
    // The last reply got; empty if the connection ended.
    std::string send(const std::string& recipient, const std::string& id = "<1@x>") {
        RawClient client(server_->port());
        std::string reply = client.reply();
        const std::string commands[] = {"HELO x", "MAIL FROM:<a@sender.example>",
                                        "RCPT TO:<" + recipient + ">", "DATA",
                                        "Message-ID: " + id + "\r\n\r\nx\r\n."};
        for (const auto& command : commands) {
            if (reply.empty() || reply[0] == '4' || reply[0] == '5') return reply;
            reply = client.ask(command);
        }
        return reply;
    }
    Sink& sink() { return sink_; }
    std::uint16_t port() const { return server_->port(); }

private:
    const SystemClock clock_;
    SystemRandom random_;
    Sink sink_;
    std::unique_ptr<Server> server_;
};

TEST(Sink, RefusesAtEachStep) {
    for (const auto* step : {"connect", "helo", "mail", "rcpt", "data", "end"}) {
        SinkServer server({.rules = {rule(Kind::refuse, std::string(step) + "=451")}});
        EXPECT_TRUE(server.send("c@d.example").starts_with("451 4.7.1")) << step;
        EXPECT_EQ(server.sink().counts().mails, 0u);
        const auto name = "\"" + std::string(step) + "\":{\"accepted\":0,\"refused\":{\"451\":1}";
        EXPECT_NE(server.sink().counts().json().find(name), std::string::npos);
    }
}

TEST(Sink, HangsUpAtEachStepAndKeepsWhatCameWhole) {
    for (const auto* step : {"connect", "helo", "mail", "rcpt", "data", "end"}) {
        SinkServer server({.rules = {rule(Kind::drop, step)}});
        EXPECT_EQ(server.send("c@d.example"), "") << step;
        const auto counts = server.sink().counts();
        EXPECT_EQ(counts.mails, 0u);
        EXPECT_EQ(counts.unknown, step == std::string("end") ? 1u : 0u);
    }
}

TEST(Sink, AnswersRubbishAndLate) {
    SinkServer rubbish({.rules = {rule(Kind::rubbish, "mail")}});
    EXPECT_EQ(rubbish.send("c@d.example").find("250"), std::string::npos);
    EXPECT_EQ(rubbish.sink().counts().at(Step::mail).rubbish, 1u);

    SinkServer late(
        {.rules = {rule(Kind::delay, "rcpt=30ms-60ms"), rule(Kind::refuse, "rcpt=450")}});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(late.send("c@d.example").starts_with("450"));
    EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
    EXPECT_EQ(late.sink().counts().at(Step::rcpt).delayed, 1u);
}

TEST(Sink, StallsUntilTheClientLeaves) {
    SinkServer server({.rules = {rule(Kind::stall, "helo")}});
    {
        RawClient client(server.port());
        client.reply();
        client.send("HELO x\r\nNOOP\r\n");
        timespec pause = {0, 50'000'000};
        ::nanosleep(&pause, nullptr);
        char byte = 0;
        EXPECT_EQ(::recv(client.socket(), &byte, 1, MSG_DONTWAIT), -1);
        EXPECT_EQ(server.sink().counts().open, 1u);
    }
    while (server.sink().counts().open > 0) std::this_thread::yield();
    EXPECT_EQ(server.sink().counts().at(Step::hello).stalled, 1u);
}

TEST(Sink, RulesOfADomainLeaveOthersAlone) {
    SinkServer server({.rules = {rule(Kind::refuse, "rcpt@bad.example=550"),
                                 rule(Kind::refuse, "end@*.slow.example=452")}});
    EXPECT_TRUE(server.send("c@Bad.example").starts_with("550 5.1.1"));
    EXPECT_TRUE(server.send("c@mx.slow.example").starts_with("452"));
    EXPECT_TRUE(server.send("c@slow.example").starts_with("250"));
    EXPECT_TRUE(server.send("c@good.example").starts_with("250"));
}

TEST(Sink, ObeysAddressesWhereTold) {
    SinkServer obedient({.obey_addresses = true});
    EXPECT_TRUE(obedient.send("bounce-550@d.example").starts_with("550"));
    EXPECT_TRUE(obedient.send("Bounce-452+ann@d.example").starts_with("452 4.2.2"));
    EXPECT_EQ(obedient.send("drop@d.example"), "");
    EXPECT_TRUE(obedient.send("delay-10@d.example").starts_with("250"));
    for (const auto* plain : {"bounce-99", "bounce-550x", "bounce", "dropped", "delay-x"}) {
        EXPECT_FALSE(decision_in_address(plain)) << plain;
    }
    SinkServer deaf({});
    EXPECT_TRUE(deaf.send("bounce-550@d.example").starts_with("250"));
}

TEST(Sink, SeesWhatWasSentTwice) {
    SinkServer server({.rules = {rule(Kind::drop, "end@lost.example")}});
    server.send("c@d.example", "<1@x>");
    server.send("e@d.example", "<1@x>");
    server.send("C@D.example", "<1@x>");
    server.send("f@lost.example", "<2@x>");
    server.send("f@lost.example", "<2@x>");
    server.send("f@d.example", "");
    const auto counts = server.sink().counts();
    EXPECT_EQ(counts.mails, 4u);
    EXPECT_EQ(counts.unknown, 2u);
    EXPECT_EQ(counts.message_ids, 2u);
    EXPECT_EQ(counts.duplicates, 2u);
    EXPECT_EQ(counts.without_message_id, 1u);
    EXPECT_EQ(counts.recipients, 6u);
}

TEST(Sink, OneSeedGivesOneFateWhateverTheOrder) {
    const auto fates = [](std::uint64_t seed, bool backwards) {
        SinkServer server({.rules = {rule(Kind::refuse, "rcpt=450:40%")}, .seed = seed});
        std::string text(40, ' ');
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto who = backwards ? text.size() - 1 - i : i;
            text[who] = server.send("p" + std::to_string(who) + "@d.example")[0];
        }
        return text;
    };
    const auto first = fates(1, false);
    EXPECT_EQ(fates(1, true), first);
    EXPECT_NE(fates(2, false), first);
    const auto refused = std::ranges::count(first, '4');
    EXPECT_GT(refused, 4);
    EXPECT_LT(refused, 30);
}

TEST(Sink, WritesEachMailToAFile) {
    const ScratchDirectory directory;
    SinkServer server({.store = directory.path()});
    server.send("c@d.example");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
        ++files;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_TRUE(text.str().starts_with(
            "Return-Path: <a@sender.example>\r\nDelivered-To: c@d.example\r\nReceived: from x "));
        EXPECT_TRUE(text.str().ends_with("Message-ID: <1@x>\r\n\r\nx\r\n"));
    }
    EXPECT_EQ(files, 1u);
}

TEST(Sink, AsksForCredentialsWhereTold) {
    SinkServer server({.credentials = Credentials{"ann", "secret"}});
    EXPECT_TRUE(server.send("c@d.example").starts_with("530"));
    RawClient client(server.port());
    client.reply();
    client.ask("EHLO x");
    EXPECT_TRUE(client.ask("AUTH PLAIN AGFubgB4").starts_with("535"));
    EXPECT_TRUE(client.ask("AUTH PLAIN AGFubgBzZWNyZXQ=").starts_with("235"));
    EXPECT_TRUE(client.ask("MAIL FROM:<>").starts_with("250"));
}

}  // namespace
}  // namespace mailroom::smtp
