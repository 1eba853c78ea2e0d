#include "engagement/webhooks/personal_deliveries.h"

#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "people/json_value.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace mailroom::engagement::webhooks {

namespace {

// "SENT#2026-01-15T10:00:00.000Z#1a2b", "EVT#2026-01-15T10:00:00.000Z#open".
std::optional<Time> time_of(std::string_view sort) {
    const auto begin = sort.find('#') + 1;
    const auto time = parse_rfc3339(sort.substr(begin, sort.find('#', begin) - begin));
    return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

PersonalDeliveries::PersonalDeliveries(table::Store& store, Webhooks& webhooks, EventTables tables)
    : store_(store), webhooks_(webhooks), tables_(std::move(tables)) {}

Result<std::vector<table::Item>> PersonalDeliveries::keys_of(const std::string& person,
                                                             Time until) const {
    const auto webhooks = TRY(webhooks_.list());
    const std::tuple<const std::string&, std::string_view, std::string_view> places[] = {
        {tables_.events, rows::event_prefix, "eventId"},
        {tables_.audience, rows::sent_prefix, "mailroomEventId"}};
    std::vector<table::Item> keys;
    for (const auto& [table, prefix, id] : places) {
        const table::Query all = table::from(table)
                                     .partition(rows::partition_key, rows::person(person))
                                     .begins_with(rows::sort_key, prefix)
                                     .only({rows::sort_key, id})
                                     .consistent();
        for (const auto& row : TRY(table::query_all(store_, all))) {
            const auto at = time_of(row.text(rows::sort_key).value_or(""));
            const auto event = row.text(id);
            if (!at || !event || *at > until) continue;
            for (const auto& webhook : webhooks) {
                for (auto& key : Deliveries::keys_of(webhook.id, *at, *event)) {
                    keys.push_back(std::move(key));
                }
            }
        }
    }
    return keys;
}

Result<std::vector<table::Item>> PersonalDeliveries::rows_of(const std::string& person) const {
    return table::get_all(store_, tables_.own, TRY(keys_of(person)));
}

Result<> PersonalDeliveries::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    for (const auto& row : TRY(rows_of(person))) {
        writer.open_object();
        people::write_values(writer, row);
        writer.close_object();
    }
    writer.close_list();
    return Ok{};
}

Result<> PersonalDeliveries::move(const std::string& person, const std::string& to) {
    for (const auto& row : TRY(rows_of(person))) {
        const auto key = rows::key(*row.text(rows::partition_key), *row.text(rows::sort_key));
        const auto moved = store_.update(table::write::Update(tables_.own, key)
                                             .set("Partition", rows::person(to))
                                             .if_present(rows::partition_key));
        const auto error = moved ? std::nullopt : std::optional<Error>(moved.error());
        if (error && error->code != Errc::conflict) return *error;
    }
    return Ok{};
}

Result<> PersonalDeliveries::erase(const std::string& person) {
    return erase_until(person, Time::max());
}

Result<> PersonalDeliveries::erase_until(const std::string& person, Time until) {
    return table::erase_all(store_, tables_.own, TRY(keys_of(person, until)));
}

}  // namespace mailroom::engagement::webhooks
