#include "app/counted_transport.h"

#include <utility>

namespace mailroom::app {

void CountedTransport::send(outbox::Outgoing mail, Done done) {
    ++counts_->in_hand;
    below_.send(std::move(mail),
                [counts = counts_, done = std::move(done)](smtp::Delivery delivery) {
                    --counts->in_hand;
                    for (const auto& result : delivery.recipients) {
                        ++counts->by_outcome[static_cast<std::size_t>(result.verdict.outcome)];
                    }
                    done(std::move(delivery));
                });
}

}  // namespace mailroom::app
