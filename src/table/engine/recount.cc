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

// A lock is held over a commit here, and nowhere else: while writes come all the time there is no
// other moment at which the rows are those that were counted. Not for longer, because a commit that
// fails needs the lock before anybody is told.
constexpr std::chrono::seconds commit_wait_max(1);

// The entries at some moment, and how they were counted then.
struct Moment {
    std::unique_ptr<kv::Cursor> entries;
    std::int64_t items = 0, bytes = 0;
};

Outcome<Moment> look(Core& core, const std::string& prefix, const Counter& counter) {
    const auto changing = core.catalog.change();
    auto all_before = queue_commit(core, kv::Batch());
    if (all_before.wait_for(commit_wait_max) != std::future_status::ready) {
        return from_storage({Errc::unavailable, "the disk is too slow to count rows"});
    }
    TRY(all_before.get());
    return Moment{core.kv.scan(prefix, kv::after_prefix(prefix)), counter.items, counter.bytes};
}

}  // namespace

Outcome<> recount(Core& core, const IndexDefinition& index) {
    const auto prefix = space_prefix(Space::entry, index.id);
    auto [entries, items, bytes] = TRY(look(core, prefix, *index.counter));
    for (entries->seek(prefix); entries->valid(); entries->next()) {
        --items;
        bytes -= static_cast<std::int64_t>(ItemView(entries->value()).size_in_item());
    }
    if (auto status = entries->status(); !status) return from_storage(status.error());
    Tally correction;
    correction.add({index.id, -items, -bytes});
    kv::Batch batch;
    correction.defer_to(batch);
    return queue_commit(core, batch).get();
}

}  // namespace mailroom::table
