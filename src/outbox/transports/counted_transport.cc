#include "outbox/transports/counted_transport.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {

namespace {

// A verdict of a stage before the mail's own is about the server.
bool was_turned_away(const smtp::Delivery& delivery) {
    return std::ranges::any_of(delivery.recipients, [](const smtp::RecipientResult& result) {
        const auto& verdict = result.verdict;
        return verdict.outcome != smtp::Outcome::accepted &&
               verdict.stage >= smtp::Stage::connect && verdict.stage <= smtp::Stage::login;
    });
}

}  // namespace

void CountedTransport::send(Outgoing mail, Done done) {
    ++counts_->in_hand;
    below_.send(std::move(mail),
                [counts = counts_, done = std::move(done)](smtp::Delivery delivery) {
                    --counts->in_hand;
                    if (was_turned_away(delivery)) ++counts->turned_away;
                    for (const auto& result : delivery.recipients) {
                        ++counts->by_outcome[static_cast<std::size_t>(result.verdict.outcome)];
                    }
                    done(std::move(delivery));
                });
}

}  // namespace mailroom::outbox
