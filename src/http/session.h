// One client's connection: reads requests, hands them to the handler one at a time, writes the
// answers in order. Driven by its I/O thread, which alone may touch it.
#pragma once

#include "http/http.h"
#include "http/limits.h"
#include "http/live_answer.h"
#include "http/request_parser.h"
#include "http/waking_queue.h"

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::http {

// Written by one I/O thread, read by any.
struct Counters {
    std::atomic<std::uint64_t> connections{0}, accepted{0}, turned_away{0}, gave_way{0},
        requests{0}, refused{0}, timed_out{0};
};

// What the sessions of one I/O thread share. The buffers are empty, or free to overwrite, whenever
// no session is at work, so an idle connection holds none of its own.
struct SessionContext {
    const Limits& limits;
    Handler& handler;
    std::shared_ptr<WakingQueue> queue;  // Shared with every Reply that is out.
    Counters counters = {};
    std::string date = {};   // For the Date field; renewed by the sweep.
    std::uint64_t tick = 0;  // Sweeps so far: the sessions' clock.
    std::uint64_t last_serial = 0;
    std::uint64_t last_session = 0;
    bool stopping = false;
    std::vector<char> input = {};                     // Filled by the last read.
    std::string output = {};                          // Answers not yet written.
    std::unique_ptr<WebSocketSteps> steps = nullptr;  // As soon as there is a WebSocket.
};

class Session {
public:
    // Owns `socket`, which is non-blocking. `context` must outlive the session.
    Session(SessionContext& context, int socket, std::uint32_t slot, std::string peer);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // The socket's state changed (edge-triggered): EPOLL… flags.
    void on_event(std::uint32_t events);
    // An answer from elsewhere, or a piece of one; ignored unless it is for the request in hand.
    void on_answer(const Ticket& ticket, std::variant<Response, Piece> answer);
    // One more tick of the context's clock has passed.
    void on_sweep();
    // Takes up at most what has already arrived, then closes unless a request is in hand.
    void on_stop();
    // Goes on reading where it left off so that others got their turn.
    void on_turn();
    // Writes the answers that were held back.
    void on_flush();
    void close();

    bool closed() const { return socket_ < 0; }
    bool has_request() const;  // A request is being received, answered, or its answer written.
    // Who gives way to a newcomer, the least first: those who never sent a request, and the longest
    // silent. None while it sends one or waits for its answer.
    struct Silence {
        bool has_asked;
        std::uint64_t since_tick, number;
        auto operator<=>(const Silence&) const = default;
    };
    std::optional<Silence> silence() const;
    bool wants_turn() const { return wants_turn_; }
    bool wants_flush() const { return wants_flush_; }

private:
    enum class State {
        awaiting,   // No byte of the next request yet.
        head,       // Some bytes of its header.
        body,       // The header is complete.
        answering,  // The handler has it.
        streaming,  // The answer comes piece by piece.
        sending,    // The peer is slow to take the answer.
        lingering,  // Answered, no more to say: waiting for the peer to leave.
        closed,
    };

    bool receiving() const { return state_ <= State::body; }
    void enter(State state);

    void advance();
    bool fill();
    std::size_t read_into_context();
    std::size_t consume(std::string_view bytes);
    bool parse(std::string_view bytes, std::size_t& used);
    void continue_after_header();
    void dispatch();
    void respond(Response response);
    void end_answer();
    void refuse(Response response);
    void refuse(int status, std::string_view why);
    void hold_output();
    void flush();
    void send_all(std::string_view bytes);
    void after_send();
    void drain();

    void begin_live(const Response& response);
    template <class Step>
    void follow(const Step& step);
    void put_piece(const Piece& piece);
    void read_live();
    void feed_live(std::string_view bytes);
    void sent_live(std::size_t bytes_before);
    void sweep_live();
    void stop_live();

    // Reads of one connection before the others get their turn.
    static constexpr int reads_per_turn_max = 8;

    bool overdue(std::chrono::milliseconds allowed, std::size_t bytes_moved = 0) const;

    SessionContext& context_;
    int socket_;
    const std::uint32_t slot_;
    const std::string peer_;
    const std::uint64_t number_;  // In the order of arrival.
    RequestParser parser_;

    State state_ = State::awaiting;
    std::uint64_t since_tick_;          // When the state was entered.
    std::uint64_t serial_in_hand_ = 0;  // Of the request being answered.
    std::string pending_;               // Received, not yet parsed.
    std::string unsent_;                // Of an answer; from unsent_at_ on.
    std::size_t unsent_at_ = 0;
    std::size_t lingered_bytes_ = 0;
    std::unique_ptr<LiveAnswer> live_;  // While it streams.
    bool readable_ = false;             // The kernel may have bytes for us.
    bool peer_finished_ = false;        // The end of the stream lies behind them.
    bool wants_turn_ = false;
    bool wants_flush_ = false;  // unsent_ waits for on_flush().
    bool continued_ = false;    // 100 Continue has been sent for this request.
    bool first_request_ = true;
    bool close_after_send_ = false;
};

}  // namespace mailroom::http
