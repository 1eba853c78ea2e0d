#include "smtp/client_pool.h"

#include "smtp/client_transaction.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

// How long we believe that a server which refused another connection takes no more of them.
constexpr auto lesson_time = std::chrono::minutes(1);

Verdict stopping_verdict() {
    return {.outcome = Outcome::refused_for_now, .stage = Stage::check, .text = "we are stopping"};
}

}  // namespace

// One connection after another, each entered in the pool's books while it lives.
struct ClientPool::Lane {
    explicit Lane(ClientPool& owner) : pool(owner) {}
    ~Lane() { drop(); }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void make_session() {
        assert(!session);
        session = std::make_unique<ClientSession>(pool.io_.get_executor(), pool.target_, pool.tls_);
        pool.sessions_.push_back(session.get());
        ++pool.counters_.connections;
    }
    void opened() {
        open = true;
        ++pool.lanes_open_;
        ++pool.counters_.opened;
    }
    void drop() {
        if (!session) return;
        std::erase(pool.sessions_, session.get());
        if (std::exchange(open, false)) --pool.lanes_open_;
        session.reset();
        --pool.counters_.connections;
    }

    ClientPool& pool;
    std::unique_ptr<ClientSession> session;
    bool open = false;
};

ClientPool::ClientPool(asio::io_context& io, const TlsContexts& tls, ClientCounters& counters,
                       std::function<void()> emptied)
    : io_(io), tls_(tls), counters_(counters), emptied_(std::move(emptied)) {}

void ClientPool::submit(std::shared_ptr<const Target> target, ClientJob job) {
    assert(!stopping_);
    target_ = std::move(target);
    waiting_.push_back(std::move(job));
    if (!wake_idle_lane() && lanes_ < lanes_max()) start_lane();
    if (idle_.empty()) ask_ahead();
}

void ClientPool::ask_ahead() {
    const auto next = std::min(lanes_open_, waiting_.size());
    for (std::size_t i = 0; i < next; ++i) {
        auto& [mail, done, transcript, question] = waiting_[i];
        if (question || !mail.ask_ahead || !mail.before_end || mail.recipients.size() != 1)
            continue;
        question = ask_to_end(mail, {0}, io_.get_executor());
    }
}

// The one used last, so that the others may reach their idle limit. False if all are busy.
bool ClientPool::wake_idle_lane() {
    if (idle_.empty()) return false;
    idle_.back()->cancel();
    idle_.pop_back();
    return true;
}

std::size_t ClientPool::lanes_max() const {
    const auto most = target_->limits.connections_max;
    const bool learned = asio::steady_timer::clock_type::now() < lanes_borne_until_;
    return learned ? std::min(lanes_borne_, most) : most;
}

void ClientPool::start_lane() {
    ++lanes_;
    asio::co_spawn(io_, run_lane(), [](const std::exception_ptr& bug) {
        if (bug) std::rethrow_exception(bug);
    });
}

void ClientPool::stop() {
    stopping_ = true;
    give_up_waiting(stopping_verdict());
    for (auto* timer : std::exchange(idle_, {})) timer->cancel();
    // Nothing of a mail has left there, and the server may take minutes to say hello.
    for (auto* session : opening_) session->abort();
}

void ClientPool::abort() {
    aborted_ = true;
    for (auto* session : sessions_) session->abort();
}

asio::awaitable<void> ClientPool::run_lane() {
    {
        Lane lane(*this);
        for (auto next = Next::go_on; next == Next::go_on;) {
            if (!waiting_.empty()) {
                auto job = std::move(waiting_.front());
                waiting_.pop_front();
                ask_ahead();
                next = co_await serve(lane, std::move(job));
            } else if (!lane.session || stopping_) {
                next = Next::end_lane;
            } else if (!co_await wait_for_job()) {
                // Saying goodbye takes time; a mail that comes meanwhile may find no other lane.
                co_await leave(lane);
            }
        }
        co_await leave(lane);
    }
    --lanes_;
    if (!waiting_.empty() && lanes_ == 0) start_lane();
    if (is_empty()) emptied_();
}

asio::awaitable<void> ClientPool::leave(Lane& lane) {
    if (lane.session) co_await lane.session->quit();
    lane.drop();
}

// False when the idle limit has passed.
asio::awaitable<bool> ClientPool::wait_for_job() {
    asio::steady_timer timer(io_, target_->limits.idle_max);
    idle_.push_back(&timer);
    const auto [cancelled] = co_await timer.async_wait(as_result);
    std::erase(idle_, &timer);
    co_return cancelled || !waiting_.empty();
}

asio::awaitable<ClientPool::Next> ClientPool::serve(Lane& lane, ClientJob job) {
    if (lane.session && !lane.session->is_usable()) lane.drop();
    for (;;) {
        const bool reused = lane.session != nullptr;
        if (reused) {
            ++counters_.reused;
            lane.session->transcript().note("on a kept connection to " + lane.session->peer());
        } else if (co_await open(lane, job) == Next::end_lane) {
            co_return Next::end_lane;
        }
        auto attempt = co_await lane.session->send(job.mail, job.question);
        job.transcript += lane.session->transcript().take();
        if (reused && attempt.ended_before_message) {
            lane.drop();
            ++counters_.retried;
            continue;
        }
        Delivery delivery{.recipients = {},
                          .peer = lane.session->peer(),
                          .tls = lane.session->tls_description(),
                          .transcript = std::move(job.transcript)};
        for (std::size_t i = 0; i < attempt.verdicts.size(); ++i) {
            delivery.recipients.push_back(
                {std::move(job.mail.recipients[i]), std::move(attempt.verdicts[i])});
        }
        job.done(std::move(delivery));
        const auto messages_max = target_->limits.messages_per_connection_max;
        if (lane.session->has_ended() || lane.session->messages() >= messages_max) {
            co_await leave(lane);
        }
        co_return Next::go_on;
    }
}

// Ends the lane, and settles the job one way or the other, if no connection can be had.
asio::awaitable<ClientPool::Next> ClientPool::open(Lane& lane, ClientJob& job) {
    lane.make_session();
    if (aborted_ || stopping_) lane.session->abort();
    opening_.push_back(lane.session.get());
    auto refusal = co_await lane.session->open();
    std::erase(opening_, lane.session.get());
    if (!refusal) {
        lane.opened();
        ask_ahead();
        co_return Next::go_on;
    }
    if (lanes_open_ > 0 && !stopping_) {
        // The server takes no more connections than it has. Those will do.
        lanes_borne_ = lanes_open_;
        lanes_borne_until_ = asio::steady_timer::clock_type::now() + lesson_time;
        job.transcript += lane.session->transcript().take();
        waiting_.push_front(std::move(job));
        lane.drop();
        wake_idle_lane();
        co_return Next::end_lane;
    }
    if (stopping_) refusal = stopping_verdict();  // We hung up, not they.
    // Whoever waits would wait for the same refusal, one timeout after the other.
    co_await give_up(std::move(job), *refusal, &lane);
    lane.drop();
    if (!stopping_) give_up_waiting(*refusal);
    co_return Next::end_lane;
}

asio::awaitable<void> ClientPool::give_up(ClientJob job, Verdict verdict, Lane* lane) {
    co_await answer_to(job.question);
    Delivery delivery;
    if (lane != nullptr) {
        delivery.peer = lane->session->peer();
        delivery.transcript = std::move(job.transcript) + lane->session->transcript().take();
    }
    for (auto& recipient : job.mail.recipients) {
        delivery.recipients.push_back({std::move(recipient), verdict});
    }
    job.done(std::move(delivery));
}

void ClientPool::give_up_waiting(const Verdict& verdict) {
    // Callbacks may submit: those mails get a try of their own.
    for (auto& job : std::exchange(waiting_, {})) {
        ++giving_up_;
        asio::co_spawn(io_, give_up(std::move(job), verdict, nullptr),
                       [this](const std::exception_ptr& bug) {
                           if (bug) std::rethrow_exception(bug);
                           --giving_up_;
                           if (is_empty()) emptied_();
                       });
    }
}

}  // namespace mailroom::smtp
