// Counts what mail programs ask of the submission server, and what they are answered.
#pragma once

#include "program/metrics.h"
#include "smtp/server_receiver.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace mailroom::app {

// Thread-safe.
class CountedReceiver final : public smtp::Receiver {
public:
    // `below` must outlive this object.
    explicit CountedReceiver(smtp::Receiver& below) : below_(below) {}

    void connected(const smtp::Peer& peer, smtp::Answer answer) override {
        ++counts_->connections;
        below_.connected(peer, std::move(answer));
    }
    void hello(const smtp::Peer& peer, smtp::Answer answer) override {
        below_.hello(peer, std::move(answer));
    }
    void authenticate(const smtp::Peer& peer, const smtp::Credentials& credentials,
                      smtp::Answer answer) override;
    void sender(const smtp::Peer& peer, const smtp::Envelope& envelope,
                smtp::Answer answer) override {
        below_.sender(peer, envelope, std::move(answer));
    }
    void recipient(const smtp::Peer& peer, const smtp::Envelope& envelope,
                   const smtp::Path& recipient, smtp::Answer answer) override {
        below_.recipient(peer, envelope, recipient, std::move(answer));
    }
    void data(const smtp::Peer& peer, const smtp::Envelope& envelope,
              smtp::Answer answer) override {
        below_.data(peer, envelope, std::move(answer));
    }
    void take(smtp::Message message, smtp::Answer answer) override;
    void ended(const smtp::Peer& peer) override { below_.ended(peer); }

    // This object must live as long as anybody calls metrics.text().
    void add_metrics(program::Metrics& metrics) const;

private:
    struct Counts {
        std::atomic<std::uint64_t> connections = 0, accepted = 0, refused = 0, failed_logins = 0;
    };

    smtp::Receiver& below_;
    // Shared with answers that may come when this object is gone.
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace mailroom::app
