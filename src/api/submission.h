// Mail programs that speak SMTP: the password is an API key with the scope `send`.
//
//   api::Submission submission(keys, outbox, workers);
//   auto server = TRY(smtp::Server::listen({.settings = submission_settings(…)}, submission, …));
#pragma once

#include "http/keys.h"
#include "http/login_watch.h"
#include "http/unanswered.h"
#include "http/workers.h"
#include "outbox/accept/outbox.h"
#include "smtp/server_receiver.h"
#include "smtp/server_settings.h"

#include <memory>
#include <string>

namespace mailroom::api {

// Takes messages of those who logged in, with any user name, and hands them to the outbox. What it
// answers with 250 is stored. Thread-safe.
class Submission final : public smtp::Receiver {
public:
    // All must outlive this object; the workers must have stopped before it goes, which waits for
    // messages that are being stored.
    // `watch`, if any, is told of logins that failed.
    Submission(http::Keys& keys, outbox::Outbox& outbox, http::Workers& workers,
               http::LoginWatch* watch = nullptr)
        : keys_(keys), outbox_(outbox), workers_(workers), watch_(watch) {}
    ~Submission() override { unanswered_.wait_for_none(); }
    Submission(const Submission&) = delete;
    Submission& operator=(const Submission&) = delete;

    void authenticate(const smtp::Peer& peer, const smtp::Credentials& credentials,
                      smtp::Answer answer) override;
    // Refuse at once what the outbox would refuse: no mail is lost for an address in it.
    void sender(const smtp::Peer& peer, const smtp::Envelope& envelope,
                smtp::Answer answer) override;
    void recipient(const smtp::Peer& peer, const smtp::Envelope& envelope,
                   const smtp::Path& recipient, smtp::Answer answer) override;
    void take(smtp::Message message, smtp::Answer answer) override;

private:
    using SharedAnswer = std::shared_ptr<smtp::Answer>;
    smtp::Decision check_login(const std::string& address, const std::string& password);
    void store_later(smtp::Message message, SharedAnswer answer);

    http::Keys& keys_;
    outbox::Outbox& outbox_;
    http::Workers& workers_;
    http::LoginWatch* const watch_;
    http::Unanswered unanswered_;
};

enum class SubmissionTls { none, offered, implicit };
// Login is required (530 without). Passwords travel in clear only where `on_loopback`; elsewhere
// there must be TLS.
smtp::ServerSettings submission_settings(std::string host_name, SubmissionTls tls,
                                         bool on_loopback);

}  // namespace mailroom::api
