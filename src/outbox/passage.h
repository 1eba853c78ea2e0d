// One mail on its way, for the sender's own files.
#pragma once

#include "outbox/gate.h"
#include "outbox/mail.h"
#include "outbox/rates.h"
#include "outbox/sender_outcome.h"
#include "schedule/job.h"
#include "smtp/delivery.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::outbox {

inline bool is_waiting(const Recipient& recipient) {
    return recipient.state == Recipient::State::waiting;
}

// Its place among those that leave.
class Admission {
public:
    Admission(Rates& rates, std::vector<std::string> domains)
        : rates_(rates), domains_(std::move(domains)) {}
    ~Admission() { rates_.leave(domains_); }
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;

private:
    Rates& rates_;
    const std::vector<std::string> domains_;
};

// One mail from PROCESSING to its answer. Shared by the transport's callback and what follows it.
struct Passage {
    schedule::JobInHand job;
    Mail mail;
    std::unique_ptr<Place> place = nullptr;
    std::unique_ptr<Admission> admission = nullptr;
    bool recipients_changed = false;  // Before anything was sent.

    void fail(Recipient& recipient, const std::string& why) {
        recipient = {recipient.address, Recipient::State::failed, 0, why};
        recipients_changed = true;
    }
    std::string fail_all(const std::string& why) {
        for (auto& recipient : mail.recipients) {
            if (is_waiting(recipient)) fail(recipient, why);
        }
        return {};
    }
};
using PassageInHand = std::shared_ptr<Passage>;

// What became of a mail, until it is written down.
struct Answer {
    PassageInHand passage;
    smtp::Delivery delivery;
    SendOutcome outcome;
    Mail before;  // Written down already.
};

}  // namespace mailroom::outbox
