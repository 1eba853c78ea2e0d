#include "table/engine/expiry.h"

#include "kv/key.h"
#include "table/engine/core.h"
#include "table/engine/expiry_group.h"
#include "table/engine/rows.h"
#include "table/engine/writer.h"

#include <chrono>
#include <future>
#include <map>

namespace mailroom::table {

namespace {

// DynamoDB leaves items alone whose time lies more than five years back: a wrong unit, most likely.
constexpr std::uint64_t ignored_seconds = 5ULL * 365 * 24 * 3600;
// How many items one commit deletes.
constexpr std::size_t group_items = 200;

struct SweptGroup {
    std::size_t found = 0, deleted = 0;
};

// Walks the due items of one table in the order of their seconds. It keeps its place from group to
// group: the rows before it are erased ones, and stepping over a million of those takes long.
class Sweep {
public:
    Sweep(Core& core, Writer& writer, const Definition& listed, std::uint64_t now)
        : core_(core),
          writer_(writer),
          listed_(listed),
          now_(now),
          from_(expiry_key(listed.id, now > ignored_seconds ? now - ignored_seconds : 0, {})) {}

    // Deletes the next items, at most `limit`; none found when no more are due.
    Outcome<SweptGroup> next(std::size_t limit) {
        std::promise<Outcome<GroupResult>> promise;
        SweptGroup group;
        {
            // Looked up again: the table may be gone, or its settings may have changed.
            const auto reading = core_.catalog.read();
            const auto table = core_.catalog.find(listed_.name);
            if (!table || table->id != listed_.id || table->ttl_attribute.empty()) return group;
            const auto steps = TRY(due_steps(table, std::min(group_items, limit)));
            if (steps.empty()) return group;
            group.found = steps.size();
            const auto done = [&](Outcome<GroupResult> outcome) {
                promise.set_value(std::move(outcome));
            };
            writer_.run({steps}, Writer::Rule::independent, std::nullopt, done);
        }
        group.deleted = TRY(promise.get_future().get()).written;
        return group;
    }

private:
    Outcome<std::vector<Step>> due_steps(const DefinitionPtr& table, std::size_t limit) {
        const auto cursor = core_.kv.scan(from_, expiry_key(table->id, now_, {}));
        std::vector<Step> steps;
        for (cursor->seek(from_); cursor->valid() && steps.size() < limit; cursor->next()) {
            auto rest = item_key_of(cursor->key());
            Step step;
            step.kind = Step::Kind::expire;
            step.table = table;
            step.second = kv::read_u64(rest).value_or(0);
            step.row = space_prefix(Space::item, table->id).append(rest);
            steps.push_back(std::move(step));
            from_.assign(cursor->key()).push_back('\0');  // The first key after this one.
        }
        if (auto status = cursor->status(); !status) return from_storage(status.error());
        return steps;
    }

    Core& core_;
    Writer& writer_;
    const Definition& listed_;
    const std::uint64_t now_;
    std::string from_;
};

// Walks the groups that are due, of all tables.
class GroupSweep {
public:
    GroupSweep(Core& core, Writer& writer, std::uint64_t now)
        : core_(core),
          writer_(writer),
          from_(expiry_group_key(now > ignored_seconds ? now - ignored_seconds : 0, {})),
          to_(expiry_group_key(now, {})) {}

    // Deletes the items of the next groups, about `limit`; none found when no more are due.
    Outcome<SweptGroup> next(std::size_t limit) {
        SweptGroup swept;
        kv::Batch groups;
        std::promise<Outcome<GroupResult>> promise;
        {
            const auto reading = core_.catalog.read();
            const auto steps = TRY(due_steps(std::min(group_items, limit), groups));
            if (groups.empty()) return swept;
            swept.found = groups.size();
            writer_.run(
                {steps}, Writer::Rule::independent, std::nullopt,
                [&](Outcome<GroupResult> outcome) { promise.set_value(std::move(outcome)); });
        }
        swept.deleted = TRY(promise.get_future().get()).written;
        // Behind the items: after a crash in between, the group is found once more.
        std::promise<Result<>> erased;
        core_.committer.submit(groups, [&](const Result<>& done) { erased.set_value(done); });
        if (const auto done = erased.get_future().get(); !done) return from_storage(done.error());
        return swept;
    }

private:
    Outcome<std::vector<Step>> due_steps(std::size_t limit, kv::Batch& groups) {
        std::map<std::uint32_t, DefinitionPtr> tables;
        for (auto& table : core_.catalog.all()) tables.emplace(table->id, table);
        const auto cursor = core_.kv.scan(from_, to_);
        std::vector<Step> steps;
        for (cursor->seek(from_); cursor->valid() && steps.size() < limit; cursor->next()) {
            auto key = cursor->key().substr(1);
            const auto second = kv::read_u64(key).value_or(0);
            auto rows = read_expiry_group(cursor->value()).value_or(std::vector<std::string>());
            for (auto& row : rows) {
                const auto table = tables.find(table_id_of(row));
                if (table == tables.end() || table->second->ttl_attribute.empty()) continue;
                Step step;
                step.kind = Step::Kind::expire;
                step.table = table->second;
                step.second = second;
                step.row = std::move(row);
                steps.push_back(std::move(step));
            }
            groups.erase(cursor->key());
            from_.assign(cursor->key()).push_back('\0');
        }
        if (auto status = cursor->status(); !status) return from_storage(status.error());
        return steps;
    }

    Core& core_;
    Writer& writer_;
    std::string from_;
    const std::string to_;
};

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
        Sweep sweep(core, writer, *table, now);
        while (swept < limit) {
            const auto group = TRY(sweep.next(limit - swept));
            if (group.found == 0) break;
            swept += group.deleted;
        }
    }
    GroupSweep groups(core, writer, now);
    while (swept < limit) {
        const auto group = TRY(groups.next(limit - swept));
        if (group.found == 0) break;
        swept += group.deleted;
    }
    return swept;
}

}  // namespace mailroom::table
