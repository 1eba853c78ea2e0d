#include "outbox/transports/mx.h"

#include "base/byte_budget.h"
#include "base/thread_name.h"
#include "outbox/transports/handover.h"
#include "outbox/transports/mx_parcel.h"
#include "outbox/transports/mx_route.h"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::outbox {
namespace {

// Messages up to this may use the last quarter of the room for all.
constexpr std::size_t small_bytes_max = 2 * 1024 * 1024;

// One domain's part of a mail, on its way from server to server.
struct Trip {
    std::shared_ptr<MxParcel> parcel;
    MxShare share;
    std::unique_ptr<Visit> visit;
    // What name servers said, until it is taken up.
    using FoundRoute = Result<net::MailRoute, net::DnsFailure>;
    using FoundAddresses = Result<std::vector<net::IpAddress>, net::DnsFailure>;
    std::optional<FoundRoute> found_route = std::nullopt;
    std::optional<FoundAddresses> found_addresses = std::nullopt;
    std::optional<MxRoute> route = std::nullopt;  // None until it is looked up.
    std::string host = {};                        // The one whose addresses are looked up.
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

// Nobody was asked: the transport itself refused it for now.
bool is_untried(const smtp::Delivery& delivery) {
    return std::ranges::all_of(delivery.recipients, [](const smtp::RecipientResult& result) {
        return result.verdict.stage == smtp::Stage::check && result.verdict.code == 0;
    });
}

// No server said a word, be it that nobody is there, or a name server is silent.
bool is_silence(const smtp::Delivery& delivery) {
    return std::ranges::all_of(delivery.recipients, [](const smtp::RecipientResult& result) {
        const auto& [outcome, stage, code, status, text] = result.verdict;
        return outcome == smtp::Outcome::refused_for_now && code == 0 &&
               stage >= smtp::Stage::connect && stage <= smtp::Stage::tls;
    });
}

Error busy(const std::string& who) {
    return {Errc::unavailable, who + " are on their way; it comes again"};
}

smtp::Verdict stopping_verdict() { return verdict_of({Errc::unavailable, "we are stopping"}); }

// People look for a server by its name, and want to see which ones were tried before it.
void explain(Trip& trip, smtp::Delivery& delivery) {
    if (!delivery.peer.empty()) delivery.peer = trip.server + " (" + delivery.peer + ")";
    if (delivery.transcript.empty()) return;
    trip.dialogues += "* " + trip.server + "\n" + delivery.transcript;
    delivery.transcript = trip.dialogues;
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

class Mx::Impl : public std::enable_shared_from_this<Impl> {
public:
    Impl(net::Resolver& resolver, const net::Guard& guard, const Clock& clock, MxOptions options,
         std::unique_ptr<smtp::Client> client)
        : resolver_(resolver),
          guard_(guard),
          options_(std::move(options)),
          client_(std::move(client)),
          // Nobody waits for a place here.
          destinations_(options_.destinations, clock, [](const std::function<void()>&) {}),
          room_(options_.message_bytes_max) {}

    void start() {
        thread_ = std::thread([this] { work(); });
    }
    void send(Outgoing mail, Done done);
    std::optional<Time> busy_until(const std::vector<std::string>& recipients);
    smtp::Client::Stats connections() const { return client_->stats(); }
    void stop(std::chrono::milliseconds grace);

private:
    using TripInHand = std::shared_ptr<Trip>;  // Shared because callbacks must be copyable.

    // A room for the message, or none: then it must come again.
    std::shared_ptr<ByteShare> room_for(const Outgoing& mail);
    void work();
    // To the thread, where guard and client are used; ends the trip when there is none any more.
    void go_on(const TripInHand& trip);
    // On that thread.
    void visit_next(const TripInHand& trip);
    void visit(const TripInHand& trip, MxServer server);
    void settle(Trip& trip, smtp::Delivery delivery);
    void give_up(Trip& trip, const smtp::Verdict& verdict);
    // Asks name servers. `ask` is given what takes their answer.
    template <class Found>
    void look_up(const TripInHand& trip, std::optional<Found> Trip::*place,
                 const std::function<void(std::function<void(Found)>)>& ask);

    net::Resolver& resolver_;
    const net::Guard& guard_;
    const MxOptions options_;
    const std::unique_ptr<smtp::Client> client_;
    Destinations destinations_;
    ByteBudget room_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    // As many as there are mails in hand: their sender bounds them.
    std::deque<TripInHand> waiting_;
    std::set<TripInHand> looked_up_;  // Those that wait for name servers.
    std::thread thread_;
};

std::shared_ptr<ByteShare> Mx::Impl::room_for(const Outgoing& mail) {
    auto room = std::make_shared<ByteShare>(&room_);
    // Twice: the parcel has one, and the connection another.
    const auto bytes = 2 * mail.message.size();
    // Large ones that wait for servers that hang leave room for small ones.
    const auto left_free = bytes > small_bytes_max ? room_.bytes_max() / 4 : 0;
    if (room_.taken() + bytes + left_free > room_.bytes_max() || !room->grow_to(bytes)) {
        return nullptr;
    }
    return room;
}

void Mx::Impl::send(Outgoing mail, Done done) {
    assert(!mail.recipients.empty());
    auto room = room_for(mail);
    if (!room) return done(refuse_all(mail.recipients, verdict_of(busy("too many mails"))));
    auto shares = shares_of(mail.recipients);
    const auto parcel =
        std::make_shared<MxParcel>(std::move(mail), shares.size(),
                                   // The room is given back before the mail may come again.
                                   [room, done = std::move(done)](smtp::Delivery delivery) {
                                       room->release();
                                       done(std::move(delivery));
                                   });
    for (auto& share : shares) {
        auto entered = destinations_.enter(share.domain);
        if (std::holds_alternative<ComeAgain>(entered)) {
            parcel->settle(share, verdict_of(busy("other mails to " + share.domain)));
            continue;
        }
        go_on(std::make_shared<Trip>(
            Trip{parcel, std::move(share), std::get<std::unique_ptr<Visit>>(std::move(entered))}));
    }
}

std::optional<Time> Mx::Impl::busy_until(const std::vector<std::string>& recipients) {
    std::optional<Time> first;
    for (const auto& share : shares_of(recipients)) {
        const auto turn = destinations_.busy(share.domain);
        if (!turn) return std::nullopt;
        first = std::min(first.value_or(turn->at), turn->at);
    }
    return first;
}

void Mx::Impl::go_on(const TripInHand& trip) {
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_) {
            waiting_.push_back(trip);
            changed_.notify_one();
            return;
        }
    }
    give_up(*trip, stopping_verdict());
}

void Mx::Impl::work() {
    name_thread("mx");
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        const auto trip = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        visit_next(trip);
    }
}

template <class Found>
void Mx::Impl::look_up(const TripInHand& trip, std::optional<Found> Trip::*place,
                       const std::function<void(std::function<void(Found)>)>& ask) {
    bool is_too_late = false;
    {
        const std::lock_guard lock(mutex_);
        is_too_late = stopping_;
        if (!is_too_late) looked_up_.insert(trip);
    }
    if (is_too_late) return give_up(*trip, stopping_verdict());
    // When it is not among them any more, stop() sees to it.
    ask([self = shared_from_this(), trip, place](Found found) {
        {
            const std::lock_guard lock(self->mutex_);
            if (self->looked_up_.erase(trip) == 0) return;
        }
        (*trip).*place = std::move(found);
        self->go_on(trip);
    });
}

void Mx::Impl::visit_next(const TripInHand& trip) {
    const auto& domain = trip->share.domain;
    if (!trip->route) {
        if (domain.empty()) {
            return give_up(*trip, verdict_of({Errc::invalid, "the address has no usable domain"}));
        }
        if (!trip->found_route && !MxRoute::is_literal(domain)) {
            return look_up<Trip::FoundRoute>(trip, &Trip::found_route, [&](auto take) {
                resolver_.find_mail_route(domain, std::move(take));
            });
        }
        auto route = trip->found_route ? MxRoute::of(guard_, domain, options_.hello_name,
                                                     *std::move(trip->found_route))
                                       : MxRoute::of_literal(guard_, domain);
        if (!route) return give_up(*trip, route.error());
        trip->route = *std::move(route);
    }
    if (auto known = trip->route->next_known()) return visit(trip, *std::move(known));
    if (const auto found = std::exchange(trip->found_addresses, std::nullopt)) {
        if (auto server = trip->route->server(trip->host, *found)) {
            return visit(trip, *std::move(server));
        }
    }
    auto host = trip->route->next_host();
    if (!host) return give_up(*trip, host.error());
    trip->host = *std::move(host);
    look_up<Trip::FoundAddresses>(trip, &Trip::found_addresses, [&](auto take) {
        resolver_.find_addresses(trip->host, std::move(take));
    });
}

void Mx::Impl::visit(const TripInHand& trip, MxServer server) {
    trip->server = server.name;
    auto target = std::make_shared<const smtp::Target>(target_for(options_, std::move(server)));
    auto mail = trip->parcel->part(trip->share);
    hand_over(*client_, std::move(target), std::move(mail), [this, trip](smtp::Delivery delivery) {
        explain(*trip, delivery);
        if (!is_about_the_server(delivery)) return settle(*trip, std::move(delivery));
        trip->refusal = std::move(delivery);
        go_on(trip);
    });
}

void Mx::Impl::settle(Trip& trip, smtp::Delivery delivery) {
    if (is_silence(delivery)) {
        trip.visit->silent();
    } else if (!is_untried(delivery)) {
        trip.visit->answered();
    }
    // The place is free before the next mail is offered.
    trip.visit.reset();
    trip.parcel->settle(trip.share, std::move(delivery));
}

// What the last server said tells more than that there is no other.
void Mx::Impl::give_up(Trip& trip, const smtp::Verdict& verdict) {
    if (trip.refusal) return settle(trip, *std::move(trip.refusal));
    settle(trip, refuse_all(trip.parcel->recipients(trip.share), verdict));
}

void Mx::Impl::stop(std::chrono::milliseconds grace) {
    std::set<TripInHand> looked_up;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
        looked_up.swap(looked_up_);
        changed_.notify_all();
    }
    client_->stop(grace);
    thread_.join();
    for (const auto& trip : looked_up) give_up(*trip, stopping_verdict());
    for (const auto& trip : std::exchange(waiting_, {})) give_up(*trip, stopping_verdict());
}

Mx::Mx(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Mx::~Mx() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Mx>> Mx::open(net::Resolver& resolver, const net::Guard& guard,
                                     const Clock& clock, MxOptions options) {
    TRY(smtp::check_target(target_for(options, {"mx.example", {"192.0.2.1"}})));
    auto client = TRY(smtp::Client::create(options.client));
    auto impl =
        std::make_shared<Impl>(resolver, guard, clock, std::move(options), std::move(client));
    impl->start();
    return std::unique_ptr<Mx>(new Mx(std::move(impl)));
}

void Mx::send(Outgoing mail, Done done) { impl_->send(std::move(mail), std::move(done)); }
std::optional<Time> Mx::busy_until(const std::vector<std::string>& recipients) {
    return impl_->busy_until(recipients);
}
void Mx::stop(std::chrono::milliseconds grace) { impl_->stop(grace); }
smtp::Client::Stats Mx::connections() const { return impl_->connections(); }

}  // namespace mailroom::outbox
