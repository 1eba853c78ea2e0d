// The SMTP server's thread: its epoll, its listener and the connections.
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "net/listener.h"
#include "smtp/server_connection.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace mailroom::smtp {

class ServerIo {
public:
    // All but `listener` must outlive it.
    ServerIo(const ServerSettings& settings, const ServerTls& tls, net::Listener listener,
             Receiver& receiver, const Clock& clock, Random& random);
    ~ServerIo();  // Stopped, or never started.
    ServerIo(const ServerIo&) = delete;
    ServerIo& operator=(const ServerIo&) = delete;

    // False if the system has no descriptors left.
    bool start();
    // As Server::stop(). From any other thread.
    std::size_t stop(std::chrono::milliseconds grace);
    const ServerCounters& counters() const { return context_.counters; }

private:
    struct Slot {
        std::unique_ptr<ServerConnection> connection;  // Empty where free.
        std::string address_key;
    };

    void run();
    bool watch(int descriptor, std::uint32_t events, std::uint64_t key);
    int milliseconds_to_wait() const;
    void handle_event(std::uint64_t key, std::uint32_t events);
    void handle_mailbox();
    void deliver_delayed();
    void give_turns();
    void accept_some();
    void adopt(const net::Listener::Arrival& arrival);
    bool make_room(const std::string* address_key);
    void turn_away(int socket, std::string_view reply);
    void after_work(std::uint32_t slot);
    void sweep();
    void begin_stop();
    bool finished() const;

    const ServerSettings& settings_;
    UlidGenerator ids_;
    MemoryBudget budget_;
    ConnectionContext context_;
    int epoll_ = -1;
    net::Listener listener_;
    bool accepting_ = true;  // Off until the next sweep when descriptors ran out.
    bool stopping_ = false, abandon_ = false;
    std::size_t open_ = 0;
    std::size_t abandoned_ = 0;
    MonotonicTime next_sweep_;

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::vector<std::uint32_t> closed_slots_;  // Reused only after the round they ended in.
    std::vector<std::uint32_t> turns_;         // Connections that have more to read.
    std::unordered_map<std::string, std::size_t> open_by_address_;

    std::thread thread_;
    std::mutex stop_mutex_;  // One stop() at a time.
    std::mutex ended_mutex_;
    std::condition_variable ended_condition_;
    bool ended_ = false;
};

}  // namespace mailroom::smtp
