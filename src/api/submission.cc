#include "api/submission.h"

#include "base/log.h"

#include <memory>
#include <utility>

namespace mailroom::api {

namespace {

// Reading a larger message takes so long that the other connections would notice.
constexpr std::size_t in_place_bytes_max = 64 * 1024;

using outbox::Refusal;
using smtp::Decision;
using smtp::EnhancedStatus;

Decision busy() { return Decision::refuse(451, {4, 3, 2}, "too many wait; try again"); }

Decision decision_for(const Refusal& refusal) {
    switch (refusal.kind) {
        case Refusal::Kind::bad_field:
            return Decision::refuse(554, {5, 6, 0}, refusal.field + " " + refusal.message);
        case Refusal::Kind::duplicate:
            return Decision::refuse(554, {5, 6, 0}, refusal.message);
        case Refusal::Kind::full:
            return Decision::refuse(452, {4, 3, 1}, refusal.message);
        case Refusal::Kind::condition:
        case Refusal::Kind::storage:
            break;
    }
    return Decision::refuse(451, {4, 3, 0}, refusal.message);
}

Decision check_login(Keys& keys, const std::string& password) {
    const auto key = keys.authenticate(password);
    if (!key) {
        log::error("keys cannot be looked up", {{"reason", key.error().message}});
        return Decision::refuse(454, {4, 7, 0}, "the key cannot be checked just now; try again");
    }
    if (!*key) return Decision::refuse(535, {5, 7, 8}, "the password is not a known API key");
    if (!(*key)->allows(scope::send)) {
        return Decision::refuse(535, {5, 7, 8}, "this API key has no scope send");
    }
    return Decision::accept();
}

outbox::RawMail mail_of(smtp::Message message) {
    outbox::RawMail mail;
    if (message.envelope.sender) mail.sender = message.envelope.sender->text;
    for (const auto& recipient : message.envelope.recipients) {
        mail.recipients.push_back(recipient.text);
    }
    mail.message = std::move(message.data);
    return mail;
}

Decision decision_for(const Result<outbox::Accepted, Refusal>& accepted) {
    if (!accepted) return decision_for(accepted.error());
    auto decision = Decision::accept();
    decision.reply = smtp::Reply{250, EnhancedStatus{2, 0, 0}, {"accepted as " + accepted->id}};
    return decision;
}

}  // namespace

void Submission::authenticate(const smtp::Peer&, const smtp::Credentials& credentials,
                              smtp::Answer answer) {
    // Shared because a std::function must be copyable.
    const auto shared = std::make_shared<smtp::Answer>(std::move(answer));
    const bool posted = workers_.post([this, shared, password = credentials.password] {
        (*shared)(check_login(keys_, password));
    });
    if (!posted) (*shared)(busy());
}

void Submission::take(smtp::Message message, smtp::Answer answer) {
    const auto shared = std::make_shared<smtp::Answer>(std::move(answer));
    const auto bytes = message.data.size();
    if (bytes <= in_place_bytes_max && outbox_.accepts_quickly(bytes)) {
        return store_later(std::move(message), shared);
    }
    const bool posted = workers_.post(
        [this, shared, message = std::make_shared<smtp::Message>(std::move(message))] {
            (*shared)(decision_for(outbox_.accept_raw(mail_of(std::move(*message)), std::nullopt,
                                                      outbox::Stream::transactional)));
        });
    if (!posted) (*shared)(busy());
}

void Submission::store_later(smtp::Message message, SharedAnswer answer) {
    unanswered_.add();
    outbox_.accept_raw(mail_of(std::move(message)), outbox::Stream::transactional,
                       [this, answer = std::move(answer)](const auto& accepted) {
                           (*answer)(decision_for(accepted));
                           unanswered_.remove();
                       });
}

smtp::ServerSettings submission_settings(std::string host_name, SubmissionTls tls,
                                         bool on_loopback) {
    smtp::ServerSettings settings;
    settings.host_name = std::move(host_name);
    settings.auth = smtp::AuthPolicy::required;
    settings.auth_without_tls = on_loopback;
    if (tls == SubmissionTls::offered) settings.tls = smtp::TlsPolicy::offered;
    if (tls == SubmissionTls::implicit) settings.tls = smtp::TlsPolicy::implicit;
    // Mail programs are no strangers: what they get wrong is put right.
    settings.bare_newlines = smtp::BareNewlines::make_crlf;
    return settings;
}

}  // namespace mailroom::api
