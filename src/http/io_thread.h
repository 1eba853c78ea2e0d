// One thread, its epoll and the sessions that belong to it.
#pragma once

#include "base/clock.h"
#include "http/http.h"
#include "http/limits.h"
#include "http/session.h"
#include "http/waking_queue.h"
#include "net/connections.h"
#include "net/listener.h"
#include "net/poller.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::http {

class IoThread {
public:
    // All must outlive the thread.
    IoThread(const Limits& limits, Handler& handler, const Clock& clock);
    ~IoThread();  // It must have ended, or never have been started.
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    // False if the system has no descriptors left.
    bool ready() const;
    // Accepts on `listener` too, and passes each connection to `arrived` on this thread. Before
    // start().
    void accept_from(net::Listener listener, std::function<void(Arrival)> arrived);
    // `ended` is called on the thread as its last act.
    void start(std::function<void()> ended);
    void join();

    // Makes the connection one of this thread's, or closes it if the thread has ended. From any
    // thread; it counts as open at once.
    void take_over(Arrival arrival);
    WakingQueue& queue() { return *context_.queue; }
    const Counters& counters() const { return context_.counters; }
    Counters& own_counters() { return context_.counters; }  // On this thread only.
    // Requests that were in hand when the thread was told to abandon them. After join().
    std::size_t abandoned() const { return abandoned_; }

private:
    void run();
    void handle_event(std::uint64_t key, std::uint32_t events);
    void handle_messages();
    void flush_sessions();
    void accept_some();
    void adopt(Arrival arrival);
    // Closes the one that has been silent for longest; false if none is.
    bool make_room();
    void turn_away(int socket);
    void sweep();
    void begin_stop();
    void after_work(std::uint32_t slot);
    bool finished() const;
    void close_all();
    void close_queue();

    const Clock& clock_;
    SessionContext context_;
    net::Poller poller_;
    int timer_ = -1;
    std::optional<net::Listener> listener_;  // Until it stops.
    bool accepting_ = true;                  // Off until the next sweep when descriptors ran out.
    bool abandon_ = false;
    std::size_t abandoned_ = 0;
    std::function<void(Arrival)> arrived_;
    std::function<void()> ended_;

    net::Connections<Session> sessions_;
    std::vector<std::uint32_t> flushes_;  // Sessions that hold answers back.
    std::vector<std::uint32_t> flushing_;
    WakingQueue::Contents messages_;
    std::thread thread_;
};

}  // namespace mailroom::http
