// An answer that streams, as its session has it: what is written becomes bytes of the connection,
// and, of a WebSocket, what is read becomes messages.
#pragma once

#include "http/stream.h"
#include "http/web_socket.h"
#include "http/web_socket_engine.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::http {

// On its session's thread.
class LiveAnswer {
public:
    // What follows for the connection.
    enum class Outcome {
        goes_on,
        whole,   // The next request may come.
        over,    // Ends when all is sent.
        broken,  // Ends at once.
    };

    // `ends_with_connection`: the client knows of no chunks.
    LiveAnswer(std::shared_ptr<const Streamed> how, std::shared_ptr<Stream> stream,
               bool ends_with_connection);
    LiveAnswer(std::shared_ptr<const Upgrade> how, std::shared_ptr<Stream> stream,
               WebSocketSteps& steps);
    // Whoever waits for room, or for the end, is told.
    ~LiveAnswer();
    LiveAnswer(const LiveAnswer&) = delete;
    LiveAnswer& operator=(const LiveAnswer&) = delete;

    // The header is in `output`, or comes there.
    Outcome begin(std::string& output);
    Outcome put(const Piece& piece, std::string& output);
    // What the client said: of no use but to a WebSocket.
    bool reads() const { return engine_ != nullptr; }
    Outcome read(std::string_view bytes, std::string& output);
    // Nothing was sent for a while.
    void beat(std::string& output);
    // The server stops.
    Outcome stop(std::string& output);
    bool is_endless() const { return reads() || !streamed_->heartbeat.empty(); }

    // What of it the network has not taken yet.
    void sent(std::size_t unsent_bytes) { stream_->sent(unsent_bytes); }
    void taken(const Piece& piece, std::size_t unsent_bytes);

    std::uint64_t wrote_tick = 0, read_tick = 0;  // The session's.

private:
    Outcome put_bytes(const std::string& bytes, std::string& output);
    Outcome finish(std::string& output);
    Outcome engines_outcome() const;

    const std::shared_ptr<const Streamed> streamed_;  // Or:
    const std::shared_ptr<const Upgrade> upgrade_;
    const std::shared_ptr<Stream> stream_;
    const bool ends_with_connection_ = false;
    std::size_t sent_bytes_ = 0;
    std::unique_ptr<WebSocketListener> listener_;
    std::unique_ptr<WebSocketEngine> engine_;
};

}  // namespace mailroom::http
