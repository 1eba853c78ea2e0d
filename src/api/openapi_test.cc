#include "api/native_for_tests.h"

#include <algorithm>
#include <set>

namespace mailroom::api {
namespace {

class OpenApi : public NativeTest {
protected:
    // Any value will do for a parameter.
    static std::string path_of(const program::Route& route) {
        auto path = route.path;
        std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
        return path;
    }
};

TEST_F(OpenApi, DescribesTheRoutesThereAreAndNoOthers) {
    const auto routes = router_->routes();
    const std::set<std::string> served(routes.begin(), routes.end());
    std::set<std::string> described;
    for (const auto& route : api_->routes()) described.insert(route.text());
    EXPECT_GT(described.size(), 20u);
    EXPECT_EQ(served, described);
}

TEST_F(OpenApi, EveryRouteOfTheApiWantsAKeyButItsDescription) {
    key_ = "not-a-key-of-anybody-1234";
    std::set<std::string> for_anybody;
    for (const auto& route : api_->routes()) {
        if (!route.path.starts_with("/v1/")) continue;
        if (route.about.scope.empty()) {
            for_anybody.insert(route.text());
            continue;
        }
        EXPECT_EQ(ask(route.method, path_of(route), "{}").status, 401) << route.text();
    }
    EXPECT_EQ(for_anybody, (std::set<std::string>{"GET /v1/docs", "GET /v1/docs.css",
                                                  "GET /v1/docs.js", "GET /v1/openapi.json"}));
}

TEST_F(OpenApi, EveryRouteOfTheApiRefusesParametersThatItDoesNotKnowAndNamesThemAll) {
    key_ = new_key({"admin"});
    for (const auto& route : api_->routes()) {
        SCOPED_TRACE(route.text());
        if (route.about.scope.empty()) continue;
        const auto target = path_of(route) + "?limitt=3&offset&limitt=4";
        const auto answer = ask(route.method, target, "{}");
        EXPECT_EQ(answer.status, 400);
        for (const auto* named : {R"("field":"limitt")", R"("field":"offset")"}) {
            EXPECT_NE(answer.body.find(named), std::string::npos) << answer.body;
        }
    }
}

TEST_F(OpenApi, EveryRouteThatTakesABodyRefusesWhatIsNoJson) {
    key_ = new_key({"admin"});
    for (const auto& route : api_->routes()) {
        SCOPED_TRACE(route.text());
        const bool takes_json =
            !route.body.empty() && route.body.front().content_type == "application/json";
        if (!takes_json) continue;
        for (const auto* body : {"{", "7", "\"text\"", "\xff"}) {
            EXPECT_EQ(ask(route.method, path_of(route), body).status, 400) << body;
        }
    }
}

}  // namespace
}  // namespace mailroom::api
