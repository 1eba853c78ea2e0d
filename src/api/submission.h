// Mail programs that speak SMTP: the password is an API key with the scope `send`.
//
//   api::Submission submission(keys, outbox, workers);
//   auto server = TRY(smtp::Server::listen({.settings = submission_settings(…)}, submission, …));
#pragma once

#include "api/keys.h"
#include "api/workers.h"
#include "outbox/outbox.h"
#include "smtp/server_receiver.h"
#include "smtp/server_settings.h"

#include <string>

namespace mailroom::api {

// Takes messages of those who logged in, with any user name, and hands them to the outbox. What it
// answers with 250 is stored. Thread-safe.
class Submission final : public smtp::Receiver {
public:
    // All must outlive this object; the workers must have stopped before it goes.
    Submission(Keys& keys, outbox::Outbox& outbox, Workers& workers)
        : keys_(keys), outbox_(outbox), workers_(workers) {}

    void authenticate(const smtp::Peer& peer, const smtp::Credentials& credentials,
                      smtp::Answer answer) override;
    void take(smtp::Message message, smtp::Answer answer) override;

private:
    Keys& keys_;
    outbox::Outbox& outbox_;
    Workers& workers_;
};

enum class SubmissionTls { none, offered, implicit };
// Login is required (530 without). Passwords travel in clear only where `on_loopback`; elsewhere
// there must be TLS.
smtp::ServerSettings submission_settings(std::string host_name, SubmissionTls tls,
                                         bool on_loopback);

}  // namespace mailroom::api
