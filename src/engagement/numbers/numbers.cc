#include "engagement/numbers/numbers.h"

#include "base/days.h"
#include "engagement/events/facts.h"
#include "engagement/events/rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mailroom::engagement {

namespace {

// Where transactions at the same row meet, those of a busy day need not wait for each other. On
// disk: there may come to be more, never fewer.
constexpr std::uint64_t shards = 8;

std::string partition_of(std::string_view day, std::uint64_t shard) {
    return "NUMBERS#" + std::string(day) + "#" + std::to_string(shard);
}

std::string both(const std::string& sequence, const std::string& template_key) {
    return "both#" + rows::digest_of(sequence + "\n" + template_key);
}

std::string sort_of(const NumbersOf& of) {
    if (!of.domain.empty()) return "domain#" + of.domain;
    if (of.template_key.empty() && of.sequence_id.empty()) return "all#";
    if (of.sequence_id.empty()) return "template#" + of.template_key;
    if (of.template_key.empty()) return "sequence#" + of.sequence_id;
    return both(of.sequence_id, of.template_key);
}

std::string_view prefix_of(NumbersBy by) {
    switch (by) {
        case NumbersBy::templates:
            return "template#";
        case NumbersBy::sequences:
            return "sequence#";
        case NumbersBy::domains:
            return "domain#";
    }
    return "";
}

std::vector<std::string> days_between(Time from, Time to, std::size_t days_max) {
    std::vector<std::string> days;
    const auto last = format_day(to);
    for (auto at = from; days.size() < days_max; at += std::chrono::days(1)) {
        auto day = format_day(at);
        if (day > last) break;
        days.push_back(std::move(day));
    }
    return days;
}

}  // namespace

Figures& Figures::operator+=(const Figures& other) {
    std::apply([&](const auto&... field) { ((this->*(field.at) += other.*(field.at)), ...); },
               fields);
    return *this;
}

Numbers::Numbers(table::Store& store, Random& random, schedule::Ownership ownership,
                 std::string table)
    : store_(store), random_(random), ownership_(ownership), table_(std::move(table)) {}

// A store of our own adds up what meets.
std::uint64_t Numbers::shard() const {
    return ownership_ == schedule::Ownership::sole ? 0 : random_up_to(random_, shards - 1);
}

void Numbers::add_to(schedule::Transaction& transaction, const Entry& entry,
                     const std::vector<std::string_view>& counts) const {
    const auto& happening = entry.happening;
    const auto& sequence = happening.sequence_id;
    const auto& template_key = happening.template_key;
    std::vector<std::string> of = {"all#", "domain#" + domain_of(entry.email)};
    if (!template_key.empty()) of.push_back("template#" + template_key);
    if (!sequence.empty()) of.push_back("sequence#" + sequence);
    if (!template_key.empty() && !sequence.empty()) of.push_back(both(sequence, template_key));
    const auto partition = partition_of(format_day(happening.at), shard());
    for (const auto& sort : of) {
        for (const auto what : counts) {
            transaction.add(table_, rows::key(partition, sort), what, 1);
        }
    }
}

Result<std::vector<DayFigures>> Numbers::by_day(const NumbersOf& of, Time from, Time to) const {
    std::vector<DayFigures> days;
    std::map<std::string, std::size_t, std::less<>> by_partition;
    std::vector<table::Item> keys;
    for (auto& day : days_between(from, to, days_max)) {
        for (std::uint64_t shard = 0; shard < shards; ++shard) {
            by_partition.emplace(partition_of(day, shard), days.size());
            keys.push_back(rows::key(partition_of(day, shard), sort_of(of)));
        }
        days.push_back({std::move(day), {}});
    }
    for (const auto& row : TRY(table::get_all(store_, table_, std::move(keys)))) {
        const auto day = by_partition.find(row.text(rows::partition_key).value_or(""));
        if (day != by_partition.end()) {
            days[day->second].figures += TRY(table::from_item<Figures>(row));
        }
    }
    return days;
}

Result<std::vector<NamedFigures>> Numbers::by_name(NumbersBy by, Time from, Time to) const {
    std::map<std::string, Figures, std::less<>> all;
    const auto prefix = prefix_of(by);
    for (const auto& day : days_between(from, to, named_days_max)) {
        for (std::uint64_t shard = 0; shard < shards; ++shard) {
            const table::Query of_day =
                table::from(table_)
                    .partition(rows::partition_key, partition_of(day, shard))
                    .begins_with(rows::sort_key, prefix)
                    .consistent();
            for (const auto& row : TRY(table::query_all(store_, of_day))) {
                const auto name = row.text(rows::sort_key).value_or("").substr(prefix.size());
                all[std::string(name)] += TRY(table::from_item<Figures>(row));
            }
        }
    }
    std::vector<NamedFigures> found;
    for (auto& [name, figures] : all) found.push_back({name, figures});
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const NamedFigures& one) { return one.figures.sent; });
    return found;
}

}  // namespace mailroom::engagement
