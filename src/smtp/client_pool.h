// All connections to one target, and the mails that wait for one of them. Private to smtp/, because
// it shows Asio. Belongs to one thread.
#pragma once

#include "smtp/client_session.h"
#include "smtp/delivery.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mailroom::smtp {

struct ClientCounters {
    std::atomic<std::uint64_t> connections = 0;
    std::atomic<std::uint64_t> opened = 0;
    std::atomic<std::uint64_t> reused = 0;
    std::atomic<std::uint64_t> retried = 0;
};

// One mail and whom to tell.
struct ClientJob {
    Mail mail;
    std::function<void(Delivery)> done;
    std::string transcript = {};                      // Of tries before the last.
    std::shared_ptr<EndQuestion> question = nullptr;  // None: not asked yet.
};

class ClientPool {
public:
    // All must outlive the pool. `emptied` is called when the last connection has ended and no
    // mail waits; the pool may be destroyed after that call, but not in it.
    ClientPool(boost::asio::io_context& io, const TlsContexts& tls, ClientCounters& counters,
               std::function<void()> emptied);

    // `target` is what connections opened from now on use.
    void submit(std::shared_ptr<const Target> target, ClientJob job);
    bool is_empty() const { return lanes_ == 0 && waiting_.empty() && giving_up_ == 0; }

    // Refuses what waits and ends idle connections.
    void stop();
    // Ends all connections.
    void abort();

private:
    struct Lane;
    enum class Next { go_on, end_lane };

    std::size_t lanes_max() const;
    bool wake_idle_lane();
    void start_lane();
    boost::asio::awaitable<void> run_lane();
    boost::asio::awaitable<Next> serve(Lane& lane, ClientJob job);
    boost::asio::awaitable<Next> open(Lane& lane, ClientJob& job);
    boost::asio::awaitable<bool> wait_for_job();
    boost::asio::awaitable<void> leave(Lane& lane);
    // Of the mails that come next, one for each open connection.
    void ask_ahead();
    boost::asio::awaitable<void> give_up(ClientJob job, Verdict verdict, Lane* lane);
    void give_up_waiting(const Verdict& verdict);

    boost::asio::io_context& io_;
    const TlsContexts& tls_;
    ClientCounters& counters_;
    std::function<void()> emptied_;
    std::shared_ptr<const Target> target_;  // Shared with the sessions and the caller.
    std::deque<ClientJob> waiting_;
    std::size_t lanes_ = 0;        // Coroutines, each with a connection or about to open one.
    std::size_t lanes_open_ = 0;   // Those that have a session ready to send.
    std::size_t giving_up_ = 0;    // Mails that did not get a lane and wait for an answer to go.
    std::size_t lanes_borne_ = 0;  // What the server has been seen to bear …
    std::chrono::steady_clock::time_point lanes_borne_until_ = {};  // … and how long we keep to it.
    std::vector<boost::asio::steady_timer*> idle_;                  // Of lanes with nothing to do.
    std::vector<ClientSession*> sessions_;
    std::vector<ClientSession*> opening_;  // Those of them that are not ready to send yet.
    bool stopping_ = false;
    bool aborted_ = false;
};

}  // namespace mailroom::smtp
