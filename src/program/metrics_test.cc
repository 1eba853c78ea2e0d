#include "program/metrics.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mailroom::program {
namespace {

using namespace std::chrono_literals;

bool has_line(const std::string& text, std::string_view line) {
    return ("\n" + text).find("\n" + std::string(line) + "\n") != std::string::npos;
}

TEST(Metrics, CountRequestsAndTheirDurations) {
    Metrics metrics;
    auto& route = metrics.route("http", "GET /x");
    route.record(200, 60us);
    route.record(201, 3ms);
    route.record(503, 60s);
    EXPECT_EQ(&metrics.route("http", "GET /x"), &route);
    metrics.route("tables", "never asked");

    const auto text = metrics.text();
    const std::string labels = R"(listener="http",route="GET /x")";
    const std::string duration = "mailroom_http_request_duration_seconds";
    for (const auto& line : {
             "mailroom_http_requests_total{" + labels + R"(,status="2xx"} 2)",
             "mailroom_http_requests_total{" + labels + R"(,status="5xx"} 1)",
             "# TYPE " + duration + " histogram",
             duration + "_count{" + labels + "} 3",
             duration + "_bucket{" + labels + R"(,le="5e-05"} 0)",
             duration + "_bucket{" + labels + R"(,le="0.0001"} 1)",
             duration + "_bucket{" + labels + R"(,le="0.005"} 2)",
             duration + "_bucket{" + labels + R"(,le="30"} 2)",
             duration + "_bucket{" + labels + R"(,le="+Inf"} 3)",
         }) {
        EXPECT_TRUE(has_line(text, line)) << line << "\nin\n" << text;
    }
    EXPECT_EQ(text.find("never asked"), std::string::npos);
}

TEST(Metrics, ReadRegisteredValuesEachTime) {
    Metrics metrics;
    double commits = 1;
    metrics.counter("mailroom_commits_total", "Commits.", {}, [&] { return commits; });
    metrics.gauge("mailroom_depth", "Depth.", {{"queue", "a\"b"}}, [] { return 7; });
    metrics.gauge("mailroom_depth", "Depth.", {{"queue", "c"}}, [] { return 8; });
    EXPECT_TRUE(has_line(metrics.text(), "mailroom_commits_total 1"));
    commits = 2;
    const auto text = metrics.text();
    EXPECT_TRUE(has_line(text, "mailroom_commits_total 2"));
    EXPECT_TRUE(has_line(text, "# TYPE mailroom_depth gauge"));
    EXPECT_TRUE(has_line(text, R"(mailroom_depth{queue="a\"b"} 7)")) << text;
    EXPECT_TRUE(has_line(text, R"(mailroom_depth{queue="c"} 8)")) << text;
}

TEST(Metrics, LoseNothingWhenManyThreadsRecord) {
    Metrics metrics;
    auto& route = metrics.route("http", "x");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 5000; ++n) route.record(200, 1ms);
        });
    }
    metrics.text();
    for (auto& thread : threads) thread.join();
    EXPECT_TRUE(
        has_line(metrics.text(),
                 R"(mailroom_http_requests_total{listener="http",route="x",status="2xx"} 20000)"));
}

}  // namespace
}  // namespace mailroom::program
