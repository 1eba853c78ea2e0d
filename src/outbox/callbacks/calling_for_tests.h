// The outbox of sending_for_tests.h, with callbacks that go to servers on this machine.
#pragma once

#include "json/json.h"
#include "net/fake_resolver.h"
#include "net/guard.h"
#include "net/http_client.h"
#include "net/scripted_server.h"
#include "outbox/callbacks/callbacks.h"
#include "outbox/sending/sending_for_tests.h"

#include <memory>
#include <string>
#include <vector>

namespace mailroom::outbox {

class CallingTest : public SendingTest {
protected:
    using Server = net::ScriptedServer;

    void SetUp() override {
        SendingTest::SetUp();
        start_calling({});
    }
    void TearDown() override { http.reset(); }

    void start_calling(CallbackOptions options) {
        caller.reset();
        callbacks.reset();
        callbacks = std::make_unique<Callbacks>(node->ledger, node->blobs, *node->schedule, *http,
                                                clock, random, std::move(options),
                                                [this] { return caller->await(); });
        caller = std::make_unique<schedule::Crew>(
            *node->schedule, clock,
            schedule::CrewOptions{.queues = {std::string(callback_queue)}, .threads = 0},
            [this](schedule::JobInHand job) { callbacks->run(std::move(job)); });
    }
    // As after the program was killed.
    void restart_all(CallbackOptions options) {
        caller.reset();
        restart();
        start_calling(std::move(options));
    }

    static std::string payload_for(const std::string& url) {
        return R"({"callback_url":")" + url + R"(","tags":["t"],"metadata":{"order":7}})";
    }
    // A mail that was sent, or refused for good, and is to be told about.
    std::string settled_mail(const std::string& payload, bool sent = true) {
        if (!sent) transport.say({FakeTransport::refused(550, "no such user")});
        const auto id = add_mail({.callback = true, .payload = payload});
        node->run_due();
        EXPECT_EQ(mail(id).state, sent ? State::sent : State::failed);
        return id;
    }
    // Runs the jobs that are due now or next; the time that passed.
    std::chrono::milliseconds run_next(const std::string& id) {
        const auto job = mail(id).job;
        EXPECT_TRUE(job);
        const auto before = clock.now();
        if (job && job->due() > before) clock.set(job->due());
        caller->run_due();
        return clock.now() - before;
    }

    // The lines of the log: "callback 500 HTTP 500".
    std::vector<std::string> log(const std::string& id) {
        std::vector<std::string> lines;
        for (const auto& entry : history(id).log) {
            lines.push_back(entry.what + " " + std::to_string(entry.code) + " " + entry.text);
        }
        return lines;
    }
    static std::string header_of(const std::string& request, const std::string& name) {
        const auto at = request.find("\r\n" + name + ": ");
        if (at == request.npos) return "";
        const auto start = at + name.size() + 4;
        return request.substr(start, request.find("\r\n", start) - start);
    }
    static std::string body_of(const std::string& request) {
        return request.substr(request.find("\r\n\r\n") + 4);
    }

    net::FakeResolver resolver;
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.1/32")}}};
    std::unique_ptr<net::HttpClient> http =
        std::make_unique<net::HttpClient>(net::HttpClientOptions{}, guard);
    std::unique_ptr<Callbacks> callbacks;
    std::unique_ptr<schedule::Crew> caller;
};

}  // namespace mailroom::outbox
