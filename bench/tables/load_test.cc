#include "load.h"

#include "file_descriptor.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace mailroom::bench {
namespace {

constexpr std::string_view good_reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

// A server on a free port that sends `reply` for every `request_bytes` it receives, in pieces of
// `piece_bytes`. With an empty reply it closes the connection instead.
class FakeServer {
public:
    FakeServer(std::string reply, std::size_t request_bytes, std::size_t piece_bytes = 1 << 20)
        : reply_(std::move(reply)),
          request_bytes_(request_bytes),
          piece_bytes_(piece_bytes),
          listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_.number(), generic, length), 0);
        EXPECT_EQ(::listen(listener_.number(), 64), 0);
        EXPECT_EQ(::getsockname(listener_.number(), generic, &length), 0);
        endpoint_ = {ntohs(address.sin_port)};
        acceptor_ = std::thread([this] { accept_all(); });
    }

    ~FakeServer() {
        ::shutdown(listener_.number(), SHUT_RDWR);
        acceptor_.join();
        for (auto& session : sessions_) session.join();
    }

    Endpoint endpoint() const { return endpoint_; }
    std::uint64_t requests() const { return requests_; }

private:
    void accept_all() {
        for (;;) {
            FileDescriptor socket(::accept(listener_.number(), nullptr, nullptr));
            if (!socket.is_open()) return;
            sessions_.emplace_back(
                [this, peer = std::move(socket)]() mutable { serve(std::move(peer)); });
        }
    }

    void serve(FileDescriptor socket) {
        std::array<char, 4096> chunk;
        std::size_t unanswered = 0;
        for (;;) {
            const auto got = ::recv(socket.number(), chunk.data(), chunk.size(), 0);
            if (got <= 0) return;
            unanswered += static_cast<std::size_t>(got);
            for (; unanswered >= request_bytes_; unanswered -= request_bytes_) {
                ++requests_;
                if (reply_.empty()) return;
                for (std::size_t at = 0; at < reply_.size(); at += piece_bytes_) {
                    const auto piece = std::string_view(reply_).substr(at, piece_bytes_);
                    ::send(socket.number(), piece.data(), piece.size(), MSG_NOSIGNAL);
                }
            }
        }
    }

    std::string reply_;
    std::size_t request_bytes_;
    std::size_t piece_bytes_;
    FileDescriptor listener_;
    Endpoint endpoint_{};
    std::atomic<std::uint64_t> requests_ = 0;
    std::vector<std::thread> sessions_;
    std::thread acceptor_;
};

LoadPlan plan_of(std::size_t connections, std::uint64_t requests, std::string request) {
    LoadPlan plan;
    plan.connections = connections;
    plan.measured = std::chrono::seconds(60);
    plan.requests_max = requests;
    plan.render = [request](std::string& bytes) { bytes = request; };
    return plan;
}

TEST(Load, EveryRequestThatLeavesIsAnsweredAndCountedOnce) {
    struct Case {
        const char* name;
        std::size_t connections;
        std::uint64_t requests;
        std::size_t request_bytes, piece_bytes;
    };
    const Case cases[] = {
        {"one connection", 1, 50, 10, 1 << 20},
        {"more connections than fit one wait", 100, 1000, 10, 1 << 20},
        {"more connections than requests", 8, 3, 10, 1 << 20},
        {"replies byte by byte", 2, 20, 10, 1},
        {"requests larger than a socket buffer", 2, 4, 16 << 20, 1 << 20},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        FakeServer server(std::string(good_reply), c.request_bytes, c.piece_bytes);
        const auto result = run_load(server.endpoint(), plan_of(c.connections, c.requests,
                                                                std::string(c.request_bytes, 'r')));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->requests, c.requests);
        EXPECT_EQ(result->latency.count(), c.requests);
        EXPECT_EQ(result->errors, 0u);
        EXPECT_EQ(server.requests(), c.requests);
        EXPECT_GT(result->rate(), 0);
    }
}

TEST(Load, WarmUpIsSentButNotCounted) {
    FakeServer server(std::string(good_reply), 3);
    auto plan = plan_of(1, 20, "get");
    plan.warm_up = std::chrono::seconds(60);
    const auto result = run_load(server.endpoint(), plan);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->requests, 20u);
    EXPECT_EQ(result->latency.count(), 0u);
    EXPECT_EQ(result->rate(), 0);
}

TEST(Load, AnswersThatAreNotWhatWasAskedForAreErrorsWithASample) {
    struct Case {
        const char* name;
        std::string reply;
        bool accepted;
        std::uint64_t errors;
        std::string sample;
    };
    const Case cases[] = {
        {"status", "HTTP/1.1 400 Bad\r\nContent-Length: 4\r\n\r\noops", true, 10, "400 oops"},
        {"body", std::string(good_reply), false, 1, "200 {}"},
        {"neither", std::string(good_reply), true, 0, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        FakeServer server(c.reply, 3);
        auto plan = plan_of(1, 10, "get");
        plan.accept = [&](std::string_view) { return c.accepted; };
        const auto result = run_load(server.endpoint(), plan);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->errors, c.errors);
        EXPECT_EQ(result->error_sample, c.sample);
    }
}

TEST(Load, AServerThatCannotBeUsedIsUnavailable) {
    for (const std::string reply : {"", "SMTP ready\r\n\r\n"}) {
        SCOPED_TRACE(reply);
        FakeServer server(reply, 3);
        const auto result = run_load(server.endpoint(), plan_of(1, 10, "get"));
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Errc::unavailable);
    }
    Endpoint closed{};
    { closed = FakeServer("", 3).endpoint(); }
    const auto result = run_load(closed, plan_of(1, 10, "get"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::unavailable);
}

TEST(Call, ReturnsTheBodyOrTheRefusal) {
    FakeServer good(std::string(good_reply), 3);
    const auto body = call(good.endpoint(), "get");
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(*body, "{}");

    FakeServer bad("HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nwhy", 3);
    const auto refused = call(bad.endpoint(), "get");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::invalid);
    EXPECT_EQ(refused.error().message, "500 why");
}

}  // namespace
}  // namespace mailroom::bench
