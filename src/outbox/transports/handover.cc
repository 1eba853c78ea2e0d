#include "outbox/transports/handover.h"

#include <utility>

namespace mailroom::outbox {

smtp::Verdict verdict_of(const Error& error) {
    return {.outcome = error.code == Errc::invalid ? smtp::Outcome::refused_for_good
                                                   : smtp::Outcome::refused_for_now,
            .text = error.message};
}

smtp::Delivery refuse_all(const std::vector<std::string>& recipients,
                          const smtp::Verdict& verdict) {
    smtp::Delivery delivery;
    delivery.recipients.reserve(recipients.size());
    for (const auto& recipient : recipients) delivery.recipients.push_back({recipient, verdict});
    return delivery;
}

smtp::Delivery refuse_all(const std::vector<std::string>& recipients, const Error& error) {
    return refuse_all(recipients, verdict_of(error));
}

void hand_over(smtp::Client& client, std::shared_ptr<const smtp::Target> target, Outgoing mail,
               Transport::Done done) {
    // Kept for the refusal: the client has taken the mail's own by then.
    const auto recipients = mail.recipients;
    const auto taken = client.send(std::move(target),
                                   {.sender = std::move(mail.sender),
                                    .recipients = std::move(mail.recipients),
                                    .message = std::move(mail.message),
                                    .utf8_header = mail.utf8_header,
                                    .before_end = std::move(mail.before_end),
                                    .ask_ahead = mail.ask_ahead},
                                   done);
    if (!taken) done(refuse_all(recipients, taken.error()));
}

}  // namespace mailroom::outbox
