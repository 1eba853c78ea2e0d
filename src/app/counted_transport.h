// Counts what a transport is given and what became of it.
#pragma once

#include "outbox/transport.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace mailroom::app {

// Thread-safe.
class CountedTransport final : public outbox::Transport {
public:
    // `below` must outlive this object.
    explicit CountedTransport(outbox::Transport& below) : below_(below) {}

    void send(outbox::Outgoing mail, Done done) override;
    std::optional<Time> busy_until(const std::vector<std::string>& recipients) override {
        return below_.busy_until(recipients);
    }
    bool is_repeatable() const override { return below_.is_repeatable(); }
    void stop(std::chrono::milliseconds grace) override { below_.stop(grace); }

    // Mails that were handed over and have no answer yet.
    std::int64_t in_hand() const { return counts_->in_hand; }
    // Recipients with that outcome since the start.
    std::uint64_t recipients(smtp::Outcome outcome) const {
        return counts_->by_outcome[static_cast<std::size_t>(outcome)];
    }

private:
    struct Counts {
        std::atomic<std::int64_t> in_hand = 0;
        std::array<std::atomic<std::uint64_t>, 4> by_outcome = {};
    };

    outbox::Transport& below_;
    // Shared with answers that may come when this object is gone.
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace mailroom::app
