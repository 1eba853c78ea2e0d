#include "program/day_counts.h"

#include "base/days.h"
#include "table/records/many.h"

namespace mailroom::program {

namespace {

constexpr auto kept_for = std::chrono::days(2 * 365);
// Where transactions at the same row meet, those of a busy day need not wait for each other. On
// disk: there may come to be more, never fewer.
constexpr std::uint64_t shards = 8;

table::Item key_of(std::string_view day, std::uint64_t shard) {
    const auto suffix = shard == 0 ? "" : "#" + std::to_string(shard);
    return {{"PK", "ANALYTICS#" + std::string(day)}, {"SK", "DAILY_SUMMARY" + suffix}};
}

void add_row(DayCounts& day, const table::Item& row) {
    for (const auto& field : row.view()) {
        if (field.name == "expires_at" || field.value.kind() != table::Kind::number) continue;
        const auto number = field.value.number().to_int64();
        if (number) day.counts[std::string(field.name)] += *number;
    }
}

}  // namespace

std::int64_t DayCounts::of(std::string_view name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
}

void DayCounts::add(const DayCounts& other) {
    for (const auto& [name, number] : other.counts) counts[name] += number;
}

void DayCounters::add(schedule::Transaction& transaction, Time at,
                      std::initializer_list<std::string_view> names) const {
    const auto shard = random_up_to(random_, shards - 1);
    auto& update = transaction.update(table_, key_of(format_day(at), shard));
    for (const auto name : names) update.add(name, 1);
    update.set_if_absent("expires_at", to_unix_seconds(at + kept_for));
}

Result<std::vector<DayCounts>> DayCounters::between(Time from, Time to) const {
    std::vector<DayCounts> days;
    std::vector<table::Item> keys;
    std::map<std::string, std::size_t, std::less<>> by_key;
    const auto last = format_day(to);
    for (auto at = from; days.size() < days_max; at += std::chrono::days(1)) {
        const auto day = format_day(at);
        if (day > last) break;
        for (std::uint64_t shard = 0; shard < shards; ++shard) keys.push_back(key_of(day, shard));
        by_key.emplace(keys.back().text("PK").value(), days.size());
        days.push_back({day, {}});
    }
    const auto rows = TRY(table::get_all(store_, table_, std::move(keys)));
    for (const auto& row : rows) {
        const auto day = by_key.find(row.text("PK").value_or(""));
        if (day != by_key.end()) add_row(days[day->second], row);
    }
    return days;
}

}  // namespace mailroom::program
