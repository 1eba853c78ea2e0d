#include "outbox/mail/ledger_counts.h"

#include "base/time_format.h"
#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace mailroom::outbox {

namespace {

constexpr std::string_view accepted_total = "AcceptedTotal";
constexpr std::string_view sent_total = "SentTotal";
constexpr std::string_view failed_total = "FailedTotal";
constexpr std::string_view steps_total = "StepsTotal";

// FNV-1a.
std::size_t shard_of(std::string_view id) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    // The last bits of FNV are its weakest.
    return static_cast<std::size_t>(hash >> 32) % count_shards;
}

// Of a state's name: the total that grows when a mail comes to it from outside of it.
std::string_view total_of(std::string_view name) {
    if (name.empty()) return "";
    switch (state_named(name).value_or(State::processing)) {
        case State::sent:
        case State::calling_sent_callback:
        case State::sent_acknowledged:
            return sent_total;
        case State::failed:
        case State::calling_failed_callback:
        case State::failed_acknowledged:
        case State::invalid:
            return failed_total;
        default:
            return accepted_total;
    }
}

// "2026-12-18" and "07" of "2026-12-18T07:30:00Z".
struct Hour {
    std::string day, hour;
};
Hour hour_of(Time time) {
    const auto text = format_rfc3339_seconds(time);
    return {text.substr(0, 10), text.substr(11, 2)};
}
// Tables leave a row alone whose time lies more than five years back. When this was written no row
// of ours had a time before 2020, so what another program made so (seconds of the boot, a zero) is
// a row that stays.
constexpr std::int64_t expiry_min_seconds = 1'577'836'800;

// A time that no calendar has, by another program's making, is as good as none.
Hour hour_of(std::int64_t seconds) {
    constexpr std::int64_t seconds_max = 253'402'300'799;  // The year 9999.
    return hour_of(from_unix_ms(std::clamp<std::int64_t>(seconds, 0, seconds_max) * 1000));
}

void add_up(Counts& counts, std::string_view name, std::int64_t by) {
    if (name == held_name) {
        counts.held += by;
        // Held mails are PROCESSING.
        counts.by_state[static_cast<std::size_t>(State::processing)] += by;
    } else if (const auto state = state_named(name)) {
        counts.by_state[static_cast<std::size_t>(*state)] += by;
    }
}

}  // namespace

std::string shard_name(std::size_t shard) { return std::to_string(shard); }

void add_to_counts(table::write::Transaction& transaction, const TableNames& names,
                   std::size_t shard, const Counted& counted, std::int64_t by) {
    if (counted.name.empty() || by == 0) return;
    if (counted.expires_seconds < expiry_min_seconds) {
        transaction.add(names.counts, {{attribute::shard, shard_name(shard)}}, counted.name, by);
        return;
    }
    const auto [day, hour] = hour_of(counted.expires_seconds);
    transaction.add(names.expiring, {{attribute::shard, shard_name(shard)}, {attribute::day, day}},
                    std::string(counted.name) + "@" + hour, by);
}

void count(schedule::Transaction& transaction, const TableNames& names, std::string_view id,
           const Counted& before, const Counted& after) {
    const auto shard = shard_of(id);
    const table::Item row{{attribute::shard, shard_name(shard)}};
    if (before != after) {
        add_to_counts(transaction, names, shard, before, -1);
        add_to_counts(transaction, names, shard, after, 1);
    }
    if (before.name.empty()) transaction.add(names.counts, row, accepted_total, 1);
    const auto total = total_of(after.name);
    if (total != accepted_total && total != total_of(before.name)) {
        transaction.add(names.counts, row, total, 1);
    }
    transaction.add(names.counts, row, steps_total, 1);
}

std::int64_t Counts::waiting() const {
    std::int64_t sum = 0;
    for (const auto state : all_states) {
        if (!is_settled(state)) sum += by_state[static_cast<std::size_t>(state)];
    }
    return sum;
}

Result<Counts> Ledger::counts() {
    table::BatchGet request;
    auto& asked = request.tables.emplace_back();
    asked.table = names_.counts;
    asked.consistent = true;
    for (std::size_t shard = 0; shard < count_shards; ++shard) {
        asked.keys.push_back({{attribute::shard, shard_name(shard)}});
    }
    const auto rows = TRY(table::get_all(*store_, std::move(request)));
    Counts counts;
    for (const auto& row : rows) {
        for (const auto& field : row.view()) {
            if (field.value.kind() != table::Kind::number) continue;
            add_up(counts, field.name, field.value.number().to_int64().value_or(0));
        }
        counts.accepted_total += row.integer(accepted_total).value_or(0);
        counts.sent_total += row.integer(sent_total).value_or(0);
        counts.failed_total += row.integer(failed_total).value_or(0);
        counts.steps_total += row.integer(steps_total).value_or(0);
    }
    TRY(add_expiring(counts));
    // Rows that another program deleted are counted until the next recount().
    for (auto& count : counts.by_state) count = std::max<std::int64_t>(count, 0);
    counts.held = std::max<std::int64_t>(counts.held, 0);
    return counts;
}

Result<> Ledger::add_expiring(Counts& counts) {
    const auto [today, this_hour] = hour_of(clock_->now());
    for (std::size_t shard = 0; shard < count_shards; ++shard) {
        std::optional<table::Item> after;
        do {
            const auto page = TRY(store_->query(table::from(names_.expiring)
                                                    .partition(attribute::shard, shard_name(shard))
                                                    .at_least(attribute::day, today)
                                                    .after(std::move(after))
                                                    .consistent()));
            for (const auto& row : page.items) {
                const bool is_today = row.text(attribute::day) == today;
                for (const auto& field : row.view()) {
                    const auto at = field.name.find('@');
                    if (at == field.name.npos) continue;
                    if (is_today && field.name.substr(at + 1) < this_hour) continue;
                    add_up(counts, field.name.substr(0, at),
                           field.value.number().to_int64().value_or(0));
                }
            }
            after = page.last_key;
        } while (after);
    }
    return Ok{};
}

}  // namespace mailroom::outbox
