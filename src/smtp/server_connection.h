// One socket of the SMTP server: moves bytes between it, TLS and a ServerSession, asks the
// Receiver, and keeps the deadlines. Everything happens on the server's I/O thread.
#pragma once

#include "net/waking_queue.h"
#include "smtp/server_receiver.h"
#include "smtp/server_session.h"
#include "smtp/server_tls.h"

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ssl_st;

namespace mailroom::smtp {

using MonotonicTime = std::chrono::steady_clock::time_point;

// One writer, the I/O thread; anybody reads.
struct ServerCounters {
    std::atomic<std::uint64_t> connections = 0;  // Open now.
    std::atomic<std::uint64_t> accepted = 0;
    std::atomic<std::uint64_t> turned_away = 0;
    std::atomic<std::uint64_t> messages = 0;
    std::atomic<std::uint64_t> timed_out = 0;
};

// One writer, so no read-modify-write is needed.
inline void add_one(std::atomic<std::uint64_t>& counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

using WakingQueue = net::WakingQueue<Decision>;  // A ticket is of one question.

// What all connections of one I/O thread share.
struct ConnectionContext {
    SessionContext session;
    Receiver& receiver;
    std::shared_ptr<WakingQueue> queue;
    const ServerTls* tls = nullptr;
    std::vector<char> input = {};
    MonotonicTime now = {};
    std::uint64_t last_serial = 0;
    std::multimap<MonotonicTime, WakingQueue::Delivery> delayed = {};
    ServerCounters counters = {};
};

class ServerConnection {
public:
    // Owns `socket`, which does not block.
    ServerConnection(ConnectionContext& context, int socket, std::uint32_t slot, Peer peer);
    ~ServerConnection();
    ServerConnection(const ServerConnection&) = delete;
    ServerConnection& operator=(const ServerConnection&) = delete;

    void on_start();
    void on_event(std::uint32_t events);  // Of an edge-triggered epoll.
    void on_turn();
    void on_answer(WakingQueue::Delivery delivery);
    void on_sweep();
    void on_stop();
    void close();

    bool closed() const { return phase_ == Phase::closed; }
    bool wants_turn() const { return wants_turn_; }
    // It is receiving a message, or its message is being stored.
    bool has_message() const;
    const Peer& peer() const { return session_.peer(); }

    // Who gives way to a newcomer, the least first: those who have not logged in, and the longest
    // silent. None while it sends a message or waits for us; an answer that is only being delayed,
    // as after failed logins, is nothing to wait for.
    struct Silence {
        bool has_logged_in;
        MonotonicTime since;
        auto operator<=>(const Silence&) const = default;
    };
    std::optional<Silence> silence() const;
    void give_way();

private:
    enum class Phase { handshake, open, lingering, closed };

    void advance();
    bool go_on();
    bool go_on_with_input();
    void ask();
    void put_question(const net::Ticket& ticket);
    Answer make_answer(const net::Ticket& ticket) const;
    void apply(Decision decision);
    void greet_after_looking();

    void start_handshake();
    bool handshake();
    std::string tls_description() const;
    long receive();
    long transmit(std::string_view bytes);
    long tls_outcome(int result);
    void flush();
    void linger();
    void drain();
    void enter(Phase phase);

    void sweep_open();
    bool is_late_to_log_in() const;
    void time_out(int code, std::string_view enhanced, std::string_view text);

    ConnectionContext& context_;
    int socket_;
    const std::uint32_t slot_;
    ServerSession session_;
    std::unique_ptr<ssl_st, void (*)(ssl_st*)> tls_;
    Phase phase_ = Phase::open;
    bool readable_ = false;
    bool peer_finished_ = false;
    bool wants_turn_ = false;
    bool greeting_was_delayed_ = false;
    bool was_announced_ = false;  // The Receiver knows of this connection.

    std::string pending_;  // Read, and to be consumed after the answer.
    std::string unsent_;
    std::size_t unsent_at_ = 0;
    std::uint64_t lingered_bytes_ = 0;

    std::uint64_t serial_in_hand_ = 0;  // Of the question; 0 if none.
    Step step_in_hand_ = Step::connect;
    std::optional<MonotonicTime> delayed_since_;  // Its answer is there, and is held back.
    std::uint64_t seen_progress_ = 0;
    MonotonicTime opened_;
    MonotonicTime since_;  // When what it waits for began.
    MonotonicTime unsent_since_;
};

}  // namespace mailroom::smtp
