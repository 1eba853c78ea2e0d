#include "engagement/webhooks/webhooks.h"

#include "base/base64.h"
#include "engagement/events/rows.h"
#include "engagement/webhooks/spreading.h"
#include "outbox/callbacks/webhook.h"
#include "program/commit.h"

#include <algorithm>
#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

constexpr const char* partition = "WEBHOOKS";
constexpr std::size_t secret_bytes = 32;

table::Item item_of(const Webhook& webhook) {
    auto item = table::to_item(webhook);
    item.set(rows::partition_key, table::Value(partition));
    return item;
}

bool is_as_asked(const Webhook& webhook, const NewWebhook& asked) {
    return webhook.url == asked.url && webhook.events == asked.events &&
           webhook.template_keys == asked.template_keys &&
           webhook.sequence_ids == asked.sequence_ids && webhook.machines == asked.machines;
}

}  // namespace

Webhooks::Webhooks(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
                   Random& random, const net::Guard* guard, Deliveries& deliveries,
                   table::CreateTable declared)
    : store_(store),
      schedule_(schedule),
      clock_(clock),
      random_(random),
      guard_(guard),
      deliveries_(deliveries),
      rows_(store, std::move(declared)) {}

std::string Webhooks::make_secret() {
    return "whsec_" + base64_encode(random_bytes(random_, secret_bytes));
}

Answer<Webhook> Webhooks::put(const NewWebhook& asked) {
    const auto url = net::Url::parse(asked.url);
    if (!url) return Refusal::bad_field("url", "cannot be used: " + url.error().message);
    if (const auto refused = guard_ ? guard_->refuses_at_sight(*url) : std::nullopt) {
        return Refusal::bad_field("url", refused->message + "; " + std::string(outbox::allow_hint));
    }
    auto webhook = settled(store_.pauses(race_pauses), [&] { return put_once(asked); });
    forget_known();
    return webhook;
}

Answer<Webhook> Webhooks::put_once(const NewWebhook& asked) {
    const auto found = TRY(find(asked.id));
    if (!found && TRY(list()).size() >= webhooks_max) {
        return Refusal::conflict(
            "too_many_webhooks",
            "there can be at most " + std::to_string(webhooks_max) + " webhooks");
    }
    const auto now = clock_.now();
    auto webhook = found.value_or(Webhook());
    if (!found) webhook.created = now;
    const auto secret = !asked.secret.empty() ? asked.secret
                        : found               ? found->secret
                                              : make_secret();
    if (found && secret != found->secret) {
        webhook.old_secret = found->secret;
        webhook.old_secret_until = now + old_secret_kept;
    }
    if (found && secret == found->secret && is_as_asked(*found, asked)) return *found;
    webhook.id = asked.id;
    webhook.url = asked.url;
    webhook.events = asked.events;
    webhook.template_keys = asked.template_keys;
    webhook.sequence_ids = asked.sequence_ids;
    webhook.machines = asked.machines;
    webhook.secret = secret;
    webhook.updated = now;
    schedule::Transaction transaction;
    const auto before = webhook.version++;
    auto& write = transaction.put(rows_.table(), item_of(webhook));
    before == 0 ? write.if_absent(rows::partition_key) : write.when("version", before);
    TRY(program::commit(schedule_, transaction));
    return webhook;
}

Result<std::optional<Webhook>> Webhooks::find(const std::string& id) {
    if (id.empty() || id.size() > id_bytes_max) return std::optional<Webhook>();
    return rows_.find(rows::key(partition, id));
}

Result<std::vector<Webhook>> Webhooks::list() {
    return rows_.whole(rows_.query().partition(rows::partition_key, partition).consistent());
}

Result<table::Slice<Webhook>> Webhooks::page(const table::PageWish& wish) {
    return rows_.page(rows_.query().partition(rows::partition_key, partition).consistent(), wish);
}

Answer<bool> Webhooks::remove(const std::string& id) {
    if (!TRY(find(id))) return false;
    schedule::Transaction transaction;
    transaction.erase(rows_.table(), rows::key(partition, id));
    TRY(program::commit(schedule_, transaction));
    forget_known();
    return true;
}

void Webhooks::forget_known() {
    const std::lock_guard lock(mutex_);
    known_.reset();
    ++changes_;
}

Result<Webhooks::List> Webhooks::known() {
    const auto now = clock_.now();
    std::uint64_t changes = 0;
    {
        const std::lock_guard lock(mutex_);
        changes = changes_;
        if (known_ && now < known_until_ && now >= known_until_ - known_for) return known_;
    }
    auto read = std::make_shared<const std::vector<Webhook>>(TRY(list()));
    const std::lock_guard lock(mutex_);
    // What was read may be from before a change.
    if (changes == changes_) {
        known_ = read;
        known_until_ = now + known_for;
    }
    return List(read);
}

Result<> Webhooks::add_to(schedule::Transaction& transaction, const Event& event) {
    const auto webhooks = TRY(known());
    std::vector<std::string> wanting;
    for (const auto& webhook : *webhooks) {
        if (webhook.wants(event.happening)) wanting.push_back(webhook.id);
    }
    const auto at_once = std::min(wanting.size(), webhooks_at_once);
    for (std::size_t i = 0; i < at_once; ++i) deliveries_.add_to(transaction, wanting[i], event);
    if (wanting.size() > at_once) {
        wanting.erase(wanting.begin(), wanting.begin() + static_cast<std::ptrdiff_t>(at_once));
        add_spreading(schedule_, transaction, clock_.now(), event, wanting);
    }
    return Ok{};
}

}  // namespace mailroom::engagement::webhooks
