#include "table/engine/filling.h"

#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/recount.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <future>
#include <vector>

namespace mailroom::table {

namespace {

// Of one commit: enough to share an fsync, few enough that requests are not held up.
constexpr std::size_t piece_rows = 500;
constexpr std::size_t piece_bytes = 4 * 1024 * 1024;

}  // namespace

Filling::Filling(Core& core, Writer& writer, const Jobs& jobs, DefinitionPtr listed)
    : core_(core),
      writer_(writer),
      jobs_(jobs),
      listed_(std::move(listed)),
      from_(space_prefix(Space::item, listed_->id)) {
    if (listed_->ttl_backfilling) expiry_ = listed_->ttl_changes;
    for (const auto& index : listed_->indexes) {
        if (index.backfilling) indexes_.insert(index.id);
    }
}

// Touches the rows from `from_` on, and moves it behind them when they are durable.
Outcome<> Filling::fill_piece() {
    std::promise<Outcome<GroupResult>> promise;
    std::string next;
    {
        const auto reading = core_.catalog.read();
        const auto table = current_definition(core_, *listed_);
        if (!table) {
            from_.clear();
            return Ok{};
        }
        const auto prefix = space_prefix(Space::item, table->id);
        const auto cursor = core_.kv.scan(from_, kv::after_prefix(prefix));
        std::vector<Step> steps;
        std::size_t bytes = 0;
        for (cursor->seek(from_);
             cursor->valid() && steps.size() < piece_rows && bytes < piece_bytes; cursor->next()) {
            Step step;
            step.kind = Step::Kind::touch;
            step.table = table;
            step.row = cursor->key();
            bytes += cursor->value().size();
            steps.push_back(std::move(step));
        }
        if (auto status = cursor->status(); !status) return from_storage(status.error());
        if (cursor->valid()) next = cursor->key();
        writer_.run({steps}, Writer::Rule::independent, std::nullopt,
                    [&](Outcome<GroupResult> outcome) { promise.set_value(std::move(outcome)); });
    }
    TRY(promise.get_future().get());
    from_ = std::move(next);
    return Ok{};
}

Outcome<> Filling::recount_indexes() {
    for (const auto& index : listed_->indexes) {
        if (indexes_.contains(index.id)) TRY(recount(core_, index));
    }
    return Ok{};
}

// Everything is there: the indexes may be read from now on.
Outcome<> Filling::finish() {
    // Before, because nobody would count them after a crash in between. But a disk that is too busy
    // for it does not keep them from being read: they are counted at the next call.
    auto counted = recount_indexes();
    TRY(change_definition(core_, *listed_, [&](Definition& changed, kv::Batch&) {
        if (expiry_ == changed.ttl_changes) changed.ttl_backfilling = false;
        for (auto& index : changed.indexes) {
            if (!indexes_.contains(index.id)) continue;
            if (index.status == IndexStatus::creating) index.status = IndexStatus::active;
            index.backfilling = false;
        }
    }));
    return counted;
}

Outcome<> Filling::run() {
    if (!is_needed()) return Ok{};
    while (!from_.empty()) {
        if (jobs_.stopping()) return Ok{};
        auto filled = fill_piece();
        if (filled) continue;
        if (filled.error().fault != Fault::throttling) return filled;
        core_.committer.drain();  // Others keep the disk busy: this takes its turn.
    }
    return finish();
}

Outcome<> erase_dropped_indexes(Core& core, const DefinitionPtr& listed) {
    std::vector<std::string> prefixes;
    TRY(change_definition(core, *listed, [&](Definition& changed, kv::Batch& batch) {
        Tally counts;
        std::erase_if(changed.indexes, [&](const IndexDefinition& index) {
            if (index.status != IndexStatus::deleting) return false;
            prefixes.push_back(space_prefix(Space::entry, index.id));
            batch.erase_range(prefixes.back(), kv::after_prefix(prefixes.back()));
            counts.drop(index.id);
            return true;
        });
        counts.defer_to(batch);
        // Attributes that only the dropped index used are no longer part of the table's definition.
        std::erase_if(changed.attributes, [&](const AttributeDefinition& attribute) {
            return !changed.uses(attribute.name);
        });
    }));
    for (const auto& prefix : prefixes) core.kv.reclaim(prefix, kv::after_prefix(prefix));
    return Ok{};
}

}  // namespace mailroom::table
