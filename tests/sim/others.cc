#include "sim/others.h"

#include "base/time_format.h"
#include "sim/clients.h"
#include "sim/front.h"
#include "table/write_builder.h"

#include <array>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr const char* mails = "EmailOutbox";
constexpr const char* people = "Audience";
// So late it may be that what they wrote is followed: nodes die, and stand still.
constexpr auto unfollowed_max = 24h;

table::Item attributes_of(std::string_view latest, const std::string& id, Time now) {
    const auto at = format_rfc3339_seconds(now);
    return {{"Latest", latest},
            {"CreatedAt", at},
            {"UpdatedAt", at},
            {"PayloadFilePath", "/efs/json/" + id + ".json"}};
}

table::Item row_of(const std::string& id, std::string_view status, const table::Item& attributes) {
    return {{"Id", id}, {"Status", status}, {"Attributes", table::Value::map(attributes)}};
}

// As those programs do: whoever is not there becomes a profile of that flag alone.
bool set_flag(table::Store& store, table::WriteWatch& watch, const std::string& address,
              const char* flag, bool value, Time now) {
    table::UpdateItem update;
    update.table = people;
    update.key = {{"PK", "SUB#" + address}, {"SK", "PROFILE"}};
    update.update = "SET #flag = :value, updatedAt = :now";
    update.bind.names = {{"#flag", flag}};
    update.bind.values = {{":value", value}, {":now", format_rfc3339(now)}};
    auto* watches = &watch;
    const auto watched = table::watch_write({&watches, 1}, update);
    return static_cast<bool>(store.update(update));
}

}  // namespace

void Others::act(table::Store& store, table::WriteWatch& watch) {
    switch (events_.chance.below(6)) {
        case 0:
            return accept(store);
        case 1:
            return move_on(store);
        case 2:
            return remind(store);
        default:
            return change_person(store, watch);
    }
}

void Others::change_person(table::Store& store, table::WriteWatch& watch) {
    auto& chance = events_.chance;
    const auto address =
        chance.one_in(3) ? fan_of(chance.below(fans_max)) : address_of(chance.below(addresses_max));
    const auto since = judge_.moment();
    if (chance.one_in(3)) return allow(store, watch, address);
    const bool is_all = chance.one_in(2);
    if (!(is_all ? suppress(store, watch, address) : unsubscribe(store, watch, address))) return;
    events_.note("another program refuses for " + address);
    judge_.suppressed_since(address, is_all ? std::nullopt : std::optional(people::Stream::bulk),
                            since);
}

bool Others::unsubscribe(table::Store& store, table::WriteWatch& watch,
                         const std::string& address) {
    return set_flag(store, watch, address, "unsubscribed", true, events_.now());
}

// As a handler of bounces does: the row, and then the flag.
bool Others::suppress(table::Store& store, table::WriteWatch& watch, const std::string& address) {
    table::PutItem put;
    put.table = people;
    put.item = {{"PK", "SUB#" + address},
                {"SK", "SUPPRESSION"},
                {"reason", "bounce"},
                {"bounceType", "Permanent"},
                {"recordedAt", format_rfc3339(events_.now())}};
    auto* watches = &watch;
    const auto watched = table::watch_write({&watches, 1}, put);
    return static_cast<bool>(store.put(put)) &&
           set_flag(store, watch, address, "suppressed", true, events_.now());
}

void Others::allow(table::Store& store, table::WriteWatch& watch, const std::string& address) {
    judge_.may_be_lifted(address);
    events_.after(unfollowed_max, [this, address] { judge_.lifting_is_over(address); });
    table::DeleteItem erase;
    erase.table = people;
    erase.key = {{"PK", "SUB#" + address}, {"SK", "SUPPRESSION"}};
    {
        auto* watches = &watch;
        const auto watched = table::watch_write({&watches, 1}, erase);
        if (!store.erase(erase)) return;
    }
    if (!set_flag(store, watch, address, "suppressed", false, events_.now())) return;
    events_.note("another program allows " + address);
}

// A mail that their processor is to send: we cannot see its payload.
void Others::accept(table::Store& store) {
    const auto id = random_uuid(events_.chance);
    table::write::Transaction together;
    together.put(mails, row_of(id, "_META", attributes_of("ACCEPTED", id, events_.now())))
        .if_absent("Id");
    together.put(mails, row_of(id, "ACCEPTED", {})).if_absent("Id");
    if (!store.transact(together)) return;
    events_.note("another program accepts " + id);
    waiting_.push_back(id);
    wrote_(id);
}

// Their processor gave it up.
void Others::move_on(table::Store& store) {
    if (waiting_.empty()) return;
    const auto id = waiting_.back();
    waiting_.pop_back();
    table::UpdateItem update;
    update.table = mails;
    update.key = {{"Id", id}, {"Status", "_META"}};
    update.update = "SET Attributes.Latest = :latest, Attributes.UpdatedAt = :now";
    update.condition = "attribute_exists(Id)";
    update.bind.values = {{":latest", "INVALID"}, {":now", format_rfc3339_seconds(events_.now())}};
    table::write::Transaction together;
    together.also(update);
    together.put(mails, row_of(id, "INVALID", {})).if_absent("Id");
    if (!store.transact(together)) return;
    events_.note("another program moves " + id);
    wrote_(id);
}

void Others::remind(table::Store& store) {
    static constexpr std::array<std::string_view, 3> types = {"first", "second", "final"};
    const auto type = types[events_.chance.below(types.size())];
    const auto customer = "debtor-" + std::to_string(events_.chance.below(5));
    const auto now = format_rfc3339_seconds(events_.now());
    // "20251120_100000", of "2025-11-20T10:00:00Z".
    std::string stamp;
    for (const char c : now) {
        if (c == 'T') stamp += '_';
        if (c >= '0' && c <= '9') stamp += c;
    }
    table::write::Transaction together;
    together
        .put("EmailTrackingTable", {{"PK", "CUSTOMER#" + customer},
                                    {"SK", "SENT#" + stamp + "_" + std::string(type)},
                                    {"GSI1PK", "STATUS#sent"},
                                    {"GSI1SK", now},
                                    {"customer_id", customer},
                                    {"reminder_type", type},
                                    {"status", "sent"},
                                    {"sent_date", now},
                                    {"delivery_status", "sent"}})
        .if_absent("PK");
    if (!store.transact(together)) return;
    events_.note("another program reminded " + customer + ": " + std::string(type));
    judge_.others_reminded(customer, type);
}

}  // namespace mailroom::sim
