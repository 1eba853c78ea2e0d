// How the outbox is doing: counts, looked up now and then, and the rates that follow from them.
#pragma once

#include "base/clock.h"
#include "outbox/mail/ledger.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>

namespace mailroom::outbox {

// Thread-safe.
class OutboxWatch {
public:
    // Rates are those of the last minute.
    static constexpr std::chrono::milliseconds window = std::chrono::seconds(60);

    // Both must outlive this object.
    OutboxWatch(Ledger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}

    // Looks: to be called every few seconds.
    void sample();

    // Of the last look; all zero before the first.
    Counts counts() const;

    struct Rates {
        double accepted_per_second = 0, sent_per_second = 0, failed_per_second = 0;
    };
    Rates rates() const;

private:
    struct Sample {
        Time at;
        Counts counts;
    };

    Ledger& ledger_;
    const Clock& clock_;
    mutable std::mutex mutex_;
    std::deque<Sample> samples_;  // Oldest first.
};

}  // namespace mailroom::outbox
