#include "http/server.h"

#include "http/test_client.h"
#include "http/test_handlers.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

const ManualClock manual_clock{from_unix_ms(1'794'721'884'000)};  // 2026-11-15T05:51:24Z
constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

std::unique_ptr<Server> serve(Handler& handler, Limits limits = {}, unsigned io_threads = 1) {
    auto server =
        Server::listen({.io_threads = io_threads, .limits = limits}, handler, manual_clock);
    EXPECT_TRUE(server);
    return *std::move(server);
}

std::string text_answer(std::string_view body, std::string_view more_fields = "") {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Content-Type-Options: "
           "nosniff\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + std::string(more_fields) + "\r\n" +
           std::string(body);
}

TEST(Server, AnswersEachFormOfRequest) {
    struct Case {
        std::string_view name, sent;
        std::string want;
    };
    const std::string close = "Connection: close\r\n";
    const Case cases[] = {
        {"GET", "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", text_answer("GET /a ")},
        {"POST", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi",
         text_answer("POST /a hi")},
        {"chunked",
         "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
         text_answer("POST / hi")},
        {"HEAD", "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n",
         "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Content-Type-Options: "
         "nosniff\r\nContent-Length: 8\r\n\r\n"},
        {"204", "GET /empty HTTP/1.1\r\nHost: h\r\n\r\n",
         "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\n\r\n"},
        {"close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /unread",
         text_answer("GET / ", close)},
        {"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", text_answer("GET / ", close)},
        {"1.0 keep-alive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
         text_answer("GET / ", "Connection: keep-alive\r\n")},
        {"pipelined",
         "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: "
         "1\r\n\r\nx\r\nGET /3 HTTP/1.1\r\nHost: h\r\n\r\n",
         text_answer("GET /1 ") + text_answer("POST /2 x") + text_answer("GET /3 ")},
        {"half a request", "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HT", text_answer("GET /1 ")},
        {"nothing", "", ""},
    };
    EchoHandler handler;
    const auto server = serve(handler);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        TestClient client(server->port());
        ASSERT_TRUE(client.send(c.sent));
        client.finish();
        EXPECT_EQ(client.rest(), c.want);
    }
}

TEST(Server, RefusesInTheHandlersWordsAndCloses) {
    class Poet : public EchoHandler {
    public:
        Response refuse(int status, std::string_view) const override {
            auto response = text_response("alas " + std::to_string(status));
            response.status = status;
            return response;
        }
    };
    struct Case {
        std::string_view name, sent, want_body;
    };
    const Case cases[] = {
        {"malformed", "nonsense\r\n\r\n", "alas 400"},
        {"smuggled",
         "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: "
         "chunked\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\nHost: h\r\n\r\n",
         "alas 400"},
        {"large body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\nabc",
         "alas 413"},
        {"large and asks",
         "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
         "alas 413"},
        {"encoding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\nabc",
         "alas 501"},
    };
    Poet handler;
    const auto server = serve(handler);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        TestClient client(server->port());
        ASSERT_TRUE(client.send(c.sent));
        const auto answer = client.answer();
        EXPECT_EQ(body_of(answer), c.want_body);
        EXPECT_NE(answer.value_or("").find("Connection: close\r\n"), std::string::npos);
        client.finish();
        EXPECT_EQ(client.rest(), "");
    }
    EXPECT_EQ(server->stats().requests, 0u);
    EXPECT_EQ(server->stats().refused, std::size(cases));
}

TEST(Server, RefusesInTheApisErrorFormByDefault) {
    EchoHandler handler;
    const auto server = serve(handler, {.body_bytes_max = 10});
    TestClient client(server->port());
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n");
    EXPECT_EQ(body_of(client.answer()),
              R"({"error":{"code":"too_large","message":"the body is larger than 10 bytes",)"
              R"("details":{}}})");
}

TEST(Server, LetsAClientThatIsStillSendingSeeTheRefusal) {
    EchoHandler handler;
    const auto server = serve(handler, {.body_bytes_max = 1024});
    TestClient client(server->port());
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8388608\r\n\r\n");
    EXPECT_TRUE(client.send(std::string(8 * 1024 * 1024, 'x')));
    EXPECT_EQ(status_of(client.answer()), 413);
}

TEST(Server, RefusesALargeBodyByItsHeadAloneWhenTheHandlerSaysSo) {
    class Guarded : public EchoHandler {
    public:
        std::optional<Response> refuse_head(const Request& head) const override {
            if (head.header("Authorization")) return std::nullopt;
            auto response = error_response(401, "unauthorized", "who are you?");
            response.headers.emplace_back("WWW-Authenticate", "Bearer");
            return response;
        }
    };
    Guarded handler;
    const auto server = serve(handler);
    struct Case {
        std::string_view name, head;
        int want;
    };
    const Case cases[] = {
        {"large", "Content-Length: 1000000\r\n", 401},
        {"large, waits for 100", "Content-Length: 1000000\r\nExpect: 100-continue\r\n", 401},
        {"of unknown size", "Transfer-Encoding: chunked\r\n", 401},
        {"with a key", "Authorization: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n", 100},
        {"small", "Content-Length: 4\r\nExpect: 100-continue\r\n", 100},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        TestClient client(server->port());
        client.send("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(c.head) + "\r\n");
        EXPECT_EQ(status_of(client.answer()), c.want);
    }
    EXPECT_EQ(server->stats().refused, 3u);
}

TEST(Server, SaysContinueOnceToAClientThatWaits) {
    EchoHandler handler;
    const auto server = serve(handler);
    TestClient client(server->port());
    client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
    EXPECT_EQ(client.answer(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("ab");
    client.send("cd");
    EXPECT_EQ(client.answer(), text_answer("POST / abcd"));

    client.send(
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok");
    EXPECT_EQ(client.answer(), text_answer("POST / ok"));
}

TEST(Server, TakesABodyOfSixteenMebibytesAndAnswersWithOne) {
    EchoHandler handler;
    const auto server = serve(handler);
    TestClient client(server->port());
    const std::string body(16 * 1024 * 1024, 'b');
    std::thread sender([&] {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16777216\r\n\r\n");
        client.send(body);
    });
    sender.join();
    EXPECT_TRUE(body_of(client.answer()) == "POST / " + body);
    client.send(get);
    EXPECT_EQ(client.answer(), text_answer("GET / "));
}

TEST(Server, PutsTheClocksDateAndThePeersAddress) {
    CallHandler handler([](Request request, Reply reply) { reply(text_response(request.peer)); });
    auto clock = ManualClock(from_unix_ms(0));
    auto server = Server::listen({.limits = {.sweep_interval = 2ms}}, handler, clock);
    ASSERT_TRUE(server);
    TestClient client((*server)->port());
    client.send(get);
    EXPECT_EQ(client.answer(), text_answer("127.0.0.1"));
    EXPECT_EQ(client.date(), "Thu, 01 Jan 1970 00:00:00 GMT");

    clock.advance(24h);
    EXPECT_TRUE(eventually([&] {
        client.send(get);
        return client.answer() && client.date() == "Fri, 02 Jan 1970 00:00:00 GMT";
    }));
}

TEST(Server, AnswersInOrderWhenRepliesComeFromOtherThreads) {
    // Every answer takes a detour over a thread of its own.
    std::vector<std::thread> threads;
    CallHandler handler([&](Request request, Reply reply) {
        threads.emplace_back([reply, target = request.target] { reply(text_response(target)); });
    });
    auto server = serve(handler);
    TestClient client(server->port());
    std::string sent, want;
    for (int i = 0; i < 50; ++i) {
        const auto target = "/" + std::to_string(i);
        sent += "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
        want += text_answer(target);
    }
    client.send(sent);
    client.finish();
    EXPECT_EQ(client.rest(), want);
    server.reset();
    for (auto& thread : threads) thread.join();
}

TEST(Server, ServesThreeHundredConnectionsAtOnce) {
    for (const unsigned io_threads : {1u, 3u}) {
        ParkingHandler handler;
        const auto server = serve(handler, {}, io_threads);
        std::vector<TestClient> clients;
        for (int i = 0; i < 300; ++i) {
            clients.emplace_back(server->port());
            clients.back().send("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        auto parked = handler.take(300);
        ASSERT_EQ(parked.size(), 300u);
        EXPECT_EQ(server->stats().connections, 300u);
        // All at once from one thread, as after a group commit.
        for (auto& [request, reply] : parked) reply(text_response(request.target));
        for (std::size_t i = 0; i < clients.size(); ++i) {
            EXPECT_EQ(clients[i].answer(), text_answer("/" + std::to_string(i)));
        }
    }
}

TEST(Server, IgnoresRepliesThatComeTwiceOrAfterThePeerVanished) {
    ParkingHandler handler;
    const auto server = serve(handler);
    TestClient gone(server->port());
    gone.send(get);
    auto first = handler.take(1);
    ASSERT_EQ(first.size(), 1u);
    gone.reset();

    // The next connection may get the place of the one that vanished.
    TestClient client(server->port());
    client.send("GET /mine HTTP/1.1\r\nHost: h\r\n\r\n");
    auto second = handler.take(1);
    ASSERT_EQ(second.size(), 1u);
    first[0].second(text_response("not yours"));
    second[0].second(text_response("yours"));
    second[0].second(text_response("twice"));
    EXPECT_EQ(client.answer(), text_answer("yours"));

    client.send(get);
    auto third = handler.take(1);
    ASSERT_EQ(third.size(), 1u);
    second[0].second(text_response("late"));
    third[0].second(text_response("mine again"));
    EXPECT_EQ(client.answer(), text_answer("mine again"));
}

TEST(Server, TurnsABrokenHandlerIntoA500) {
    CallHandler handler([](Request request, Reply reply) {
        if (request.target == "/throw") throw std::runtime_error("secret");
        auto response = text_response("split");
        response.headers.emplace_back("X", "a\r\nSet-Cookie: b");
        reply(std::move(response));
    });
    const auto server = serve(handler);
    TestClient client(server->port());
    for (const std::string_view target : {"/throw", "/split"}) {
        SCOPED_TRACE(target);
        client.send("GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n\r\n");
        const auto answer = client.answer();
        EXPECT_EQ(status_of(answer), 500);
        EXPECT_EQ(answer.value_or("secret").find("secret"), std::string::npos);
        EXPECT_EQ(answer.value_or("Cookie").find("Cookie"), std::string::npos);
    }
}

TEST(Server, TellsWhyItCannotListen) {
    EchoHandler handler;
    const auto server = serve(handler);
    struct Case {
        std::string_view name, host;
        std::uint16_t port;
        Errc want;
    };
    const Case cases[] = {
        {"taken", "127.0.0.1", server->port(), Errc::unavailable},
        {"not ours", "192.0.2.1", 0, Errc::unavailable},
        {"a name", "mail.example.com", 0, Errc::invalid},
        {"nothing", "", 0, Errc::invalid},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got =
            Server::listen({.host = std::string(c.host), .port = c.port}, handler, manual_clock);
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error().code, c.want);
    }
    EXPECT_EQ(server->address(), "127.0.0.1:" + std::to_string(server->port()));
}

}  // namespace
}  // namespace mailroom::http
