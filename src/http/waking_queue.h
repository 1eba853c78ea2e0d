// How other threads reach an I/O thread of the HTTP server.
#pragma once

#include "http/http.h"
#include "net/waking_queue.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace mailroom::http {

struct Arrival {  // A connection just accepted. The receiver owns the socket.
    int socket = -1;
    std::string peer;
    bool needs_room = false;  // Somebody silent must go for it, or it is turned away.
};

// Of an answer that streams.
struct Piece {
    enum class Last {
        no,
        whole,  // The answer is complete.
        cut,    // Something is missing.
        close,  // A WebSocket's end, with a code and, as bytes, a reason.
    };
    std::shared_ptr<const std::string> bytes = nullptr;
    Last last = Last::no;
    std::uint16_t close_code = 0;
};

using Ticket = net::Ticket;  // Of a request in hand.
using WakingQueue = net::WakingQueue<std::variant<Response, Piece>, Arrival>;

}  // namespace mailroom::http
