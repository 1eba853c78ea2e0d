#include "outbox/ledger_counts.h"

#include "outbox/ledger_rows.h"
#include "outbox/row_reading.h"

#include <algorithm>
#include <cstdint>

namespace mailroom::outbox {

namespace {

// FNV-1a.
std::size_t shard_of(std::string_view id) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    // The last bits of FNV are its weakest.
    return static_cast<std::size_t>(hash >> 32) % count_shards;
}

}  // namespace

std::string shard_name(std::size_t shard) { return std::to_string(shard); }

void count(schedule::Transaction& transaction, const std::string& table, std::string_view id,
           std::string_view name, int by) {
    transaction.add(table, {{attribute::shard, shard_name(shard_of(id))}}, name, by);
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
    const auto rows = TRY(get_all(*store_, std::move(request)));
    Counts counts;
    for (const auto& row : rows) {
        for (const auto state : all_states) {
            counts.by_state[static_cast<std::size_t>(state)] +=
                row.integer(name_of(state)).value_or(0);
        }
        counts.held += row.integer(held_name).value_or(0);
    }
    // Steps that other programs made are not counted, so a sum may have gone below.
    for (auto& count : counts.by_state) count = std::max<std::int64_t>(count, 0);
    counts.held = std::max<std::int64_t>(counts.held, 0);
    return counts;
}

}  // namespace mailroom::outbox
