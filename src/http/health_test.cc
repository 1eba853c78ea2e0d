#include "http/health.h"

#include "http/test_client.h"
#include "http/test_handlers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

Response ask(Handler& handler, std::string method, std::string target) {
    Response got;
    Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    handler.handle(std::move(request), [&](Response response) { got = std::move(response); });
    return got;
}

bool has_line(const std::string& text, std::string_view line) {
    return ("\n" + text).find("\n" + std::string(line) + "\n") != std::string::npos;
}

TEST(Health, RoutesTellHealthReadinessAndMetrics) {
    program::Metrics metrics;
    Workers workers(1, 1);
    Router router("http", workers, metrics);
    Result<> state = Ok{};
    add_health_routes(
        router, [&] { return state; }, metrics);

    EXPECT_EQ(ask(router, "GET", "/healthz").status, 200);
    EXPECT_EQ(ask(router, "GET", "/readyz").status, 200);
    state = Error{Errc::unavailable, "the disk is full"};
    const auto not_ready = ask(router, "GET", "/readyz");
    EXPECT_EQ(not_ready.status, 503);
    EXPECT_NE(not_ready.body.find("the disk is full"), std::string::npos);
    EXPECT_EQ(ask(router, "GET", "/healthz").status, 200);

    const auto scraped = ask(router, "GET", "/metrics");
    EXPECT_EQ(scraped.content_type, "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_NE(scraped.body.find(R"(route="GET /readyz",status="5xx"} 1)"), std::string::npos);
    EXPECT_EQ(ask(router, "POST", "/healthz").status, 405);
    workers.stop();
}

TEST(Health, ComesFirstBesideAnyHandlerWhichIsMeasured) {
    class Tables : public EchoHandler {
    public:
        Response refuse(int status, std::string_view) const override {
            auto response = text_response("tables refuse");
            response.status = status;
            return response;
        }
        std::size_t body_bytes_max(const Request&) const override { return 5; }
        std::optional<Response> refuse_head(const Request&) const override {
            return text_response("head");
        }
    };
    program::Metrics metrics;
    Tables tables;
    Measured measured(tables, metrics.route("dynamodb", "POST /"));
    HealthFirst handler(measured);
    struct Case {
        std::string_view name;
        std::string method, target, want;
    };
    const Case cases[] = {
        {"health", "GET", "/healthz", R"({"status":"ok"})"},
        {"health, HEAD", "HEAD", "/healthz", R"({"status":"ok"})"},
        {"other method", "POST", "/healthz", "POST /healthz "},
        {"other path", "POST", "/", "POST / "},
        {"longer path", "GET", "/healthz/x", "GET /healthz/x "},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(ask(handler, c.method, c.target).body, c.want);
    }
    EXPECT_EQ(handler.refuse(413, "").body, "tables refuse");
    EXPECT_EQ(handler.body_bytes_max({}), 5u);
    EXPECT_EQ(handler.refuse_head({})->body, "head");
    EXPECT_TRUE(has_line(metrics.text(),
                         R"(mailroom_http_requests_total{listener="dynamodb",route="POST /",)"
                         R"(status="2xx"} 3)"))
        << metrics.text();
}

TEST(Health, ShowsTheServersOwnCounters) {
    EchoHandler handler;
    const ManualClock clock(from_unix_ms(0));
    auto server = Server::listen({}, handler, clock);
    ASSERT_TRUE(server);
    program::Metrics metrics;
    add_server_metrics(metrics, "http", **server);
    TestClient client((*server)->port());
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(client.answer()), 200);
    EXPECT_TRUE(has_line(metrics.text(), R"(mailroom_http_connections{listener="http"} 1)"));
    EXPECT_TRUE(has_line(metrics.text(), R"(mailroom_http_received_total{listener="http"} 1)"));
}

}  // namespace
}  // namespace mailroom::http
