// The acceptance scenarios of the outbox's specification that are about sending and callbacks, by
// their numbers there.
#include "base/time_format.h"
#include "outbox/callbacks/calling_for_tests.h"
#include "outbox/transports/delivering_for_tests.h"
#include "outbox/transports/relay.h"
#include "smtp/scripted_peer.h"

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using smtp::PeerConnection;
using smtp::ScriptedPeer;

class SendingScenario : public CallingTest {
protected:
    using T = FakeTransport;

    static std::string status(int code) {
        return Server::answer(code, "", "Connection: close\r\n");
    }
    // From now on mail goes to this server.
    void use_relay(const ScriptedPeer& peer, Node::Options options = {}) {
        auto opened =
            Relay::open(resolver, clock,
                        {.host = "127.0.0.1", .port = peer.port(), .timeouts = short_timeouts()});
        ASSERT_TRUE(opened);
        relay = *std::move(opened);
        used = relay.get();
        caller.reset();
        restart(options);
        start_calling({});
    }
    // Until the server has answered for all.
    void send_due() {
        node->run_due();
        while (node->crew->in_hand() > 0) {
            std::this_thread::yield();
            node->run_due();
        }
    }
    void TearDown() override {
        if (relay) relay->stop(0ms);
        CallingTest::TearDown();
    }

    std::unique_ptr<Relay> relay;
};

TEST_F(SendingScenario, Scenario7HappyPath) {
    std::mutex mutex;
    std::vector<std::string> messages;
    ScriptedPeer peer([&](PeerConnection& client) {
        auto taken = serve(client, {});
        const std::lock_guard lock(mutex);
        messages.insert(messages.end(), taken.begin(), taken.end());
    });
    Server server({status(200)});
    use_relay(peer);
    const auto id = add_mail({.callback = true, .payload = payload_for(server.url() + "/cb")});
    clock.advance(5s);
    send_due();
    const auto sent_at = clock.now();
    clock.advance(5s);
    caller->run_due();
    EXPECT_EQ(states(id),
              "ACCEPTED INTAKING READY PROCESSING SENT CALLING-SENT-CALLBACK SENT-ACKNOWLEDGED");
    EXPECT_EQ(mail(id).state, State::sent_acknowledged);
    EXPECT_TRUE(mail(id).eml_path.ends_with("/2025/November/" + id + ".EML"));
    ASSERT_EQ(server.requests().size(), 1U);
    const auto body = body_of(server.requests()[0]);
    for (const std::string& part :
         {std::string(R"("code":"TRAVELING")"), R"("message_ids":[")" + id + R"("])",
          R"("reached_at":")" + format_rfc3339_seconds(sent_at) + R"(")"}) {
        EXPECT_NE(body.find(part), std::string::npos) << part << " in " << body;
    }
    relay->stop(0ms);
    peer.finish();
    EXPECT_EQ(messages, std::vector<std::string>{*Wish{}.message});
    const auto heard = peer.heard();
    EXPECT_EQ(std::ranges::count_if(heard, [](auto& l) { return l.starts_with("RCPT"); }), 1);
    EXPECT_EQ(std::ranges::count(heard, "RCPT TO:<b@example.org>"), 1);
    EXPECT_EQ(std::ranges::count_if(
                  heard, [](auto& l) { return l.starts_with("MAIL FROM:<a@example.com>"); }),
              1);
}

TEST_F(SendingScenario, Scenario12SmtpRejection) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client, {.replies = {{"RCPT", "550 no such user\r\n"}}});
    });
    Server server({status(200)});
    use_relay(peer);
    const auto id = add_mail({.callback = true, .payload = payload_for(server.url())});
    send_due();
    EXPECT_EQ(mail(id).state, State::failed);
    EXPECT_EQ(mail(id).reason, "SMTP error 550: no such user");
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::failed_acknowledged);
    EXPECT_EQ(mail(id).reason, "SMTP error 550: no such user");
    ASSERT_EQ(server.requests().size(), 1U);
    const auto body = body_of(server.requests()[0]);
    EXPECT_NE(body.find(R"("code":"DISPATCH-ERROR")"), std::string::npos);
    EXPECT_NE(body.find(R"("reason":"SMTP error 550: no such user")"), std::string::npos);
    clock.advance(72h);
    send_due();
    EXPECT_EQ(peer.connections(), 1);
    relay->stop(0ms);
}

TEST_F(SendingScenario, Scenario13TemporarySmtpError) {
    ScriptedPeer peer([](PeerConnection& client) {
        serve(client,
              client.number() < 2
                  ? smtp::Manners{.replies = {{"RCPT", client.number() == 0 ? "451 later\r\n"
                                                                            : "454 slow down\r\n"}}}
                  : smtp::Manners{});
    });
    use_relay(peer);
    const auto id = add_mail({});
    for (int attempt = 0; attempt < 2; ++attempt) {
        send_due();
        EXPECT_EQ(mail(id).state, State::ready);
        EXPECT_EQ(mail(id).reason, "");
        EXPECT_EQ(states(id), "ACCEPTED INTAKING READY");
        ASSERT_TRUE(mail(id).job);
        EXPECT_GT(mail(id).job->due(), clock.now());
        relay->stop(0ms);
        use_relay(peer);  // A connection of its own for each attempt.
        clock.set(mail(id).job->due());
    }
    send_due();
    EXPECT_EQ(states(id), "ACCEPTED INTAKING READY PROCESSING SENT");
    EXPECT_EQ(mail(id).attempts, 3);
    EXPECT_EQ(log(id), (std::vector<std::string>{"attempt 451 later", "attempt 454 slow down"}));
    relay->stop(0ms);
}

TEST_F(SendingScenario, Scenario14TwoWorkers) {
    const Node::Options shared{.ownership = schedule::Ownership::shared, .threads = 2};
    caller.reset();
    restart(shared);
    std::vector<std::string> ids;
    for (int i = 0; i < 40; ++i) ids.push_back(add_mail({}));
    auto second = make_node(shared);
    // Time passes only while nobody has anything in hand: nothing is held for too long.
    for (int i = 0; i < 10'000'000 && transport.mails().size() < ids.size(); ++i) {
        if (node->crew->in_hand() + second->crew->in_hand() == 0) clock.advance(1ms);
        std::this_thread::yield();
    }
    EXPECT_EQ(node->crew->stop(10s), 0U);
    EXPECT_EQ(second->crew->stop(10s), 0U);
    std::map<std::string, int> sent;
    for (const auto& outgoing : transport.mails()) ++sent[outgoing.id];
    for (const auto& id : ids) {
        EXPECT_EQ(sent[id], 1);
        EXPECT_EQ(states(id), "ACCEPTED INTAKING READY PROCESSING SENT");
    }
}

TEST_F(SendingScenario, Scenario15NoStepBackNoReentry) {
    transport.patient = true;
    const auto id = add_mail({});
    auto stale = mail(id);
    node->run_due();
    ASSERT_EQ(mail(id).state, State::processing);
    const auto before = mail(id);
    schedule::Transaction again;
    node->ledger.move(again, stale, State::processing, {});
    const auto refused = node->schedule->commit(again);
    ASSERT_FALSE(refused);
    EXPECT_EQ(Error(refused.error()).code, Errc::conflict);
    EXPECT_FALSE(may_follow(State::processing, State::processing));
    EXPECT_FALSE(may_follow(State::processing, State::ready));
    EXPECT_EQ(mail(id).updated, before.updated);
    EXPECT_EQ(states(id), "ACCEPTED INTAKING READY PROCESSING");
    transport.forget_all();
}

TEST_F(SendingScenario, Scenario17Callback409) {
    Server server({status(409), status(409), status(200)});
    const auto id = settled_mail(payload_for(server.url()));
    caller->run_due();
    EXPECT_GE(run_next(id), 3s);
    EXPECT_EQ(mail(id).state, State::calling_sent_callback);
    EXPECT_GE(run_next(id), 7s);
    EXPECT_EQ(mail(id).state, State::sent_acknowledged);
    EXPECT_EQ(server.requests().size(), 3U);

    Server always(std::vector<std::string>(100, status(409)));
    const auto other = settled_mail(payload_for(always.url()));
    caller->run_due();
    while (mail(other).job) run_next(other);
    EXPECT_EQ(mail(other).state, State::calling_sent_callback);
}

TEST_F(SendingScenario, Scenario18Callback500OrRefused) {
    Server server({status(500)});
    const auto failing = settled_mail(payload_for(server.url()));
    std::uint16_t port = 0;
    { port = Server({}).port(); }
    const auto refused = settled_mail(payload_for("http://127.0.0.1:" + std::to_string(port)));
    caller->run_due();
    EXPECT_EQ(server.requests().size(), 1U);
    for (const auto& id : {failing, refused}) {
        EXPECT_EQ(mail(id).state, State::calling_sent_callback);
        EXPECT_TRUE(mail(id).job) << "it is tried again";
    }
}

TEST_F(SendingScenario, Scenario19CrashWhileSending) {
    transport.patient = true;
    // Whether a mail of which nobody knows goes again by itself is the operator's to say.
    const auto held = add_mail({});
    node->run_due();
    caller.reset();
    restart();
    let_leases_end();
    node->run_due();
    EXPECT_EQ(brief(held), "HELD unknown");
    EXPECT_EQ(mail(held).reason,
              "unknown: the server stopped while the mail was being handed over; it may have "
              "arrived");

    restart({.sender = {.unknown = UnknownPolicy::retry}});
    const auto again = add_mail({});
    node->run_due();
    restart({.sender = {.unknown = UnknownPolicy::retry}});
    let_leases_end();
    node->run_due();
    EXPECT_EQ(states(again), "ACCEPTED INTAKING READY");
    clock.advance(1min);
    node->run_due();
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(brief(again), "SENT delivered");

    // Where sending twice does no harm it simply goes on.
    transport.repeatable = true;
    const auto captured = add_mail({});
    node->run_due();
    restart();
    let_leases_end();
    node->run_due();
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(states(captured), "ACCEPTED INTAKING READY PROCESSING SENT");
    EXPECT_EQ(brief(held), "HELD unknown");
}

TEST_F(SendingScenario, Scenario22FailureReasonSurvives) {
    Server server({status(500), status(200)});
    const auto id = settled_mail(payload_for(server.url()), false);
    const auto reached = mail(id).updated;
    clock.advance(1min);
    // The answer to the first attempt cannot be written, and the program is killed.
    kv.fail_commit(2, {Errc::corrupt, "the disk is broken"});
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::calling_failed_callback);
    restart_all({});
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::failed_acknowledged);
    EXPECT_EQ(mail(id).reason, "SMTP error 550: no such user");
    ASSERT_EQ(server.requests().size(), 2U);
    const auto body = body_of(server.requests()[1]);
    EXPECT_NE(body.find(R"("reason":"SMTP error 550: no such user")"), std::string::npos);
    EXPECT_NE(body.find(format_rfc3339_seconds(reached)), std::string::npos);
    EXPECT_EQ(header_of(server.requests()[0], "webhook-id"),
              header_of(server.requests()[1], "webhook-id"));
}

TEST_F(SendingScenario, Scenario24Shutdown) {
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
    use_relay(peer, {.threads = 2});
    const auto open = add_mail({});
    in_data.get_future().wait();
    EXPECT_EQ(node->crew->stop(0ms), 1U);
    const auto later = add_mail({});
    std::thread stopper([&] { relay->stop(10s); });
    go_on.set_value();
    stopper.join();
    for (int i = 0; i < 1'000'000 && node->crew->in_hand() > 0; ++i) std::this_thread::yield();
    EXPECT_EQ(brief(open), "SENT delivered");
    EXPECT_EQ(brief(later), "READY waiting");
    EXPECT_EQ(peer.connections(), 1);
}

}  // namespace
}  // namespace mailroom::outbox
