#include "outbox/callbacks/callbacks.h"

#include "base/log.h"
#include "outbox/accept/outbox.h"
#include "outbox/callbacks/webhook_call.h"
#include "outbox/sending/sender_outcome.h"

#include <utility>

namespace mailroom::outbox {
namespace {

// Of a job's data: when the first attempt was due, when the mail became what is told (both in
// milliseconds), and how many attempts failed.
constexpr std::string_view since_name = "Since";
constexpr std::string_view reached_name = "Reached";
constexpr std::string_view failures_name = "Failures";

State acknowledged(State calling) {
    return calling == State::calling_sent_callback ? State::sent_acknowledged
                                                   : State::failed_acknowledged;
}

}  // namespace

// One attempt.
struct Callbacks::Call {
    schedule::JobInHand job;
    Mail mail;
    CallbackWishes wishes;
    Time reached;
    std::optional<net::Url> url = std::nullopt;
    std::string body = {};
    // What came of it.
    int status = 0;  // 0: there was no answer.
    std::string text = {};
    std::string peer = {};

    LogEntry log_entry(Time now) const {
        return {.at = now, .what = "callback", .text = text, .code = status, .peer = peer};
    }
    Time since() const {
        const auto since_ms = job->data().integer(since_name);
        return since_ms ? from_unix_ms(*since_ms) : job->due();
    }
    std::int64_t failures() const { return job->data().integer(failures_name).value_or(0); }
    // The same job again.
    schedule::NewJob again(Time due, std::int64_t failed) const {
        return {.queue = std::string(job->queue()),
                .key = mail.id,
                .due = due,
                .data = {{since_name, to_unix_ms(since())},
                         {reached_name, to_unix_ms(reached)},
                         {failures_name, failed}}};
    }
};

Callbacks::Callbacks(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::Http& http,
                     const Clock& clock, Random& random, CallbackOptions options, AwaitAnswer await)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      http_(http),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      await_(std::move(await)),
      destinations_(options_.destinations, clock,
                    [this](std::function<void()> work) { await_()->post(std::move(work)); }) {}

void Callbacks::run(schedule::JobInHand job) { end(*job, handle(job)); }

void Callbacks::end(const schedule::Job& job, const Result<>& done) {
    if (done) return;
    log::error("a callback could not be made now; it will be tried again",
               {{"mail", job.key()}, {"why", done.error().message}});
}

Result<> Callbacks::commit(const schedule::Transaction& together, std::string_view id) {
    const auto committed = schedule_.commit(together);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    log::info("a mail was taken or changed by somebody else", {{"mail", id}});
    return Ok{};
}

Result<> Callbacks::handle(const schedule::JobInHand& job) {
    auto mail = TRY(ledger_.find(std::string(job->key())));
    if (!mail || !told_state(mail->state)) {
        schedule::Transaction together;
        job->finish(together);
        return commit(together, job->key());
    }
    CallbackWishes wishes;
    const auto payload = blobs_.read(mail->payload_path);
    if (!payload && payload.error().code == Errc::unavailable) return payload.error();
    if (payload && *payload) {
        // A payload that another program wrote may be anything: then there is nothing it wishes.
        auto read = read_callback_wishes(**payload);
        if (read) wishes = *std::move(read);
    }
    const auto when = TRY(reached(*job, *mail));
    const auto call = std::make_shared<Call>(Call{job, *std::move(mail), std::move(wishes), when});
    const auto wanted = call->wishes.url.value_or(options_.url);
    if (wanted.empty()) {
        // The operator may have forgotten the setting at this start: nothing is lost by waiting.
        call->text = "there is no URL to call";
        return write_failure(*call);
    }
    auto url = net::Url::parse(wanted);
    if (!url) return give_up(*call, "the URL cannot be used: " + url.error().message);
    call->url = *std::move(url);
    const auto turn = destinations_.enter(
        std::string(call->url->origin()),
        [this, call](std::unique_ptr<Visit> visit) { this->visit(call, std::move(visit)); });
    if (!turn) return Ok{};
    if (turn->is_silent && is_too_old(*call)) {
        return give_up(*call, given_up_text() + "the server does not answer");
    }
    return put_off(*call, turn->at);
}

bool Callbacks::is_too_old(const Call& call) const {
    return clock_.now() >= call.since() + options_.give_up_after;
}

std::string Callbacks::given_up_text() const {
    return "given up after " + duration_text(options_.give_up_after) + ": ";
}

void Callbacks::visit(const CallInHand& call, std::unique_ptr<Visit> visit) {
    if (!visit) return end(*call->job, put_off(*call, clock_.now()));
    const auto claimed = claim(*call);
    if (!claimed) return end(*call->job, claimed.error());
    if (*claimed) post(call, std::move(visit));
}

// It comes again, and nobody was asked.
Result<> Callbacks::put_off(Call& call, Time until) {
    schedule::Transaction together;
    const auto position = call.job->move(together, call.again(until, call.failures()));
    ledger_.change(together, call.mail, {.job = position});
    return commit(together, call.mail.id);
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
    call.job->claim(together);
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

void Callbacks::post(const CallInHand& call, std::unique_ptr<Visit> visit) {
    call->body = webhook_body(call->mail, call->reached, call->wishes);
    const auto id = webhook_id(call->mail, call->reached);
    std::vector<std::string> keys;
    if (!options_.secret.empty()) keys.push_back(options_.secret);
    auto headers = webhook_headers(keys, id, clock_.now(), call->body);
    call->peer = call->url->origin();
    call_webhook(http_,
                 {.method = "POST",
                  .url = *call->url,
                  .headers = std::move(headers),
                  .body = call->body,
                  .reach = call->wishes.url ? net::Reach::guarded : net::Reach::trusted,
                  .limits = {.total_timeout = options_.timeout}},
                 await_(), std::move(visit),
                 [this, call](const WebhookAnswer& answer) { take(*call, answer); });
}

void Callbacks::take(Call& call, const WebhookAnswer& answer) {
    using Kind = WebhookAnswer::Kind;
    if (answer.kind == Kind::interrupted) return end(*call.job, write_interrupted(call));
    call.status = answer.status;
    call.text = answer.text;
    if (options_.called) options_.called(answer.kind == Kind::taken);
    if (answer.kind == Kind::taken) return end(*call.job, write_success(call));
    if (answer.kind == Kind::not_taken) return end(*call.job, write_failure(call));
    if (answer.kind == Kind::gone) {
        return end(*call.job, give_up(call, "HTTP 410: the URL is gone for good"));
    }
    const auto why = answer.text + "; " + std::string(allow_hint);
    log::warn("a callback is given up: the guard refuses its address",
              {{"mail", call.mail.id}, {"url", call.peer}, {"why", why}});
    end(*call.job, give_up(call, why));
}

Result<> Callbacks::write_success(Call& call) {
    schedule::Transaction together;
    call.job->finish(together);
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
    const auto now = clock_.now();
    if (is_too_old(call)) return give_up(call, given_up_text() + call.text);
    schedule::Transaction together;
    const auto failures = call.failures() + 1;
    const auto pause = options_.backoff.pause(failures, random_);
    const auto position = call.job->move(together, call.again(now + pause, failures));
    ledger_.change(together, call.mail, {.job = position});
    ledger_.log(together, call.mail, call.log_entry(now));
    return commit(together, call.mail.id);
}

// Nobody knows whether the server has heard it: it is told again, by the same webhook-id.
Result<> Callbacks::write_interrupted(Call& call) { return put_off(call, clock_.now()); }

// The mail stays where it is, and the job is among the dead.
Result<> Callbacks::give_up(Call& call, const std::string& why) {
    schedule::Transaction together;
    call.job->bury(together, why);
    ledger_.change(together, call.mail, {.job = std::optional<schedule::Position>()});
    const auto now = clock_.now();
    if (!call.text.empty()) ledger_.log(together, call.mail, call.log_entry(now));
    ledger_.log(together, call.mail,
                {.at = now, .what = "callback given up", .text = why, .code = call.status});
    return commit(together, call.mail.id);
}

}  // namespace mailroom::outbox
