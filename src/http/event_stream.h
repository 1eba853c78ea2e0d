// Server-sent events, which every browser reads with EventSource (HTML, 9.2).
#pragma once

#include "http/stream.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::http {

struct Event {
    std::string_view name = {};  // Without line ends; empty: "message".
    std::string_view data;       // Any text.
    std::string_view id = {};    // Without line ends; what the client says when it comes back.
};
// The bytes of an event, made once for any number of clients.
std::string event_text(const Event& event);

// An answer of events. `begin` as in Streamed.
Response event_stream(std::function<void(std::shared_ptr<Stream>)> begin);

// After which event a client that comes back goes on; empty if it has seen none.
std::string_view last_event_id(const Request& request);

}  // namespace mailroom::http
