#include "engagement/numbers/sequence_counts.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <utility>

namespace mailroom::engagement {

namespace {

// As many as transactions are likely to meet. On disk: there may come to be more, never fewer.
constexpr std::uint64_t shards = 16;
constexpr std::string_view adds_name = "Adds", begun_name = "Begun";
constexpr std::size_t begun_bytes = 9;

std::string partition_of(std::uint64_t shard) { return "STATS#" + std::to_string(shard); }

table::write::Update& counters(table::write::Transaction& transaction, const std::string& audience,
                               std::string_view sequence, Time now) {
    return transaction.update(audience, rows::stats(sequence))
        .set("sequenceId", sequence)
        .set("updatedAt", format_rfc3339(now));
}

}  // namespace

SequenceCounts::SequenceCounts(table::Store& store, const Clock& clock, Random& random,
                               schedule::Ownership ownership, std::string audience, std::string own)
    : store_(store),
      clock_(clock),
      random_(random),
      ownership_(ownership),
      audience_(std::move(audience)),
      own_(std::move(own)) {}

void SequenceCounts::add_to(schedule::Transaction& transaction, const std::string& sequence,
                            const std::vector<std::string_view>& counts) const {
    if (sequence.empty()) return;
    if (ownership_ == schedule::Ownership::sole) {
        auto& row = counters(transaction, audience_, sequence, clock_.now());
        for (const auto name : counts) row.add(name, 1);
        return;
    }
    const auto shard = random_up_to(random_, shards - 1);
    auto& row = transaction.update(own_, rows::key(partition_of(shard), sequence));
    for (const auto name : counts) row.add(name, 1);
    row.add(adds_name, 1);
    // One that was folded and begun anew is another one, though it may have as many.
    row.set_if_absent(begun_name, base64url_encode(random_bytes(random_, begun_bytes)));
}

Result<> SequenceCounts::fold() const {
    for (std::uint64_t shard = 0; shard < shards; ++shard) {
        const table::Query all =
            table::from(own_).partition(rows::partition_key, partition_of(shard)).consistent();
        for (const auto& row : TRY(table::query_all(store_, all))) TRY(fold(row));
    }
    return Ok{};
}

// The row goes in the transaction that adds it, if nothing was added to it meanwhile; then its turn
// comes again.
Result<> SequenceCounts::fold(const table::Item& row) const {
    const auto sequence = row.text(rows::sort_key).value_or("");
    table::write::Transaction together;
    auto& to = counters(together, audience_, sequence, clock_.now());
    for (const auto field : row.view()) {
        const bool is_count = field.value.kind() == table::Kind::number && field.name != adds_name;
        if (is_count) to.add(field.name, table::Value(field.value));
    }
    together.erase(own_, rows::key(row.text(rows::partition_key).value_or(""), sequence))
        .when(adds_name, row.integer(adds_name).value_or(0))
        .when(begun_name, row.text(begun_name).value_or(""));
    const auto done = store_.transact(together);
    if (done) return Ok{};
    const Error error = done.error();
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

}  // namespace mailroom::engagement
