// Tells webhooks what they are to hear.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "engagement/webhooks/deliveries.h"
#include "engagement/webhooks/webhooks.h"
#include "net/http_client.h"
#include "outbox/sending/destinations.h"
#include "schedule/backoff.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace mailroom::outbox {
struct WebhookAnswer;
}  // namespace mailroom::outbox

namespace mailroom::engagement::webhooks {

struct CallsOptions {
    std::string events = "EmailEvents", audience = "Audience";  // Where the rows of events are.
    std::chrono::seconds give_up_after = std::chrono::hours(24);
    std::chrono::seconds timeout = std::chrono::seconds(15);
    schedule::Backoff backoff = {.first = std::chrono::seconds(5),
                                 .longest = std::chrono::hours(1)};
    outbox::DestinationLimits destinations = {};
};

// The handler of calls_queue. POST as Standard Webhooks has it, with the same webhook-id at each
// attempt. An answer of 2xx is the end of it; anything else is tried again, and given up after a
// day, or at once when the answer is 410 (Gone) or the guard refuses the address: it is then among
// the failed, from where it can be told again.
//
// No thread waits for an answer, and each server gets its share only: those that hang hold up
// nobody else. Thread-safe.
class Calls {
public:
    // All must outlive this object, and `http` must have stopped before it goes. `await` is
    // Crew::await() of the crew that runs it.
    Calls(table::Store& store, schedule::Schedule& schedule, Webhooks& webhooks,
          Deliveries& deliveries, net::Http& http, const Clock& clock, Random& random,
          CallsOptions options, outbox::AwaitAnswer await);

    void run(schedule::JobInHand job);
    // Those that wait for their turn are left for the next start.
    void stop() { destinations_.close(); }

    std::uint64_t answered() const { return answered_; }
    std::uint64_t failed() const { return failed_; }

private:
    struct Call;
    using CallInHand = std::shared_ptr<Call>;

    Result<> handle(const schedule::JobInHand& job);
    Result<> enter(const CallInHand& call);
    void visit(const CallInHand& call, std::unique_ptr<outbox::Visit> visit);
    Result<bool> claim(Call& call);
    Result<std::optional<table::Item>> event_of(const Delivery& delivery) const;
    void post(const CallInHand& call, std::unique_ptr<outbox::Visit> visit);
    void take(Call& call, const outbox::WebhookAnswer& answer);
    Result<> write_failure(Call& call);
    Result<> end_as(Call& call, DeliveryState state);
    Result<> put_off(Call& call, Time until);
    Result<> commit(const schedule::Transaction& transaction);
    bool is_too_old(const Call& call) const;
    static void report(const schedule::Job& job, const Result<>& done);

    table::Store& store_;
    schedule::Schedule& schedule_;
    Webhooks& webhooks_;
    Deliveries& deliveries_;
    net::Http& http_;
    const Clock& clock_;
    Random& random_;
    const CallsOptions options_;
    const outbox::AwaitAnswer await_;
    std::atomic<std::uint64_t> answered_ = 0, failed_ = 0;
    outbox::Destinations destinations_;
};

}  // namespace mailroom::engagement::webhooks
