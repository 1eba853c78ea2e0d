#include "engagement/webhooks/deliveries.h"

#include "base/time_format.h"
#include "engagement/events/rows.h"

#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

constexpr std::string_view told = "TOLD#", untold = "UNTOLD#";
constexpr std::size_t tail_digits = 16, id_digits = 32;
constexpr std::int64_t again_at_once = 100;

table::Item key_of(std::string_view prefix, std::string_view webhook, std::string_view sort) {
    return rows::key(std::string(prefix) + std::string(webhook), sort);
}

std::string sort_of(Time at, std::string_view event_id) {
    return format_rfc3339(at) + "#" + rows::digest_of(event_id).substr(0, tail_digits);
}

// The webhook of a delivery's row.
std::string webhook_of(const Delivery& delivery) {
    return delivery.partition.substr(delivery.partition.find('#') + 1);
}

}  // namespace

Deliveries::Deliveries(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
                       table::CreateTable declared)
    : store_(store), schedule_(schedule), clock_(clock), rows_(store, std::move(declared)) {}

std::string Deliveries::job_key(const std::string& webhook, std::string_view sort) {
    return webhook + "/" + std::string(sort);
}

Delivery Deliveries::add_job(schedule::Transaction& transaction, const std::string& webhook,
                             const Told& event) {
    const auto now = clock_.now();
    Delivery delivery;
    delivery.partition = std::string(told) + webhook;
    delivery.sort = sort_of(event.at, event.event_id);
    delivery.id = "evt_" + rows::digest_of(event.event_id).substr(0, id_digits);
    delivery.type = event.type;
    delivery.event_partition = event.partition;
    delivery.event_sort = event.sort;
    delivery.since = now;
    delivery.expires = now + deliveries_kept;
    schedule_.add(
        transaction,
        {.queue = std::string(calls_queue), .key = job_key(webhook, delivery.sort), .due = now});
    return delivery;
}

void Deliveries::add_to(schedule::Transaction& transaction, const std::string& webhook,
                        const Event& event) {
    const auto& happening = event.happening;
    const auto delivery =
        add_job(transaction, webhook,
                {happening.id, happening.type, happening.at, event.partition, event.sort});
    transaction.put(rows_.table(), table::to_item(delivery));
}

void Deliveries::add_once_to(schedule::Transaction& transaction, const std::string& webhook,
                             const Told& event) {
    const auto delivery = add_job(transaction, webhook, event);
    transaction.put(rows_.table(), table::to_item(delivery)).if_absent(rows::partition_key);
}

Result<std::optional<Delivery>> Deliveries::find(std::string_view job_key) {
    const auto slash = job_key.find('/');
    if (slash == job_key.npos) return std::optional<Delivery>();
    return rows_.find(key_of(told, job_key.substr(0, slash), job_key.substr(slash + 1)));
}

void Deliveries::save(schedule::Transaction& transaction, const Delivery& delivery) const {
    auto row = table::to_item(delivery);
    const auto copy = key_of(untold, webhook_of(delivery), delivery.sort);
    // If its row is gone, its person was forgotten meanwhile.
    transaction.put(rows_.table(), row).if_present(rows::partition_key);
    if (delivery.state == DeliveryState::failed) {
        row.set(rows::partition_key, *copy.find(rows::partition_key));
        transaction.put(rows_.table(), std::move(row));
    } else {
        transaction.erase(rows_.table(), copy);
    }
}

Result<table::Slice<Delivery>> Deliveries::list(const std::string& webhook, Which which,
                                                const table::PageWish& wish) {
    const auto prefix = which == Which::all ? told : untold;
    return rows_.page(
        rows_.query().partition(rows::partition_key, std::string(prefix) + webhook).newest_first(),
        wish);
}

Result<std::optional<std::string>> Deliveries::tell_again(const Again& again,
                                                          const std::string& after) {
    const auto prefix = again.only_failed ? untold : told;
    // What comes after the last one, and of the same moment.
    const auto first = after.empty() ? format_rfc3339(again.from) : after + "!";
    const auto end = format_rfc3339(again.until);
    if (end < first) return std::optional<std::string>();
    const table::Query query =
        rows_.query()
            .partition(rows::partition_key, std::string(prefix) + again.webhook)
            .between(rows::sort_key, first, end)
            .limit(again_at_once);
    const auto page = store_.query(query);
    if (!page) return page.error();
    std::string last;
    for (const auto& row : page->items) {
        auto delivery = TRY(table::from_item<Delivery>(row));
        last = delivery.sort;
        delivery.partition = std::string(told) + again.webhook;
        TRY(tell_again(again.webhook, std::move(delivery)));
    }
    if (!page->last_key || last.empty()) return std::optional<std::string>();
    return std::optional(last);
}

Result<> Deliveries::tell_again(const std::string& webhook, Delivery delivery) {
    if (delivery.state == DeliveryState::waiting) return Ok{};
    const auto now = clock_.now();
    const auto before = std::exchange(delivery.state, DeliveryState::waiting);
    delivery.attempts = 0;
    delivery.since = now;
    delivery.expires = now + deliveries_kept;
    schedule::Transaction transaction;
    transaction.put(rows_.table(), table::to_item(delivery)).when("State", name_of(before));
    transaction.erase(rows_.table(), key_of(untold, webhook, delivery.sort));
    schedule_.add(
        transaction,
        {.queue = std::string(calls_queue), .key = job_key(webhook, delivery.sort), .due = now});
    const auto committed = schedule_.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    // Somebody else did the same.
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

std::vector<table::Item> Deliveries::keys_of(const std::string& webhook, Time at,
                                             std::string_view event_id) {
    std::vector<table::Item> keys;
    for (const auto prefix : {told, untold}) {
        keys.push_back(key_of(prefix, webhook, sort_of(at, event_id)));
    }
    return keys;
}

}  // namespace mailroom::engagement::webhooks
