// One connection of the HTTP server without the server: the session at one end of a pair of
// sockets, whoever gives it bytes at the other.
#pragma once

#include "http/http.h"
#include "http/limits.h"
#include "http/session.h"
#include "http/waking_queue.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::http {

// Knows when a request has its answer, which may come from any thread.
class Awaited final : public Handler {
public:
    explicit Awaited(Handler& next) : next_(next) {}

    void handle(Request request, Reply reply) override {
        ++open_;
        next_.handle(std::move(request), [this, reply = std::move(reply)](Response response) {
            reply(std::move(response));
            answered_.release();
        });
    }
    Response refuse(int status, std::string_view why) const override {
        return next_.refuse(status, why);
    }
    std::size_t body_bytes_max(const Request& head) const override {
        return next_.body_bytes_max(head);
    }

    // Returns when all requests are answered. False if there were none.
    bool wait() {
        if (open_ == 0) return false;
        for (; open_ > 0; --open_) answered_.acquire();
        return true;
    }

private:
    Handler& next_;
    std::size_t open_ = 0;
    std::counting_semaphore<> answered_{0};
};

class Connection {
public:
    // Both must outlive the connection.
    Connection(const Limits& limits, Handler& handler)
        : awaited_(handler),
          context_{
              .limits = limits, .handler = awaited_, .queue = std::make_shared<WakingQueue>()} {
        std::array<int, 2> pair = {};
        const int made =
            ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data());
        assert(made == 0);
        client_ = pair[0];
        context_.date = "now";
        context_.input.resize(input_bytes);
        context_.queue->set_owner(std::this_thread::get_id());
        session_ = std::make_unique<Session>(context_, pair[1], 0, "192.0.2.1");
    }
    ~Connection() {
        session_.reset();
        context_.queue->close();
        ::close(client_);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Sends `bytes`, which must be few enough for the socket to hold, and waits for what comes of
    // it. After the server closed they are lost.
    void send(std::string_view bytes) {
        if (session_->closed()) return;
        const auto sent = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        assert(sent == static_cast<ssize_t>(bytes.size()));
        session_->on_event(EPOLLIN);
        settle();
    }

    // No more will be sent. Everything that was answered.
    std::string finish() {
        ::shutdown(client_, SHUT_WR);
        session_->on_event(EPOLLIN | EPOLLRDHUP);
        settle();
        assert(session_->closed());
        return std::move(received_);
    }

private:
    static constexpr std::size_t input_bytes = 64 * 1024;

    // What the I/O thread does between two events.
    void settle() {
        do {
            while (session_->wants_turn()) session_->on_turn();
            if (session_->wants_flush()) session_->on_flush();
        } while (deliver() || receive());
    }

    bool deliver() {
        if (!awaited_.wait()) return false;
        WakingQueue::Contents contents;
        context_.queue->take(contents);
        for (auto& answer : contents.answers) {
            session_->on_answer(answer.ticket, std::move(answer.answer));
        }
        return true;
    }

    bool receive() {
        const auto count = ::recv(client_, context_.input.data(), context_.input.size(), 0);
        if (count <= 0) return false;
        received_.append(context_.input.data(), static_cast<std::size_t>(count));
        session_->on_event(EPOLLOUT);
        return true;
    }

    Awaited awaited_;
    SessionContext context_;
    int client_ = -1;
    std::unique_ptr<Session> session_;
    std::string received_;
};

}  // namespace mailroom::http
