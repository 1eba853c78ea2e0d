#include "outbox/callbacks/callbacks.h"

#include "outbox/callbacks/calling_for_tests.h"

#include <algorithm>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class CallbacksTest : public CallingTest {};

std::string ok() { return net::ScriptedServer::answer(200, "", "Connection: close\r\n"); }
std::string status(int code) {
    return net::ScriptedServer::answer(code, "", "Connection: close\r\n");
}

TEST_F(CallbacksTest, AMailThatWasSentIsToldOnceSignedAndAcknowledged) {
    Server server({ok()});
    const std::string secret(32, 's');
    start_calling({.secret = secret});
    const auto id = settled_mail(payload_for(server.url() + "/cb?k=1"));
    const auto reached = mail(id).updated;
    clock.advance(3s);
    EXPECT_EQ(caller->run_due(), 1U);
    EXPECT_EQ(states(id),
              "ACCEPTED INTAKING READY PROCESSING SENT CALLING-SENT-CALLBACK SENT-ACKNOWLEDGED");
    EXPECT_FALSE(mail(id).job);
    EXPECT_EQ(log(id), std::vector<std::string>{"callback 200 HTTP 200"});
    EXPECT_EQ(history(id).log[0].peer, server.url());

    ASSERT_EQ(server.requests().size(), 1U);
    const auto request = server.requests()[0];
    EXPECT_TRUE(request.starts_with("POST /cb?k=1 HTTP/1.1\r\n")) << request;
    EXPECT_EQ(header_of(request, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(request, "webhook-id"), webhook_id(mail(id), reached));
    const auto timestamp = header_of(request, "webhook-timestamp");
    EXPECT_EQ(timestamp, std::to_string(to_unix_seconds(clock.now())));
    const auto body = body_of(request);
    EXPECT_EQ(header_of(request, "webhook-signature"),
              webhook_signature(secret, webhook_id(mail(id), reached), timestamp, body));
    json::Parser parser;
    const auto told = parser.parse(body);
    ASSERT_TRUE(told) << body;
    EXPECT_EQ(told->find("type")->text(), "email.sent");
    EXPECT_EQ(told->find("id")->text(), id);
    EXPECT_EQ(told->find("state")->text(), "SENT");
    EXPECT_EQ(told->find("reached_at")->text(), "2025-11-20T10:00:00Z");
    EXPECT_EQ(told->find("metadata")->find("order")->integer(), 7);
    clock.advance(48h);
    EXPECT_EQ(caller->run_due(), 0U);
}

TEST_F(CallbacksTest, TheOperatorsUrlIsForMailsThatNameNoneAndMayBeAnywhere) {
    Server server({ok()});
    http = std::make_unique<net::HttpClient>(net::HttpClientOptions{});  // Guarded ones refused.
    start_calling({.url = server.url() + "/all"});
    const auto id = settled_mail("{}", false);
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::failed_acknowledged);
    EXPECT_EQ(mail(id).reason, "SMTP error 550: no such user");
    ASSERT_EQ(server.requests().size(), 1U);
    EXPECT_EQ(header_of(server.requests()[0], "webhook-signature"), "");
    EXPECT_NE(body_of(server.requests()[0]).find(R"("reason":"SMTP error 550: no such user")"),
              std::string::npos);
}

TEST_F(CallbacksTest, AMailsOwnUrlIsGuarded) {
    for (const char* url :
         {"http://127.0.0.9:1024/x", "http://10.0.0.1/x", "http://169.254.169.254/"}) {
        SCOPED_TRACE(url);
        const auto id = settled_mail(payload_for(url));
        caller->run_due();
        EXPECT_EQ(mail(id).state, State::calling_sent_callback);
        const auto lines = log(id);
        ASSERT_EQ(lines.size(), 2U);
        EXPECT_TRUE(lines[0].starts_with("callback 0 ")) << lines[0];
        EXPECT_TRUE(lines[1].starts_with("callback given up 0 ")) << lines[1];
        EXPECT_NE(lines[1].find("net.allow"), std::string::npos) << "and what to do about it";
        EXPECT_FALSE(mail(id).job) << "it is not tried again for a day";
        const auto dead = node->schedule->dead(callback_queue, 10, std::nullopt);
        ASSERT_TRUE(dead);
        EXPECT_EQ(std::ranges::count(dead->jobs, id, &schedule::DeadJob::key), 1);
    }
    const auto id = settled_mail(payload_for("http://nowhere.example/"));
    caller->run_due();
    EXPECT_TRUE(mail(id).job) << "a name may be made yet";
}

TEST_F(CallbacksTest, AnythingButSuccessIsTriedAgainWithTheSameIdAndBody) {
    Server server({status(500), status(302), "", status(404), status(429), status(204)});
    const auto id = settled_mail(payload_for(server.url()));
    caller->run_due();
    std::vector<std::chrono::milliseconds> pauses;
    while (mail(id).state == State::calling_sent_callback) pauses.push_back(run_next(id));
    EXPECT_EQ(mail(id).state, State::sent_acknowledged);
    ASSERT_EQ(pauses.size(), 5U);
    EXPECT_GE(pauses[0], 3s);
    EXPECT_LE(pauses[0], 5s);
    EXPECT_GE(pauses[4], 60s - 15s);
    EXPECT_LE(pauses[4], 80s);
    const auto lines = log(id);
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[0], "callback 500 HTTP 500");
    EXPECT_EQ(lines[1], "callback 302 HTTP 302");
    EXPECT_TRUE(lines[2].starts_with("callback 0 ")) << lines[2];
    EXPECT_EQ(lines[5], "callback 204 HTTP 204");
    const auto requests = server.requests();
    for (const auto& request : requests) {
        EXPECT_EQ(header_of(request, "webhook-id"), header_of(requests[0], "webhook-id"));
        EXPECT_EQ(body_of(request), body_of(requests[0]));
    }
    EXPECT_EQ(states(id),
              "ACCEPTED INTAKING READY PROCESSING SENT CALLING-SENT-CALLBACK SENT-ACKNOWLEDGED");
}

TEST_F(CallbacksTest, AServerThatIsDownForAnHourIsToldAfterwards) {
    std::uint16_t port = 0;
    { port = Server({}).port(); }
    std::vector<std::string> ids;
    for (int i = 0; i < 20; ++i) {
        ids.push_back(
            settled_mail(payload_for("http://127.0.0.1:" + std::to_string(port) + "/cb")));
    }
    const auto back = clock.now() + 1h;
    while (clock.now() < back) {
        caller->run_due();
        clock.advance(20s);
    }
    for (const auto& id : ids) {
        EXPECT_EQ(mail(id).state, State::calling_sent_callback);
        EXPECT_GE(log(id).size(), 5U);
        EXPECT_LE(log(id).size(), 15U);
    }
    {
        Server server(std::vector<std::string>(20, ok()), port);
        clock.advance(1h);
        caller->run_due();
        EXPECT_EQ(server.requests().size(), 20U);
    }
    for (const auto& id : ids) {
        EXPECT_EQ(mail(id).state, State::sent_acknowledged);
        EXPECT_EQ(log(id).back(), "callback 200 HTTP 200");
    }
}

TEST_F(CallbacksTest, AfterADayItIsGivenUpAndParkedWhereAPersonFindsIt) {
    const auto id = settled_mail(payload_for("http://nowhere.example/"));
    const auto start = clock.now();
    caller->run_due();
    while (mail(id).job) run_next(id);
    EXPECT_EQ(mail(id).state, State::calling_sent_callback);
    EXPECT_GE(clock.now() - start, 24h);
    EXPECT_LE(clock.now() - start, 25h);
    EXPECT_TRUE(history(id).log.back().text.starts_with("given up after 1 day: "));
    EXPECT_EQ(history(id).log.back().what, "callback given up");
    EXPECT_LT(history(id).log.size(), 60U);
    const auto dead = node->schedule->dead(callback_queue, 10, std::nullopt);
    ASSERT_TRUE(dead);
    ASSERT_EQ(dead->jobs.size(), 1U);
    EXPECT_EQ(dead->jobs[0].key, id);
    EXPECT_TRUE(dead->jobs[0].reason.starts_with("given up after 1 day: "));
}

TEST_F(CallbacksTest, ANewJobForOneThatWasGivenUpHasADayOfItsOwn) {
    Server server({status(410), status(500), ok()});
    const auto id = settled_mail(payload_for(server.url()));
    caller->run_due();
    ASSERT_FALSE(mail(id).job);
    clock.advance(72h);
    auto again = mail(id);
    schedule::Transaction together;
    again.job = node->schedule->add(
        together, {.queue = std::string(callback_queue), .key = id, .due = clock.now()});
    node->ledger.change(together, again, {.job = again.job});
    ASSERT_TRUE(node->schedule->commit(together));
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::calling_sent_callback);
    run_next(id);
    EXPECT_EQ(mail(id).state, State::sent_acknowledged);
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(header_of(requests[0], "webhook-id"), header_of(requests[2], "webhook-id"));
}

TEST_F(CallbacksTest, WhatCanNeverSucceedIsGivenUpAtOnce) {
    Server server({status(410)});
    struct Case {
        std::string_view name;
        std::string payload;
        std::string_view why;
        State state;
    };
    const Case cases[] = {
        {"gone", payload_for(server.url()), "HTTP 410: the URL is gone for good",
         State::calling_sent_callback},
        {"another scheme", payload_for("file:///etc/passwd"),
         "the URL cannot be used: ", State::sent},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto id = settled_mail(c.payload);
        caller->run_due();
        EXPECT_EQ(mail(id).state, c.state);
        EXPECT_FALSE(mail(id).job);
        EXPECT_EQ(history(id).log.back().what, "callback given up");
        EXPECT_TRUE(history(id).log.back().text.starts_with(c.why)) << history(id).log.back().text;
    }
}

TEST_F(CallbacksTest, WithoutAUrlItWaitsForOneAndIsParkedAfterADay) {
    for (const auto* payload : {"{}", "rubbish"}) {
        SCOPED_TRACE(payload);
        start_calling({});
        const auto told = settled_mail(payload);
        caller->run_due();
        EXPECT_EQ(mail(told).state, State::sent);
        EXPECT_EQ(log(told), std::vector<std::string>{"callback 0 there is no URL to call"});
        {
            Server server({ok(), ok()});
            start_calling({.url = server.url()});
            run_next(told);
            EXPECT_EQ(mail(told).state, State::sent_acknowledged);
        }
        start_calling({});
        const auto never_told = settled_mail(payload);
        while (mail(never_told).job) run_next(never_told);
        EXPECT_TRUE(
            log(never_told)
                .back()
                .starts_with("callback given up 0 given up after 1 day: there is no URL to call"))
            << log(never_told).back();
        const auto dead = node->schedule->dead(callback_queue, 100, std::nullopt);
        ASSERT_TRUE(dead);
        EXPECT_TRUE(std::ranges::any_of(
            dead->jobs, [&](const schedule::DeadJob& job) { return job.key == never_told; }));
    }
}

TEST_F(CallbacksTest, AnInvalidMailIsToldWithoutChangingItsState) {
    Server server({status(503), ok()});
    const auto id = add_mail({.callback = true, .payload = payload_for(server.url())});
    // As fetching would have done it.
    auto invalid = mail(id);
    invalid.id = make_uuid(random);
    invalid.state = State::invalid;
    invalid.reason = "attachments[0].path: no such file";
    schedule::Transaction together;
    invalid.job = node->schedule->add(
        together, {.queue = std::string(callback_queue), .key = invalid.id, .due = clock.now()});
    constexpr State entered[] = {State::accepted, State::intaking, State::invalid};
    node->ledger.insert(together, invalid, entered);
    ASSERT_TRUE(node->schedule->commit(together));

    caller->run_due();
    EXPECT_EQ(mail(invalid.id).state, State::invalid);
    EXPECT_TRUE(mail(invalid.id).job);
    run_next(invalid.id);
    EXPECT_EQ(mail(invalid.id).state, State::invalid);
    EXPECT_EQ(mail(invalid.id).reason, "attachments[0].path: no such file");
    EXPECT_FALSE(mail(invalid.id).job);
    EXPECT_EQ(log(invalid.id),
              (std::vector<std::string>{"callback 503 HTTP 503", "callback 200 HTTP 200"}));
    EXPECT_NE(body_of(server.requests()[1]).find("email.invalid"), std::string::npos);
    EXPECT_EQ(body_of(server.requests()[0]), body_of(server.requests()[1]));
}

TEST_F(CallbacksTest, AnAnswerThatCouldNotBeWrittenIsAskedForAgainWithTheSameId) {
    Server server({ok(), ok()});
    const auto id = settled_mail(payload_for(server.url()));
    kv.fail_commit(2, {Errc::corrupt, "the disk is broken"});
    caller->run_due();
    EXPECT_EQ(mail(id).state, State::calling_sent_callback);
    // The thread that brought the answer may let go of the job only after the clock has moved.
    for (int i = 0; i < 100 && mail(id).state != State::sent_acknowledged; ++i) {
        clock.advance(2min);
        caller->run_due();
    }
    EXPECT_EQ(mail(id).state, State::sent_acknowledged);
    ASSERT_EQ(server.requests().size(), 2U);
    EXPECT_EQ(header_of(server.requests()[0], "webhook-id"),
              header_of(server.requests()[1], "webhook-id"));
}

TEST_F(CallbacksTest, JobsOfMailsThatNeedNoCallbackEnd) {
    Server server({});
    const auto id = add_mail({.payload = payload_for(server.url())});
    schedule::Transaction together;
    node->schedule->add(together,
                        {.queue = std::string(callback_queue), .key = id, .due = clock.now()});
    ASSERT_TRUE(node->schedule->commit(together));
    EXPECT_EQ(caller->run_due(), 1U);
    EXPECT_EQ(mail(id).state, State::ready);
    EXPECT_EQ(server.connections(), 0);
    clock.advance(1h);
    EXPECT_EQ(caller->run_due(), 0U);
}

}  // namespace
}  // namespace mailroom::outbox
