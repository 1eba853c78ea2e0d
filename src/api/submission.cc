#include "api/submission.h"

#include "base/log.h"
#include "outbox/accept/compose.h"
#include "outbox/accept/told.h"

#include <memory>
#include <utility>

namespace mailroom::api {

namespace {

// Reading a larger message takes so long that the other connections would notice.
constexpr std::size_t in_place_bytes_max = 64 * 1024;

using smtp::Decision;
using smtp::EnhancedStatus;

Decision busy() { return Decision::refuse(451, {4, 3, 2}, "too many wait; try again"); }

// "5.6.0"
EnhancedStatus status_of(std::string_view text) {
    return {text[0] - '0', text[2] - '0', text[4] - '0'};
}

Decision decision_for(const outbox::Refusal& refused) {
    const auto refusal = outbox::told(refused);
    const auto& answer = answer_of(refusal.kind);
    return Decision::refuse(answer.smtp_reply, status_of(answer.smtp_status), refusal.text());
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

Decision decision_for(const Result<outbox::Accepted, outbox::Refusal>& accepted) {
    if (!accepted) return decision_for(accepted.error());
    auto decision = Decision::accept();
    decision.reply = smtp::Reply{250, EnhancedStatus{2, 0, 0}, {"accepted as " + accepted->id}};
    return decision;
}

}  // namespace

Decision Submission::check_login(const std::string& address, const std::string& password) {
    const auto key = keys_.authenticate(password);
    if (!key) {
        log::error("keys cannot be looked up", {{"reason", key.error().message}});
        return Decision::refuse(454, {4, 7, 0}, "the key cannot be checked just now; try again");
    }
    if (*key && (*key)->allows(http::scope::send)) return Decision::accept();
    const std::string why =
        *key ? "this API key has no scope send" : "the password is not a known API key";
    auto refusal = Decision::refuse(535, {5, 7, 8}, why);
    if (watch_ != nullptr) {
        refusal.delay = watch_->failed(http::Door::smtp, address, http::shown_key(password), why);
    }
    return refusal;
}

void Submission::sender(const smtp::Peer&, const smtp::Envelope& envelope, smtp::Answer answer) {
    const auto& sender = envelope.sender;
    const auto problem = sender ? outbox::address_problem(sender->text) : std::nullopt;
    answer(problem ? Decision::refuse(553, {5, 1, 7}, *problem) : Decision::accept());
}

void Submission::recipient(const smtp::Peer&, const smtp::Envelope&, const smtp::Path& recipient,
                           smtp::Answer answer) {
    const auto problem = outbox::address_problem(recipient.text);
    answer(problem ? Decision::refuse(553, {5, 1, 3}, *problem) : Decision::accept());
}

void Submission::authenticate(const smtp::Peer& peer, const smtp::Credentials& credentials,
                              smtp::Answer answer) {
    // Shared because a std::function must be copyable.
    const auto shared = std::make_shared<smtp::Answer>(std::move(answer));
    const bool posted =
        workers_.post([this, shared, address = peer.address, password = credentials.password] {
            (*shared)(check_login(address, password));
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
