#include "engagement/webhooks/calls.h"

#include "base/log.h"
#include "engagement/events/rows.h"
#include "engagement/webhooks/webhook_body.h"
#include "outbox/callbacks/webhook.h"
#include "outbox/callbacks/webhook_call.h"

#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

constexpr std::size_t text_bytes_max = 256;

std::vector<std::string> keys_of(const Webhook& webhook, Time now) {
    std::vector<std::string> keys;
    const auto add = [&](const std::string& secret) {
        auto key = outbox::parse_webhook_secret(secret);
        if (key) keys.push_back(*std::move(key));
    };
    add(webhook.secret);
    if (webhook.old_secret_until && now < *webhook.old_secret_until) add(webhook.old_secret);
    return keys;
}

}  // namespace

// One attempt.
struct Calls::Call {
    schedule::JobInHand job;
    Delivery delivery;
    Webhook webhook;
    net::Url url;
    std::string body = {};
};

Calls::Calls(table::Store& store, schedule::Schedule& schedule, Webhooks& webhooks,
             Deliveries& deliveries, net::Http& http, const Clock& clock, Random& random,
             CallsOptions options, outbox::AwaitAnswer await)
    : store_(store),
      schedule_(schedule),
      webhooks_(webhooks),
      deliveries_(deliveries),
      http_(http),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      await_(std::move(await)),
      destinations_(options_.destinations, clock,
                    [this](std::function<void()> work) { await_()->post(std::move(work)); }) {}

void Calls::run(schedule::JobInHand job) { report(*job, handle(job)); }

void Calls::report(const schedule::Job& job, const Result<>& done) {
    if (done) return;
    log::error("a webhook could not be told now; it will be tried again",
               {{"webhook", job.key()}, {"why", done.error().message}});
}

Result<> Calls::commit(const schedule::Transaction& transaction) {
    const auto committed = schedule_.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    // Somebody else has it, or it is gone.
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

Result<> Calls::handle(const schedule::JobInHand& job) {
    auto delivery = TRY(deliveries_.find(job->key()));
    auto webhook = TRY(webhooks_.find(std::string(job->key().substr(0, job->key().find('/')))));
    // One of the same name may have been removed before this one was added.
    const bool is_wanted = delivery && webhook && delivery->state == DeliveryState::waiting &&
                           delivery->since >= webhook->created;
    if (!is_wanted) {
        schedule::Transaction transaction;
        job->finish(transaction);
        return commit(transaction);
    }
    auto url = TRY(net::Url::parse(webhook->url));
    return enter(std::make_shared<Call>(
        Call{job, *std::move(delivery), *std::move(webhook), std::move(url)}));
}

Result<> Calls::enter(const CallInHand& call) {
    const auto turn = destinations_.enter(std::string(call->url.origin()),
                                          [this, call](std::unique_ptr<outbox::Visit> visit) {
                                              this->visit(call, std::move(visit));
                                          });
    if (!turn) return Ok{};
    if (turn->is_silent && is_too_old(*call)) {
        call->delivery.text = "the server does not answer";
        return end_as(*call, DeliveryState::failed);
    }
    return put_off(*call, turn->at);
}

bool Calls::is_too_old(const Call& call) const {
    return clock_.now() >= call.delivery.since + options_.give_up_after;
}

// It comes again, and nobody was asked.
Result<> Calls::put_off(Call& call, Time until) {
    schedule::Transaction transaction;
    call.job->move(transaction, until);
    return commit(transaction);
}

Result<std::optional<table::Item>> Calls::event_of(const Delivery& delivery) const {
    table::GetItem get;
    get.table = delivery.type == EventType::sent ? options_.audience : options_.events;
    get.key = rows::key(delivery.event_partition, delivery.event_sort);
    get.consistent = true;
    auto found = TRY(store_.get(get));
    return std::move(found.item);
}

void Calls::visit(const CallInHand& call, std::unique_ptr<outbox::Visit> visit) {
    if (!visit) return report(*call->job, put_off(*call, clock_.now()));
    const auto event = event_of(call->delivery);
    if (!event) return report(*call->job, event.error());
    if (!*event) return report(*call->job, end_as(*call, DeliveryState::gone));
    call->body = webhook_body(call->delivery, **event);
    const auto claimed = claim(*call);
    if (!claimed) return report(*call->job, claimed.error());
    if (*claimed) post(call, std::move(visit));
}

Result<bool> Calls::claim(Call& call) {
    schedule::Transaction transaction;
    call.job->claim(transaction);
    const auto claimed = schedule_.commit(transaction);
    if (claimed) return true;
    const Error error = claimed.error();
    if (error.code != Errc::conflict) return error;
    return false;
}

void Calls::post(const CallInHand& call, std::unique_ptr<outbox::Visit> visit) {
    const auto now = clock_.now();
    outbox::call_webhook(
        http_,
        {.method = "POST",
         .url = call->url,
         .headers = outbox::webhook_headers(keys_of(call->webhook, now), call->delivery.id, now,
                                            call->body),
         .body = call->body,
         .reach = net::Reach::guarded,
         .limits = {.total_timeout = options_.timeout}},
        await_(), std::move(visit),
        [this, call](const outbox::WebhookAnswer& answer) { take(*call, answer); });
}

void Calls::take(Call& call, const outbox::WebhookAnswer& answer) {
    using Kind = outbox::WebhookAnswer::Kind;
    auto& delivery = call.delivery;
    if (answer.kind == Kind::interrupted) {
        return report(*call.job, put_off(call, clock_.now()));
    }
    ++delivery.attempts;
    ++(answer.kind == Kind::taken ? answered_ : failed_);
    delivery.status = answer.status;
    delivery.text = answer.text.substr(0, text_bytes_max);
    if (answer.kind == Kind::taken) {
        return report(*call.job, end_as(call, DeliveryState::delivered));
    }
    if (answer.kind == Kind::not_taken) return report(*call.job, write_failure(call));
    if (answer.kind == Kind::refused) delivery.text += "; " + std::string(outbox::allow_hint);
    report(*call.job, end_as(call, DeliveryState::failed));
}

Result<> Calls::write_failure(Call& call) {
    if (is_too_old(call)) return end_as(call, DeliveryState::failed);
    schedule::Transaction transaction;
    call.job->move(transaction,
                   clock_.now() + options_.backoff.pause(call.delivery.attempts, random_));
    deliveries_.save(transaction, call.delivery);
    return commit(transaction);
}

Result<> Calls::end_as(Call& call, DeliveryState state) {
    call.delivery.state = state;
    schedule::Transaction transaction;
    call.job->finish(transaction);
    deliveries_.save(transaction, call.delivery);
    return commit(transaction);
}

}  // namespace mailroom::engagement::webhooks
