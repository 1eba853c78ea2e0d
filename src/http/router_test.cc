#include "http/router.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace mailroom::http {
namespace {

class RouterTest : public testing::Test {
protected:
    RouterTest() : workers_(1, 1), router_("http", workers_, metrics_) {}
    // A worker's action may still be running when a test ends.
    ~RouterTest() override { workers_.stop(); }

    Response ask(std::string method, std::string target, std::string body = {}) {
        // Shared: the worker may still be leaving set_value() when the answer is here.
        const auto answered = std::make_shared<std::promise<Response>>();
        auto answer = answered->get_future();
        Request request;
        request.method = std::move(method);
        request.target = std::move(target);
        request.body = std::move(body);
        router_.handle(std::move(request),
                       [answered](Response response) { answered->set_value(std::move(response)); });
        return answer.get();
    }

    // A route whose answer is its name, then the path's parameters.
    void add(std::string method, std::string pattern) {
        const auto name = method + " " + pattern;
        router_.add(
            std::move(method), pattern,
            [name](const RoutedRequest& request) {
                Response response;
                response.body = name;
                for (const auto& [key, value] : request.parameters) {
                    response.body += " " + key + "=" + value;
                }
                return response;
            },
            Router::Run::in_place);
    }

    program::Metrics metrics_;
    Workers workers_;
    Router router_;
};

TEST_F(RouterTest, FindsTheRouteOrSaysWhatIsWrong) {
    add("GET", "/");
    add("GET", "/v1/emails");
    add("POST", "/v1/emails");
    add("GET", "/v1/emails/{id}");
    add("GET", "/v1/emails/search");
    add("DELETE", "/v1/emails/{id}");
    add("GET", "/v1/emails/{id}/events/{event}");
    add("GET", "/v1/emails/search/help");
    struct Case {
        std::string_view name;
        std::string method, target;
        int status;
        std::string_view want;  // The body, or Allow of a 405.
    };
    const Case cases[] = {
        {"root", "GET", "/", 200, "GET /"},
        {"literal", "GET", "/v1/emails?limit=3", 200, "GET /v1/emails"},
        {"other method", "POST", "/v1/emails", 200, "POST /v1/emails"},
        {"parameter", "GET", "/v1/emails/a%2Fb%20c", 200, "GET /v1/emails/{id} id=a/b c"},
        {"literal wins", "GET", "/v1/emails/search", 200, "GET /v1/emails/search"},
        {"escaped literal", "GET", "/v1/emails/%73earch", 200, "GET /v1/emails/search"},
        {"two parameters", "GET", "/v1/emails/1/events/2", 200,
         "GET /v1/emails/{id}/events/{event} id=1 event=2"},
        {"back from a literal", "GET", "/v1/emails/search/events/2", 200,
         "GET /v1/emails/{id}/events/{event} id=search event=2"},
        {"HEAD is GET", "HEAD", "/v1/emails", 200, "GET /v1/emails"},
        {"no such path", "GET", "/v2", 404, ""},
        {"too short", "GET", "/v1", 404, ""},
        {"too long", "GET", "/v1/emails/1/2", 404, ""},
        {"empty parameter", "GET", "/v1/emails/", 404, ""},
        {"other case", "GET", "/V1/emails", 404, ""},
        {"wrong method", "PUT", "/v1/emails", 405, "GET, HEAD, POST"},
        {"wrong method of parameter", "POST", "/v1/emails/1", 405, "DELETE, GET, HEAD"},
        {"method in lower case", "get", "/v1/emails", 405, "GET, HEAD, POST"},
        {"bad escape", "GET", "/v1/%zz", 400, ""},
        {"no path", "OPTIONS", "*", 400, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = ask(c.method, c.target);
        EXPECT_EQ(got.status, c.status);
        if (c.status == 200) {
            EXPECT_EQ(got.body, c.want);
        } else {
            EXPECT_TRUE(got.body.starts_with(R"({"error":{"code":")")) << got.body;
        }
        if (c.status == 405) {
            ASSERT_EQ(got.headers.size(), 1u);
            EXPECT_EQ(got.headers[0], Header("Allow", std::string(c.want)));
        }
    }
}

TEST_F(RouterTest, ATailTakesSeveralSegmentsAndLeavesWhatFollowsIt) {
    add("GET", "/v1/texts");
    add("GET", "/v1/texts/{key...}");
    add("GET", "/v1/texts/{key...}/versions");
    add("POST", "/v1/texts/{key...}/check");
    add("GET", "/v1/texts/{id}/one");
    add("GET", "/v1/texts/all/of/them");
    struct Case {
        std::string_view name;
        std::string method, target;
        int status;
        std::string_view want;
    };
    const Case cases[] = {
        {"none", "GET", "/v1/texts", 200, "GET /v1/texts"},
        {"one", "GET", "/v1/texts/a", 200, "GET /v1/texts/{key...} key=a"},
        {"three", "GET", "/v1/texts/a/b/c", 200, "GET /v1/texts/{key...} key=a/b/c"},
        {"escaped slash", "GET", "/v1/texts/a%2Fb/c", 200, "GET /v1/texts/{key...} key=a/b/c"},
        {"behind it", "GET", "/v1/texts/a/b/versions", 200,
         "GET /v1/texts/{key...}/versions key=a/b"},
        {"the longer tail", "GET", "/v1/texts/versions/versions", 200,
         "GET /v1/texts/{key...}/versions key=versions"},
        {"only what follows", "GET", "/v1/texts/versions", 200,
         "GET /v1/texts/{key...} key=versions"},
        {"in the middle", "GET", "/v1/texts/a/versions/b", 200,
         "GET /v1/texts/{key...} key=a/versions/b"},
        {"a parameter wins", "GET", "/v1/texts/a/one", 200, "GET /v1/texts/{id}/one id=a"},
        {"back from a parameter", "GET", "/v1/texts/a/b/one", 200,
         "GET /v1/texts/{key...} key=a/b/one"},
        {"literals win", "GET", "/v1/texts/all/of/them", 200, "GET /v1/texts/all/of/them"},
        {"back from literals", "GET", "/v1/texts/all/of", 200, "GET /v1/texts/{key...} key=all/of"},
        {"another method", "POST", "/v1/texts/a/b/check", 200,
         "POST /v1/texts/{key...}/check key=a/b"},
        {"method of what follows", "GET", "/v1/texts/a/check", 405, "POST"},
        {"empty", "GET", "/v1/texts/", 404, ""},
        {"empty inside", "GET", "/v1/texts/a//b", 404, ""},
        {"empty at the end", "GET", "/v1/texts/a/", 404, ""},
        {"empty before what follows", "GET", "/v1/texts/a//versions", 404, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = ask(c.method, c.target);
        EXPECT_EQ(got.status, c.status);
        const auto told = c.status == 405 ? got.headers.at(0).second : got.body;
        if (c.status != 404) {
            EXPECT_EQ(told, c.want);
        }
    }
}

TEST_F(RouterTest, GivesTheFirstQueryParameterOfAName) {
    router_.add("GET", "/x", [](const RoutedRequest& request) {
        const auto* limit = request.query("limit");
        Response response;
        response.body = limit ? *limit : "none";
        return response;
    });
    EXPECT_EQ(ask("GET", "/x?a=b&limit=1&limit=2").body, "1");
    EXPECT_EQ(ask("GET", "/x?Limit=1").body, "none");
    EXPECT_EQ(ask("GET", "/x?limit=").body, "");
}

TEST_F(RouterTest, RunsActionsOnAWorkerUnlessTheyAreInPlace) {
    std::thread::id ran_on;
    const auto action = [&](const RoutedRequest&) {
        ran_on = std::this_thread::get_id();
        return Response{};
    };
    router_.add("GET", "/worker", action);
    router_.add("GET", "/here", action, Router::Run::in_place);
    ask("GET", "/worker");
    EXPECT_NE(ran_on, std::this_thread::get_id());
    ask("GET", "/here");
    EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_F(RouterTest, AQuickActionMayAnswerNowLaterOrLeaveItToOneThatWaits) {
    std::thread answering;
    const auto waiting = [](const RoutedRequest& request) {
        Response response;
        response.status = 201;
        response.body = request.request.target;
        return response;
    };
    router_.add_quick(
        "GET", "/later",
        [&](const RoutedRequest& request, Router::Later later) -> Router::Start {
            EXPECT_EQ(request.request.target, "/later");
            answering = std::thread([later = std::move(later)] {
                Response response;
                response.status = 202;
                later(std::move(response));
            });
            return Router::AnswersLater{};
        },
        waiting);
    router_.add_quick(
        "GET", "/now",
        [](const auto&, const Router::Later&) -> Router::Start { return Response{}; }, waiting);
    router_.add_quick(
        "GET", "/wait",
        [](const auto&, const Router::Later&) -> Router::Start { return Router::MustWait{}; },
        waiting);
    router_.add_quick(
        "GET", "/throws",
        [](const auto&, const Router::Later&) -> Router::Start {
            throw std::runtime_error("secret");
        },
        waiting);
    EXPECT_EQ(ask("GET", "/later").status, 202);
    EXPECT_EQ(ask("GET", "/now").status, 200);
    const auto waited = ask("GET", "/wait");
    EXPECT_EQ(waited.status, 201);
    EXPECT_EQ(waited.body, "/wait");
    EXPECT_EQ(ask("GET", "/throws").status, 500);
    answering.join();
}

TEST_F(RouterTest, AQuickActionMayFindOutLaterThatItMustWait) {
    std::vector<std::thread> finding;
    std::atomic<int> quick = 0;
    router_.add_quick(
        "GET", "/found-out",
        [&](const RoutedRequest&, Router::Later later) -> Router::Start {
            ++quick;
            finding.emplace_back([later = std::move(later)] { later(Router::MustWait{}); });
            return Router::AnswersLater{};
        },
        [](const RoutedRequest& request) {
            Response response;
            response.body = request.request.target;
            return response;
        });
    EXPECT_EQ(ask("GET", "/found-out").body, "/found-out");
    EXPECT_EQ(quick, 1);
    for (auto& thread : finding) thread.join();
}

TEST_F(RouterTest, AQuickActionRunsWhereTheRequestCameUnlessItsBodyIsLarge) {
    std::thread::id ran_on, waited_on;
    router_.add_quick(
        "POST", "/quick",
        [&](const RoutedRequest& request, const Router::Later&) -> Router::Start {
            ran_on = std::this_thread::get_id();
            if (request.request.body == "wait") return Router::MustWait{};
            return Response{};
        },
        [&](const RoutedRequest&) {
            waited_on = std::this_thread::get_id();
            return Response{};
        });
    ask("POST", "/quick", std::string(64 * 1024, 'x'));
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    ask("POST", "/quick", std::string(64 * 1024 + 1, 'x'));
    EXPECT_NE(ran_on, std::this_thread::get_id());
    ask("POST", "/quick", "wait");
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    EXPECT_NE(waited_on, std::this_thread::get_id()) << "what waits never does so there";
}

TEST_F(RouterTest, DoesNotGoBeforeWhatIsAnsweredLater) {
    std::promise<Router::Later> given;
    auto router = std::make_unique<Router>("other", workers_, metrics_);
    router->add_quick(
        "GET", "/later",
        [&](const RoutedRequest&, Router::Later later) -> Router::Start {
            given.set_value(std::move(later));
            return Router::AnswersLater{};
        },
        [](const RoutedRequest&) { return Response{}; });
    Request request;
    request.method = "GET";
    request.target = "/later";
    std::atomic<bool> answered = false, gone = false;
    router->handle(std::move(request), [&](const Response&) { answered = true; });
    const auto later = given.get_future().get();
    std::thread leaving([&] {
        router.reset();
        gone = true;
    });
    EXPECT_FALSE(gone);
    later(Response{});
    leaving.join();
    EXPECT_TRUE(answered);
}

TEST_F(RouterTest, AnswersThatItIsBusyWhenTheWorkersAre) {
    add("GET", "/here");
    router_.add("GET", "/worker", [](const RoutedRequest&) { return Response{}; });
    std::promise<void> started, release;
    workers_.post([&] {
        started.set_value();
        release.get_future().wait();
    });
    started.get_future().wait();
    ASSERT_TRUE(workers_.post([] {}));

    const auto busy = ask("GET", "/worker");
    EXPECT_EQ(busy.status, 503);
    ASSERT_EQ(busy.headers.size(), 1u);
    EXPECT_EQ(busy.headers[0], Header("Retry-After", "1"));
    EXPECT_EQ(ask("GET", "/here").status, 200);
    release.set_value();
    workers_.stop();  // The job uses the promises above.
}

TEST_F(RouterTest, HidesWhatAnActionThrows) {
    router_.add("GET", "/x", [](const RoutedRequest&) -> Response {
        throw std::runtime_error("the password is swordfish");
    });
    const auto got = ask("GET", "/x");
    EXPECT_EQ(got.status, 500);
    EXPECT_EQ(got.body.find("swordfish"), std::string::npos);
}

TEST_F(RouterTest, LimitsTheBodyByRoute) {
    const auto action = [](const RoutedRequest&) { return Response{}; };
    router_.add("POST", "/upload/{id}", action, Router::Run::on_worker, 1000);
    router_.add("GET", "/upload/{id}", action);
    const auto limit = [this](std::string method, std::string target) {
        Request head;
        head.method = std::move(method);
        head.target = std::move(target);
        return router_.body_bytes_max(head);
    };
    EXPECT_EQ(limit("POST", "/upload/1"), 1000u);
    EXPECT_EQ(limit("GET", "/upload/1"), SIZE_MAX);
    EXPECT_EQ(limit("POST", "/other"), SIZE_MAX);
    EXPECT_EQ(limit("POST", "%"), SIZE_MAX);
}

TEST_F(RouterTest, TheHeadAloneMayBeReasonEnoughToRefuse) {
    const auto action = [](const RoutedRequest&) { return Response{}; };
    router_.add("POST", "/guarded/{id}", action, Router::Run::on_worker, SIZE_MAX,
                [](const Request& head) -> std::optional<Response> {
                    if (head.header("Authorization")) return std::nullopt;
                    return error_response(401, "unauthorized", "who are you?");
                });
    router_.add("POST", "/open", action);
    struct Case {
        std::string method, target;
        bool has_key;
        int want;  // 0: go on.
    };
    const Case cases[] = {
        {"POST", "/guarded/1", true, 0},  {"POST", "/guarded/1", false, 401},
        {"PUT", "/guarded/1", true, 405}, {"POST", "/open", false, 0},
        {"POST", "/nothing", true, 404},  {"POST", "%", true, 400},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.method + " " + c.target);
        Request head;
        head.method = c.method;
        head.target = c.target;
        if (c.has_key) head.headers.emplace_back("Authorization", "Bearer x");
        const auto refusal = router_.refuse_head(head);
        EXPECT_EQ(refusal ? refusal->status : 0, c.want);
    }
    EXPECT_NE(metrics_.text().find(R"(route="POST /guarded/{id}",status="4xx"} 1)"),
              std::string::npos);
}

TEST_F(RouterTest, CountsByRouteAndNotByWhatClientsInvent) {
    add("GET", "/v1/emails/{id}");
    ask("GET", "/v1/emails/1");
    ask("GET", "/v1/emails/2");
    ask("GET", "/secret");
    const auto text = metrics_.text();
    EXPECT_NE(text.find(R"(mailroom_http_requests_total{listener="http",)"
                        R"(route="GET /v1/emails/{id}",status="2xx"} 2)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"(route="none",status="4xx"} 1)"), std::string::npos) << text;
    EXPECT_EQ(text.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace mailroom::http
