#include "outbox/mx.h"

#include "outbox/handover.h"
#include "outbox/mx_parcel.h"
#include "outbox/mx_route.h"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::outbox {
namespace {

// One domain's part of a mail, on its way from server to server.
struct Trip {
    std::shared_ptr<MxParcel> parcel;
    MxShare share;
    std::optional<MxRoute> route = std::nullopt;  // None until it is looked up.
    std::string server = {};                      // The name of the one that is being visited.
    std::string dialogues = {};                   // With those before it.
    std::optional<smtp::Delivery> refusal = std::nullopt;  // What to tell if nobody takes it.
};

// Whether nothing was said about sender or recipients, so that another server may take them. A
// server that turns everybody away for good (RFC 7504, 3) says nothing about the others.
bool is_about_the_server(const smtp::Delivery& delivery) {
    return std::ranges::all_of(delivery.recipients, [](const smtp::RecipientResult& result) {
        const auto& [outcome, stage, code, status, text] = result.verdict;
        if (stage == smtp::Stage::sender) return outcome == smtp::Outcome::refused_for_now;
        return stage >= smtp::Stage::connect && stage < smtp::Stage::sender;
    });
}

bool may_pass(const smtp::Delivery& delivery) {
    return std::ranges::any_of(delivery.recipients, [](const smtp::RecipientResult& result) {
        return result.verdict.outcome == smtp::Outcome::refused_for_now;
    });
}

// People look for a server by its name, and want to see which ones were tried before it.
void explain(Trip& trip, smtp::Delivery& delivery) {
    if (!delivery.peer.empty()) delivery.peer = trip.server + " (" + delivery.peer + ")";
    if (delivery.transcript.empty()) return;
    trip.dialogues += "* " + trip.server + "\n" + delivery.transcript;
    delivery.transcript = trip.dialogues;
}

// One server that may do better later is enough for trying again.
void keep_refusal(Trip& trip, smtp::Delivery delivery) {
    const bool was_for_now = trip.refusal && may_pass(*trip.refusal);
    if (was_for_now && !may_pass(delivery)) {
        trip.refusal->transcript = std::move(delivery.transcript);
    } else {
        trip.refusal = std::move(delivery);
    }
}

smtp::Target target_for(const MxOptions& options, MxServer server) {
    return {.host = std::move(server.name),
            .addresses = std::move(server.addresses),
            .port = options.port,
            .hello_name = options.hello_name,
            .tls = smtp::TlsMode::opportunistic,
            .timeouts = options.timeouts,
            .limits = options.limits,
            .transcript_bytes_max = options.transcript_bytes_max};
}

}  // namespace

class Mx::Impl {
public:
    Impl(net::Resolver& resolver, const net::Guard& guard, MxOptions options,
         std::unique_ptr<smtp::Client> client)
        : resolver_(resolver),
          guard_(guard),
          options_(std::move(options)),
          client_(std::move(client)) {}

    void start() {
        const auto count = std::max<std::size_t>(options_.lookup_threads, 1);
        for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
    }
    void send(Outgoing mail, Done done);
    void stop(std::chrono::milliseconds grace);

private:
    void work();
    // To a thread that may block; ends the trip when there is none any more.
    void go_on(Trip trip);
    // On such a thread.
    void visit_next(Trip trip);
    static void give_up(Trip trip, const smtp::Verdict& verdict);

    net::Resolver& resolver_;
    const net::Guard& guard_;
    const MxOptions options_;
    const std::unique_ptr<smtp::Client> client_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::deque<Trip> waiting_;  // As many as there are mails in hand: their sender bounds them.
    std::vector<std::thread> threads_;
};

void Mx::Impl::send(Outgoing mail, Done done) {
    assert(!mail.recipients.empty());
    auto shares = shares_of(mail.recipients);
    const auto parcel = std::make_shared<MxParcel>(std::move(mail), shares.size(), std::move(done));
    for (auto& share : shares) go_on({parcel, std::move(share)});
}

void Mx::Impl::go_on(Trip trip) {
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_) {
            waiting_.push_back(std::move(trip));
            changed_.notify_one();
            return;
        }
    }
    give_up(std::move(trip), verdict_of({Errc::unavailable, "we are stopping"}));
}

void Mx::Impl::work() {
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        auto trip = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        visit_next(std::move(trip));
    }
}

void Mx::Impl::visit_next(Trip trip) {
    if (!trip.route) {
        if (trip.share.domain.empty()) {
            return give_up(std::move(trip),
                           verdict_of({Errc::invalid, "the address has no usable domain"}));
        }
        auto route = MxRoute::find(resolver_, guard_, trip.share.domain, options_.hello_name);
        if (!route) return give_up(std::move(trip), route.error());
        trip.route = *std::move(route);
    }
    auto server = trip.route->next();
    if (!server) return give_up(std::move(trip), server.error());

    trip.server = server->name;
    auto target = std::make_shared<const smtp::Target>(target_for(options_, *std::move(server)));
    auto mail = trip.parcel->part(trip.share);
    hand_over(*client_, std::move(target), std::move(mail),
              [this, trip = std::move(trip)](smtp::Delivery delivery) mutable {
                  explain(trip, delivery);
                  if (!is_about_the_server(delivery)) {
                      return trip.parcel->settle(trip.share, std::move(delivery));
                  }
                  keep_refusal(trip, std::move(delivery));
                  go_on(std::move(trip));
              });
}

// What the last server said tells more than that there is no other.
void Mx::Impl::give_up(Trip trip, const smtp::Verdict& verdict) {
    if (trip.refusal) {
        trip.parcel->settle(trip.share, *std::move(trip.refusal));
    } else {
        trip.parcel->settle(trip.share, verdict);
    }
}

void Mx::Impl::stop(std::chrono::milliseconds grace) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
        changed_.notify_all();
    }
    client_->stop(grace);
    for (auto& thread : threads_) thread.join();
    for (auto& trip : waiting_) {
        give_up(std::move(trip), verdict_of({Errc::unavailable, "we are stopping"}));
    }
    waiting_.clear();
}

Mx::Mx(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Mx::~Mx() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Mx>> Mx::open(net::Resolver& resolver, const net::Guard& guard,
                                     MxOptions options) {
    TRY(smtp::check_target(target_for(options, {"mx.example", {"192.0.2.1"}})));
    auto client = TRY(smtp::Client::create(options.client));
    auto impl = std::make_unique<Impl>(resolver, guard, std::move(options), std::move(client));
    impl->start();
    return std::unique_ptr<Mx>(new Mx(std::move(impl)));
}

void Mx::send(Outgoing mail, Done done) { impl_->send(std::move(mail), std::move(done)); }
void Mx::stop(std::chrono::milliseconds grace) { impl_->stop(grace); }

}  // namespace mailroom::outbox
