#include "engagement/webhooks/webhooks.h"
#include "engagement/engagement_fixture.h"
#include "engagement/webhooks/calls.h"
#include "engagement/webhooks/personal_deliveries.h"
#include "engagement/webhooks/replays.h"
#include "engagement/webhooks/spreading.h"
#include "engagement/webhooks/webhook_routes.h"
#include "net/fake_resolver.h"
#include "net/guard.h"
#include "net/http_client.h"
#include "net/scripted_server.h"
#include "net/silent_server.h"
#include "outbox/callbacks/webhook.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::engagement::webhooks {
namespace {

using namespace std::chrono_literals;
using Server = net::ScriptedServer;

class WebhooksTest : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        clock.set(at("2026-01-15T10:00:00.000Z"));
        open();
    }
    void TearDown() override {
        close();
        EngagementTest::TearDown();
    }
    void close() {
        if (http) http->stop();
        crew.reset();
        calls.reset();
        http.reset();
        replays.reset();
        hooks.reset();
        deliveries.reset();
    }
    void open() {
        auto& store = office->store;
        const auto table = rows::declared_own("MailroomEngagement").made;
        deliveries.emplace(store, *node->schedule, clock, table);
        hooks.emplace(store, *node->schedule, clock, random, &guard, *deliveries, table);
        replays.emplace(*node->schedule, *deliveries, clock);
        http = std::make_unique<net::HttpClient>(net::HttpClientOptions{}, guard);
        office->account.tell(*hooks);
        start_calling();
    }
    void start_calling() {
        auto& store = office->store;
        crew.reset();
        calls.reset();
        calls.emplace(store, *node->schedule, *hooks, *deliveries, *http, clock, random, options,
                      [this] { return crew->await(); });
        crew = std::make_unique<schedule::Crew>(
            *node->schedule, clock,
            schedule::CrewOptions{.queues = {std::string(calls_queue), std::string(replays_queue),
                                             std::string(spreading_queue)},
                                  .threads = 0},
            [this](schedule::JobInHand job) {
                if (job->queue() == calls_queue) return calls->run(std::move(job));
                if (job->queue() == replays_queue) return replays->run(std::move(job));
                Spreading(*node->schedule, *deliveries,
                          {.events = "EmailEvents", .audience = "Audience"})
                    .run(std::move(job));
            });
        crew->start();
    }

    Webhook put(const std::string& id, const std::string& url, std::vector<EventType> events = {}) {
        NewWebhook asked;
        asked.id = id;
        asked.url = url;
        asked.events = std::move(events);
        return taken(hooks->put(asked));
    }
    std::vector<Delivery> told(const std::string& id,
                               Deliveries::Which which = Deliveries::Which::all) {
        return taken(deliveries->list(id, which, {})).items;
    }
    // "delivered 1 200 HTTP 200"
    std::string last(const std::string& id) {
        const auto all = told(id);
        if (all.empty()) return "none";
        return std::string(name_of(all.front().state)) + " " +
               std::to_string(all.front().attempts) + " " + all.front().text;
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        crew->run_due();
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
    static std::string answer(int status, const std::string& more = "") {
        return Server::answer(status, "", "Connection: close\r\n" + more);
    }
    static std::vector<std::string> answers(int status, std::size_t count = 1) {
        return std::vector<std::string>(count, answer(status));
    }

    net::FakeResolver resolver;
    net::Guard guard{resolver, {.allowed = {*net::Network::parse("127.0.0.0/8")}}};
    CallsOptions options;
    std::optional<Deliveries> deliveries;
    std::optional<Webhooks> hooks;
    std::optional<Replays> replays;
    std::unique_ptr<net::HttpClient> http;
    std::optional<Calls> calls;
    std::unique_ptr<schedule::Crew> crew;
};

TEST_F(WebhooksTest, TellsAnEventSignedAsTheStandardHasIt) {
    Server server(answers(200));
    const auto webhook = put("crm", server.url() + "/hook");
    auto click = happening(EventType::click, "c1", "Ann@example.org");
    click.link_url = "https://example.com/promo";
    click.template_key = "welcome";
    note(click);
    crew->run_due();
    const auto request = server.requests().at(0);
    const auto id = header_of(request, "webhook-id");
    EXPECT_EQ(body_of(request),
              R"({"type":"email.click","timestamp":"2026-01-15T10:00:00.000Z","data":{"id":")" +
                  id +
                  R"(","email":"ann@example.org","template_key":"welcome",)"
                  R"("sequence_id":"fire_and_forget","link_url":"https://example.com/promo"}})");
    const auto key = taken(outbox::parse_webhook_secret(webhook.secret));
    EXPECT_EQ(header_of(request, "webhook-signature"),
              outbox::webhook_signature(key, id, header_of(request, "webhook-timestamp"),
                                        body_of(request)));
    EXPECT_EQ(last("crm"), "delivered 1 HTTP 200");
}

TEST_F(WebhooksTest, SaysWhyAMailBounced) {
    Server server(answers(204));
    put("crm", server.url());
    auto bounce = happening(EventType::bounce, "b1", "ann@example.org");
    bounce.bounce = Bounce{.severity = bounces::Severity::hard,
                           .type = "Permanent",
                           .subclass = "mailbox-unknown",
                           .diagnostic = "550 no such user",
                           .provider = "gmail",
                           .notification_id = "f1"};
    note(bounce);
    crew->run_due();
    EXPECT_NE(body_of(server.requests().at(0))
                  .find(R"("bounce":{"severity":"hard","type":"Permanent",)"
                        R"("cause":"mailbox-unknown","diagnostic":"550 no such user",)"
                        R"("provider":"gmail","notification_id":"f1"})"),
              std::string::npos);
}

TEST_F(WebhooksTest, HearsOfAnEventOnceHoweverOftenItIsNoted) {
    Server server(answers(200, 2));
    put("crm", server.url());
    const auto open_event = happening(EventType::open, "o1", "ann@example.org");
    note(open_event);
    EXPECT_EQ(note(open_event).known, 1U);
    crew->run_due();
    advance(48h);
    EXPECT_EQ(server.requests().size(), 1U);
    EXPECT_EQ(told("crm").size(), 1U);
}

TEST_F(WebhooksTest, HearsOfWhatItsFilterLetsThrough) {
    NewWebhook asked;
    asked.id = "crm";
    asked.url = "http://127.0.0.1:1024/";
    asked.events = {EventType::click, EventType::bounce};
    asked.template_keys = {"welcome", "bye"};
    taken(hooks->put(asked));
    put("all", "http://127.0.0.1:1024/");
    auto machines = asked;
    machines.id = "machines";
    machines.machines = true;
    taken(hooks->put(machines));

    auto click = happening(EventType::click, "1", "ann@example.org");
    note(click);  // Of no template.
    click.id = "2";
    click.template_key = "bye";
    note(click);
    click.id = "3";
    click.at += 1ms;
    click.is_machine = true;
    note(click);
    auto seen = happening(EventType::open, "4", "ann@example.org");
    seen.template_key = "welcome";
    note(seen);
    EXPECT_EQ(told("crm").size(), 1U);
    EXPECT_EQ(told("machines").size(), 2U);
    EXPECT_EQ(told("all").size(), 3U);
}

TEST_F(WebhooksTest, TriesAgainWithTheSameIdUntilItIsTaken) {
    Server server({answer(500), "", answer(302, "Location: /\r\n"), answer(200)});
    put("crm", server.url());
    note(happening(EventType::open, "o1", "ann@example.org"));
    crew->run_due();
    EXPECT_EQ(last("crm"), "waiting 1 HTTP 500");
    advance(5s);
    advance(10s);
    advance(20s);
    EXPECT_EQ(last("crm"), "delivered 4 HTTP 200");
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 4U);
    EXPECT_EQ(header_of(requests[0], "webhook-id"), header_of(requests[3], "webhook-id"));
    EXPECT_NE(header_of(requests[0], "webhook-timestamp"),
              header_of(requests[3], "webhook-timestamp"));
}

TEST_F(WebhooksTest, GivesUpAfterADayAndListsWhatFailed) {
    put("crm", "http://127.0.0.1:1024/");
    note(happening(EventType::open, "o1", "ann@example.org"));
    crew->run_due();
    for (int hour = 0; hour < 27; ++hour) advance(1h);
    const auto failed = told("crm", Deliveries::Which::failed);
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed.front().state, DeliveryState::failed);
    EXPECT_GT(failed.front().attempts, 10);
    EXPECT_EQ(taken(node->schedule->first_due(calls_queue)), std::nullopt);
}

TEST_F(WebhooksTest, GivesUpAtOnceWhereItIsGoneOrNotAllowed) {
    Server server(answers(410));
    put("gone", server.url());
    resolver.set_addresses("hooks.example.com", {"10.0.0.1"});
    put("inside", "http://hooks.example.com/");
    note(happening(EventType::open, "o1", "ann@example.org"));
    crew->run_due();
    EXPECT_EQ(last("gone"), "failed 1 HTTP 410");
    EXPECT_EQ(told("inside").front().state, DeliveryState::failed);
    EXPECT_NE(told("inside").front().text.find("net.allow"), std::string::npos);
    EXPECT_EQ(told("inside").front().text.find("10.0.0.1"), std::string::npos);
}

TEST_F(WebhooksTest, RefusesAnAddressThatIsNotPublicAndSaysWhatWouldHelp) {
    for (const auto* url : {"http://10.0.0.1/", "http://192.168.1.1:8080/", "http://[::1]:8080/",
                            "http://169.254.169.254/", "https://example.com:25/", "ftp://x/", ""}) {
        NewWebhook asked;
        asked.id = "crm";
        asked.url = url;
        const auto refused = hooks->put(asked);
        ASSERT_FALSE(refused) << url;
        EXPECT_EQ(refused.error().kind, Refusal::Kind::invalid) << url;
    }
    EXPECT_TRUE(taken(hooks->list()).empty());
}

TEST_F(WebhooksTest, TellsAgainWhatFailedOrAllOfItSinceATime) {
    put("crm", "http://127.0.0.1:1024/");
    for (int i = 0; i < 250; ++i) {
        auto seen = happening(EventType::open, std::to_string(i), "ann@example.org");
        seen.at += i * 1min;
        note(seen);
    }
    crew->run_due();
    for (int hour = 0; hour < 27; ++hour) advance(1h);
    EXPECT_EQ(taken(deliveries->list("crm", Deliveries::Which::failed, {1000, {}})).items.size(),
              250U);

    Server server(answers(200, 400));
    put("crm", server.url());
    const auto from = at("2026-01-15T10:00:00.000Z") + 100min;
    ASSERT_TRUE(replays->begin({"crm", from, clock.now(), true}));
    crew->run_due();
    for (int i = 0; i < 30; ++i) advance(1min);
    EXPECT_EQ(server.requests().size(), 150U);
    EXPECT_EQ(taken(deliveries->list("crm", Deliveries::Which::failed, {1000, {}})).items.size(),
              100U);

    // What was taken is told again, too, with the ids that it had.
    ASSERT_TRUE(replays->begin({"crm", from + 100min, clock.now(), false}));
    crew->run_due();
    for (int i = 0; i < 30; ++i) advance(1min);
    EXPECT_EQ(server.requests().size(), 200U);
}

TEST_F(WebhooksTest, AReplayDoesNotTellTwiceWhatStillWaits) {
    put("crm", "http://127.0.0.1:1024/");
    note(happening(EventType::open, "o1", "ann@example.org"));
    ASSERT_TRUE(replays->begin({"crm", at("2026-01-01T00:00:00.000Z"), clock.now(), false}));
    crew->run_due();
    EXPECT_EQ(told("crm").size(), 1U);
    EXPECT_EQ(told("crm").front().attempts, 1);
}

TEST_F(WebhooksTest, OneThatHangsHoldsUpNobody) {
    options.timeout = 1s;
    start_calling();
    net::SilentServer hanging;
    Server server(answers(200, 50));
    put("hangs", hanging.url());
    put("works", server.url());
    for (int i = 0; i < 50; ++i) {
        auto seen = happening(EventType::open, std::to_string(i), "ann@example.org");
        seen.at += i * 1s;
        note(seen);
    }
    crew->run_due();
    for (int i = 0; i < 5; ++i) advance(1s);
    EXPECT_EQ(server.requests().size(), 50U);
    std::size_t delivered = 0;
    for (const auto& delivery : told("works")) {
        delivered += delivery.state == DeliveryState::delivered;
    }
    EXPECT_EQ(delivered, 50U);
    for (const auto& delivery : told("hangs")) EXPECT_EQ(delivery.state, DeliveryState::waiting);
}

TEST_F(WebhooksTest, ANewSecretSignsBesideTheOldOneForADay) {
    Server server(answers(200, 2));
    const auto old_one = put("crm", server.url());
    NewWebhook asked;
    asked.id = "crm";
    asked.url = server.url();
    asked.secret = "correct horse battery staple";
    taken(hooks->put(asked));
    note(happening(EventType::open, "o1", "ann@example.org"));
    crew->run_due();
    clock.advance(24h);
    note(happening(EventType::open, "o2", "ben@example.org"));
    crew->run_due();
    const auto signatures = [&](std::size_t i) {
        return header_of(server.requests().at(i), "webhook-signature");
    };
    const auto sign = [&](const std::string& secret, std::size_t i) {
        const auto request = server.requests().at(i);
        return outbox::webhook_signature(taken(outbox::parse_webhook_secret(secret)),
                                         header_of(request, "webhook-id"),
                                         header_of(request, "webhook-timestamp"), body_of(request));
    };
    EXPECT_EQ(signatures(0), sign(asked.secret, 0) + " " + sign(old_one.secret, 0));
    EXPECT_EQ(signatures(1), sign(asked.secret, 1));
}

TEST_F(WebhooksTest, WhatIsRemovedIsNotToldAnyMore) {
    put("crm", "http://127.0.0.1:1024/");
    note(happening(EventType::open, "o1", "ann@example.org"));
    EXPECT_TRUE(taken(hooks->remove("crm")));
    EXPECT_FALSE(taken(hooks->remove("crm")));
    clock.advance(1s);
    put("crm", "http://127.0.0.1:1024/");
    crew->run_due();
    EXPECT_EQ(told("crm").front().attempts, 0);
    EXPECT_TRUE(taken(hooks->remove("crm")));
    note(happening(EventType::open, "o2", "ann@example.org"));
    crew->run_due();
    EXPECT_EQ(told("crm").size(), 1U);
    EXPECT_EQ(taken(node->schedule->first_due(calls_queue)), std::nullopt);
}

TEST_F(WebhooksTest, AnEventThatIsDeletedIsNotTold) {
    Server server(answers(200));
    put("crm", server.url());
    note(happening(EventType::open, "o1", "ann@example.org"));
    const auto event = events("ann@example.org").at(0);
    ASSERT_TRUE(office->store.erase(
        table::write::Erase("EmailEvents", rows::key(*event.text("PK"), *event.text("SK")))));
    crew->run_due();
    EXPECT_EQ(last("crm"), "gone 0 ");
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(WebhooksTest, WhatIsForgottenLeavesNothingBehind) {
    put("crm", "http://127.0.0.1:1024/");
    const auto seen = happening(EventType::open, "o1", "ann@example.org");
    note(seen);
    crew->run_due();
    PersonalDeliveries personal(office->store, *hooks,
                                {"MailroomEngagement", "EmailEvents", "Audience"});
    ASSERT_TRUE(personal.erase("ann@example.org"));
    EXPECT_TRUE(told("crm").empty());
    for (int hour = 0; hour < 3; ++hour) advance(1h);
    EXPECT_TRUE(told("crm").empty());
    EXPECT_EQ(taken(node->schedule->first_due(calls_queue)), std::nullopt);
}

TEST_F(WebhooksTest, WhatWasToldOfSomebodyIsGivenOutMovedAndForgotten) {
    Server server(answers(200));
    put("crm", server.url());
    note(happening(EventType::open, "o1", "ann@example.org"));
    note(happening(EventType::open, "o2", "bob@example.org", "2026-01-15T10:00:01.000Z"));
    note(happening(EventType::click, "o3", "ann@example.org", "2026-01-15T11:00:00.000Z"));
    PersonalDeliveries personal(office->store, *hooks,
                                {"MailroomEngagement", "EmailEvents", "Audience"});
    std::string text;
    json::Writer writer(text);
    ASSERT_TRUE(personal.show("ann@example.org", writer));
    EXPECT_NE(text.find("TOLD#crm"), text.npos) << text;
    EXPECT_NE(text.find("11:00:00"), text.npos) << text;
    EXPECT_EQ(text.find("bob@"), text.npos) << text;
    // What is newer than an erasure is somebody else's.
    ASSERT_TRUE(personal.erase_until("ann@example.org", at("2026-01-15T10:30:00.000Z")));
    EXPECT_EQ(told("crm").size(), 2U);
    ASSERT_TRUE(personal.move("ann@example.org", "new@example.org"));
    for (const auto& delivery : told("crm")) {
        EXPECT_NE(delivery.event_partition, "SUB#ann@example.org");
    }
}

TEST_F(WebhooksTest, AHundredHearOfAnEventOnceEach) {
    for (std::size_t i = 0; i < webhooks_max; ++i) {
        put("hook-" + std::to_string(i), "http://127.0.0.1:1024/");
    }
    NewWebhook asked;
    asked.id = "one-more";
    asked.url = "http://127.0.0.1:1024/";
    const auto refused = hooks->put(asked);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::conflict);
    asked.id = "hook-3";
    EXPECT_TRUE(hooks->put(asked));
    note(happening(EventType::open, "o1", "ann@example.org"));
    note(happening(EventType::open, "o1", "ann@example.org"));
    crew->run_due();
    for (const auto& webhook : taken(hooks->list())) EXPECT_EQ(told(webhook.id).size(), 1U);
}

TEST_F(WebhooksTest, ManyHearOfAnEventAlsoAfterAKillAndNotOfOneThatWasDeleted) {
    for (std::size_t i = 0; i < webhooks_at_once + 2; ++i) {
        put("hook-" + std::to_string(10 + i), "http://127.0.0.1:1024/");
    }
    const auto last_one = "hook-" + std::to_string(10 + webhooks_at_once + 1);
    note(happening(EventType::open, "o1", "ann@example.org"));
    EXPECT_TRUE(told(last_one).empty());
    close();
    reopen();
    open();
    crew->run_due();
    EXPECT_EQ(told(last_one).size(), 1U);
    note(happening(EventType::open, "o2", "bob@example.org"));
    for (const auto& row : taken(table::query_all(
             office->store, table::from("EmailEvents").partition("PK", "SUB#bob@example.org")))) {
        ASSERT_TRUE(office->store.erase(table::write::Erase(
            "EmailEvents", {{"PK", *row.text("PK")}, {"SK", *row.text("SK")}})));
    }
    crew->run_due();
    EXPECT_EQ(told(last_one).size(), 1U);
}

TEST_F(WebhooksTest, AnEventIsToldIfAndOnlyIfItIsNotedAfterAKill) {
    Server server(answers(200));
    put("crm", server.url());
    note(happening(EventType::open, "o1", "ann@example.org"));
    close();
    reopen();
    open();
    crew->run_due();
    EXPECT_EQ(server.requests().size(), 1U);
    EXPECT_EQ(last("crm"), "delivered 1 HTTP 200");
}

}  // namespace
}  // namespace mailroom::engagement::webhooks
