// Answers of the table operations, and the parts of a table's definition that requests share with
// them.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"

#include <cassert>

namespace mailroom::table::wire {

namespace {

std::string_view status_name(TableStatus status) {
    switch (status) {
        case TableStatus::creating:
            return "CREATING";
        case TableStatus::updating:
            return "UPDATING";
        case TableStatus::deleting:
            return "DELETING";
        case TableStatus::active:
            return "ACTIVE";
    }
    assert(false);
    return "";
}

std::string_view status_name(IndexStatus status) {
    switch (status) {
        case IndexStatus::creating:
            return "CREATING";
        case IndexStatus::updating:
            return "UPDATING";
        case IndexStatus::deleting:
            return "DELETING";
        case IndexStatus::active:
            return "ACTIVE";
    }
    assert(false);
    return "";
}

std::string_view projection_name(ProjectionKind kind) {
    switch (kind) {
        case ProjectionKind::all:
            return "ALL";
        case ProjectionKind::keys_only:
            return "KEYS_ONLY";
        case ProjectionKind::include:
            return "INCLUDE";
    }
    assert(false);
    return "";
}

void write_throughput(json::Writer& json, const Throughput& throughput) {
    json.open_object();
    json.key("NumberOfDecreasesToday").integer(0);
    json.key("ReadCapacityUnits").integer(throughput.read);
    json.key("WriteCapacityUnits").integer(throughput.write);
    json.close_object();
}

enum class IndexScope { local, global };

void write_indexes(json::Writer& json, const std::vector<IndexDescription>& indexes,
                   IndexScope scope) {
    if (indexes.empty()) return;
    const bool global = scope == IndexScope::global;
    json.key(global ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes").open_list();
    for (const auto& index : indexes) {
        json.open_object();
        if (global && index.backfilling) json.key("Backfilling").boolean(true);
        json.key("IndexArn").text(index.arn);
        json.key("IndexName").text(index.spec.name);
        json.key("IndexSizeBytes").integer(index.size_bytes);
        if (global) json.key("IndexStatus").text(status_name(index.status));
        json.key("ItemCount").integer(index.item_count);
        write_key_schema(json.key("KeySchema"), index.spec.keys);
        write_projection(json.key("Projection"), index.spec.projection);
        if (global) write_throughput(json.key("ProvisionedThroughput"), index.spec.throughput);
        json.close_object();
    }
    json.close_list();
}

void write_billing(json::Writer& json, const TableDescription& table) {
    if (table.billing == BillingMode::provisioned && !table.pay_per_request_since) return;
    json.key("BillingModeSummary").open_object();
    json.key("BillingMode").text(billing_mode_name(table.billing));
    if (table.pay_per_request_since) {
        write_time(json.key("LastUpdateToPayPerRequestDateTime"), *table.pay_per_request_since);
    }
    json.close_object();
}

void write_restored(json::Writer& json, const TableDescription::Restored& restored) {
    json.key("RestoreSummary").open_object();
    write_time(json.key("RestoreDateTime"), restored.at);
    json.key("RestoreInProgress").boolean(restored.in_progress);
    write_text(json, "SourceBackupArn", restored.backup_arn);
    write_text(json, "SourceTableArn", restored.table_arn);
    json.close_object();
}

void write_table(json::Writer& json, const TableDescription& table) {
    json.open_object();
    write_attribute_definitions(json.key("AttributeDefinitions"), table.attributes);
    write_billing(json, table);
    write_time(json.key("CreationDateTime"), table.created);
    json.key("DeletionProtectionEnabled").boolean(table.deletion_protection);
    write_indexes(json, table.global_indexes, IndexScope::global);
    json.key("ItemCount").integer(table.item_count);
    write_key_schema(json.key("KeySchema"), table.keys);
    write_text(json, "LatestStreamArn", table.stream_arn);
    write_text(json, "LatestStreamLabel", table.stream_label);
    write_indexes(json, table.local_indexes, IndexScope::local);
    write_throughput(json.key("ProvisionedThroughput"), table.throughput);
    if (table.restored) write_restored(json, *table.restored);
    if (table.stream.enabled) write_stream(json, table.stream);
    json.key("TableArn").text(table.arn);
    json.key("TableClassSummary").open_object();
    json.key("TableClass").text(table.table_class).close_object();
    json.key("TableId").text(table.id);
    json.key("TableName").text(table.name);
    json.key("TableSizeBytes").integer(table.size_bytes);
    json.key("TableStatus").text(status_name(table.status));
    json.close_object();
}

}  // namespace

void write_time(json::Writer& json, Time time) {
    json.decimal(static_cast<double>(to_unix_ms(time)) / 1000.0);
}

std::string_view billing_mode_name(BillingMode mode) {
    return mode == BillingMode::provisioned ? "PROVISIONED" : "PAY_PER_REQUEST";
}

std::string_view stream_view_name(StreamView view) {
    switch (view) {
        case StreamView::keys_only:
            return "KEYS_ONLY";
        case StreamView::new_image:
            return "NEW_IMAGE";
        case StreamView::old_image:
            return "OLD_IMAGE";
        case StreamView::new_and_old_images:
            return "NEW_AND_OLD_IMAGES";
    }
    assert(false);
    return "";
}

void write_stream(json::Writer& json, const StreamSpec& stream) {
    json.key("StreamSpecification").open_object();
    json.key("StreamEnabled").boolean(stream.enabled);
    if (stream.enabled) json.key("StreamViewType").text(stream_view_name(stream.view));
    json.close_object();
}

void write_attribute_definitions(json::Writer& json, const std::vector<AttributeDefinition>& all) {
    json.open_list();
    for (const auto& attribute : all) {
        json.open_object();
        json.key("AttributeName").text(attribute.name);
        json.key("AttributeType").text(type_name(attribute.kind));
        json.close_object();
    }
    json.close_list();
}

void write_key_schema(json::Writer& json, const KeySchema& keys) {
    const auto write = [&](const std::string& name, std::string_view type) {
        json.open_object().key("AttributeName").text(name);
        json.key("KeyType").text(type).close_object();
    };
    json.open_list();
    for (const auto& name : keys.hashes()) write(name, "HASH");
    for (const auto& name : keys.ranges()) write(name, "RANGE");
    json.close_list();
}

void write_projection(json::Writer& json, const Projection& projection) {
    json.open_object();
    if (!projection.include.empty()) {
        json.key("NonKeyAttributes").open_list();
        for (const auto& name : projection.include) json.text(name);
        json.close_list();
    }
    json.key("ProjectionType").text(projection_name(projection.kind));
    json.close_object();
}

void write_tags(json::Writer& json, const Tags& tags) {
    json.open_list();
    for (const auto& [key, value] : tags) {
        json.open_object().key("Key").text(key).key("Value").text(value).close_object();
    }
    json.close_list();
}

void append_changed_table(std::string& out, const TableDescription& table) {
    json::Writer json(out);
    write_table(json.open_object().key("TableDescription"), table);
    json.close_object();
}

void append_described_table(std::string& out, const TableDescription& table) {
    json::Writer json(out);
    write_table(json.open_object().key("Table"), table);
    json.close_object();
}

void append_answer(std::string& out, const TableNames& answer) {
    json::Writer json(out);
    json.open_object();
    if (answer.last) json.key("LastEvaluatedTableName").text(*answer.last);
    json.key("TableNames").open_list();
    for (const auto& name : answer.names) json.text(name);
    json.close_list().close_object();
}

void append_changed_time_to_live(std::string& out, const TimeToLive& setting) {
    json::Writer json(out);
    json.open_object().key("TimeToLiveSpecification").open_object();
    json.key("AttributeName").text(setting.attribute);
    json.key("Enabled").boolean(setting.enabled);
    json.close_object().close_object();
}

void append_described_time_to_live(std::string& out, const TimeToLive& setting) {
    json::Writer json(out);
    json.open_object().key("TimeToLiveDescription").open_object();
    if (setting.enabled) json.key("AttributeName").text(setting.attribute);
    json.key("TimeToLiveStatus").text(setting.enabled ? "ENABLED" : "DISABLED");
    json.close_object().close_object();
}

void append_answer(std::string& out, const Tags& tags) {
    json::Writer json(out);
    write_tags(json.open_object().key("Tags"), tags);
    json.close_object();
}

}  // namespace mailroom::table::wire
