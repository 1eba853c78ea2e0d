#include "table/engine/expiry.h"

#include "kv/key.h"
#include "table/engine/core.h"
#include "table/engine/rows.h"
#include "table/engine/writer.h"

#include <chrono>
#include <future>

namespace mailroom::table {

namespace {

// DynamoDB leaves items alone whose time lies more than five years back: a wrong unit, most likely.
constexpr std::uint64_t ignored_seconds = 5ULL * 365 * 24 * 3600;
// How many items one commit deletes.
constexpr std::size_t group_items = 200;

// The items of one table that are due, as steps.
Outcome<std::vector<Step>> due_steps(Core& core, const DefinitionPtr& table, std::uint64_t now,
                                     std::size_t limit) {
    const auto first = now > ignored_seconds ? now - ignored_seconds : 0;
    const auto from = expiry_key(table->id, first, {});
    const auto cursor = core.kv.scan(from, expiry_key(table->id, now, {}));
    std::vector<Step> steps;
    for (cursor->seek(from); cursor->valid() && steps.size() < limit; cursor->next()) {
        auto rest = item_key_of(cursor->key());
        Step step;
        step.kind = Step::Kind::expire;
        step.table = table;
        step.second = kv::read_u64(rest).value_or(0);
        step.row = space_prefix(Space::item, table->id).append(rest);
        steps.push_back(std::move(step));
    }
    if (auto status = cursor->status(); !status) return from_storage(status.error());
    return steps;
}

// Deletes one group of due items of a table; 0 when none is left.
Outcome<std::size_t> sweep_group(Core& core, Writer& writer, const Definition& listed,
                                 std::uint64_t now, std::size_t limit) {
    std::promise<Outcome<GroupResult>> promise;
    {
        // Looked up again: the table may be gone, or its settings may have changed.
        const auto reading = core.catalog.read();
        const auto table = core.catalog.find(listed.name);
        if (!table || table->id != listed.id || table->ttl_attribute.empty()) return 0;
        const auto steps = TRY(due_steps(core, table, now, std::min(group_items, limit)));
        if (steps.empty()) return 0;
        writer.run(steps, Writer::Rule::independent, std::nullopt,
                   [&](Outcome<GroupResult> outcome) { promise.set_value(std::move(outcome)); });
    }
    return TRY(promise.get_future().get()).written;
}

}  // namespace

std::optional<std::uint64_t> expiry_second(const Definition& table, const ItemView& item) {
    if (table.ttl_attribute.empty()) return std::nullopt;
    const auto value = item.find(table.ttl_attribute);
    if (!value || value->kind() != Kind::number) return std::nullopt;
    const auto second = value->number().to_int64();
    if (!second || *second <= 0) return std::nullopt;
    return static_cast<std::uint64_t>(*second);
}

Outcome<std::size_t> sweep_expired_items(Core& core, Writer& writer, std::size_t limit) {
    const auto now = static_cast<std::uint64_t>(to_unix_seconds(core.clock.now()));
    std::vector<DefinitionPtr> tables;
    {
        const auto reading = core.catalog.read();
        tables = core.catalog.all();
    }
    std::size_t swept = 0;
    for (const auto& table : tables) {
        if (table->ttl_attribute.empty()) continue;
        while (swept < limit) {
            const auto group = TRY(sweep_group(core, writer, *table, now, limit - swept));
            if (group == 0) break;
            swept += group;
        }
    }
    return swept;
}

}  // namespace mailroom::table
