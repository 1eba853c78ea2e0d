// The protocol of one WebSocket without a socket: bytes in, bytes out. Boost.Beast reads frames,
// answers pings and closes; messages of ours are frames already (Message), and go around it.
#pragma once

#include "http/web_socket.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::http {

// What the engines of one thread share: where Beast's steps run. Must outlive them.
class WebSocketSteps {
public:
    WebSocketSteps();
    ~WebSocketSteps();
    WebSocketSteps(const WebSocketSteps&) = delete;
    WebSocketSteps& operator=(const WebSocketSteps&) = delete;

private:
    friend class WebSocketEngine;
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// For one thread. Each call appends to `output` what is to be sent.
class WebSocketEngine {
public:
    WebSocketEngine(WebSocketSteps& steps, const Upgrade& upgrade);
    ~WebSocketEngine();
    WebSocketEngine(const WebSocketEngine&) = delete;
    WebSocketEngine& operator=(const WebSocketEngine&) = delete;

    // Agrees, with an HTTP answer. False if Beast finds something wrong after all: then that is
    // what it answered.
    bool accept(std::string& output);
    // From now on messages come: to `listener`, which must outlive the engine.
    void listen(WebSocketListener& listener, std::string& output);
    void feed(std::string_view bytes, std::string& output);
    void close(std::uint16_t code, std::string_view reason, std::string& output);

    // Whether a message may still be sent: nobody has begun to close.
    bool is_open() const;
    // Nothing more is to be read or said.
    bool is_over() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// What is sent to learn whether somebody is still there.
std::string_view ping_frame();

}  // namespace mailroom::http
