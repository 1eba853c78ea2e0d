#include "engagement/events/streaks.h"

#include "engagement/events/rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t shards = 16;  // On disk: never change.
// Mails that far apart are not in a row.
constexpr auto kept_for = std::chrono::days(400);
constexpr std::size_t known_expected = 1'000'000;
constexpr std::string_view mails_name = "Mails", version_name = "Version";
constexpr char turned_away_sign = '-', delivered_sign = '+';

std::string partition_of(std::size_t shard) { return "SOFT#" + std::to_string(shard); }

}  // namespace

void Streak::note(std::string_view mail, Fate fate) {
    const auto sign = fate == Fate::delivered ? delivered_sign : turned_away_sign;
    const auto same = std::ranges::find_if(
        mails, [&](const std::string& known) { return known.substr(1) == mail; });
    if (same != mails.end()) {
        // A server that turned it away does not take it later.
        if (fate == Fate::turned_away) same->front() = sign;
        return;
    }
    mails.push_back(sign + std::string(mail));
    if (mails.size() > mails_max_) mails.erase(mails.begin());
}

bool Streak::is_full() const {
    return mails.size() == mails_max_ && std::ranges::all_of(mails, [](const auto& mail) {
               return mail.front() == turned_away_sign;
           });
}

bool Streak::is_clean() const {
    return std::ranges::none_of(mails,
                                [](const auto& mail) { return mail.front() == turned_away_sign; });
}

table::Item Streaks::key_of(std::string_view canonical) {
    // FNV-1a: the same on every machine.
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : canonical) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return rows::key(partition_of(hash % shards), canonical);
}

Streaks::Streaks(table::Store& store, const Clock& clock, std::string table, std::int64_t mails_max)
    : store_(store),
      clock_(clock),
      table_(std::move(table)),
      mails_max_(static_cast<std::size_t>(std::max<std::int64_t>(mails_max, 1))),
      known_(known_expected) {}

Result<> Streaks::refresh() {
    for (std::size_t shard = 0; shard < shards; ++shard) {
        const table::Query all = table::from(table_)
                                     .partition(rows::partition_key, partition_of(shard))
                                     .only({rows::sort_key})
                                     .consistent();
        for (const auto& row : TRY(table::query_all(store_, all))) {
            known_.add(row.text(rows::sort_key).value_or(""));
        }
    }
    return Ok{};
}

Result<Streak> Streaks::find(std::string_view canonical) const {
    table::GetItem request;
    request.table = table_;
    request.key = key_of(canonical);
    request.consistent = true;
    const auto found = TRY(store_.get(request));
    Streak streak(mails_max_);
    if (!found.item) return streak;
    streak.version = found.item->integer(version_name).value_or(0);
    const auto mails = found.item->find(mails_name);
    if (!mails || mails->kind() != table::Kind::list) return streak;
    for (const auto& mail : mails->list()) {
        if (mail.kind() == table::Kind::string && !mail.text().empty()) {
            streak.mails.emplace_back(mail.text());
        }
    }
    return streak;
}

void Streaks::save(schedule::Transaction& transaction, std::string_view canonical,
                   const Streak& streak) {
    if (streak.is_clean()) return forget(transaction, canonical, streak);
    known_.add(canonical);
    std::vector<table::Value> mails;
    for (const auto& mail : streak.mails) mails.emplace_back(mail);
    auto row = key_of(canonical);
    row.set(mails_name, table::Value::list(mails));
    row.set(version_name, table::Value(streak.version + 1));
    row.set(rows::expiry, table::Value(to_unix_seconds(clock_.now() + kept_for)));
    auto& put = transaction.put(table_, std::move(row));
    if (streak.version == 0) put.if_absent(rows::partition_key);
    if (streak.version > 0) put.when(version_name, streak.version);
}

void Streaks::forget(schedule::Transaction& transaction, std::string_view canonical,
                     const Streak& streak) const {
    if (streak.version == 0) return;
    transaction.erase(table_, key_of(canonical)).when(version_name, streak.version);
}

}  // namespace mailroom::engagement
