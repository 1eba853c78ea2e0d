#include "http/stream.h"

#include "http/download.h"
#include "http/event_stream.h"
#include "http/server.h"
#include "http/test_client.h"
#include "http/test_handlers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

const ManualClock manual_clock{from_unix_ms(1'794'721'884'000)};
constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view chunked_header =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Content-Type-Options: nosniff\r\n"
    "Transfer-Encoding: chunked\r\n\r\n";

Limits quick_limits() {
    Limits limits;
    limits.sweep_interval = 10ms;
    limits.heartbeat_max = 30ms;
    limits.transfer_max = 300ms;
    return limits;
}

// Every request is answered by a stream, which is handed to the test.
class StreamTest : public ::testing::Test {
protected:
    void serve(const Limits& limits = {}) {
        auto server = Server::listen({.limits = limits}, handler_, manual_clock);
        ASSERT_TRUE(server);
        server_ = *std::move(server);
    }

    std::shared_ptr<Stream> next_stream() {
        auto stream = streams_.get_future().get();
        streams_ = {};
        return stream;
    }

    Streamed how_;  // But for its begin.
    std::promise<std::shared_ptr<Stream>> streams_;
    CallHandler handler_{[this](const Request&, const Reply& reply) {
        auto response = text_response("");
        auto how = how_;
        how.begin = [this](std::shared_ptr<Stream> stream) {
            streams_.set_value(std::move(stream));
        };
        response.streamed = std::make_shared<Streamed>(std::move(how));
        reply(std::move(response));
    }};
    std::unique_ptr<Server> server_;
};

TEST_F(StreamTest, PiecesAreChunksAndTheConnectionServesTheNextRequest) {
    serve();
    TestClient client(server_->port());
    client.send(std::string(get) + std::string(get));
    for (int request = 0; request < 2; ++request) {
        const auto stream = next_stream();
        EXPECT_EQ(client.until("\r\n\r\n"), chunked_header);
        EXPECT_TRUE(stream->write("hello"));
        EXPECT_EQ(client.until("hello\r\n"), "5\r\nhello\r\n");
        EXPECT_TRUE(stream->write(std::string(20, 'x')));
        stream->end();
        EXPECT_FALSE(stream->write("after the end"));
        EXPECT_EQ(client.until("0\r\n\r\n"), "14\r\n" + std::string(20, 'x') + "\r\n0\r\n\r\n");
    }
}

TEST_F(StreamTest, AClientThatKnowsNoChunksReadsToTheEndOfTheConnection) {
    serve();
    TestClient client(server_->port());
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto stream = next_stream();
    stream->write("hello");
    stream->end();
    EXPECT_EQ(client.rest(),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Content-Type-Options: nosniff\r\n"
              "Connection: close\r\n\r\nhello");
}

TEST_F(StreamTest, ALengthThatIsKnownIsSaidAndWhatDoesNotKeepToItIsCut) {
    how_.bytes = 5;
    serve();
    {
        TestClient client(server_->port());
        client.send(get);
        const auto stream = next_stream();
        stream->write("hello");
        stream->end();
        EXPECT_EQ(body_of(client.answer()), "hello");
    }
    for (const std::string written : {"hell", "hello and more"}) {
        TestClient client(server_->port());
        client.send(get);
        const auto stream = next_stream();
        stream->write(written);
        stream->end();
        const auto rest = client.rest();
        ASSERT_TRUE(rest) << "the connection has ended";
        EXPECT_LT(body_of(rest).size(), 5u);
    }
}

TEST_F(StreamTest, HeadIsAnsweredWithoutBeginning) {
    serve();
    TestClient client(server_->port());
    client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(client.until("\r\n\r\n"), chunked_header);
    client.send(get);
    EXPECT_NE(next_stream(), nullptr);
}

TEST_F(StreamTest, WhoeverWritesHearsThatTheClientLeft) {
    serve();
    TestClient client(server_->port());
    client.send(get);
    const auto stream = next_stream();
    std::promise<void> gone;
    stream->when_gone([&] { gone.set_value(); });
    client.reset();
    EXPECT_EQ(gone.get_future().wait_for(10s), std::future_status::ready);
    EXPECT_FALSE(stream->is_open());
    EXPECT_FALSE(stream->write("nobody"));
    bool told_at_once = false;
    stream->when_gone([&] { told_at_once = true; });
    EXPECT_TRUE(told_at_once);
}

TEST_F(StreamTest, AClientThatTakesNothingHoldsNoMoreThanItsBoundAndIsLetGo) {
    how_.waiting_bytes_max = 256 * 1024;
    serve();
    TestClient client(server_->port(), 4096);
    client.send(get);
    const auto stream = next_stream();
    std::size_t written = 0;
    const std::string piece(16 * 1024, 'x');
    const auto most = eventually([&] {
        EXPECT_LE(stream->waiting_bytes(), how_.waiting_bytes_max);
        written += piece.size();
        return !stream->write(piece);
    });
    EXPECT_TRUE(most) << "written " << written;
    EXPECT_TRUE(client.rest()) << "its connection has ended";
}

TEST_F(StreamTest, OneThatStopsTakingIsLetGoAfterATime) {
    how_.waiting_bytes_max = 64 * 1024 * 1024;
    serve(quick_limits());
    TestClient client(server_->port(), 4096);
    client.send(get);
    const auto stream = next_stream();
    std::promise<void> gone;
    stream->when_gone([&] { gone.set_value(); });
    // More than the sockets hold.
    for (int i = 0; i < 200; ++i) stream->write(std::string(64 * 1024, 'x'));
    ASSERT_GT(stream->waiting_bytes(), 0u);
    EXPECT_EQ(gone.get_future().wait_for(10s), std::future_status::ready);
}

TEST_F(StreamTest, AnAnswerWithoutAnEndBeatsWhileNothingElseIsWritten) {
    how_.heartbeat = ":\n\n";
    serve(quick_limits());
    TestClient client(server_->port());
    client.send(get);
    const auto stream = next_stream();
    EXPECT_EQ(client.until("\r\n\r\n"), chunked_header);
    for (int beat = 0; beat < 3; ++beat) EXPECT_EQ(client.until("\n\n\r\n"), "3\r\n:\n\n\r\n");
}

TEST_F(StreamTest, AStopEndsWhatHasNoEndAndWaitsForWhatHas) {
    how_.heartbeat = ":\n\n";
    serve();
    TestClient endless(server_->port());
    endless.send(get);
    const auto endless_stream = next_stream();
    how_.heartbeat = "";
    TestClient finite(server_->port());
    finite.send(get);
    const auto finite_stream = next_stream();
    auto stopped = std::async(std::launch::async, [&] { return server_->stop(10s); });
    const auto events = endless.rest();
    ASSERT_TRUE(events);
    EXPECT_TRUE(events->ends_with("0\r\n\r\n"));
    EXPECT_FALSE(endless_stream->is_open());
    EXPECT_EQ(stopped.wait_for(0s), std::future_status::timeout);
    EXPECT_TRUE(finite_stream->write("the rest"));
    finite_stream->end();
    EXPECT_EQ(stopped.get(), 0u);
    const auto whole = finite.rest();
    ASSERT_TRUE(whole);
    EXPECT_TRUE(whole->ends_with("8\r\nthe rest\r\n0\r\n\r\n"));
}

TEST(Stream, ABeginningThatThrowsEndsTheConnectionAndNothingElse) {
    CallHandler handler([](const Request& request, const Reply& reply) {
        auto response = text_response("fine");
        if (request.target == "/bad") {
            response.streamed = std::make_shared<Streamed>(
                Streamed{.begin = [](const auto&) { throw std::runtime_error("no"); }});
        }
        reply(std::move(response));
    });
    const auto server = Server::listen({}, handler, manual_clock);
    ASSERT_TRUE(server);
    TestClient client((*server)->port()), other((*server)->port());
    client.send("GET /bad HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(client.rest());
    other.send(get);
    EXPECT_EQ(body_of(other.answer()), "fine");
}

TEST(EventStream, TextIsSplitIntoLinesWhateverEndsThem) {
    EXPECT_EQ(event_text({.data = "hi"}), "data: hi\n\n");
    EXPECT_EQ(event_text({.name = "mail", .data = "a\nb\r\nc\rd", .id = "7"}),
              "id: 7\nevent: mail\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
    EXPECT_EQ(event_text({.data = ""}), "data: \n\n");
}

TEST(EventStream, SaysWhatItIsAndWhereAClientWentOn) {
    const auto response = event_stream([](const auto&) {});
    EXPECT_EQ(response.content_type, "text/event-stream");
    Request request;
    EXPECT_EQ(last_event_id(request), "");
    request.headers = {{"last-event-id", "42"}};
    EXPECT_EQ(last_event_id(request), "42");
}

class Counted final : public DownloadSource {
public:
    Counted(std::size_t bytes, std::atomic<std::size_t>& read, std::size_t fails_at = SIZE_MAX)
        : left_(bytes), read_(read), fails_at_(fails_at) {}
    Result<std::string> next(std::size_t bytes_max) override {
        if (read_ >= fails_at_) return Error{Errc::unavailable, "the disk is gone"};
        const auto count = std::min(left_, bytes_max);
        left_ -= count;
        read_ += count;
        return std::string(count, 'd');
    }

private:
    std::size_t left_;
    std::atomic<std::size_t>& read_;
    const std::size_t fails_at_;
};

TEST(Download, IsReadAsFastAsTheClientTakesIt) {
    constexpr std::size_t bytes = 32 * 1024 * 1024;
    constexpr std::size_t in_sockets_max = 12 * 1024 * 1024;
    std::atomic<std::size_t> read = 0;
    Workers workers(2, 16);
    CallHandler handler([&](const Request&, const Reply& reply) {
        reply(download("application/octet-stream", bytes, std::make_unique<Counted>(bytes, read),
                       workers));
    });
    const auto server = Server::listen({}, handler, manual_clock);
    ASSERT_TRUE(server);
    TestClient client((*server)->port(), 64 * 1024);
    client.send(get);
    EXPECT_TRUE(client.until("\r\n\r\n"));
    // Whatever time it has, it reads no more ahead than a few pieces and what the sockets hold.
    std::size_t seen = 0;
    const auto rests = eventually([&] {
        std::this_thread::yield();
        return read > 0 && std::exchange(seen, read) == read;
    });
    EXPECT_TRUE(rests);
    EXPECT_LT(read, in_sockets_max);
    client.send("GET / HTTP/1.0\r\n\r\n");
    const auto rest = client.rest();
    ASSERT_TRUE(rest) << read;
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(rest->substr(0, bytes), 'd')), bytes);
    (*server)->stop(1s);
    workers.stop();
}

TEST(Download, ASourceThatFailsIsSeenByTheClient) {
    std::atomic<std::size_t> read = 0;
    Workers workers(1, 16);
    CallHandler handler([&](const Request&, const Reply& reply) {
        reply(download("text/plain", std::nullopt,
                       std::make_unique<Counted>(1'000'000, read, 200'000), workers));
    });
    const auto server = Server::listen({}, handler, manual_clock);
    ASSERT_TRUE(server);
    TestClient client((*server)->port());
    client.send(get);
    const auto rest = client.rest();
    ASSERT_TRUE(rest);
    EXPECT_FALSE(rest->ends_with("0\r\n\r\n"));
    (*server)->stop(1s);
    workers.stop();
}

}  // namespace
}  // namespace mailroom::http
