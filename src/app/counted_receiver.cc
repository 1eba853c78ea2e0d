#include "app/counted_receiver.h"

namespace mailroom::app {

namespace {

constexpr int bad_login_code = 535;

// Tells `look` of the decision, and passes it on. Shared because a std::function must be copyable.
template <class Look>
smtp::Answer watched(smtp::Answer answer, Look look) {
    return smtp::Answer([shared = std::make_shared<smtp::Answer>(std::move(answer)),
                         look = std::move(look)](smtp::Decision decision) {
        look(decision);
        (*shared)(std::move(decision));
    });
}

}  // namespace

void CountedReceiver::authenticate(const smtp::Peer& peer, const smtp::Credentials& credentials,
                                   smtp::Answer answer) {
    below_.authenticate(
        peer, credentials,
        watched(std::move(answer), [counts = counts_](const smtp::Decision& decision) {
            if (decision.reply && decision.reply->code == bad_login_code) ++counts->failed_logins;
        }));
}

void CountedReceiver::take(smtp::Message message, smtp::Answer answer) {
    below_.take(std::move(message),
                watched(std::move(answer), [counts = counts_](const smtp::Decision& decision) {
                    const bool taken = decision.kind == smtp::Decision::Kind::accept;
                    ++(taken ? counts->accepted : counts->refused);
                }));
}

void CountedReceiver::add_metrics(program::Metrics& metrics) const {
    const auto count = [this](std::atomic<std::uint64_t> Counts::*which) {
        return [counts = counts_, which] { return static_cast<double>((*counts).*which); };
    };
    metrics.counter("mailroom_submission_connections_total", "Connections of mail programs.", {},
                    count(&Counts::connections));
    metrics.counter("mailroom_submission_messages_total", "Messages of mail programs.",
                    {{"outcome", "accepted"}}, count(&Counts::accepted));
    metrics.counter("mailroom_submission_messages_total", "Messages of mail programs.",
                    {{"outcome", "refused"}}, count(&Counts::refused));
    metrics.counter("mailroom_failed_logins_total", "Keys and passwords that were none.",
                    {{"listener", "smtp"}}, count(&Counts::failed_logins));
}

}  // namespace mailroom::app
