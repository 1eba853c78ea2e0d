// The SMTP server's thread: its epoll, its listener and the connections.
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "net/connections.h"
#include "net/listener.h"
#include "net/poller.h"
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
    void run();
    int milliseconds_to_wait() const;
    bool may_sleep() const { return messages_.empty() && !connections_.has_turns(); }
    void handle_event(std::uint64_t key, std::uint32_t events);
    void handle_queue();
    void deliver_delayed();
    void deliver(WakingQueue::Delivery delivery);
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
    net::Poller poller_;
    net::Listener listener_;
    bool accepting_ = true;  // Off until the next sweep when descriptors ran out.
    bool stopping_ = false, abandon_ = false;
    std::size_t abandoned_ = 0;
    MonotonicTime next_sweep_;

    net::Connections<ServerConnection> connections_;
    WakingQueue::Contents messages_;
    std::vector<std::string> address_keys_;  // By slot.
    std::unordered_map<std::string, std::size_t> open_by_address_;

    std::thread thread_;
    std::mutex stop_mutex_;  // One stop() at a time.
    std::mutex ended_mutex_;
    std::condition_variable ended_condition_;
    bool ended_ = false;
};

}  // namespace mailroom::smtp
