#include "people/segments/segment_routes.h"

#include "people/segments/segments_fixture.h"

namespace mailroom::people {
namespace {

// Asks as a door does: by method and path.
class SegmentRoutesTest : public SegmentsTest {
protected:
    void SetUp() override {
        SegmentsTest::SetUp();
        add_segment_routes(api, {*segments, *finder, clock});
        crowd->start();
        put_person("ann@x.com", {{"firstName", "Ann"},
                                 {"plan", "pro"},
                                 {"createdAt", "2026-01-01T00:00:00.000Z"},
                                 {"tags", table::Value::list({"vip"})}});
        put_person("bob@x.com", {{"firstName", "Bob"},
                                 {"plan", "pro"},
                                 {"createdAt", "2026-02-01T00:00:00.000Z"},
                                 {"unsubscribed", table::Value(true)}});
        put_person("cid@y.com", {{"firstName", "Cid"},
                                 {"plan", "free"},
                                 {"createdAt", "2026-03-01T00:00:00.000Z"},
                                 {"suppressed", table::Value(true)}});
    }
    program::Rendered ask(const std::string& method, const std::string& path,
                          const program::Pairs& query = {}, const std::string& body = "",
                          const program::Pairs& in_path = {}) {
        const auto who = program::mailroom_itself();
        for (const auto& route : api.routes()) {
            if (route.method != method || route.path != path) continue;
            return route.act({.path = in_path, .query = query, .body = body, .actor = who});
        }
        ADD_FAILURE() << "no route " << method << " " << path;
        return {};
    }
    // The addresses of a list, one letter each.
    std::string listed(const program::Pairs& query) {
        const auto answer = ask("GET", "/v1/people", query);
        EXPECT_EQ(answer.status, 200) << answer.body;
        std::string letters;
        constexpr std::string_view member = R"("email":")";
        for (auto at = answer.body.find(member); at != answer.body.npos;
             at = answer.body.find(member, at + 1)) {
            letters += answer.body[at + member.size()];
        }
        return letters;
    }
    program::Rendered put_segment(const std::string& id, const std::string& body) {
        return ask("PUT", "/v1/segments/{id}", {}, body, {{"id", id}});
    }

    program::Api api;
};

TEST_F(SegmentRoutesTest, PeopleAreFoundByAllThatIsAskedFor) {
    put_segment("pros", R"({"name":"Pros","filter":"plan = \"pro\""})");
    EXPECT_EQ(listed({}), "abc");
    EXPECT_EQ(listed({{"tag", "vip"}}), "a");
    EXPECT_EQ(listed({{"segment", "pros"}}), "ab");
    EXPECT_EQ(listed({{"segment", "pros"}, {"state", "subscribed"}}), "a");
    EXPECT_EQ(listed({{"state", "unsubscribed"}}), "b");
    EXPECT_EQ(listed({{"state", "suppressed"}}), "c");
    EXPECT_EQ(listed({{"q", "BO"}}), "b");
    EXPECT_EQ(listed({{"q", "@x.com"}}), "");
    EXPECT_EQ(listed({{"q", "Ci"}}), "c");
    EXPECT_EQ(listed({{"filter", "plan = \"free\" or tag = \"vip\""}}), "ac");
    EXPECT_EQ(listed({{"order", "newest"}}), "cba");
}

TEST_F(SegmentRoutesTest, WhatIsWrongIsSaidWithItsName) {
    struct Case {
        program::Pairs query;
        std::string_view why;
    };
    const Case cases[] = {{{{"filter", "plan ="}}, "at character 7"},
                          {{{"state", "happy"}}, "must be subscribed, unsubscribed or suppressed"},
                          {{{"order", "size"}}, "must be address or newest"},
                          {{{"segment", "none"}}, "which is not there"},
                          {{{"after", "x"}}, "after"},
                          {{{"limit", "0"}}, "limit"},
                          {{{"colour", "red"}}, "colour"}};
    for (const auto& [query, why] : cases) {
        const auto answer = ask("GET", "/v1/people", query);
        EXPECT_EQ(answer.status, 400) << answer.body;
        EXPECT_NE(answer.body.find(why), std::string::npos) << answer.body;
    }
    EXPECT_EQ(ask("POST", "/v1/segments/count", {}, R"({})").status, 400);
    EXPECT_EQ(ask("POST", "/v1/segments/count", {}, R"({"rules":{"tagg":"a"}})").status, 400);
    EXPECT_EQ(put_segment("a b", R"({"name":"x","filter":"all"})").status, 400);
    EXPECT_EQ(put_segment("x", R"({"filter":"all"})").status, 400);
}

TEST_F(SegmentRoutesTest, BothFormsOfAFilterAreCounted) {
    EXPECT_EQ(ask("POST", "/v1/segments/count", {}, R"({"filter":"plan = \"pro\""})").body,
              R"({"people":2,"mailable":1})");
    EXPECT_EQ(
        ask("POST", "/v1/segments/count", {}, R"({"rules":{"attribute":"plan","equals":"pro"}})")
            .body,
        R"({"people":2,"mailable":1})");
    const auto preview =
        ask("POST", "/v1/segments/preview", {}, R"({"filter":"all","limit":1})").body;
    EXPECT_EQ(preview.find(R"({"people":3,"mailable":1,"sample":[{"email":"ann@x.com")"), 0U)
        << preview;
    EXPECT_EQ(preview.find("bob@x.com"), std::string::npos);
}

TEST_F(SegmentRoutesTest, SegmentsAreKeptShownListedAndDeleted) {
    const auto made = put_segment("pros", R"({"name":"Pros","rules":{"tag":"vip"}})");
    EXPECT_EQ(made.status, 200);
    EXPECT_NE(made.body.find(R"("filter":"tag = \"vip\"","rules":{"tag":"vip"})"),
              std::string::npos)
        << made.body;
    const program::Pairs id = {{"id", "pros"}};
    EXPECT_EQ(ask("GET", "/v1/segments/{id}", {}, "", id).body, made.body);
    EXPECT_EQ(ask("GET", "/v1/segments").body, R"({"items":[)" + made.body + R"(],"next":null})");
    EXPECT_EQ(ask("DELETE", "/v1/segments/{id}", {}, "", id).status, 204);
    EXPECT_EQ(ask("GET", "/v1/segments/{id}", {}, "", id).status, 404);
}

}  // namespace
}  // namespace mailroom::people
