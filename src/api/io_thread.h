// One thread, its epoll and the sessions that belong to it.
#pragma once

#include "api/http.h"
#include "api/limits.h"
#include "api/mailbox.h"
#include "api/session.h"
#include "base/clock.h"
#include "net/listener.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::api {

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
    void accept_from(net::Listener listener, std::function<void(Mailbox::Arrival)> arrived);
    // `ended` is called on the thread as its last act.
    void start(std::function<void()> ended);
    void join();

    // Makes the connection one of this thread's, or closes it if the thread has ended. From any
    // thread; it counts as open at once.
    void take_over(Mailbox::Arrival arrival);
    Mailbox& mailbox() { return *context_.mailbox; }
    const Counters& counters() const { return context_.counters; }
    Counters& own_counters() { return context_.counters; }  // On this thread only.
    // Requests that were in hand when the thread was told to abandon them. After join().
    std::size_t abandoned() const { return abandoned_; }

private:
    void run();
    bool watch(int descriptor, std::uint32_t events, std::uint64_t key);
    void handle_event(std::uint64_t key, std::uint32_t events);
    void handle_messages();
    void give_turns();
    void flush_sessions();
    void accept_some();
    void adopt(Mailbox::Arrival arrival);
    // Closes the one that has been silent for longest; false if none is.
    bool make_room();
    void turn_away(int socket);
    void sweep();
    void begin_stop();
    void after_work(std::uint32_t slot);
    void release_closed();
    bool finished() const;
    void close_all();

    const Clock& clock_;
    SessionContext context_;
    int epoll_ = -1;
    int timer_ = -1;
    std::optional<net::Listener> listener_;  // Until it stops.
    bool accepting_ = true;                  // Off until the next sweep when descriptors ran out.
    bool abandon_ = false;
    std::size_t abandoned_ = 0;
    std::function<void(Mailbox::Arrival)> arrived_;
    std::function<void()> ended_;

    std::vector<std::unique_ptr<Session>> sessions_;  // By slot; empty where free.
    std::vector<std::uint32_t> free_slots_;
    std::vector<std::uint32_t>
        closed_slots_;                    // Reused only after the round of events they ended in.
    std::vector<std::uint32_t> turns_;    // Sessions that have more to read.
    std::vector<std::uint32_t> flushes_;  // Sessions that hold answers back.
    std::vector<std::uint32_t> flushing_;
    Mailbox::Contents messages_;
    std::thread thread_;
};

}  // namespace mailroom::api
