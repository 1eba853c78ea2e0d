// How a mail leaves.
#pragma once

#include "base/clock.h"
#include "smtp/client.h"
#include "smtp/delivery.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::outbox {

struct Outgoing {
    std::string id;
    std::string sender;  // Of the envelope.
    std::vector<std::string> recipients;
    std::string message;
    bool utf8_header = false;
    // A transport that is not repeatable asks this before the mail may be taken by somebody: see
    // smtp::BeforeEnd. No recipient is named with others than before.
    smtp::BeforeEnd before_end = {};
    bool ask_ahead = false;  // See smtp::Mail.
};

// Thread-safe.
class Transport {
public:
    virtual ~Transport() = default;

    // Calls `done` once, now or later, from any thread, with an outcome for each recipient, in
    // order. `done` must not block.
    using Done = std::function<void(smtp::Delivery)>;
    virtual void send(Outgoing mail, Done done) = 0;

    // When to come again with a mail to these recipients, because those who take mail for them are
    // too busy or do not answer. None: it can be handed over now.
    virtual std::optional<Time> busy_until(const std::vector<std::string>& recipients) {
        (void)recipients;
        return std::nullopt;
    }

    // Whether handing over the same mail (by its id) a second time does no harm.
    virtual bool is_repeatable() const { return false; }
    // What is known of its connections; all 0 if it has none.
    virtual smtp::Client::Stats connections() const { return {}; }
    // Settles what is in hand within `grace`. Nothing is sent any more afterwards.
    virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace mailroom::outbox
