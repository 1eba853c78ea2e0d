#include "outbox/callbacks.h"

#include "base/log.h"
#include "outbox/outbox.h"
#include "outbox/sender_outcome.h"

#include <utility>

namespace mailroom::outbox {
namespace {

// Of a job's data: when the first attempt was due, when the mail became what is told (both in
// milliseconds), and how many attempts failed.
constexpr std::string_view since_name = "Since";
constexpr std::string_view reached_name = "Reached";
constexpr std::string_view failures_name = "Failures";

constexpr int gone_status = 410;

bool is_success(int status) { return status >= 200 && status < 300; }

State acknowledged(State calling) {
    return calling == State::calling_sent_callback ? State::sent_acknowledged
                                                   : State::failed_acknowledged;
}

}  // namespace

// One attempt.
struct Callbacks::Call {
    schedule::Job& job;
    Mail mail;
    CallbackWishes wishes;
    Time reached;
    // What came of it.
    int status = 0;  // 0: there was no answer.
    std::string text = {};
    std::string peer = {};

    LogEntry log_entry(Time now) const {
        return {.at = now, .what = "callback", .text = text, .code = status, .peer = peer};
    }
    Time since() const {
        const auto since_ms = job.data().integer(since_name);
        return since_ms ? from_unix_ms(*since_ms) : job.due();
    }
    std::int64_t failures() const { return job.data().integer(failures_name).value_or(0) + 1; }
};

Callbacks::Callbacks(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule,
                     net::HttpClient& http, const Clock& clock, Random& random,
                     CallbackOptions options)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      http_(http),
      clock_(clock),
      random_(random),
      options_(std::move(options)) {}

void Callbacks::run(schedule::JobInHand job) {
    const auto done = handle(*job);
    if (done) return;
    log::error("a callback could not be made now; it will be tried again",
               {{"mail", job->key()}, {"why", done.error().message}});
}

Result<> Callbacks::commit(const schedule::Transaction& together, std::string_view id) {
    const auto committed = schedule_.commit(together);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    log::info("a mail was taken or changed by somebody else", {{"mail", id}});
    return Ok{};
}

Result<> Callbacks::handle(schedule::Job& job) {
    auto mail = TRY(ledger_.find(std::string(job.key())));
    if (!mail || !told_state(mail->state)) {
        schedule::Transaction together;
        job.finish(together);
        return commit(together, job.key());
    }
    CallbackWishes wishes;
    if (const auto payload = TRY(blobs_.read(mail->payload_path))) {
        // A payload that another program wrote may be anything: then there is nothing it wishes.
        auto read = read_callback_wishes(*payload);
        if (read) wishes = *std::move(read);
    }
    const auto when = TRY(reached(job, *mail));
    Call call{job, *std::move(mail), std::move(wishes), when};
    const auto wanted = call.wishes.url.value_or(options_.url);
    if (wanted.empty()) {
        // The operator may have forgotten the setting at this start: nothing is lost by waiting.
        call.text = "there is no URL to call";
        return write_failure(call);
    }
    const auto url = net::Url::parse(wanted);
    if (!url) return give_up(call, "the URL cannot be used: " + url.error().message);

    if (!TRY(claim(call))) return Ok{};
    post(call, *url);
    if (is_success(call.status)) return write_success(call);
    return write_failure(call);
}

// When it became SENT, FAILED or INVALID.
Result<Time> Callbacks::reached(const schedule::Job& job, const Mail& mail) {
    if (const auto reached_ms = job.data().integer(reached_name)) return from_unix_ms(*reached_ms);
    const auto state = told_state(mail.state);
    if (state == mail.state) return mail.updated;
    const auto history = TRY(ledger_.history(mail.id));
    if (history) {
        for (const auto& entry : history->states) {
            if (entry.state == state) return entry.at;
        }
    }
    return mail.updated;
}

Result<bool> Callbacks::claim(Call& call) {
    schedule::Transaction together;
    call.job.claim(together);
    if (call.mail.state == State::sent) {
        ledger_.move(together, call.mail, State::calling_sent_callback, {});
    } else if (call.mail.state == State::failed) {
        ledger_.move(together, call.mail, State::calling_failed_callback, {});
    }
    const auto claimed = schedule_.commit(together);
    if (claimed) return true;
    const Error error = claimed.error();
    if (error.code != Errc::conflict) return error;
    log::info("a mail was taken or changed by somebody else", {{"mail", call.mail.id}});
    return false;
}

void Callbacks::post(Call& call, const net::Url& url) {
    const auto body = webhook_body(call.mail, call.reached, call.wishes);
    const auto id = webhook_id(call.mail, call.reached);
    const auto timestamp = std::to_string(to_unix_seconds(clock_.now()));
    net::Headers headers = {{"Content-Type", "application/json"},
                            {"User-Agent", "Mailroom"},
                            {"webhook-id", id},
                            {"webhook-timestamp", timestamp}};
    if (!options_.secret.empty()) {
        headers.emplace_back("webhook-signature",
                             webhook_signature(options_.secret, id, timestamp, body));
    }
    call.peer = url.origin();
    const auto answer =
        http_.send({.method = "POST",
                    .url = url,
                    .headers = std::move(headers),
                    .body = body,
                    .reach = call.wishes.url ? net::Reach::guarded : net::Reach::trusted,
                    .limits = {.total_timeout = options_.timeout}});
    if (answer) {
        call.status = answer->status;
        call.text = "HTTP " + std::to_string(answer->status);
    } else {
        call.text = answer.error().message;
    }
}

Result<> Callbacks::write_success(Call& call) {
    schedule::Transaction together;
    call.job.finish(together);
    const Change change{.job = std::optional<schedule::Position>()};
    if (call.mail.state == State::invalid) {
        ledger_.change(together, call.mail, change);
    } else {
        ledger_.move(together, call.mail, acknowledged(call.mail.state), change);
    }
    ledger_.log(together, call.mail, call.log_entry(clock_.now()));
    return commit(together, call.mail.id);
}

Result<> Callbacks::write_failure(Call& call) {
    if (call.status == gone_status) return give_up(call, "HTTP 410: the URL is gone for good");
    const auto now = clock_.now();
    if (now >= call.since() + options_.give_up_after) {
        return give_up(
            call, "given up after " + duration_text(options_.give_up_after) + ": " + call.text);
    }
    schedule::Transaction together;
    const auto pause = options_.backoff.pause(call.failures(), random_);
    const auto position =
        call.job.move(together, {.queue = std::string(call.job.queue()),
                                 .key = call.mail.id,
                                 .due = now + pause,
                                 .data = {{since_name, to_unix_ms(call.since())},
                                          {reached_name, to_unix_ms(call.reached)},
                                          {failures_name, call.failures()}}});
    ledger_.change(together, call.mail, {.job = position});
    ledger_.log(together, call.mail, call.log_entry(now));
    return commit(together, call.mail.id);
}

// The mail stays where it is, and the job is among the dead.
Result<> Callbacks::give_up(Call& call, const std::string& why) {
    schedule::Transaction together;
    call.job.bury(together, why);
    ledger_.change(together, call.mail, {.job = std::optional<schedule::Position>()});
    const auto now = clock_.now();
    if (!call.text.empty()) ledger_.log(together, call.mail, call.log_entry(now));
    ledger_.log(together, call.mail,
                {.at = now, .what = "callback given up", .text = why, .code = call.status});
    return commit(together, call.mail.id);
}

}  // namespace mailroom::outbox
