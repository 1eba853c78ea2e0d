// All of webhooks, put together.
#pragma once

#include "engagement/webhooks/calls.h"
#include "engagement/webhooks/deliveries.h"
#include "engagement/webhooks/personal_deliveries.h"
#include "engagement/webhooks/replays.h"
#include "engagement/webhooks/spreading.h"
#include "engagement/webhooks/webhooks.h"
#include "net/guard.h"
#include "net/http_client.h"
#include "program/program.h"
#include "schedule/crew.h"

#include <chrono>
#include <string>

namespace mailroom::engagement::webhooks {

// Thread-safe once it runs.
class Hooks {
public:
    // All must outlive this object.
    Hooks(const program::Ground& ground, const net::Guard& guard, const EventTables& tables);
    ~Hooks();  // As stop(0).

    Witness& witness() { return webhooks_; }
    people::PersonalData& personal() { return personal_; }
    void add_routes(program::Api& api);
    void add_metrics(program::Metrics& metrics);
    program::Work job();

    void start();
    // Whoever is waited for gets a moment, not all the time they might take.
    void stop(std::chrono::milliseconds grace);

private:
    const Clock& clock_;
    net::HttpClient http_;
    Deliveries deliveries_;
    Webhooks webhooks_;
    PersonalDeliveries personal_;
    Replays replays_;
    Spreading spreading_;
    Calls calls_;
    schedule::Crew crew_;
    bool stopped_ = false;
};

}  // namespace mailroom::engagement::webhooks
