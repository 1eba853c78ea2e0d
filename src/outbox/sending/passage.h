// One mail on its way, for the sender's own files.
#pragma once

#include "base/log.h"
#include "outbox/mail/mail.h"
#include "outbox/sending/gate.h"
#include "outbox/sending/rates.h"
#include "outbox/sending/sender_outcome.h"
#include "outbox/sending/slate.h"
#include "people/permission.h"
#include "schedule/job.h"
#include "smtp/delivery.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::outbox {

inline bool is_waiting(const Recipient& recipient) {
    return recipient.state == Recipient::State::waiting;
}
std::vector<std::string> waiting_addresses(const Mail& mail);
// Of those addresses some, as places among the recipients of the mail.
std::vector<std::size_t> places_of(const Mail& mail, const std::vector<std::size_t>& waiting);
// Each once.
std::vector<std::string> domains_of(const std::vector<std::string>& addresses);

inline void log_failure(std::string_view mail, const Error& why) {
    log::error("a mail could not be sent now; it will be tried again",
               {{"mail", mail}, {"why", why.message}});
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
    std::string refusal = {};         // Why it has no recipients.
    // Of those that wait, when the mail was claimed; and what it rests on that they may be written
    // to.
    std::vector<std::string> addresses = {};
    people::Sure sure = people::Sure::by_another_look;
    // What the permission of its guard rests on; none if it has no guard.
    std::unique_ptr<schedule::Transaction> leaving = nullptr;
    struct Noted {
        Slate::Slot slot;
        std::optional<std::size_t> place;  // None: it stands for all of a mark.
    };
    std::vector<Noted> noted = {};  // On the slate.

    void fail(Recipient& recipient, const std::string& why) {
        recipient.state = Recipient::State::failed;
        recipient.code = 0;
        recipient.text = why;
        recipient.refuser = Recipient::Refuser::somebody;
        recipient.status.clear();
        recipients_changed = true;
    }
    std::string fail_all(const std::string& why) {
        for (auto& recipient : mail.recipients) {
            if (is_waiting(recipient)) fail(recipient, why);
        }
        addresses.clear();
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

// Tells how long a mail took that was sent: from when it was accepted, or due if that was later.
inline void tell(const std::function<void(std::chrono::milliseconds)>& sent, const Answer& answer,
                 Time now) {
    if (!sent || answer.outcome.next != SendOutcome::Next::sent) return;
    const auto& mail = answer.before;
    sent(std::chrono::duration_cast<std::chrono::milliseconds>(
        now - std::max(mail.created, mail.first_due)));
}

}  // namespace mailroom::outbox
