// A connection on which both sides speak whenever they like (RFC 6455).
//
//   if (!wants_web_socket(request)) …
//   reply(web_socket(request, {.begin = [&](auto socket) {
//       return std::make_unique<Visitor>(std::move(socket));
//   }}));
//
// Who may open one is for the handler to decide, before it answers with this. A browser does not
// ask whether another site's page may: look at Origin where cookies sign in.
#pragma once

#include "http/http.h"
#include "http/stream.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::http {

// A message as it travels: made once, sent to any number.
class Message {
public:
    static Message text(std::string_view utf8);
    static Message binary(std::string_view bytes);
    const std::shared_ptr<const std::string>& frame() const { return frame_; }

private:
    explicit Message(std::string frame)
        : frame_(std::make_shared<const std::string>(std::move(frame))) {}
    std::shared_ptr<const std::string> frame_;
};

// Reasons to close (RFC 6455, 7.4.1).
inline constexpr std::uint16_t close_normal = 1000, close_going_away = 1001, close_policy = 1008;

// Our end. Thread-safe.
class WebSocket {
public:
    explicit WebSocket(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}

    // False if nobody takes it any more; see Stream::write().
    bool send(const Message& message) { return stream_->write(message.frame()); }
    // After what was sent before. `reason`: 123 bytes at most.
    void close(std::uint16_t code, std::string reason) {
        stream_->ask_to_close(code, std::move(reason));
    }
    bool is_open() const { return stream_->is_open(); }
    std::size_t waiting_bytes() const { return stream_->waiting_bytes(); }

private:
    std::shared_ptr<Stream> stream_;
};

// Who hears what the other side says. Called on one I/O thread; must not block.
class WebSocketListener {
public:
    virtual ~WebSocketListener() = default;
    // Whole messages; text is valid UTF-8. The bytes are there as long as the call.
    virtual void on_message(std::string_view bytes, bool is_text) = 0;
    // The connection is gone, for whatever reason. Nothing comes after it.
    virtual void on_gone() {}
};

struct WebSocketOptions {
    // Called on an I/O thread when the connection has become a WebSocket; must not block.
    std::function<std::unique_ptr<WebSocketListener>(std::shared_ptr<WebSocket>)> begin;
    // A longer one ends the connection with 1009.
    std::size_t message_bytes_max = 64 * 1024;
    std::size_t waiting_bytes_max = 1024 * 1024;
    std::string protocol = {};  // Of those the client offers; empty: none.
};

// What makes a WebSocket of a connection.
struct Upgrade {
    Request request;  // Its header.
    WebSocketOptions options;
};

bool wants_web_socket(const Request& request);
// 101, or a refusal if it is no request that one could agree to.
Response web_socket(Request request, WebSocketOptions options);

}  // namespace mailroom::http
