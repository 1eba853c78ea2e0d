#include "outbox/sending/settlement.h"

#include "outbox/accept/outbox.h"

#include <algorithm>

namespace mailroom::outbox {
namespace {

// Before a mail comes again that nobody was asked about: the transport is too busy.
constexpr auto untried_pause = std::chrono::seconds(1);

State settled_state(const SendOutcome& outcome) {
    return outcome.next == SendOutcome::Next::sent ? State::sent : State::failed;
}

Change end_of(const SendOutcome& outcome, const smtp::Delivery& delivery) {
    return {.reason = outcome.reason,
            .recipients = outcome.recipients,
            .peer = delivery.peer,
            .tls = delivery.tls,
            .transcript = delivery.transcript};
}

}  // namespace

schedule::Transaction Settlement::what_follows(Passage& passage, const SendOutcome& outcome,
                                               const smtp::Delivery& delivery) const {
    schedule::Transaction together;
    switch (outcome.next) {
        case SendOutcome::Next::held:
            write_held(together, passage, outcome);
            break;
        case SendOutcome::Next::again:
            write_again(together, passage, outcome);
            break;
        case SendOutcome::Next::sent:
        case SendOutcome::Next::failed:
            write_end(together, passage, outcome, delivery);
            break;
    }
    // A step has the answer in its own row; what leaves none is in the log.
    const bool is_logged = outcome.next == SendOutcome::Next::held ||
                           (outcome.next == SendOutcome::Next::again && outcome.was_tried);
    if (is_logged) {
        ledger_.log(together, passage.mail,
                    {.at = clock_.now(),
                     .what = outcome.next == SendOutcome::Next::held ? "hold" : "attempt",
                     .text = outcome.text,
                     .code = outcome.code,
                     .peer = delivery.peer,
                     .transcript = delivery.transcript});
    }
    return together;
}

void Settlement::write_held(schedule::Transaction& together, Passage& passage,
                            const SendOutcome& outcome) const {
    passage.job->finish(together);
    ledger_.change(together, passage.mail,
                   {.reason = outcome.reason,
                    .recipients = outcome.recipients,
                    .held = true,
                    .job = std::optional<schedule::Position>()});
}

void Settlement::write_again(schedule::Transaction& together, Passage& passage,
                             const SendOutcome& outcome) const {
    const auto attempts = std::max<std::int64_t>(passage.mail.attempts, 1);
    const std::chrono::milliseconds pause =
        outcome.was_tried ? backoff_.pause(attempts, random_) : untried_pause;
    const auto position = passage.job->move(together, {.queue = std::string(passage.job->queue()),
                                                       .key = passage.mail.id,
                                                       .due = clock_.now() + pause});
    ledger_.step_back(together, passage.mail, State::ready,
                      {.reason = "",
                       .recipients = outcome.recipients,
                       .attempts = outcome.was_tried ? attempts : attempts - 1,
                       .job = position});
}

void Settlement::write_end(schedule::Transaction& together, Passage& passage,
                           const SendOutcome& outcome, const smtp::Delivery& delivery) const {
    followers_.settle(together, passage.mail, settled_state(outcome), end_of(outcome, delivery),
                      passage.job.get());
}

void Settlement::end_doubt(schedule::Transaction& together, Mail& mail, const SendOutcome& outcome,
                           const smtp::Delivery& delivery) const {
    ledger_.log(together, mail,
                {.at = clock_.now(),
                 .what = "resolve",
                 .text = "held: the answer was written down late",
                 .code = outcome.code,
                 .peer = delivery.peer,
                 .transcript = delivery.transcript});
    if (outcome.next != SendOutcome::Next::again) {
        return followers_.settle(together, mail, settled_state(outcome), end_of(outcome, delivery),
                                 nullptr);
    }
    const auto due =
        clock_.now() + backoff_.pause(std::max<std::int64_t>(mail.attempts, 1), random_);
    auto job = schedule_.add(
        together, {.queue = std::string(send_queue(mail.stream)), .key = mail.id, .due = due});
    ledger_.step_back(
        together, mail, State::ready,
        {.reason = "", .recipients = outcome.recipients, .held = false, .job = std::move(job)});
}

}  // namespace mailroom::outbox
