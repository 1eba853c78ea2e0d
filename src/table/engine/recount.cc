#include "table/engine/recount.h"

#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/rows.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>

namespace mailroom::table {

namespace {

// Sets the counter to what is there; it had `items` and `bytes` when the cursor was opened.
Outcome<> correct(Counter& counter, std::int64_t items, std::int64_t bytes, kv::Cursor& cursor,
                  const std::string& prefix) {
    for (cursor.seek(prefix); cursor.valid(); cursor.next()) {
        --items;
        bytes -= static_cast<std::int64_t>(ItemView(cursor.value()).size_in_item());
    }
    if (auto status = cursor.status(); !status) return from_storage(status.error());
    counter.add(-items, -bytes);
    return Ok{};
}

Outcome<> recount_unused(Core& core, const std::string& prefix, Counter& counter) {
    const auto cursor = core.kv.scan(prefix, kv::after_prefix(prefix));
    return correct(counter, counter.items, counter.bytes, *cursor, prefix);
}

// A lock is held over a commit here, and nowhere else: while writes come all the time there is no
// other moment at which the rows are those that the counter knows. Not for longer, because a commit
// that fails needs the lock before anybody is told.
constexpr std::chrono::seconds commit_wait_max(1);

}  // namespace

Outcome<> recount_in_use(Core& core, const IndexDefinition& index) {
    const auto prefix = space_prefix(Space::entry, index.id);
    std::unique_ptr<kv::Cursor> cursor;
    std::int64_t items = 0, bytes = 0;
    {
        // Nobody is between counting a write and queueing it.
        const auto changing = core.catalog.change();
        auto all_before = queue_commit(core, kv::Batch());
        if (all_before.wait_for(commit_wait_max) != std::future_status::ready) {
            return from_storage({Errc::unavailable, "the disk is too slow to count rows"});
        }
        TRY(all_before.get());
        cursor = core.kv.scan(prefix, kv::after_prefix(prefix));
        items = index.counter->items;
        bytes = index.counter->bytes;
    }
    return correct(*index.counter, items, bytes, *cursor, prefix);
}

Outcome<> recount_unused(Core& core, const Definition& table) {
    TRY(recount_unused(core, space_prefix(Space::item, table.id), *table.counter));
    for (const auto& index : table.indexes) {
        TRY(recount_unused(core, space_prefix(Space::entry, index.id), *index.counter));
    }
    return Ok{};
}

}  // namespace mailroom::table
