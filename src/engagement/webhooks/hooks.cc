#include "engagement/webhooks/hooks.h"

#include "base/log.h"
#include "engagement/events/rows.h"
#include "engagement/webhooks/webhook_routes.h"

#include <algorithm>

namespace mailroom::engagement::webhooks {

namespace {

using namespace std::chrono_literals;

// They wait for commits most of the time, and never for an answer.
constexpr std::size_t call_threads = 4;
constexpr std::size_t calls_in_hand_max = 4096;
constexpr auto answer_grace = 1s;

}  // namespace

Hooks::Hooks(const program::Ground& ground, const net::Guard& guard, const EventTables& tables)
    : clock_(ground.clock),
      http_({}, guard),
      deliveries_(ground.store, ground.schedule, ground.clock, rows::declared_own(tables.own).made),
      webhooks_(ground.store, ground.schedule, ground.clock, ground.random, &guard, deliveries_,
                rows::declared_own(tables.own).made),
      personal_(ground.store, webhooks_, tables),
      replays_(ground.schedule, deliveries_, ground.clock),
      spreading_(ground.schedule, deliveries_,
                 {.events = tables.events, .audience = tables.audience}),
      calls_(ground.store, ground.schedule, webhooks_, deliveries_, http_, ground.clock,
             ground.random, {.events = tables.events, .audience = tables.audience},
             [this] { return crew_.await(); }),
      crew_(ground.schedule, ground.clock,
            schedule::CrewOptions{.queues = {std::string(calls_queue)},
                                  .threads = call_threads,
                                  .jobs_max = calls_in_hand_max},
            [this](schedule::JobInHand job) { calls_.run(std::move(job)); }) {}

Hooks::~Hooks() { stop(0ms); }

void Hooks::add_routes(program::Api& api) {
    add_webhook_routes(api, {webhooks_, deliveries_, replays_, clock_});
}

void Hooks::add_metrics(program::Metrics& metrics) {
    constexpr const char* name = "mailroom_webhook_calls_total";
    constexpr const char* help = "Webhooks called, by whether they took it.";
    metrics.counter(name, help, {{"answer", "taken"}},
                    [this] { return static_cast<double>(calls_.answered()); });
    metrics.counter(name, help, {{"answer", "failed"}},
                    [this] { return static_cast<double>(calls_.failed()); });
}

program::Work Hooks::job() {
    return {{.queues = {std::string(replays_queue), std::string(spreading_queue)}, .threads = 2},
            [this](schedule::JobInHand job) {
                job->queue() == replays_queue ? replays_.run(std::move(job))
                                              : spreading_.run(std::move(job));
            }};
}

void Hooks::start() { crew_.start(); }

void Hooks::stop(std::chrono::milliseconds grace) {
    if (stopped_) return;
    stopped_ = true;
    calls_.stop();
    const auto left = crew_.stop(std::min<std::chrono::milliseconds>(grace, answer_grace));
    http_.stop();
    const auto unsettled = left > 0 ? crew_.stop(grace) : 0;
    if (unsettled > 0) log::warn("jobs were left for the next start", {{"count", unsettled}});
}

}  // namespace mailroom::engagement::webhooks
