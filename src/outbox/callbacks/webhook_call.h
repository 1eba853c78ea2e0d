// One attempt to tell somebody something over HTTP, and what its answer means.
#pragma once

#include "net/http_client.h"
#include "outbox/sending/destinations.h"
#include "schedule/crew.h"

#include <functional>
#include <memory>
#include <string>

namespace mailroom::outbox {

struct WebhookAnswer {
    enum class Kind {
        taken,        // 2xx.
        gone,         // 410: never again.
        not_taken,    // Any other answer, or none: again later.
        refused,      // By our guard, as it will be tomorrow: see allow_hint.
        interrupted,  // We stop: nobody knows whether it was heard.
    };
    Kind kind;
    int status = 0;    // 0: there was no answer.
    std::string text;  // "HTTP 204", or why there was none.
};

// Posts, and leaves nothing of ours behind on the client's thread: `told` is called on one of those
// who wait, with `visit` still held.
void call_webhook(net::Http& http, net::HttpRequest request,
                  std::shared_ptr<schedule::Crew::Awaited> awaited, std::unique_ptr<Visit> visit,
                  std::function<void(const WebhookAnswer&)> told);

}  // namespace mailroom::outbox
