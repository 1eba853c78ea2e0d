// Tells the program that asked for a mail what became of it.
//
// POST to the mail's callback_url, or the one for all, as Standard Webhooks has it: webhook-id,
// webhook-timestamp, webhook-signature ("v1," and the base64 of HMAC-SHA256 over
// id "." timestamp "." body). The body:
//   { "type": "email.sent" | "email.failed" | "email.invalid", "timestamp", "id", "state",
//     "reason", "recipients": [{ "address", "state", "code", "text" }], "message_id",
//     "created_at", "reached_at", "tags", "metadata", "message_ids": [id],
//     "code": "TRAVELING" | "DISPATCH-ERROR" }
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "net/http_client.h"
#include "outbox/blobs/blobs.h"
#include "outbox/callbacks/webhook.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/destinations.h"
#include "schedule/backoff.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::outbox {

struct WebhookAnswer;

struct CallbackOptions {
    std::string url = {};     // For mails that name none: the operator's, so it may be anywhere.
    std::string secret = {};  // The key's bytes (parse_webhook_secret). Empty: nothing is signed.
    std::chrono::seconds give_up_after = std::chrono::hours(24);
    std::chrono::seconds timeout = std::chrono::seconds(15);
    // Told of each attempt: whether the answer was 2xx. May be empty.
    std::function<void(bool)> called = {};
    schedule::Backoff backoff = {.first = std::chrono::seconds(5),
                                 .longest = std::chrono::hours(1)};
    DestinationLimits destinations = {};
};

// The handler of callback_queue. SENT -> CALLING-SENT-CALLBACK -> SENT-ACKNOWLEDGED on an answer of
// 2xx; the same for FAILED; INVALID stays what it is. Anything else is tried again, with the same
// webhook-id, and given up after a day, or at once when the answer is 410 (Gone) or the guard
// refuses the address: the job is then among the dead of its queue. Every attempt is in its log.
//
// No thread waits for an answer, and each server gets its share only: those that hang hold up
// nobody else. Thread-safe.
class Callbacks {
public:
    // All must outlive this object, and `http` must have stopped before it goes. `await` is
    // Crew::await() of the crew that runs it.
    Callbacks(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::Http& http,
              const Clock& clock, Random& random, CallbackOptions options, AwaitAnswer await);

    void run(schedule::JobInHand job);
    // Those that wait for their turn are left for the next start, and so is what is run from now
    // on.
    void stop() { destinations_.close(); }

private:
    struct Call;
    using CallInHand = std::shared_ptr<Call>;

    Result<> handle(const schedule::JobInHand& job);
    void visit(const CallInHand& call, std::unique_ptr<Visit> visit);
    Result<> put_off(Call& call, Time until);
    bool is_too_old(const Call& call) const;
    std::string given_up_text() const;
    // Whether the mail is still there to be told about.
    Result<bool> claim(Call& call);
    Result<Time> reached(const schedule::Job& job, const Mail& mail);
    void post(const CallInHand& call, std::unique_ptr<Visit> visit);
    void take(Call& call, const WebhookAnswer& answer);
    Result<> write_success(Call& call);
    Result<> write_failure(Call& call);
    // We stopped before there was an answer.
    Result<> write_interrupted(Call& call);
    static void end(const schedule::Job& job, const Result<>& done);
    Result<> give_up(Call& call, const std::string& why);
    Result<> commit(const schedule::Transaction& together, std::string_view id);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    net::Http& http_;
    const Clock& clock_;
    Random& random_;
    const CallbackOptions options_;
    const AwaitAnswer await_;
    Destinations destinations_;
};

}  // namespace mailroom::outbox
