#include "table/engine/table_copy.h"

#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/keys.h"
#include "table/engine/rows.h"
#include "table/engine/stream_rows.h"

#include <future>
#include <map>
#include <vector>

namespace mailroom::table {

namespace {

// Of one commit: enough to share an fsync, few enough that requests are not held up.
constexpr std::size_t piece_rows = 500;
constexpr std::size_t piece_bytes = 4 * 1024 * 1024;

// Rows of one space in pieces, forwards or backwards.
class Pieces {
public:
    enum class Order { forwards, backwards };
    struct Row {
        std::string key, value;
    };

    Pieces(const kv::Store& kv, const std::string& prefix, Order order,
           const kv::Snapshot& snapshot)
        : cursor_(kv.scan(prefix, kv::after_prefix(prefix), &snapshot)), order_(order) {
        if (order == Order::forwards) {
            cursor_->seek(prefix);
        } else {
            cursor_->seek_before(kv::after_prefix(prefix));
        }
    }

    // Empty at the end.
    Outcome<std::vector<Row>> next() {
        std::vector<Row> rows;
        std::size_t bytes = 0;
        while (cursor_->valid() && rows.size() < piece_rows && bytes < piece_bytes) {
            rows.push_back({std::string(cursor_->key()), std::string(cursor_->value())});
            bytes += rows.back().value.size();
            if (order_ == Order::forwards) {
                cursor_->next();
            } else {
                cursor_->prev();
            }
        }
        if (!cursor_->valid()) {
            if (auto status = cursor_->status(); !status) return from_storage(status.error());
        }
        return rows;
    }

private:
    std::unique_ptr<kv::Cursor> cursor_;
    const Order order_;
};

// Puts and erases items of the table as it is now, with all that hangs on them.
class Filler {
public:
    Filler(Core& core, Writer& writer, const Definition& listed)
        : core_(core), writer_(writer), listed_(listed) {}

    // Items by their rows in the source; none: the item was not there. The rows must outlive the
    // call. False: the table is gone, and so is the work.
    Outcome<bool> write(const std::map<std::string, std::optional<ItemView>>& items) {
        auto written = try_write(items);
        while (!written && written.error().fault == Fault::throttling) {
            core_.committer.drain();  // Others keep the disk busy: this takes its turn.
            written = try_write(items);
        }
        return written;
    }

private:
    Outcome<bool> try_write(const std::map<std::string, std::optional<ItemView>>& items) {
        std::promise<Outcome<GroupResult>> promise;
        {
            const auto reading = core_.catalog.read();
            const auto table = current_definition(core_, listed_);
            if (!table) return false;
            std::vector<Step> steps;
            for (const auto& [row, item] : items) steps.push_back(step(table, row, item));
            writer_.run({steps}, Writer::Rule::independent, std::nullopt,
                        [&](Outcome<GroupResult> done) { promise.set_value(std::move(done)); });
        }
        TRY(promise.get_future().get());
        return true;
    }

    // Not checked like a request: what the source holds is held. An index may have come after an
    // item that does not fit it, and leaves it out.
    static Step step(const DefinitionPtr& table, const std::string& row,
                     const std::optional<ItemView>& item) {
        Step step;
        step.kind = item ? Step::Kind::put : Step::Kind::erase;
        step.table = table;
        step.row = space_prefix(Space::item, table->id).append(item_key_of(row));
        if (item) {
            step.item = *item;
            step.item_bytes = item->size_in_item();
        }
        return step;
    }

    Core& core_;
    Writer& writer_;
    const Definition& listed_;
};

Outcome<> copy_items(Core& core, const Jobs& jobs, const std::string& prefix, Filler& filler,
                     const kv::Snapshot& snapshot) {
    Pieces pieces(core.kv, prefix, Pieces::Order::forwards, snapshot);
    for (;;) {
        const auto rows = TRY(pieces.next());
        if (rows.empty() || jobs.stopping()) return Ok{};
        std::map<std::string, std::optional<ItemView>> items;
        for (const auto& row : rows) items.emplace(row.key, ItemView(row.value));
        if (!TRY(filler.write(items))) return Ok{};
    }
}

// Undoes what happened after the moment, from the last change to the first: what each item was
// before the first of them is what it was at that moment.
Outcome<> undo_changes(Core& core, const Jobs& jobs, const Definition& table, Filler& filler,
                       const kv::Snapshot& snapshot) {
    auto set_backs = SetBacks::read(core.kv, &snapshot);
    if (!set_backs) return from_storage(set_backs.error());
    Pieces pieces(core.kv, space_prefix(Space::record, table.restoring->history),
                  Pieces::Order::backwards, snapshot);
    for (bool before = false; !before;) {
        const auto rows = TRY(pieces.next());
        if (rows.empty() || jobs.stopping()) return Ok{};
        std::map<std::string, std::optional<ItemView>> items;
        for (const auto& row : rows) {
            const auto at = set_backs->real_moment(sequence_of(row.key), time_of_record(row.value));
            before = at <= table.restoring->until;
            if (before) break;
            const ItemView record(row.value);
            const auto key = TRY(row_of_key(table, record.find("keys")->map()));
            const auto old = record.find("old");
            items[key] = old ? std::optional(old->map()) : std::nullopt;
        }
        if (!items.empty() && !TRY(filler.write(items))) return Ok{};
    }
    return Ok{};
}

Outcome<> open_for_use(Core& core, const Definition& listed) {
    TRY(change_definition(core, listed,
                          [](Definition& changed, kv::Batch&) { changed.restoring.reset(); }));
    return Ok{};
}

}  // namespace

Outcome<> copy_out(Core& core, const Jobs& jobs, const StoredBackup& backup,
                   const kv::Snapshot& snapshot) {
    Pieces pieces(core.kv, space_prefix(Space::item, backup.table.id), Pieces::Order::forwards,
                  snapshot);
    const auto prefix = space_prefix(Space::copy, backup.row.id);
    auto row = backup.row;
    for (;;) {
        const auto rows = TRY(pieces.next());
        if (jobs.stopping()) return Ok{};
        kv::Batch batch;
        for (const auto& [key, value] : rows) {
            batch.put(prefix + std::string(item_key_of(key)), value);
            ++row.items;
            row.bytes += static_cast<std::int64_t>(ItemView(value).size_in_item());
        }
        row.available = rows.empty();
        if (row.available) batch.put(backup_key(row.id), encode_backup_row(row));
        TRY(queue_commit(core, batch).get());
        if (row.available) return Ok{};
    }
}

Outcome<> copy_in(Core& core, Writer& writer, const Jobs& jobs, const DefinitionPtr& table,
                  const kv::Snapshot& snapshot) {
    const auto& source = *table->restoring;
    Filler filler(core, writer, *table);
    const auto prefix = source.backup > 0 ? space_prefix(Space::copy, source.backup)
                                          : space_prefix(Space::item, source.table);
    TRY(copy_items(core, jobs, prefix, filler, snapshot));
    if (source.backup == 0) TRY(undo_changes(core, jobs, *table, filler, snapshot));
    if (jobs.stopping()) return Ok{};
    return open_for_use(core, *table);
}

}  // namespace mailroom::table
