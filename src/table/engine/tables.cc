#include "table/engine/tables.h"

#include "base/ids.h"
#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/filling.h"
#include "table/engine/rows.h"
#include "table/engine/table_tags.h"
#include "table/key_checks.h"

#include <algorithm>

namespace mailroom::table {

namespace {

Failure not_found(const std::string& table) {
    return {Fault::resource_not_found,
            "Requested resource not found: Table: " + table + " not found"};
}

Failure still_in_use(const std::string& table) {
    return {Fault::resource_in_use,
            "Attempt to change a resource which is still in use: Table is being created: " + table};
}

Outcome<IndexDefinition> make_index(const IndexSpec& spec, bool local,
                                    const std::vector<AttributeDefinition>& attributes) {
    TRY(check_keys_defined(spec.keys, attributes));
    TRY(check_key_counts(spec.keys, local ? 1 : key_attributes_max));
    IndexDefinition index;
    index.spec = spec;
    index.keys = resolve_keys(spec.keys, attributes);
    index.local = local;
    index.bounded = true;
    return index;
}

// A key attribute keeps its type: all indexes and the table hold every item to the same.
Outcome<> add_attributes(std::vector<AttributeDefinition>& to,
                         const std::vector<AttributeDefinition>& more) {
    for (const auto& attribute : more) {
        const auto known = std::ranges::find(to, attribute.name, &AttributeDefinition::name);
        if (known == to.end()) {
            to.push_back(attribute);
        } else if (known->kind != attribute.kind) {
            return invalid(
                "One or more parameter values were invalid: Attributes cannot be redefined. Please "
                "check that your attribute has the same type as previously defined. Existing "
                "attribute: " +
                attribute.name + ":" + std::string(type_name(known->kind)) + ", new attribute: " +
                attribute.name + ":" + std::string(type_name(attribute.kind)));
        }
    }
    return Ok{};
}

void erase_all_rows(const Definition& table, kv::Batch& batch, std::vector<std::string>& prefixes) {
    prefixes.push_back(space_prefix(Space::item, table.id));
    prefixes.push_back(space_prefix(Space::expiry, table.id));
    for (const auto& index : table.indexes) {
        prefixes.push_back(space_prefix(Space::entry, index.id));
    }
    for (const auto& prefix : prefixes) batch.erase_range(prefix, kv::after_prefix(prefix));
}

Outcome<> check_attributes_used(const Definition& table) {
    for (const auto& attribute : table.attributes) {
        if (table.uses(attribute.name)) continue;
        return invalid(
            "One or more parameter values were invalid: Some AttributeDefinitions are not used: " +
            attribute.name);
    }
    return Ok{};
}

Outcome<Definition> new_definition(const CreateTable& request, Core& core) {
    TRY(check_keys_defined(request.keys, request.attributes));
    TRY(check_key_counts(request.keys, 1));
    Definition table;
    table.name = request.name;
    table.uuid = make_uuid(core.random);
    table.arn = "arn:aws:dynamodb:" + core.options.region + ":" + core.options.account + ":table/" +
                request.name;
    table.created = core.clock.now();
    table.attributes = request.attributes;
    table.key_schema = request.keys;
    table.keys = resolve_keys(request.keys, request.attributes);
    table.spread = Spread::timed;
    for (const auto& spec : request.local_indexes) {
        table.indexes.push_back(TRY(make_index(spec, true, request.attributes)));
    }
    for (const auto& spec : request.global_indexes) {
        table.indexes.push_back(TRY(make_index(spec, false, request.attributes)));
    }
    TRY(check_attributes_used(table));
    TRY(check_new_tags(request.tags));
    table.billing = request.billing;
    table.throughput = request.throughput;
    if (request.billing == BillingMode::pay_per_request) {
        table.pay_per_request_since = table.created;
    }
    table.deletion_protection = request.deletion_protection;
    table.table_class = request.table_class;
    table.tags = request.tags;
    if (request.stream.enabled) {
        table.stream = TableStream{0, request.stream.view, table.created, true};
    }
    return table;
}

Outcome<> add_index(Core& core, Definition& table, const UpdateTable& request, kv::Batch& batch) {
    const auto& spec = *request.create_index;
    if (table.index(spec.name)) {
        return invalid("One or more parameter values were invalid: Duplicate index name: " +
                       spec.name);
    }
    TRY(add_attributes(table.attributes, request.attributes));
    auto index = TRY(make_index(spec, false, table.attributes));
    index.id = core.catalog.take_id(batch);
    index.status = IndexStatus::creating;
    index.backfilling = true;
    table.indexes.push_back(std::move(index));
    return Ok{};
}

Outcome<IndexDefinition*> global_index(Definition& table, const std::string& name) {
    for (auto& index : table.indexes) {
        if (index.spec.name == name && !index.local) return &index;
    }
    return Failure{Fault::resource_not_found, "Requested resource not found"};
}

// Takes an index out in this very commit, so that another of its name can be made in it.
Outcome<> exchange_index(Core& core, Definition& table, const UpdateTable& request,
                         kv::Batch& batch) {
    const auto id = TRY(global_index(table, *request.delete_index))->id;
    const auto prefix = space_prefix(Space::entry, id);
    batch.erase_range(prefix, kv::after_prefix(prefix));
    Tally counts;
    counts.drop(id);
    counts.defer_to(batch);
    std::erase_if(table.indexes, [&](const IndexDefinition& index) { return index.id == id; });
    return add_index(core, table, request, batch);
}

// DynamoDB refuses a request that asks for the throughput there is and nothing else.
Outcome<> check_throughput_changes(const Definition& table, const UpdateTable& request) {
    const bool asks_more = request.create_index || request.delete_index || request.update_index ||
                           request.deletion_protection || request.table_class || request.stream;
    if (asks_more || !request.throughput || table.billing != BillingMode::provisioned ||
        *request.throughput != table.throughput) {
        return Ok{};
    }
    const auto read = std::to_string(table.throughput.read);
    const auto write = std::to_string(table.throughput.write);
    return invalid(
        "The provisioned throughput for the table will not change. The requested value equals the "
        "current value. Current ReadCapacityUnits provisioned for the table: " +
        read + ". Requested ReadCapacityUnits: " + read +
        ". Current WriteCapacityUnits provisioned for the table: " + write +
        ". Requested WriteCapacityUnits: " + write +
        ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
        "higher limits.");
}

void change_billing(Core& core, Definition& table, const UpdateTable& request) {
    if (request.billing && *request.billing != table.billing) {
        table.billing = *request.billing;
        if (*request.billing == BillingMode::pay_per_request) {
            table.pay_per_request_since = core.clock.now();
            table.throughput = {};
        }
    }
    if (request.throughput) table.throughput = *request.throughput;
}

// Each time a stream is turned on it is a new one.
Outcome<> change_stream(Core& core, Definition& table, const StreamSpec& spec, kv::Batch& batch) {
    if (spec.enabled == table.has_stream()) {
        if (!spec.enabled)
            return invalid("Table already has no enabled stream: TableName: " + table.name);
        return invalid("Table already has an enabled stream: TableName: " + table.name);
    }
    if (!spec.enabled) {
        core.streams.end(table, *table.stream, core.clock.now(), batch);
        table.stream->enabled = false;
        return Ok{};
    }
    // Two streams of one table must not have one name.
    auto started = core.clock.now();
    if (table.stream && table.stream->started >= started) {
        started = table.stream->started + std::chrono::milliseconds(1);
    }
    table.stream = TableStream{core.catalog.take_id(batch), spec.view, started, true};
    core.streams.begin(table, *table.stream, batch);
    return Ok{};
}

}  // namespace

Tables::Tables(Core& core, Writer& writer)
    : core_(core),
      writer_(writer),
      jobs_(core.clock, core.immediate() ? Jobs::Mode::immediate : Jobs::Mode::threaded) {}

void Tables::resume() {
    std::vector<DefinitionPtr> all;
    {
        const auto reading = core_.catalog.read();
        all = core_.catalog.all();
    }
    for (const auto& table : all) start_jobs(*table);
}

void Tables::start_jobs(const Definition& table) {
    auto listed = std::make_shared<const Definition>(table);
    const bool dropping = std::ranges::any_of(table.indexes, [](const IndexDefinition& index) {
        return index.status == IndexStatus::deleting;
    });
    const bool filling =
        table.ttl_backfilling || std::ranges::any_of(table.indexes, &IndexDefinition::backfilling);
    if (dropping) {
        jobs_.post({"a dropped index could not be erased", table.name,
                    [this, listed] { return erase_dropped_indexes(core_, listed); }});
    }
    if (filling) {
        // Shared because a std::function must be copyable.
        const auto pass = std::make_shared<Filling>(core_, writer_, jobs_, listed);
        jobs_.post({"an index could not be filled", table.name, [pass] { return pass->run(); }});
    }
}

Outcome<DefinitionPtr> Tables::edit(const std::string& table, const Edit& edit) {
    std::future<Outcome<>> queued;
    DefinitionPtr before, after;
    {
        kv::Batch batch;
        const auto changing = core_.catalog.change();
        before = core_.catalog.find(table);
        if (!before) return not_found(table);
        if (before->restoring) return still_in_use(table);
        Definition changed = *before;
        TRY(edit(changed, batch));
        core_.catalog.put(std::move(changed), batch);
        after = core_.catalog.find(table);
        queued = queue_commit(core_, batch);
    }
    if (auto committed = queued.get(); !committed) {
        const auto changing = core_.catalog.change();
        kv::Batch unused;
        if (core_.catalog.find(table) == after) core_.catalog.put(*before, unused);
        return std::move(committed).error();
    }
    return after;
}

Outcome<TableDescription> Tables::create(const CreateTable& request) {
    auto table = TRY(new_definition(request, core_));
    auto made = add(std::move(table));
    if (!made && made.error().fault == Fault::table_already_exists) {
        return Failure{Fault::resource_in_use, made.error().message};
    }
    return made;
}

Outcome<TableDescription> Tables::add(Definition table) {
    std::future<Outcome<>> queued;
    DefinitionPtr made;
    const auto name = table.name;
    {
        kv::Batch batch;
        const auto changing = core_.catalog.change();
        if (core_.catalog.find(name)) {
            return Failure{Fault::table_already_exists, "Table already exists: " + name};
        }
        table.id = core_.catalog.take_id(batch);
        for (auto& index : table.indexes) index.id = core_.catalog.take_id(batch);
        if (table.stream) {
            table.stream->id = core_.catalog.take_id(batch);
            core_.streams.begin(table, *table.stream, batch);
        }
        core_.catalog.put(std::move(table), batch);
        made = core_.catalog.find(name);
        queued = queue_commit(core_, batch);
    }
    if (auto committed = queued.get(); !committed) {
        const auto changing = core_.catalog.change();
        kv::Batch unused;
        if (core_.catalog.find(name) == made) core_.catalog.remove(*made, unused);
        return std::move(committed).error();
    }
    core_.listeners.tell_replaced(name);
    auto description = made->describe();
    // It is usable at once, but programs expect the state that DynamoDB answers with.
    description.status = TableStatus::creating;
    return description;
}

Outcome<TableDescription> Tables::describe(const std::string& table) const {
    const auto reading = core_.catalog.read();
    const auto definition = core_.catalog.find(table);
    if (!definition) return not_found(table);
    return definition->describe();
}

Outcome<TableDescription> Tables::update(const UpdateTable& request) {
    const auto change = [&](Definition& table, kv::Batch& batch) -> Outcome<> {
        if (table.describe().status != TableStatus::active) {
            return Failure{Fault::resource_in_use,
                           "Attempt to change a resource which is still in use: Table is being "
                           "updated: " +
                               table.name};
        }
        TRY(check_throughput_changes(table, request));
        change_billing(core_, table, request);
        if (request.deletion_protection) table.deletion_protection = *request.deletion_protection;
        if (request.table_class) table.table_class = *request.table_class;
        if (request.stream) TRY(change_stream(core_, table, *request.stream, batch));
        const bool exchanges =
            request.create_index && request.delete_index == request.create_index->name;
        if (exchanges) return exchange_index(core_, table, request, batch);
        if (request.create_index) TRY(add_index(core_, table, request, batch));
        if (request.update_index) {
            auto* index = TRY(global_index(table, request.update_index->first));
            index->spec.throughput = request.update_index->second;
        }
        if (request.delete_index) {
            auto* index = TRY(global_index(table, *request.delete_index));
            index->status = IndexStatus::deleting;
        }
        return Ok{};
    };
    const auto changed = TRY(edit(request.name, change));
    auto description = changed->describe();
    description.status = TableStatus::updating;
    start_jobs(*changed);
    return description;
}

Outcome<TableDescription> Tables::remove(const std::string& table) {
    std::future<Outcome<>> queued;
    std::vector<std::string> prefixes;
    DefinitionPtr removed;
    {
        kv::Batch batch;
        const auto changing = core_.catalog.change();
        removed = core_.catalog.find(table);
        if (!removed) return not_found(table);
        if (removed->deletion_protection) {
            return invalid(
                "Resource cannot be deleted as it is currently protected against deletion. Disable "
                "deletion protection first.");
        }
        erase_all_rows(*removed, batch, prefixes);
        if (removed->has_stream()) {
            core_.streams.end(*removed, *removed->stream, core_.clock.now(), batch);
        }
        if (removed->history) erase_stream(removed->history->id, batch);
        core_.catalog.remove(*removed, batch);
        queued = queue_commit(core_, batch);
    }
    if (auto committed = queued.get(); !committed) {
        const auto changing = core_.catalog.change();
        kv::Batch unused;
        if (!core_.catalog.find(table)) core_.catalog.put(*removed, unused);
        return std::move(committed).error();
    }
    core_.listeners.tell_replaced(table);
    jobs_.post({"a table's room could not be reclaimed", table, [this, prefixes] {
                    for (const auto& prefix : prefixes) {
                        core_.kv.reclaim(prefix, kv::after_prefix(prefix));
                    }
                    return Outcome<>(Ok{});
                }});
    auto description = removed->describe();
    description.status = TableStatus::deleting;
    return description;
}

Outcome<TimeToLive> Tables::set_time_to_live(const std::string& table, const TimeToLive& setting) {
    const auto changed =
        TRY(edit(table, [&](Definition& definition, kv::Batch& batch) -> Outcome<> {
            const bool enabled = !definition.ttl_attribute.empty();
            if (setting.enabled && enabled) return invalid("TimeToLive is already enabled");
            if (!setting.enabled && !enabled) return invalid("TimeToLive is already disabled");
            if (!setting.enabled && definition.ttl_attribute != setting.attribute) {
                return invalid(
                    "TimeToLive is active on a different AttributeName: current AttributeName is " +
                    definition.ttl_attribute);
            }
            definition.ttl_attribute = setting.enabled ? setting.attribute : "";
            definition.ttl_backfilling = setting.enabled;
            ++definition.ttl_changes;
            const auto prefix = space_prefix(Space::expiry, definition.id);
            batch.erase_range(prefix, kv::after_prefix(prefix));
            return Ok{};
        }));
    start_jobs(*changed);
    return setting;
}

Outcome<TimeToLive> Tables::time_to_live(const std::string& table) const {
    const auto reading = core_.catalog.read();
    const auto definition = core_.catalog.find(table);
    if (!definition) return not_found(table);
    return TimeToLive{!definition->ttl_attribute.empty(), definition->ttl_attribute};
}

}  // namespace mailroom::table
