#include "table/engine/filling.h"

#include "base/log.h"
#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <future>
#include <set>

namespace mailroom::table {

namespace {

// Rows per commit: enough to share an fsync, few enough that requests are not held up.
constexpr std::size_t piece_rows = 500;

// What one pass over the table is to fill. Things added later have a pass of their own.
struct Goal {
    std::set<std::uint32_t> indexes;
    bool expiry = false;

    explicit Goal(const Definition& table) : expiry(table.ttl_backfilling) {
        for (const auto& index : table.indexes) {
            if (index.backfilling) indexes.insert(index.id);
        }
    }
    bool empty() const { return indexes.empty() && !expiry; }
};

// The definition now, if it is still the same table.
DefinitionPtr current(const Core& core, const Definition& listed) {
    auto table = core.catalog.find(listed.name);
    return table && table->id == listed.id ? table : nullptr;
}

// Touches the rows from `from` on; moves `from` behind them, or empties it at the end.
Outcome<> fill_piece(Core& core, Writer& writer, const Definition& listed, std::string& from) {
    std::promise<Outcome<GroupResult>> promise;
    {
        const auto reading = core.catalog.read();
        const auto table = current(core, listed);
        if (!table) {
            from.clear();
            return Ok{};
        }
        const auto prefix = space_prefix(Space::item, table->id);
        const auto cursor = core.kv.scan(from, kv::after_prefix(prefix));
        std::vector<Step> steps;
        for (cursor->seek(from); cursor->valid() && steps.size() < piece_rows; cursor->next()) {
            Step step;
            step.kind = Step::Kind::touch;
            step.table = table;
            step.row = cursor->key();
            steps.push_back(std::move(step));
        }
        if (auto status = cursor->status(); !status) return from_storage(status.error());
        from = cursor->valid() ? std::string(cursor->key()) : std::string();
        writer.run(steps, Writer::Rule::independent, std::nullopt,
                   [&](Outcome<GroupResult> outcome) { promise.set_value(std::move(outcome)); });
    }
    TRY(promise.get_future().get());
    return Ok{};
}

// A cursor over the entries of an index and what its counter had when it was opened.
struct EntriesAtOneMoment {
    std::unique_ptr<kv::Cursor> cursor;
    std::int64_t counted_items = 0, counted_bytes = 0;
};

// The cursor shows exactly the writes that the counter knows if none came between the two. While
// writes come all the time there is no such moment; then the count is off by the few of one.
EntriesAtOneMoment open_entries(Core& core, const IndexDefinition& index) {
    constexpr int tries_max = 1000;  // About a second of waiting for the disk.
    const auto prefix = space_prefix(Space::entry, index.id);
    EntriesAtOneMoment entries;
    for (int i = 0; i < tries_max; ++i) {
        std::uint64_t additions = 0;
        {
            // Nobody is between counting a write and queueing it.
            const auto changing = core.catalog.change();
            additions = index.counter->additions;
            entries.counted_items = index.counter->items;
            entries.counted_bytes = index.counter->bytes;
        }
        core.committer.drain();
        entries.cursor = core.kv.scan(prefix, kv::after_prefix(prefix));
        if (index.counter->additions == additions) break;
    }
    return entries;
}

// Sets the counter to the rows of an index and their size.
void count_entries(Core& core, const IndexDefinition& index) {
    const auto entries = open_entries(core, index);
    auto& cursor = *entries.cursor;
    std::int64_t items = 0, bytes = 0;
    for (cursor.seek(space_prefix(Space::entry, index.id)); cursor.valid(); cursor.next()) {
        ++items;
        bytes += static_cast<std::int64_t>(ItemView(cursor.value()).size_in_item());
    }
    index.counter->add(items - entries.counted_items, bytes - entries.counted_bytes);
}

// Everything of the goal is there: the indexes may be read from now on.
Outcome<> finish(Core& core, const Definition& listed, const Goal& goal) {
    std::future<Outcome<>> committed;
    DefinitionPtr finished;
    {
        kv::Batch batch;
        const auto changing = core.catalog.change();
        const auto table = current(core, listed);
        if (!table) return Ok{};
        Definition changed = *table;
        if (goal.expiry) changed.ttl_backfilling = false;
        for (auto& index : changed.indexes) {
            if (!goal.indexes.contains(index.id)) continue;
            index.status = IndexStatus::active;
            index.backfilling = false;
        }
        core.catalog.put(std::move(changed), batch);
        finished = core.catalog.find(listed.name);
        committed = queue_commit(core, batch);
    }
    TRY(committed.get());
    for (const auto& index : finished->indexes) {
        if (goal.indexes.contains(index.id)) count_entries(core, index);
    }
    return Ok{};
}

Outcome<> fill(Core& core, Writer& writer, const Jobs& jobs, const Definition& listed) {
    const Goal goal(listed);
    if (goal.empty()) return Ok{};
    for (auto from = space_prefix(Space::item, listed.id); !from.empty();) {
        if (jobs.stopping()) return Ok{};
        TRY(fill_piece(core, writer, listed, from));
    }
    return finish(core, listed, goal);
}

}  // namespace

std::future<Outcome<>> queue_commit(Core& core, const kv::Batch& batch) {
    auto promise = std::make_shared<std::promise<Outcome<>>>();
    core.committer.submit(batch, [promise](const Result<>& committed) {
        promise->set_value(committed ? Outcome<>(Ok{}) : from_storage(committed.error()));
    });
    return promise->get_future();
}

void fill_rows(Core& core, Writer& writer, const Jobs& jobs, const DefinitionPtr& listed) {
    if (const auto filled = fill(core, writer, jobs, *listed); !filled) {
        log::error("an index could not be filled; it is tried again at the next start",
                   {{"table", listed->name}, {"reason", filled.error().message}});
    }
}

void erase_dropped_indexes(Core& core, const DefinitionPtr& listed) {
    std::future<Outcome<>> queued;
    std::vector<std::string> prefixes;
    {
        kv::Batch batch;
        const auto changing = core.catalog.change();
        const auto table = current(core, *listed);
        if (!table) return;
        Definition changed = *table;
        std::erase_if(changed.indexes, [&](const IndexDefinition& index) {
            if (index.status != IndexStatus::deleting) return false;
            prefixes.push_back(space_prefix(Space::entry, index.id));
            batch.erase_range(prefixes.back(), kv::after_prefix(prefixes.back()));
            batch.erase(count_key(index.id));
            return true;
        });
        if (prefixes.empty()) return;
        // Attributes that only the dropped index used are no longer part of the table's definition.
        std::erase_if(changed.attributes, [&](const AttributeDefinition& attribute) {
            return !changed.uses(attribute.name);
        });
        core.catalog.put(std::move(changed), batch);
        queued = queue_commit(core, batch);
    }
    if (auto committed = queued.get(); !committed) {
        log::error("a dropped index could not be erased; it is tried again at the next start",
                   {{"table", listed->name}, {"reason", committed.error().message}});
        return;
    }
    for (const auto& prefix : prefixes) core.kv.reclaim(prefix, kv::after_prefix(prefix));
}

}  // namespace mailroom::table
