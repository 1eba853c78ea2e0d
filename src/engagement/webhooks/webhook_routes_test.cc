#include "engagement/webhooks/webhook_routes.h"

#include "engagement/engagement_fixture.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mailroom::engagement::webhooks {
namespace {

class WebhookRoutesTest : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        const auto table = rows::declared_own("MailroomEngagement").made;
        deliveries.emplace(office->store, *node->schedule, clock, table);
        webhooks.emplace(office->store, *node->schedule, clock, random, nullptr, *deliveries,
                         table);
        replays.emplace(*node->schedule, *deliveries, clock);
        office->account.tell(*webhooks);
        add_webhook_routes(api, {*webhooks, *deliveries, *replays, clock});
    }

    program::Rendered ask(std::string_view method, std::string_view path, const std::string& id,
                          const std::string& body = "", const program::Pairs& query = {}) {
        const program::Actor actor;
        program::Pairs in_path;
        if (!id.empty()) in_path = {{"id", id}};
        for (const auto& route : api.routes()) {
            if (route.method != method || route.path != path) continue;
            EXPECT_EQ(route.about.scope, "events");
            return route.act({in_path, query, body, actor});
        }
        ADD_FAILURE() << path;
        return {};
    }
    program::Rendered put(const std::string& id, const std::string& body) {
        return ask("PUT", "/v1/webhooks/{id}", id, body);
    }

    program::Api api;
    std::optional<Deliveries> deliveries;
    std::optional<Webhooks> webhooks;
    std::optional<Replays> replays;
};

constexpr const char* good = R"({"url":"https://crm.example.com/hook","events":["click"]})";

TEST_F(WebhookRoutesTest, AWebhookIsAddedShownChangedAndRemoved) {
    const auto added = put("crm", good);
    EXPECT_EQ(added.status, 200);
    EXPECT_NE(added.body.find(R"("id":"crm","url":"https://crm.example.com/hook",)"
                              R"("events":["click"],"template_keys":[],"sequence_ids":[],)"
                              R"("machines":false)"),
              std::string::npos)
        << added.body;
    EXPECT_EQ(added.body.find("secret"), std::string::npos);
    EXPECT_EQ(ask("GET", "/v1/webhooks/{id}", "crm").body, added.body);
    EXPECT_NE(ask("GET", "/v1/webhooks", "").body.find(added.body), std::string::npos);

    const auto secret = ask("GET", "/v1/webhooks/{id}/secret", "crm");
    EXPECT_TRUE(secret.body.starts_with(R"({"secret":"whsec_)"));
    EXPECT_EQ(secret.headers.at(0).second, "no-store");
    EXPECT_EQ(put("crm", R"({"url":"https://other.example.com/"})").status, 200);
    EXPECT_EQ(ask("GET", "/v1/webhooks/{id}/secret", "crm").body, secret.body);

    EXPECT_EQ(ask("DELETE", "/v1/webhooks/{id}", "crm").status, 204);
    EXPECT_EQ(ask("DELETE", "/v1/webhooks/{id}", "crm").status, 404);
    EXPECT_EQ(ask("GET", "/v1/webhooks/{id}", "crm").status, 404);
    EXPECT_EQ(ask("GET", "/v1/webhooks/{id}/secret", "crm").status, 404);
}

TEST_F(WebhookRoutesTest, SaysAllThatIsWrongWithOne) {
    const auto refused = put("a b", R"({"url":"nonsense","secret":"short"})");
    EXPECT_EQ(refused.status, 400);
    for (const auto* field : {"\"id\"", "\"url\"", "\"secret\""}) {
        EXPECT_NE(refused.body.find(field), std::string::npos) << field << refused.body;
    }
    for (const std::string body :
         {R"({})", R"({"url":"https://a.example/","events":["clicked"]})",
          R"({"url":"https://a.example/","filters":{}})", R"([])", "nonsense"}) {
        EXPECT_EQ(put("crm", body).status, 400) << body;
    }
    EXPECT_EQ(put(std::string(65, 'x'), good).status, 400);
    EXPECT_EQ(put("TOLD#x", good).status, 400);
    EXPECT_EQ(put("a/b", good).status, 400);
    EXPECT_TRUE(taken(webhooks->list()).empty());
}

TEST_F(WebhookRoutesTest, WhatItWasToldIsListed) {
    put("crm", good);
    note(happening(EventType::click, "c1", "ann@example.org"));
    const auto path = "/v1/webhooks/{id}/deliveries";
    const auto all = ask("GET", path, "crm");
    EXPECT_NE(all.body.find(R"("event":"click","at":"2026-01-15T10:00:00.000Z",)"
                            R"("state":"waiting","attempts":0,"status":0,"text":"")"),
              std::string::npos)
        << all.body;
    EXPECT_EQ(ask("GET", path, "crm", "", {{"state", "failed"}}).body,
              R"({"items":[],"next":null})");
    EXPECT_EQ(ask("GET", path, "crm", "", {{"state", "waiting"}}).status, 400);
    EXPECT_EQ(ask("GET", path, "nobody").status, 404);
}

TEST_F(WebhookRoutesTest, AReplayIsBegunFromATime) {
    put("crm", good);
    const auto path = "/v1/webhooks/{id}/replay";
    const auto begun = ask("POST", path, "crm", R"({"from":"2025-01-01T00:00:00Z"})");
    EXPECT_EQ(begun.status, 202) << begun.body;
    EXPECT_TRUE(taken(node->schedule->first_due(replays_queue)));
    EXPECT_EQ(ask("POST", path, "crm", "{}").status, 400);
    EXPECT_EQ(ask("POST", path, "crm",
                  R"({"from":"2025-01-02T00:00:00Z","until":"2025-01-01T00:00:00Z"})")
                  .status,
              400);
    EXPECT_EQ(ask("POST", path, "nobody", R"({"from":"2025-01-01T00:00:00Z"})").status, 404);
}

}  // namespace
}  // namespace mailroom::engagement::webhooks
