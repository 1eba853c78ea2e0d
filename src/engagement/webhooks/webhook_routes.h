// Webhooks over HTTP: /v1/webhooks.
#pragma once

#include "engagement/webhooks/deliveries.h"
#include "engagement/webhooks/replays.h"
#include "engagement/webhooks/webhooks.h"
#include "program/api.h"

namespace mailroom::engagement::webhooks {

inline constexpr std::string_view events_scope = "events";

// All must live as long as the routes are asked.
struct WebhookDesk {
    Webhooks& webhooks;
    Deliveries& deliveries;
    Replays& replays;
    const Clock& clock;
};

void add_webhook_routes(program::Api& api, const WebhookDesk& desk);

}  // namespace mailroom::engagement::webhooks
