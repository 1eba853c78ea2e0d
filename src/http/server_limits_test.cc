#include "http/server.h"

#include "http/test_client.h"
#include "http/test_handlers.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <string_view>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

const ManualClock manual_clock{from_unix_ms(0)};
constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view half_body = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc";

std::unique_ptr<Server> serve(Handler& handler, Limits limits = {}) {
    auto server = Server::listen({.limits = limits}, handler, manual_clock);
    EXPECT_TRUE(server);
    return *std::move(server);
}

// Time runs fast for one limit, and the others are out of reach.
Limits impatient(std::chrono::milliseconds Limits::*limit) {
    Limits limits;
    limits.sweep_interval = 2ms;
    limits.*limit = 10ms;
    return limits;
}

TEST(ServerLimits, DropsClientsThatTakeTooLong) {
    struct Case {
        std::string_view name;
        std::chrono::milliseconds Limits::*limit;
        std::string_view sent;
        std::string_view want;  // How the answer starts; empty if there is none.
    };
    const Case cases[] = {
        {"says nothing", &Limits::header_max, "", ""},
        {"half a header", &Limits::header_max, "GET / HTTP/1.1\r\nHos", "HTTP/1.1 408"},
        {"half a body", &Limits::transfer_max, half_body, "HTTP/1.1 408"},
        {"idle between requests", &Limits::idle_max, get, "HTTP/1.1 200"},
    };
    EchoHandler handler;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto server = serve(handler, impatient(c.limit));
        TestClient client(server->port());
        client.send(c.sent);
        // The client never closes: the server must.
        const auto all = client.rest();
        ASSERT_TRUE(all);
        EXPECT_EQ(all->substr(0, c.want.size()), c.want);
        EXPECT_EQ(all->empty(), c.want.empty());
        EXPECT_EQ(server->stats().timed_out, 1u);
    }
}

TEST(ServerLimits, DropsAClientThatDoesNotTakeItsAnswer) {
    CallHandler handler(
        [](Request, Reply reply) { reply(text_response(std::string(32 * 1024 * 1024, 'x'))); });
    auto limits = impatient(&Limits::transfer_max);
    limits.transfer_bytes_per_second_min = SIZE_MAX;  // What the kernel took earns no time.
    const auto server = serve(handler, limits);
    TestClient client(server->port(), 4096);
    client.send(get);
    ASSERT_TRUE(eventually([&] { return server->stats().timed_out > 0; }));
    const auto got = client.rest();
    ASSERT_TRUE(got);
    EXPECT_LT(got->size(), 32u * 1024 * 1024);
}

TEST(ServerLimits, AnswersForAHandlerThatTakesTooLongAndIgnoresItsLateReply) {
    ParkingHandler handler;
    const auto server = serve(handler, impatient(&Limits::answer_max));
    TestClient client(server->port());
    client.send(get);
    EXPECT_EQ(status_of(client.answer()), 503);
    auto parked = handler.take(1);
    ASSERT_EQ(parked.size(), 1u);
    parked[0].second(text_response("late"));
    client.finish();
    EXPECT_EQ(client.rest(), "");
}

TEST(ServerLimits, WaitsNoLongerThanAgreedForAClientToLeaveAfterARefusal) {
    EchoHandler handler;
    const auto server = serve(handler, impatient(&Limits::linger_max));
    TestClient client(server->port());
    client.send("nonsense\r\n\r\n");
    EXPECT_EQ(status_of(client.answer()), 400);
    EXPECT_TRUE(eventually([&] { return server->stats().connections == 0; }));
}

TEST(ServerLimits, TurnsClientsAwayWhileAllOthersAreBeingServed) {
    ParkingHandler handler;
    const auto server = serve(handler, {.connections_max = 2});
    TestClient first(server->port()), second(server->port());
    for (auto* client : {&first, &second}) client->send(get);
    auto parked = handler.take(2);
    ASSERT_EQ(parked.size(), 2u);
    TestClient third(server->port());
    const auto refusal = third.answer();
    EXPECT_EQ(status_of(refusal), 503);
    EXPECT_NE(refusal->find("Retry-After: 1"), std::string::npos);
    EXPECT_TRUE(eventually([&] { return server->stats().turned_away == 1; }));

    for (auto& [request, reply] : parked) reply(text_response("done"));
    EXPECT_EQ(status_of(first.answer()), 200);
    EXPECT_EQ(status_of(second.answer()), 200);
    TestClient fourth(server->port());
    fourth.send(get);
    ASSERT_EQ(handler.take(1).size(), 1u) << "one of the silent ones gave way";
    EXPECT_EQ(server->stats().gave_way, 1u);
}

TEST(ServerLimits, SilentClientsGiveWayThoseThatNeverAskedFirst) {
    EchoHandler handler;
    const auto server = serve(handler, {.connections_max = 4});
    TestClient asked(server->port());
    asked.send(get);
    EXPECT_EQ(status_of(asked.answer()), 200);
    std::vector<std::unique_ptr<TestClient>> silent;
    for (int i = 0; i < 3; ++i) silent.push_back(std::make_unique<TestClient>(server->port()));
    ASSERT_TRUE(eventually([&] { return server->stats().connections == 4; }));
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        TestClient newcomer(server->port());
        newcomer.send(get);
        EXPECT_EQ(status_of(newcomer.answer()), 200);
        newcomer.reset();
        ASSERT_TRUE(eventually([&] { return server->stats().connections <= 3; }));
        silent.push_back(std::make_unique<TestClient>(server->port()));
        ASSERT_TRUE(eventually([&] { return server->stats().connections == 4; }));
    }
    EXPECT_EQ(silent.front()->rest(), "") << "the longest silent one was first";
    EXPECT_EQ(server->stats().turned_away, 0u);
    asked.send(get);
    EXPECT_EQ(status_of(asked.answer()), 200) << "who asked before is still there";
}

TEST(ServerLimits, BodiesShareTheirMemoryAndGetItBackWithTheAnswer) {
    ParkingHandler handler;
    ByteBudget bodies(1000);
    const auto server = serve(handler, {.bodies = &bodies});
    const auto post = [](std::size_t bytes) {
        return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(bytes) +
               "\r\n\r\n";
    };
    TestClient first(server->port());
    first.send(post(600) + std::string(600, 'x'));
    auto parked = handler.take(1);
    ASSERT_EQ(parked.size(), 1u);
    EXPECT_EQ(bodies.taken(), 600u);
    {
        // Refused by its header: nothing of the body has been sent.
        TestClient second(server->port());
        second.send(post(500));
        const auto refusal = second.answer();
        EXPECT_EQ(status_of(refusal), 503);
        EXPECT_NE(refusal->find("Retry-After: 1"), std::string::npos);
        TestClient chunked(server->port());
        chunked.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" +
                     ("12c\r\n" + std::string(300, 'y')) + "\r\n");
        ASSERT_TRUE(eventually([&] { return bodies.taken() == 900; }));
        chunked.send("12c\r\n" + std::string(300, 'y') + "\r\n");
        EXPECT_EQ(status_of(chunked.answer()), 503) << "counted as it comes";
        EXPECT_EQ(bodies.taken(), 600u);
    }
    parked[0].second(text_response("done"));
    EXPECT_EQ(status_of(first.answer()), 200);
    ASSERT_TRUE(eventually([&] { return bodies.taken() == 0; }));
    TestClient third(server->port());
    third.send(post(1000) + std::string(1000, 'z'));
    EXPECT_EQ(handler.take(1).size(), 1u);
    {
        TestClient gone(server->port());
        gone.send(post(0));
    }
}

TEST(ServerLimits, DoesNotReadOnWhileAPipeliningClientTakesNoAnswers) {
    CallHandler handler(
        [](Request, Reply reply) { reply(text_response(std::string(256 * 1024, 'x'))); });
    const auto server = serve(handler);
    constexpr std::size_t requests = 64;
    TestClient client(server->port(), 64 * 1024);
    std::string sent;
    for (std::size_t i = 0; i < requests; ++i) sent += get;
    client.send(sent);
    // What fits into the kernel's buffers is answered, the rest waits.
    EXPECT_EQ(status_of(client.answer()), 200);
    EXPECT_LT(server->stats().requests, requests);
    for (std::size_t i = 1; i < requests; ++i) ASSERT_EQ(status_of(client.answer()), 200) << i;
    EXPECT_EQ(server->stats().requests, requests);
}

TEST(ServerStop, FinishesTheRequestInHandAndClosesTheRest) {
    ParkingHandler handler;
    const auto server = serve(handler);
    TestClient idle(server->port()), half(server->port()), busy(server->port());
    half.send("GET / HTTP/1.1\r\n");
    busy.send(get);
    auto parked = handler.take(1);
    ASSERT_EQ(parked.size(), 1u);

    auto stopped = std::async(std::launch::async, [&] { return server->stop(60s); });
    EXPECT_EQ(idle.rest(), "");
    EXPECT_EQ(half.rest(), "");
    EXPECT_FALSE(TestClient(server->port()).connected());
    EXPECT_EQ(stopped.wait_for(0s), std::future_status::timeout);
    parked[0].second(text_response("done"));
    EXPECT_EQ(busy.rest(),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Content-Type-Options: "
              "nosniff\r\nContent-Length: 4\r\n"
              "Connection: close\r\n\r\ndone");
    EXPECT_EQ(stopped.get(), 0u);
    EXPECT_EQ(server->stop(60s), 0u);
}

TEST(ServerStop, FinishesABodyThatIsStillArriving) {
    EchoHandler handler;
    const auto server = serve(handler);
    TestClient client(server->port());
    client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    ASSERT_EQ(status_of(client.answer()), 100);
    auto stopped = std::async(std::launch::async, [&] { return server->stop(60s); });
    ASSERT_TRUE(eventually([&] { return !TestClient(server->port()).connected(); }));
    client.send("ok");
    EXPECT_EQ(body_of(client.rest()), "POST / ok");
    EXPECT_EQ(stopped.get(), 0u);
}

TEST(ServerStop, DropsWhatDoesNotFinishInTime) {
    ParkingHandler handler;
    auto server = serve(handler);
    TestClient client(server->port());
    client.send(get);
    auto parked = handler.take(1);
    ASSERT_EQ(parked.size(), 1u);
    EXPECT_EQ(server->stop(1ms), 1u);
    EXPECT_EQ(client.rest(), "");
    parked[0].second(text_response("to a server that has stopped"));
    server.reset();
    parked[0].second(text_response("to a server that is gone"));
}

}  // namespace
}  // namespace mailroom::http
