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

// A cursor over rows and what their counter had when it was opened.
struct RowsAtOneMoment {
    std::unique_ptr<kv::Cursor> cursor;
    std::int64_t counted_items = 0, counted_bytes = 0;
};

// The only lock that is held over a commit: while writes come all the time there is no other moment
// at which the rows are those that the counter knows. Not for longer, because a commit that fails
// needs the lock before anybody is told.
constexpr std::chrono::seconds commit_wait_max(1);

Outcome<RowsAtOneMoment> open_rows(Core& core, const std::string& prefix, const Counter& counter) {
    // Nobody is between counting a write and queueing it.
    const auto changing = core.catalog.change();
    auto all_before = queue_commit(core, kv::Batch());
    if (all_before.wait_for(commit_wait_max) != std::future_status::ready) {
        return from_storage({Errc::unavailable, "the disk is too slow to count rows"});
    }
    TRY(all_before.get());
    return RowsAtOneMoment{core.kv.scan(prefix, kv::after_prefix(prefix)), counter.items,
                           counter.bytes};
}

Outcome<> recount(Core& core, const std::string& prefix, Counter& counter) {
    const auto rows = TRY(open_rows(core, prefix, counter));
    auto& cursor = *rows.cursor;
    std::int64_t items = 0, bytes = 0;
    for (cursor.seek(prefix); cursor.valid(); cursor.next()) {
        ++items;
        bytes += static_cast<std::int64_t>(ItemView(cursor.value()).size_in_item());
    }
    if (auto status = cursor.status(); !status) return from_storage(status.error());
    counter.add(items - rows.counted_items, bytes - rows.counted_bytes);
    return Ok{};
}

}  // namespace

Outcome<> recount(Core& core, const IndexDefinition& index) {
    return recount(core, space_prefix(Space::entry, index.id), *index.counter);
}

Outcome<> recount(Core& core, const Definition& table) {
    TRY(recount(core, space_prefix(Space::item, table.id), *table.counter));
    for (const auto& index : table.indexes) TRY(recount(core, index));
    return Ok{};
}

}  // namespace mailroom::table
