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
#include "outbox/blobs.h"
#include "outbox/ledger.h"
#include "outbox/webhook.h"
#include "schedule/backoff.h"
#include "schedule/schedule.h"

#include <chrono>
#include <string>
#include <string_view>

namespace mailroom::outbox {

struct CallbackOptions {
    std::string url = {};     // For mails that name none: the operator's, so it may be anywhere.
    std::string secret = {};  // The key's bytes (parse_webhook_secret). Empty: nothing is signed.
    std::chrono::seconds give_up_after = std::chrono::hours(24);
    std::chrono::seconds timeout = std::chrono::seconds(15);
    schedule::Backoff backoff = {.first = std::chrono::seconds(5),
                                 .longest = std::chrono::hours(1)};
};

// The handler of callback_queue. SENT -> CALLING-SENT-CALLBACK -> SENT-ACKNOWLEDGED on an answer of
// 2xx; the same for FAILED; INVALID stays what it is. Anything else is tried again, with the same
// webhook-id, and given up after a day, or at once when the answer is 410 (Gone): the job is then
// among the dead of its queue. Every attempt is in the mail's log. Thread-safe.
class Callbacks {
public:
    // All must outlive this object.
    Callbacks(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::HttpClient& http,
              const Clock& clock, Random& random, CallbackOptions options);

    void run(schedule::JobInHand job);

private:
    struct Call;

    Result<> handle(schedule::Job& job);
    // Whether the mail is still there to be told about.
    Result<bool> claim(Call& call);
    Result<Time> reached(const schedule::Job& job, const Mail& mail);
    void post(Call& call, const net::Url& url);
    Result<> write_success(Call& call);
    Result<> write_failure(Call& call);
    Result<> give_up(Call& call, const std::string& why);
    Result<> commit(const schedule::Transaction& together, std::string_view id);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    net::HttpClient& http_;
    const Clock& clock_;
    Random& random_;
    const CallbackOptions options_;
};

}  // namespace mailroom::outbox
