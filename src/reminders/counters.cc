#include "reminders/counters.h"

#include "reminders/dates.h"

namespace mailroom::reminders {

namespace {

constexpr auto kept_for = std::chrono::days(2 * 365);

table::Item key_of(std::string_view day) {
    return {{"PK", "ANALYTICS#" + std::string(day)}, {"SK", "DAILY_SUMMARY"}};
}

std::optional<double> share(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

DayCounts read_counts(std::string day, const std::optional<table::Item>& row) {
    DayCounts result{std::move(day), {}};
    if (!row) return result;
    for (const auto& field : row->view()) {
        if (field.name == "expires_at" || field.value.kind() != table::Kind::number) continue;
        if (const auto number = field.value.number().to_int64()) {
            result.counts.emplace(field.name, *number);
        }
    }
    return result;
}

}  // namespace

std::string_view sent_counter(ReminderType type) {
    constexpr std::string_view names[] = {"first_reminders", "second_reminders", "final_notices"};
    return names[index_of(type)];
}

void count(schedule::Transaction& transaction, const Books& books, Time at,
           std::initializer_list<std::string_view> counters) {
    auto& update = transaction.update(books.tables.reminders, key_of(format_day(at)));
    for (const auto name : counters) update.add(name, 1);
    update.set_if_absent("expires_at", to_unix_seconds(at + kept_for));
}

std::int64_t DayCounts::of(std::string_view name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
}

std::optional<double> DayCounts::delivery_rate() const {
    return share(of(counter::delivered), of(counter::sent));
}

std::optional<double> DayCounts::bounce_rate() const {
    return share(of(counter::bounced), of(counter::sent) + of(counter::no_such_address));
}

Result<std::vector<DayCounts>> daily_counts(const Books& books, Time from, Time to) {
    std::vector<DayCounts> days;
    const auto last = format_day(to);
    for (auto at = from; days.size() < count_days_max; at += std::chrono::days(1)) {
        auto day = format_day(at);
        if (day > last) break;
        const auto row = TRY(books.get(books.tables.reminders, key_of(day)));
        days.push_back(read_counts(std::move(day), row));
    }
    return days;
}

}  // namespace mailroom::reminders
