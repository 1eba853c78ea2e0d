// Whether the relay can be used: told to operators, and minded so that no account gets locked.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "smtp/delivery.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::outbox {

// Thread-safe.
class RelayHealth {
public:
    // The clock must outlive this object. `host` is for the log.
    RelayHealth(const Clock& clock, std::string host);

    // While the relay is left alone, because it refused our password a moment ago: its answer.
    // After that one mail is let through, and the others when its password was taken.
    std::optional<smtp::Verdict> refusal();

    // An answer that came, or why there is none.
    void note(const smtp::Delivery& delivery);

private:
    std::chrono::seconds leave_alone(const smtp::Verdict& verdict);

    const Clock& clock_;
    const std::string host_;
    log::RateLimit warnings_;
    std::mutex mutex_;
    int failed_logins_ = 0;    // In a row.
    bool is_probing_ = false;  // One mail is on its way to find out.
    Time alone_until_{};
    smtp::Verdict login_refusal_;
};

}  // namespace mailroom::outbox
