// The real server ends soon, whoever outside it waits for.
#include "app/test_process.h"
#include "base/scratch_directory.h"
#include "net/silent_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

namespace mailroom::app {
namespace {

const std::string admin_key = "mr_0123456789abcdefghijklmnopqrstuvwxyz";

std::string request(const std::string& method, const std::string& path, const std::string& body) {
    return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
           "Authorization: Bearer " + admin_key +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

// docs/failures.md: whoever supervises the server kills it after so long.
constexpr auto stop_max = std::chrono::seconds(30);

void stop_in_time(TestProcess& server) {
    const auto begun = std::chrono::steady_clock::now();
    server.send(SIGTERM);
    EXPECT_EQ(server.exit_code(), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, stop_max);
}

TEST(HangingStop, WhatIsWaitedForOutsideIsLeftForTheNextStart) {
    const ScratchDirectory scratch;
    const net::SilentServer silent;
    const auto port = std::to_string(silent.port());
    const auto serve = [&](const std::string& transport) {
        return std::vector<std::string>{"serve",       "--data",      (scratch / "data").string(),
                                        "--http",      "127.0.0.1:0", "--smtp",
                                        "off",         "--dynamodb",  "off",
                                        "--transport", transport};
    };
    const TestProcess::Variables variables{{"MAILROOM_ADMIN_KEY", admin_key},
                                           {"MAILROOM_NET_ALLOW", "127.0.0.0/8"}};
    const std::string mail =
        R"({"from":"a@example.com","to":["b@example.org"],"subject":"s","text":"t")";
    {
        // Captured at once, so that its callback is made; an attachment that never comes.
        TestProcess server(serve("capture"), variables);
        const auto http = listener_in(server.read_line(), "http");
        for (const auto& more : {R"(,"callback_url":")" + silent.url(1) + R"("})",
                                 R"(,"attachments":[{"url":")" + silent.url(2) + R"(/x"}]})"}) {
            const auto answer = ask(http, request("POST", "/v1/emails", mail + more));
            EXPECT_TRUE(answer.starts_with("HTTP/1.1 202")) << answer;
        }
        while (silent.connections() < 2) std::this_thread::yield();
        stop_in_time(server);
        const auto err = server.rest_of_err();
        EXPECT_NE(err.find("stopped"), std::string::npos);
        EXPECT_EQ(err.find("were left"), std::string::npos) << err;
    }
    {
        // A relay that never greets. What was left goes on as well.
        TestProcess server(serve("smtp://127.0.0.1:" + port), variables);
        const auto http = listener_in(server.read_line(), "http");
        const auto answer = ask(http, request("POST", "/v1/emails", mail + "}"));
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 202")) << answer;
        while (silent.connections() < 5) std::this_thread::yield();
        stop_in_time(server);
    }
    TestProcess server(serve("smtp://127.0.0.1:" + port), variables);
    const auto http = listener_in(server.read_line(), "http");
    while (silent.connections() < 8) std::this_thread::yield();
    const auto failed = ask(http, request("GET", "/v1/emails?state=FAILED", ""));
    EXPECT_EQ(failed.find("\"id\""), std::string::npos) << "nothing failed" << failed;
    const auto invalid = ask(http, request("GET", "/v1/emails?state=INVALID", ""));
    EXPECT_EQ(invalid.find("\"id\""), std::string::npos) << invalid;
    stop_in_time(server);
}

}  // namespace
}  // namespace mailroom::app
