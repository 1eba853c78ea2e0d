#include "http/web_socket.h"

#include "http/server.h"
#include "http/test_client.h"
#include "http/test_handlers.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

const ManualClock manual_clock{from_unix_ms(1'794'721'884'000)};
const std::string upgrade =
    "GET /live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// A client's frame, masked as it must be.
std::string frame(int first_byte, const std::string& bytes) {
    const std::string mask = "\x11\x22\x33\x44";
    std::string text(1, static_cast<char>(first_byte));
    if (bytes.size() < 126) {
        text += static_cast<char>(0x80 | bytes.size());
    } else {
        text += static_cast<char>(0x80 | 126);
        text += static_cast<char>(bytes.size() >> 8);
        text += static_cast<char>(bytes.size() & 0xff);
    }
    text += mask;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text += static_cast<char>(bytes[i] ^ mask[i % 4]);
    }
    return text;
}
constexpr int text = 0x81, binary = 0x82, text_begin = 0x01, more = 0x00, last = 0x80,
              closing = 0x88, ping = 0x89;

std::string close_frame(int code, bool of_server = true) {
    const std::string bytes = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
    return of_server ? "\x88\x02" + bytes : frame(closing, bytes);
}

// Says back what it hears, and keeps the sockets.
class WebSocketTest : public ::testing::Test {
protected:
    struct Echo final : WebSocketListener {
        Echo(WebSocketTest& owner, std::shared_ptr<WebSocket> connection)
            : test(owner), socket(std::move(connection)) {}
        void on_message(std::string_view bytes, bool is_text) override {
            socket->send(is_text ? Message::text(bytes) : Message::binary(bytes));
        }
        void on_gone() override {
            const std::lock_guard lock(test.mutex_);
            ++test.gone_;
            test.changed_.notify_all();
        }
        WebSocketTest& test;
        std::shared_ptr<WebSocket> socket;
    };

    void serve(const Limits& limits = {}, WebSocketOptions options = {}) {
        options.begin = [this](std::shared_ptr<WebSocket> socket) {
            const std::lock_guard lock(mutex_);
            sockets_.push_back(socket);
            changed_.notify_all();
            return std::make_unique<Echo>(*this, std::move(socket));
        };
        handler_ = std::make_unique<CallHandler>([options](Request request, const Reply& reply) {
            reply(web_socket(std::move(request), options));
        });
        auto server = Server::listen({.limits = limits}, *handler_, manual_clock);
        ASSERT_TRUE(server);
        server_ = *std::move(server);
    }
    TestClient open() {
        TestClient client(server_->port());
        client.send(upgrade);
        EXPECT_EQ(status_of(client.until("\r\n\r\n")), 101);
        return client;
    }
    std::vector<std::shared_ptr<WebSocket>> sockets(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, 10s, [&] { return sockets_.size() >= count; });
        return sockets_;
    }
    bool gone(int count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 10s, [&] { return gone_ >= count; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<WebSocket>> sockets_;
    int gone_ = 0;
    std::unique_ptr<CallHandler> handler_;
    std::unique_ptr<Server> server_;
};

TEST_F(WebSocketTest, IsAgreedToAsTheStandardsExampleHasIt) {
    serve();
    TestClient client(server_->port());
    client.send(upgrade);
    const auto answer = client.until("\r\n\r\n");
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->starts_with("HTTP/1.1 101 ")) << *answer;
    EXPECT_NE(answer->find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"),
              std::string::npos);
}

TEST_F(WebSocketTest, MessagesOfEachKindAndLengthComeWhole) {
    serve();
    auto client = open();
    struct Case {
        std::string name, sent, want;
    };
    const std::string medium(200, 'm'), large(60'000, 'l');
    const Case cases[] = {
        {"text", frame(text, "grüße"), std::string("\x81\x07") + "grüße"},
        {"bytes", frame(binary, {"\0\xff", 2}), std::string("\x82\x02\0\xff", 4)},
        {"empty", frame(text, ""), std::string("\x81\0", 2)},
        {"16-bit length", frame(text, medium), std::string("\x81\x7e\x00\xc8", 4) + medium},
        {"almost too long", frame(text, large), "\x81\x7e\xea\x60" + large},
        {"in pieces",
         frame(text_begin, "one ") + frame(more, "two ") + frame(ping, "p") + frame(last, "three"),
         std::string("\x8a\x01p\x81\x0d") + "one two three"},
        {"two at once", frame(text, "a") + frame(text, "b"),
         "\x81\x01"
         "a\x81\x01"
         "b"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        client.send(c.sent);
        EXPECT_EQ(client.until(c.want), c.want);
    }
}

TEST_F(WebSocketTest, WhatComesWithTheRequestOrByteByByteIsHeard) {
    serve();
    TestClient client(server_->port());
    client.send(upgrade + frame(text, "early"));
    EXPECT_TRUE(
        client.until("\x81\x05"
                     "early"));
    for (const char byte : frame(text, "slow")) client.send({&byte, 1});
    EXPECT_TRUE(
        client.until("\x81\x04"
                     "slow"));
}

TEST_F(WebSocketTest, WhoBreaksTheRulesIsToldWhichAndLetGo) {
    serve();
    struct Case {
        std::string name, sent;
        int code;
    };
    const Case cases[] = {
        {"not masked", "\x81\x02hi", 1002},
        {"reserved bit", frame(0xc1, "hi"), 1002},
        {"unknown opcode", frame(0x83, "hi"), 1002},
        {"a ping in pieces", frame(0x09, "p"), 1002},
        {"nothing to continue", frame(last, "x"), 1002},
        {"text that is not UTF-8", frame(text, "\xff\xfe"), 1007},
        {"too long",
         frame(text, std::string(65'000, 'x')) + frame(text_begin, std::string(65'000, 'x')) +
             frame(last, std::string(65'000, 'x')),
         1009},
    };
    int count = 0;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto client = open();
        client.send(c.sent);
        const auto rest = client.rest();
        ASSERT_TRUE(rest);
        EXPECT_TRUE(rest->ends_with(close_frame(c.code)));
        EXPECT_TRUE(gone(++count));
    }
}

TEST_F(WebSocketTest, AClientsCloseIsAnsweredWithItsCode) {
    serve();
    auto client = open();
    client.send(close_frame(1000, false));
    EXPECT_EQ(client.rest(), close_frame(1000));
    EXPECT_TRUE(gone(1));
    EXPECT_FALSE(sockets(1)[0]->is_open());
    EXPECT_FALSE(sockets(1)[0]->send(Message::text("nobody")));
}

TEST_F(WebSocketTest, OurCloseComesAfterWhatWasSentAndWaitsForTheAnswer) {
    serve();
    auto client = open();
    const auto socket = sockets(1)[0];
    socket->send(Message::text("bye"));
    socket->close(close_policy, "enough");
    const std::string want = std::string("\x81\x03") + "bye\x88\x08\x03\xf0" + "enough";
    EXPECT_EQ(client.until("enough"), want);
    EXPECT_FALSE(socket->send(Message::text("more")));
    client.send(frame(text, "crossed") + close_frame(1008, false));
    EXPECT_EQ(client.rest(), "");
    EXPECT_TRUE(gone(1));
}

TEST_F(WebSocketTest, OneMessageGoesToManyFromManyThreads) {
    serve();
    constexpr std::size_t clients_count = 40, per_thread = 50;
    std::vector<TestClient> clients;
    for (std::size_t i = 0; i < clients_count; ++i) clients.push_back(open());
    const auto all = sockets(clients_count);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            const auto message = Message::text("x");
            for (std::size_t i = 0; i < per_thread; ++i) {
                for (const auto& socket : all) EXPECT_TRUE(socket->send(message));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    std::string want;
    for (std::size_t i = 0; i < 4 * per_thread; ++i) want += "\x81\x01x";
    for (auto& client : clients) EXPECT_EQ(client.until(want), want);
}

TEST_F(WebSocketTest, AStopSaysGoingAway) {
    serve();
    auto client = open();
    sockets(1);
    EXPECT_EQ(server_->stop(10s), 0u);
    EXPECT_EQ(client.rest(), close_frame(1001));
    EXPECT_TRUE(gone(1));
}

TEST_F(WebSocketTest, OneThatDoesNotEvenAnswerPingsIsLetGo) {
    Limits limits;
    limits.sweep_interval = 10ms;
    limits.heartbeat_max = 30ms;
    serve(limits);
    auto silent = open(), alive = open();
    const std::string server_ping("\x89\0", 2), pong("\x8a\x80\x11\x22\x33\x44", 6);
    std::atomic<bool> done = false;
    std::thread answering([&] {
        while (!done && alive.until(server_ping)) alive.send(pong);
    });
    EXPECT_TRUE(silent.rest());
    EXPECT_TRUE(gone(1));
    EXPECT_TRUE(sockets(2)[1]->is_open());
    done = true;
    answering.join();
}

TEST_F(WebSocketTest, OneThatTakesNothingIsLetGoAtItsBound) {
    WebSocketOptions options;
    options.waiting_bytes_max = 256 * 1024;
    serve({}, options);
    auto client = open();
    const auto socket = sockets(1)[0];
    const auto message = Message::binary(std::string(16 * 1024, 'x'));
    EXPECT_TRUE(eventually([&] {
        EXPECT_LE(socket->waiting_bytes(), options.waiting_bytes_max);
        return !socket->send(message);
    }));
    EXPECT_TRUE(gone(1));
}

TEST_F(WebSocketTest, TheProtocolThatWasChosenIsSaid) {
    WebSocketOptions options;
    options.protocol = "chat.v1";
    serve({}, options);
    TestClient client(server_->port());
    auto asked = upgrade;
    asked.insert(asked.size() - 2, "Sec-WebSocket-Protocol: chat.v1, other\r\n");
    client.send(asked);
    const auto answer = client.until("\r\n\r\n");
    ASSERT_TRUE(answer);
    EXPECT_NE(answer->find("Sec-WebSocket-Protocol: chat.v1\r\n"), std::string::npos);
}

TEST_F(WebSocketTest, WhatIsNoProperRequestForOneIsRefused) {
    serve();
    const auto without = [](std::string_view from, std::string_view to) {
        auto request = upgrade;
        request.replace(request.find(from), from.size(), to);
        return request;
    };
    const struct {
        std::string_view name;
        std::string sent;
        int status;
    } cases[] = {
        {"no WebSocket", without("Upgrade: websocket\r\n", ""), 426},
        {"POST", without("GET", "POST"), 426},
        {"HTTP/1.0", without("HTTP/1.1", "HTTP/1.0"), 426},
        {"old version", without("Version: 13", "Version: 8"), 426},
        {"no key", without("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""), 400},
        {"short key", without("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="), 400},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        TestClient client(server_->port());
        client.send(c.sent);
        EXPECT_EQ(status_of(client.answer()), c.status);
    }
}

}  // namespace
}  // namespace mailroom::http
