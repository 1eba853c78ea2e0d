#include "campaigns/templates/template_routes.h"

#include "campaigns/templates/templates_fixture.h"

namespace mailroom::campaigns {
namespace {

// Asks as a door does: by method and path.
class TemplateRoutesTest : public TemplatesTest {
protected:
    void SetUp() override {
        TemplatesTest::SetUp();
        add_template_routes(api, *templates, *proofs);
    }
    program::Rendered ask(const std::string& method, const std::string& what,
                          const std::string& body = "", const program::Pairs& query = {}) {
        const auto path = "/v1/templates" + what;
        const program::Pairs key = {{"key", "news/april"}};
        for (const auto& route : api.routes()) {
            if (route.method != method || route.path != path) continue;
            return route.act({.path = what.empty() ? program::Pairs() : key,
                              .query = query,
                              .body = body,
                              .actor = who});
        }
        ADD_FAILURE() << "no route " << method << " " << path;
        return {};
    }
    static bool has(const program::Rendered& answer, std::string_view text) {
        return answer.body.find(text) != answer.body.npos;
    }

    program::Api api;
};

TEST_F(TemplateRoutesTest, ATemplateIsPutShownListedAndDeleted) {
    const auto put =
        ask("PUT", "/{key...}",
            R"({"subject":"Hi {{ firstName }}","html":"<p>{{ planName }}</p>","language":"en",)"
            R"("translations":{"de":{"subject":"Hallo"}},"variables":["plan"],)"
            R"("display_names":{"planName":{"pro":"Professional"}},"version":0,)"
            R"("attachments":[{"filename":"a.txt","content":"eA=="}]})");
    EXPECT_EQ(put.status, 200) << put.body;
    EXPECT_TRUE(has(put, R"({"key":"news/april","version":1,"hash":")")) << put.body;
    EXPECT_TRUE(has(put, R"("translations":{"de":{"subject":"Hallo"}})")) << put.body;
    EXPECT_TRUE(has(put, R"("format":"html","escape":"html")")) << put.body;
    EXPECT_TRUE(has(put, R"("filename":"a.txt","content_type":"text/plain")")) << put.body;
    EXPECT_EQ(ask("GET", "/{key...}").body, put.body);
    EXPECT_EQ(ask("PUT", "/{key...}", R"({"html":"x"})").status, 200);
    EXPECT_TRUE(has(ask("GET", "/{key...}", "", {{"version", "1"}}), R"("latest":2)"));
    EXPECT_TRUE(has(ask("GET", "/{key...}/versions"), R"("version":2)"));
    EXPECT_TRUE(has(ask("GET", "", "", {{"prefix", "news/"}}), R"("key":"news/april")"));
    EXPECT_TRUE(has(ask("PUT", "/{key...}", R"({"restore":1})"), R"("restored":1)"));
    EXPECT_EQ(ask("DELETE", "/{key...}").status, 204);
    EXPECT_EQ(ask("GET", "/{key...}").status, 404);
    EXPECT_EQ(ask("DELETE", "/{key...}").status, 404);
}

TEST_F(TemplateRoutesTest, WhatIsWrongIsSaidWithItsName) {
    struct Case {
        const char *body, *why;
        int status;
    };
    const Case cases[] = {
        {R"({})", "says nothing", 400},
        {R"({"htm":"x"})", "did you mean html", 400},
        {R"({"html":"{{ a"})", "html", 400},
        {R"({"html":"x","format":"pdf"})", "must be html or mjml", 400},
        {R"({"html":"x","translations":{"de":{"htm":"x"}}})", "translations.de.htm", 400},
        {R"({"html":"x","attachments":[{"filename":"a"}]})", "attachments[0].content", 400},
        {R"({"html":"x","version":3})", "version_conflict", 409},
        {R"({"html":"{% include 'none' %}"})", "template_missing", 422},
        {R"({"restore":1})", "not_found", 404}};
    for (const auto& [body, why, status] : cases) {
        const auto answer = ask("PUT", "/{key...}", body);
        EXPECT_EQ(answer.status, status) << body << answer.body;
        EXPECT_TRUE(has(answer, why)) << body << answer.body;
    }
}

TEST_F(TemplateRoutesTest, PreviewAndCheckTakeGivenData) {
    ask("PUT", "/{key...}", R"({"subject":"{{ plan }}","html":"<p>{{ order.total }}</p>"})");
    const auto seen = ask("POST", "/{key...}/preview",
                          R"({"data":{"plan":"pro","order":{"total":12.5}},"language":"de"})");
    EXPECT_EQ(seen.status, 200) << seen.body;
    EXPECT_TRUE(has(seen, R"({"subject":"pro","preheader":"","html":"<p>12.5</p>")")) << seen.body;
    EXPECT_TRUE(has(seen, R"("versions":[{"key":"news/april","version":1)")) << seen.body;
    const auto checked = ask("POST", "/{key...}/check", R"({"transactional":true})");
    EXPECT_EQ(checked.status, 200) << checked.body;
    EXPECT_TRUE(has(checked, R"({"code":"unknown_variable","message":"Nobody gives order.total.",)"
                             R"("template":"news/april","part":"html","line":1,"column":7})"))
        << checked.body;
    EXPECT_EQ(ask("POST", "/{key...}/check", R"({"from":"nobody"})").status, 400);
    EXPECT_EQ(ask("POST", "/{key...}/preview", R"({"data":[]})").status, 400);
}

}  // namespace
}  // namespace mailroom::campaigns
