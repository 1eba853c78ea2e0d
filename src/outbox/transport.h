// How a mail leaves.
#pragma once

#include "smtp/delivery.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace mailroom::outbox {

struct Outgoing {
    std::string id;
    std::string sender;  // Of the envelope.
    std::vector<std::string> recipients;
    std::string message;
    bool utf8_header = false;
};

// Thread-safe.
class Transport {
public:
    virtual ~Transport() = default;

    // Calls `done` once, now or later, from any thread, with an outcome for each recipient, in
    // order. `done` must not block.
    using Done = std::function<void(smtp::Delivery)>;
    virtual void send(Outgoing mail, Done done) = 0;

    // Whether handing over the same mail (by its id) a second time does no harm.
    virtual bool is_repeatable() const { return false; }
    // Settles what is in hand within `grace`. Nothing is sent any more afterwards.
    virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace mailroom::outbox
