// Counts what a transport is given and what became of it.
#pragma once

#include "outbox/transports/transport.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace mailroom::outbox {

// Thread-safe.
class CountedTransport final : public Transport {
public:
    // `below` must outlive this object.
    explicit CountedTransport(Transport& below) : below_(below) {}

    void send(Outgoing mail, Done done) override;
    std::optional<Time> busy_until(const std::vector<std::string>& recipients) override {
        return below_.busy_until(recipients);
    }
    smtp::Client::Stats connections() const override { return below_.connections(); }
    bool is_repeatable() const override { return below_.is_repeatable(); }
    void stop(std::chrono::milliseconds grace) override { below_.stop(grace); }

    // Mails that were handed over and have no answer yet.
    std::int64_t in_hand() const { return counts_->in_hand; }
    // Mails that found no server to offer themselves to: it could not be reached, turned us away,
    // had no TLS, or refused our password.
    std::uint64_t turned_away() const { return counts_->turned_away; }
    // Recipients with that outcome since the start.
    std::uint64_t recipients(smtp::Outcome outcome) const {
        return counts_->by_outcome[static_cast<std::size_t>(outcome)];
    }

private:
    struct Counts {
        std::atomic<std::int64_t> in_hand = 0;
        std::atomic<std::uint64_t> turned_away = 0;
        std::array<std::atomic<std::uint64_t>, 4> by_outcome = {};
    };

    Transport& below_;
    // Shared with answers that may come when this object is gone.
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace mailroom::outbox
