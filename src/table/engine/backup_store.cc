#include "table/engine/backup_store.h"

#include "base/ids.h"
#include "base/log.h"
#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/rows.h"
#include "table/engine/set_backs.h"
#include "table/engine/stream_rows.h"
#include "table/engine/table_copy.h"

#include <algorithm>

namespace mailroom::table {

namespace {

constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";

template <class T>
Outcome<T> stored(Result<T> result) {
    if (!result) return from_storage(result.error());
    return *std::move(result);
}

void erase_backup(std::uint32_t backup, kv::Batch& batch) {
    const auto copies = space_prefix(Space::copy, backup);
    batch.erase_range(copies, kv::after_prefix(copies));
    batch.erase(backup_key(backup));
}

// Backups stay while they are restored; a table and its history may go.
bool is_there(const RestoreSource& source, const std::vector<DefinitionPtr>& tables) {
    if (source.backup > 0) return true;
    return std::ranges::any_of(tables, [&](const DefinitionPtr& table) {
        return table->id == source.table && table->history && table->history->id == source.history;
    });
}

Outcome<> keep_indexes(Definition& table, bool local,
                       const std::optional<std::vector<std::string>>& kept) {
    if (!kept) return Ok{};
    for (const auto& name : *kept) {
        const auto* index = table.index(name);
        if (index && index->local == local) continue;
        return invalid(std::string(one_or_more) + "Index not found in the source: " + name);
    }
    std::erase_if(table.indexes, [&](const IndexDefinition& index) {
        return index.local == local && std::ranges::find(*kept, index.spec.name) == kept->end();
    });
    return Ok{};
}

// The definition of a new table like the source. Its ids are still to be given.
Outcome<Definition> restored_definition(const Core& core, const Definition& source,
                                        const std::string& name,
                                        const RestoreOverrides& overrides) {
    // Through its bytes, so that nothing is shared with the source: counters above all.
    auto table = TRY(stored(decode_definition(encode_definition(source))));
    table.name = name;
    table.uuid = make_uuid(core.random);
    table.arn = source.arn.substr(0, source.arn.rfind('/') + 1) + name;
    table.created = core.clock.now();
    table.deletion_protection = false;
    table.tags.clear();
    table.ttl_attribute.clear();
    table.ttl_backfilling = false;
    table.stream.reset();
    table.history.reset();
    std::erase_if(table.indexes, [](const IndexDefinition& index) {
        return index.status == IndexStatus::deleting;
    });
    for (auto& index : table.indexes) {
        index.status = IndexStatus::active;
        index.backfilling = false;
        index.bounded = true;
    }
    TRY(keep_indexes(table, true, overrides.local_indexes));
    TRY(keep_indexes(table, false, overrides.global_indexes));
    std::erase_if(table.attributes, [&](const AttributeDefinition& attribute) {
        return !table.uses(attribute.name);
    });
    if (overrides.billing) table.billing = *overrides.billing;
    if (overrides.throughput) table.throughput = *overrides.throughput;
    table.pay_per_request_since.reset();
    if (table.billing == BillingMode::pay_per_request) {
        table.throughput = {};
        table.pay_per_request_since = table.created;
    }
    return table;
}

}  // namespace

std::optional<std::string> table_of_backup(const std::string& arn) {
    constexpr std::string_view before = ":table/", behind = "/backup/";
    const auto begin = arn.find(before), end = arn.find(behind);
    if (begin == arn.npos || end == arn.npos || end < begin) return std::nullopt;
    const auto at = begin + before.size();
    return arn.substr(at, end - at);
}

Result<> BackupStore::resume() {
    kv::Batch batch;
    for (const auto& backup : TRY(read_backups(core_.kv))) {
        if (!backup.row.available) erase_backup(backup.row.id, batch);
    }
    if (!batch.empty()) {
        if (auto erased = queue_commit(core_, batch).get(); !erased) return erased.error();
    }
    std::vector<DefinitionPtr> all;
    {
        const auto reading = core_.catalog.read();
        all = core_.catalog.all();
    }
    for (const auto& table : all) {
        if (!table->restoring) continue;
        if (is_there(*table->restoring, all)) {
            fill_later(table->name);
            continue;
        }
        log::error("a table cannot be restored any more: its source is gone",
                   {{"table", table->name}});
        const auto removed = tables_.remove(table->name);
        if (!removed) return removed.error();
    }
    return Ok{};
}

Outcome<DefinitionPtr> BackupStore::find_table(const std::string& name) const {
    const auto reading = core_.catalog.read();
    auto table = core_.catalog.find(name);
    if (!table || table->restoring) {
        return Failure{Fault::table_not_found, "Table not found: " + name};
    }
    return table;
}

Outcome<StoredBackup> BackupStore::find(const std::string& arn) const {
    auto all = TRY(stored(read_backups(core_.kv)));
    const auto found = std::ranges::find(all, arn, &StoredBackup::arn);
    if (found == all.end()) return Failure{Fault::backup_not_found, "Backup not found: " + arn};
    return std::move(*found);
}

Outcome<BackupSummary> BackupStore::create(const CreateBackup& request) {
    StoredBackup backup;
    std::future<Outcome<>> queued;
    {
        kv::Batch batch;
        const auto changing = core_.catalog.change();
        const auto table = core_.catalog.find(request.table);
        if (!table || table->restoring) {
            return Failure{Fault::table_not_found, "Table not found: " + request.table};
        }
        backup.table = *table;
        backup.row.id = core_.catalog.take_id(batch);
        backup.row.name = request.name;
        backup.row.created = core_.clock.now();
        backup.row.definition = encode_definition(*table);
        batch.put(backup_key(backup.row.id), encode_backup_row(backup.row));
        queued = queue_commit(core_, batch);
    }
    TRY(queued.get());
    // Shared because a std::function must be copyable.
    const std::shared_ptr<const kv::Snapshot> snapshot = core_.kv.snapshot();
    tables_.jobs().post({"a backup could not be made", backup.table.name, [this, backup, snapshot] {
                             return copy_out(core_, tables_.jobs(), backup, *snapshot);
                         }});
    return backup.describe().summary;
}

Outcome<BackupDescription> BackupStore::describe(const std::string& arn) const {
    const auto backup = TRY(find(arn));
    return backup.describe();
}

Outcome<BackupList> BackupStore::list(const ListBackups& request) const {
    if (!request.made_by_users) return BackupList{};
    auto all = TRY(stored(read_backups(core_.kv)));
    std::ranges::sort(all, {}, &StoredBackup::arn);
    BackupList list;
    for (const auto& backup : all) {
        const auto created = backup.row.created;
        if (backup.arn() <= request.after || (request.table && backup.table.name != *request.table))
            continue;
        if ((request.from && created < *request.from) || (request.to && created >= *request.to)) {
            continue;
        }
        if (list.backups.size() == request.limit) {
            list.last = list.backups.back().arn;
            break;
        }
        list.backups.push_back(backup.describe().summary);
    }
    return list;
}

Outcome<BackupDescription> BackupStore::remove(const std::string& arn) {
    const auto backup = TRY(find(arn));
    if (!backup.row.available) {
        return Failure{Fault::backup_in_use, "Backup is being created: " + arn};
    }
    {
        const auto reading = core_.catalog.read();
        for (const auto& table : core_.catalog.all()) {
            if (table->restoring && table->restoring->backup == backup.row.id) {
                return Failure{Fault::backup_in_use, "Backup is being restored: " + arn};
            }
        }
    }
    kv::Batch batch;
    erase_backup(backup.row.id, batch);
    TRY(queue_commit(core_, batch).get());
    const auto copies = space_prefix(Space::copy, backup.row.id);
    core_.kv.reclaim(copies, kv::after_prefix(copies));
    return backup.describe();
}

Outcome<TableDescription> BackupStore::restore(const RestoreBackup& request) {
    const auto backup = TRY(find(request.arn));
    if (!backup.row.available) {
        return Failure{Fault::backup_in_use, "Backup is being created: " + request.arn};
    }
    auto table = TRY(restored_definition(core_, backup.table, request.target, request.overrides));
    table.restored = {backup.arn(), backup.table.arn, table.created, true};
    table.restoring = RestoreSource{backup.row.id, 0, 0, {}};
    return add_restored(std::move(table));
}

Outcome<TableDescription> BackupStore::restore(const RestoreToTime& request) {
    const auto source = TRY(find_table(request.source));
    TRY(follow_clock(core_));
    const auto range = TRY(describe_history(*source));
    if (!range.setting.enabled) {
        return Failure{Fault::point_in_time_unavailable,
                       "Point in time recovery is not enabled for table '" + request.source + "'"};
    }
    const auto at = request.at.value_or(range.latest);
    if (at < range.earliest || at > range.latest) {
        return Failure{Fault::invalid_restore_time,
                       "RestoreDateTime is out of the range of restorable times of the table"};
    }
    auto table = TRY(restored_definition(core_, *source, request.target, request.overrides));
    table.restored = {"", source->arn, at, true};
    table.restoring = RestoreSource{0, source->id, source->history->id, at};
    return add_restored(std::move(table));
}

Outcome<TableDescription> BackupStore::add_restored(Definition table) {
    const auto name = table.name;
    auto description = TRY(tables_.add(std::move(table)));
    fill_later(name);
    return description;
}

void BackupStore::fill_later(const std::string& name) {
    DefinitionPtr table;
    {
        const auto reading = core_.catalog.read();
        table = core_.catalog.find(name);
    }
    if (!table || !table->restoring) return;
    const std::shared_ptr<const kv::Snapshot> snapshot = core_.kv.snapshot();
    tables_.jobs().post({"a table could not be restored", table->name, [this, table, snapshot] {
                             return copy_in(core_, writer_, tables_.jobs(), table, *snapshot);
                         }});
}

// Nothing before the last record that was dropped can be brought back, whenever that was dropped:
// the clock may have been ahead.
Outcome<ContinuousBackups> BackupStore::describe_history(const Definition& table) const {
    if (!table.history) return ContinuousBackups{};
    const auto& history = *table.history;
    const auto now = core_.clock.now();
    const auto latest = core_.streams.latest(now);
    const auto rows = TRY(stored(read_stream_rows(core_.kv)));
    const auto row = std::ranges::find(rows, history.id, &StreamRow::id);
    const auto set_backs = TRY(stored(SetBacks::read(core_.kv)));
    const auto started = set_backs.real_moment(row == rows.end() ? 0 : row->first, history.started);
    const auto trimmed = TRY(stored(read_trimmed(core_.kv, history.id))).at;
    const auto earliest = std::max({started, trimmed, now - days_of(history.days)});
    return ContinuousBackups{{true, history.days}, std::min(earliest, latest), latest};
}

Outcome<ContinuousBackups> BackupStore::continuous(const std::string& table) const {
    const auto found = TRY(find_table(table));
    TRY(follow_clock(core_));
    return describe_history(*found);
}

Outcome<ContinuousBackups> BackupStore::set_continuous(const std::string& table,
                                                       const ContinuousSetting& setting) {
    TRY(find_table(table));
    TRY(follow_clock(core_));
    const auto change = [&](Definition& edited, kv::Batch& batch) {
        return change_history(edited, setting, batch);
    };
    const auto changed = TRY(tables_.edit(table, change));
    return describe_history(*changed);
}

// Under Catalog::change().
Outcome<> BackupStore::change_history(Definition& table, const ContinuousSetting& setting,
                                      kv::Batch& batch) const {
    if (!setting.enabled) {
        if (table.history) erase_stream(table.history->id, batch);
        table.history.reset();
    } else if (!table.history) {
        table.history = TableStream{core_.catalog.take_id(batch), StreamView::old_image,
                                    core_.clock.now(), true, setting.days};
        core_.streams.begin(table, *table.history, batch);
    } else if (table.history->days != setting.days) {
        // What was forgotten already does not come back with more days.
        table.history->started = TRY(describe_history(table)).earliest;
        table.history->days = setting.days;
        core_.streams.begin(table, *table.history, batch);
    }
    return Ok{};
}

}  // namespace mailroom::table
