// An answer whose body comes piece by piece: what is too large to hold, and what has no end.
//
//   response.streamed = std::make_shared<Streamed>(Streamed{.begin = [](auto stream) {
//       stream->write("first"); … from any thread, later: stream->write("more"); stream->end();
//   }});
//
// event_stream.h has events for browsers, download.h what is read from a source.
#pragma once

#include "http/waking_queue.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::http {

// The open end of such an answer. Thread-safe. Who holds it may forget it at any time; the answer
// then stays open until the client leaves.
class Stream {
public:
    Stream(std::shared_ptr<WakingQueue> queue, Ticket ticket, std::size_t waiting_bytes_max);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // Puts bytes behind those that wait to be taken. False if nobody takes them any more: the
    // client has left, the server stops, or the client took so little that too much would wait;
    // its connection then ends.
    bool write(std::shared_ptr<const std::string> bytes);
    bool write(std::string bytes);
    // All has been written.
    void end();
    // It cannot be written to its end: the client is to see that something is missing.
    void cut();

    bool is_open() const { return open_; }
    // What was written and not yet taken by the client's side of the network.
    std::size_t waiting_bytes() const { return queued_bytes_ + unsent_bytes_; }

    // Calls once, from an I/O thread or this one, when nobody takes anything any more.
    void when_gone(std::function<void()> call);
    // Calls once, from an I/O thread or this one, when at most that much waits, or nobody takes
    // anything any more. A later one replaces one that was not called.
    void when_waiting_at_most(std::size_t bytes, std::function<void()> call);

    // For the session that has it.
    void ask_to_close(std::uint16_t code, std::string reason);
    void piece_taken(std::size_t bytes, std::size_t unsent_bytes);
    void sent(std::size_t unsent_bytes);
    void gone();

private:
    struct Room {
        std::size_t bytes;
        std::function<void()> call;
    };
    void tell_room();

    const std::shared_ptr<WakingQueue> queue_;
    const Ticket ticket_;
    const std::size_t waiting_bytes_max_;
    std::atomic<bool> open_ = true;
    std::atomic<std::size_t> queued_bytes_ = 0, unsent_bytes_ = 0;
    std::mutex mutex_;
    std::function<void()> gone_;
    std::optional<Room> room_;
};

// How an answer streams.
struct Streamed {
    // Called on an I/O thread when the header is on its way; must not block.
    std::function<void(std::shared_ptr<Stream>)> begin;
    // How long the body is, if that is known: what comes must be as long.
    std::optional<std::size_t> bytes = std::nullopt;
    // Written when there was nothing else for Limits::heartbeat_max, so that proxies leave the
    // connection open and a client that vanished is noticed. Such an answer has no end of its own:
    // it ends when the server stops, or the client sends no more.
    std::string heartbeat = {};
    std::size_t waiting_bytes_max = 1024 * 1024;
};

}  // namespace mailroom::http
