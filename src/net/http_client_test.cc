#include "net/http_client.h"

#include "net/connection_pool.h"
#include "net/fake_resolver.h"
#include "net/scripted_server.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

namespace mailroom::net {
namespace {

using namespace std::chrono_literals;

HttpRequest trusted(const std::string& url) {
    return {.url = *Url::parse(url), .reach = Reach::trusted};
}
HttpRequest trusted_post(const std::string& url, std::string_view body) {
    return {.method = "POST", .url = *Url::parse(url), .body = body, .reach = Reach::trusted};
}

TEST(HttpClient, KeepsItsConnectionAndMakesItAgainWhenItWasLost) {
    ScriptedServer server({
        ScriptedServer::answer(200, "one"),
        ScriptedServer::answer(400, "two", "X-Thing: 123\r\n"),
        ScriptedServer::answer(200, "three", "Connection: close\r\n"),
        ScriptedServer::answer(302, "four", "Location: http://127.0.0.1:1/\r\n"),
    });
    HttpClient client({});
    struct Step {
        const char* body;
        int status;
        std::optional<std::string_view> thing;
        int connections;
    };
    const Step steps[] = {{"one", 200, std::nullopt, 1},
                          {"two", 400, "123", 1},
                          {"three", 200, std::nullopt, 1},
                          {"four", 302, std::nullopt, 2}};
    for (const auto& step : steps) {
        SCOPED_TRACE(step.body);
        auto request = trusted_post(server.url(), "hello");
        request.headers = {{"X-Name", "value"}};
        const auto answer = client.send(request);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, step.body);
        EXPECT_EQ(answer->status, step.status);
        EXPECT_EQ(find_header(answer->headers, "x-thing"), step.thing);
        EXPECT_EQ(server.connections(), step.connections);
    }
    const auto sent = server.requests().at(0);
    EXPECT_TRUE(sent.starts_with("POST / HTTP/1.1\r\n")) << sent;
    EXPECT_NE(sent.find("\r\nX-Name: value\r\n"), sent.npos);
    EXPECT_EQ(sent.find("Content-Type"), sent.npos);
    EXPECT_TRUE(sent.ends_with("\r\n\r\nhello"));
}

TEST(HttpClient, SendsBodiesAsTheyAreAndDoesNotAskFirst) {
    ScriptedServer server({ScriptedServer::answer(200, "")});
    HttpClient client({});
    const std::string body = std::string(3 * 1024 * 1024, 'x') + '\0' + "end";
    ASSERT_TRUE(client.send(trusted_post(server.url(), body)));
    const auto sent = server.requests().at(0);
    EXPECT_TRUE(sent.ends_with(body));
    EXPECT_EQ(sent.find("Expect:"), sent.npos);
}

TEST(HttpClient, SendsEachMethodWithItsBodyAndTheTargetAsItIs) {
    struct Case {
        const char* method;
        const char* body;
        const char* length_line;  // Empty: none.
    };
    const Case cases[] = {
        {"GET", "", ""},
        {"GET", "x", "Content-Length: 1"},
        {"POST", "", "Content-Length: 0"},
        {"PUT", "", "Content-Length: 0"},
        {"PUT", "abc", "Content-Length: 3"},
        {"PATCH", "abc", "Content-Length: 3"},
        {"DELETE", "", ""},
        {"DELETE", "abc", "Content-Length: 3"},
        {"OPTIONS", "", ""},
    };
    std::vector<std::string> answers(std::size(cases), ScriptedServer::answer(200, "done"));
    answers.push_back("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
    answers.push_back(ScriptedServer::answer(200, "after HEAD"));
    ScriptedServer server(answers);
    HttpClient client({});
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.method) + " " + c.body);
        auto request = trusted(server.url() + "/a/../b%2f?q=%20&r");
        request.method = c.method;
        request.body = c.body;
        const auto answer = client.send(request);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, "done");
        const auto sent = server.requests().back();
        EXPECT_TRUE(sent.starts_with(std::string(c.method) + " /a/../b%2f?q=%20&r HTTP/1.1\r\n"))
            << sent;
        EXPECT_TRUE(sent.ends_with(std::string("\r\n\r\n") + c.body));
        EXPECT_EQ(sent.find("Content-Length") != sent.npos, *c.length_line != '\0') << sent;
        EXPECT_NE(sent.find(c.length_line), sent.npos) << sent;
    }
    auto head = trusted(server.url());
    head.method = "HEAD";
    const auto answer = client.send(head);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(find_header(answer->headers, "Content-Length"), "500");
    EXPECT_EQ(answer->body, "");
    EXPECT_EQ(client.send(trusted(server.url()))->body, "after HEAD");
    EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, GivesTheHeadersOfTheLastAnswerOnlyAndNoTrailers) {
    ScriptedServer server(
        {"HTTP/1.1 103 Early Hints\r\nLink: early\r\n\r\n"
         "HTTP/1.1 200 OK\r\nA: 1\r\na:  2 \r\nFolded: x\r\n y\r\nEmpty:\r\n"
         "Transfer-Encoding: chunked\r\nTrailer: T\r\n\r\n5\r\nhello\r\n0\r\nT: late\r\n\r\n"});
    HttpClient client({});
    const auto answer = client.send(trusted(server.url()));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "hello");
    const Headers want = {{"A", "1"},
                          {"a", "2"},
                          {"Folded", "x y"},
                          {"Empty", ""},
                          {"Transfer-Encoding", "chunked"},
                          {"Trailer", "T"}};
    EXPECT_EQ(answer->headers, want);
}

TEST(HttpClient, SaysWhyThereIsNoAnswer) {
    const auto long_header = "X: " + std::string(70 * 1024, 'x') + "\r\n";
    std::string endless_hints;
    for (int i = 0; i < 5000; ++i) endless_hints += "HTTP/1.1 103 Early Hints\r\n\r\n";
    struct Case {
        const char* name;
        std::string answer;
        HttpProblem want;
    };
    const Case cases[] = {
        {"closed", "", HttpProblem::lost},
        {"cut off", "HTTP/1.1 200 O", HttpProblem::lost},
        {"no HTTP", "SSH-2.0-OpenSSH\r\n", HttpProblem::lost},
        {"too large", ScriptedServer::answer(200, std::string(101, 'x')), HttpProblem::too_large},
        {"too large in chunks",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(0x65, 'x'),
         HttpProblem::too_large},
        {"headers too large", ScriptedServer::answer(200, "", long_header), HttpProblem::too_large},
        {"endless interim answers", endless_hints, HttpProblem::too_large},
        {"stalls", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", HttpProblem::timed_out},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ScriptedServer server({c.answer});
        HttpClient client({});
        auto request = trusted_post(server.url(), "{}");
        request.limits.total_timeout = 500ms;
        request.limits.answer_bytes_max = 100;
        const auto answer = client.send(request);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().problem, c.want) << answer.error().message;
        EXPECT_TRUE(answer.error().may_have_arrived);
        EXPECT_FALSE(answer.error().message.empty());
    }
}

TEST(HttpClient, NobodyAtTheAddressIsUnreachableAndNothingWasSent) {
    std::string url;
    {
        const ScriptedServer gone({});
        url = gone.url();
    }
    HttpClient client({});
    const auto failure = client.send(trusted(url)).error();
    EXPECT_EQ(failure.problem, HttpProblem::unreachable);
    EXPECT_FALSE(failure.may_have_arrived);
}

TEST(HttpClient, DoesNotTakeAProxyFromTheEnvironment) {
    ScriptedServer server({ScriptedServer::answer(200, "direct")});
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    HttpClient client({});
    const auto answer = client.send(trusted(server.url()));
    ::unsetenv("http_proxy");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "direct");
}

TEST(HttpClient, RefusesMethodsAndHeadersThatWouldWriteMoreThanThemselves) {
    struct Case {
        const char* name;
        std::string method;
        Headers headers;
    };
    using namespace std::string_literals;
    const Case cases[] = {
        {"line in a value", "GET", {{"X", "a\r\nHost: evil"}}},
        {"bare line feed", "GET", {{"X", "a\nb"}}},
        {"bare return", "GET", {{"X", "a\rb"}}},
        {"zero", "GET", {{"X", "a\0b"s}}},
        {"line in a name", "GET", {{"X: 1\r\nY", "a"}}},
        {"colon in a name", "GET", {{"X:", "a"}}},
        {"space in a name", "GET", {{"X ", "a"}}},
        {"no name", "GET", {{"", "a"}}},
        {"line in the method", "GET / HTTP/1.1\r\nX: y\r\n\r\nGET", {}},
        {"no method", "", {}},
        {"tunnel", "CONNECT", {}},
        {"trace", "TRACE", {}},
        {"length", "POST", {{"content-length", "0"}}},
        {"coding", "POST", {{"Transfer-Encoding", "chunked"}}},
        {"connection", "GET", {{"Connection", "upgrade"}}},
        {"upgrade", "GET", {{"Upgrade", "h2c"}}},
    };
    ScriptedServer server({ScriptedServer::answer(200, "reached")});
    HttpClient client({});
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto request = trusted(server.url());
        request.method = c.method;
        request.headers = c.headers;
        const auto answer = client.send(request);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().problem, HttpProblem::bad_request);
        EXPECT_FALSE(answer.error().may_have_arrived);
    }
    auto with_body = trusted_post(server.url(), "x");
    with_body.method = "HEAD";
    EXPECT_EQ(client.send(with_body).error().problem, HttpProblem::bad_request);
    auto request = trusted(server.url());
    request.headers = {{"X-Empty", ""}, {"X-Tab", "a\tb"}, {"X-Utf8", "ä"}};
    ASSERT_TRUE(client.send(request));
    ASSERT_EQ(server.requests().size(), 1u);
    EXPECT_NE(server.requests()[0].find("\r\nX-Empty:\r\nX-Tab: a\tb\r\nX-Utf8: ä\r\n"),
              std::string::npos)
        << server.requests()[0];
}

TEST(HttpClient, WaitsForAConnectionAndSaysWhenAllStayInUse) {
    ScriptedServer server(
        {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ScriptedServer::answer(200, "later")});
    HttpClient client({.connections_max = 1});
    std::thread slow([&] {
        auto request = trusted(server.url());
        request.limits.total_timeout = 2s;
        EXPECT_FALSE(client.send(request));
    });
    while (server.requests().empty()) std::this_thread::yield();
    auto hasty = trusted(server.url());
    hasty.limits.total_timeout = 10ms;
    EXPECT_EQ(client.send(hasty).error().problem, HttpProblem::busy);
    const auto patient = client.send(trusted(server.url()));
    slow.join();
    ASSERT_TRUE(patient) << patient.error().message;
    EXPECT_EQ(patient->body, "later");
}

TEST(ConnectionPool, LendsAtMostItsNumberAndOfThoseThatFitTheLatestReturned) {
    ConnectionPool pool({.connections_max = 2});
    const ConnectionKey one{Reach::trusted, "http://one"};
    const ConnectionKey guarded_one{Reach::guarded, "http://one"};
    auto first = pool.take(one, 0ms);
    const HttpConnection* latest = nullptr;
    {
        const auto second = pool.take(one, 0ms);
        ASSERT_TRUE(first && second);
        EXPECT_FALSE(pool.take(one, 1ms)) << "both are in use";
        latest = second->operator->();
    }
    {
        const auto again = pool.take(one, 0ms);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->operator->(), latest);
        std::thread waiting([&] { EXPECT_TRUE(pool.take(one, 1min)); });
        first.reset();
        waiting.join();
    }
    const auto guarded = pool.take(guarded_one, 0ms);
    ASSERT_TRUE(guarded);
    EXPECT_NE(guarded->operator->(), latest) << "never shared with trusted requests";
}

}  // namespace
}  // namespace mailroom::net
