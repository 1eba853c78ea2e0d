#include "table/remote/http_connection.h"

#include "table/remote/connection_pool.h"
#include "table/remote/scripted_server.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mailroom::table::remote {
namespace {

using namespace std::chrono_literals;

Endpoint endpoint_of(const ScriptedServer& server) { return *Endpoint::parse(server.url()); }

TEST(HttpConnection, IsKeptForTheNextRequestAndMadeAgainWhenItWasLost) {
    ScriptedServer server({
        ScriptedServer::answer(200, "one"),
        ScriptedServer::answer(400, "two", "X-Amz-Crc32: 123\r\n"),
        ScriptedServer::answer(200, "three", "Connection: close\r\n"),
        ScriptedServer::answer(302, "four", "Location: http://127.0.0.1:1/\r\n"),
    });
    HttpConnection connection(endpoint_of(server), {});
    struct Step {
        const char* body;
        int status;
        std::optional<std::uint32_t> crc32;
        int connections;
    };
    const Step steps[] = {{"one", 200, std::nullopt, 1},
                          {"two", 400, 123, 1},
                          {"three", 200, std::nullopt, 1},
                          {"four", 302, std::nullopt, 2}};
    for (const auto& step : steps) {
        SCOPED_TRACE(step.body);
        const auto answer = connection.post({{"X-Name", "value"}}, "hello");
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, step.body);
        EXPECT_EQ(answer->status, step.status);
        EXPECT_EQ(answer->crc32, step.crc32);
        EXPECT_EQ(server.connections(), step.connections);
    }
    const auto sent = server.requests().at(0);
    EXPECT_TRUE(sent.starts_with("POST / HTTP/1.1\r\n")) << sent;
    EXPECT_NE(sent.find("\r\nX-Name: value\r\n"), sent.npos);
    EXPECT_TRUE(sent.ends_with("\r\n\r\nhello"));
}

TEST(HttpConnection, SendsBodiesAsTheyAreAndDoesNotAskFirst) {
    ScriptedServer server({ScriptedServer::answer(200, "")});
    HttpConnection connection(endpoint_of(server), {});
    const std::string body = std::string(3 * 1024 * 1024, 'x') + '\0' + "end";
    ASSERT_TRUE(connection.post({}, body));
    const auto sent = server.requests().at(0);
    EXPECT_TRUE(sent.ends_with(body));
    EXPECT_EQ(sent.find("Expect:"), sent.npos);
}

TEST(HttpConnection, SaysWhyThereIsNoAnswer) {
    struct Case {
        const char* name;
        std::string answer;
        NoAnswer want;
    };
    const Case cases[] = {
        {"closed", "", NoAnswer::lost},
        {"cut off", "HTTP/1.1 200 O", NoAnswer::lost},
        {"no HTTP", "SSH-2.0-OpenSSH\r\n", NoAnswer::lost},
        {"too large", ScriptedServer::answer(200, std::string(101, 'x')), NoAnswer::refused},
        {"stalls", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", NoAnswer::timed_out},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ScriptedServer server({c.answer});
        HttpOptions options;
        options.total_timeout = 500ms;
        options.answer_bytes_max = 100;
        HttpConnection connection(endpoint_of(server), options);
        const auto answer = connection.post({}, "{}");
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().reason, c.want) << answer.error().message;
        EXPECT_FALSE(answer.error().message.empty());
    }
}

TEST(HttpConnection, NobodyAtTheAddressIsUnreachable) {
    std::string url;
    {
        const ScriptedServer gone({});
        url = gone.url();
    }
    HttpConnection connection(*Endpoint::parse(url), {});
    EXPECT_EQ(connection.post({}, "{}").error().reason, NoAnswer::unreachable);
}

TEST(HttpConnection, DoesNotTakeAProxyFromTheEnvironment) {
    ScriptedServer server({ScriptedServer::answer(200, "direct")});
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    HttpConnection connection(endpoint_of(server), {});
    const auto answer = connection.post({}, "{}");
    ::unsetenv("http_proxy");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "direct");
}

TEST(ConnectionPool, LendsAtMostItsNumberAndTheLatestReturnedFirst) {
    ConnectionPool pool(*Endpoint::parse("http://127.0.0.1:1"), {}, 2);
    auto first = pool.take(0ms);
    const HttpConnection* latest = nullptr;
    {
        const auto second = pool.take(0ms);
        ASSERT_TRUE(first && second);
        EXPECT_FALSE(pool.take(1ms)) << "both are in use";
        latest = second->operator->();
    }
    const auto again = pool.take(0ms);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->operator->(), latest);
    std::thread waiting([&] { EXPECT_TRUE(pool.take(1min)); });
    first.reset();
    waiting.join();
}

}  // namespace
}  // namespace mailroom::table::remote
