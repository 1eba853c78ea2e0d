#include "sim/others.h"

#include "base/time_format.h"
#include "sim/front.h"
#include "table/write_builder.h"

#include <array>
#include <utility>

namespace mailroom::sim {

namespace {

constexpr const char* mails = "EmailOutbox";

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

}  // namespace

void Others::act(table::Store& store) {
    switch (events_.chance.below(3)) {
        case 0:
            return accept(store);
        case 1:
            return move_on(store);
        default:
            return remind(store);
    }
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
