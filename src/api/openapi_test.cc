#include "api/native_for_tests.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace mailroom::api {
namespace {

// "GET /v1/emails" of each operation. The file keeps to one style: a path is a key with two spaces
// before it, a method one with four.
std::set<std::string> described_routes() {
    std::ifstream file(MAILROOM_DOCS "/openapi.yaml");
    std::set<std::string> routes;
    std::string line, path;
    bool in_paths = false;
    while (std::getline(file, line)) {
        if (!line.empty() && line[0] != ' ' && line[0] != '#') in_paths = line == "paths:";
        if (!in_paths || !line.ends_with(':')) continue;
        if (line.starts_with("  /")) path = line.substr(2, line.size() - 3);
        for (const std::string method : {"get", "post", "put", "delete", "patch"}) {
            if (line != "    " + method + ":") continue;
            std::string upper = method;
            std::ranges::transform(upper, upper.begin(),
                                   [](char c) { return static_cast<char>(c - 'a' + 'A'); });
            routes.insert(upper + " " + path);
        }
    }
    return routes;
}

class OpenApi : public NativeTest {};

TEST_F(OpenApi, DescribesTheRoutesThereAreAndNoOthers) {
    const auto routes = router_->routes();
    const std::set<std::string> served(routes.begin(), routes.end());
    const auto described = described_routes();
    EXPECT_GT(described.size(), 20u);
    for (const auto& route : served)
        EXPECT_TRUE(described.contains(route)) << route << " is not in the file";
    for (const auto& route : described)
        EXPECT_TRUE(served.contains(route)) << route << " is not served";
}

TEST_F(OpenApi, EveryRouteOfTheApiWantsAKey) {
    key_ = "not-a-key-of-anybody-1234";
    for (const auto& route : router_->routes()) {
        const auto space = route.find(' ');
        auto path = route.substr(space + 1);
        if (!path.starts_with("/v1/")) continue;
        // Any value will do for a parameter.
        std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
        EXPECT_EQ(ask(route.substr(0, space), path, "{}").status, 401) << route;
    }
}

TEST_F(OpenApi, EveryRouteOfTheApiRefusesParametersThatItDoesNotKnowAndNamesThemAll) {
    key_ = new_key({"admin"});
    for (const auto& route : router_->routes()) {
        SCOPED_TRACE(route);
        const auto space = route.find(' ');
        auto path = route.substr(space + 1);
        if (!path.starts_with("/v1/")) continue;
        std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
        const auto answer = ask(route.substr(0, space), path + "?limitt=3&offset&limitt=4", "{}");
        EXPECT_EQ(answer.status, 400);
        EXPECT_NE(answer.body.find("limitt, offset are not known"), std::string::npos)
            << answer.body;
    }
}

}  // namespace
}  // namespace mailroom::api
