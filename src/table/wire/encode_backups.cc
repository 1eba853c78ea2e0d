// Answers about backups.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"

namespace mailroom::table::wire {

namespace {

std::string_view status_of(const BackupSummary& backup) {
    return backup.available ? "AVAILABLE" : "CREATING";
}

void write_details(json::Writer& json, const BackupSummary& backup) {
    json.key("BackupDetails").open_object();
    json.key("BackupArn").text(backup.arn);
    write_time(json.key("BackupCreationDateTime"), backup.created);
    json.key("BackupName").text(backup.name);
    json.key("BackupSizeBytes").integer(backup.size_bytes);
    json.key("BackupStatus").text(status_of(backup));
    json.key("BackupType").text("USER").close_object();
}

void write_throughput(json::Writer& json, const Throughput& throughput) {
    json.key("ProvisionedThroughput").open_object();
    json.key("ReadCapacityUnits").integer(throughput.read);
    json.key("WriteCapacityUnits").integer(throughput.write);
    json.close_object();
}

void write_source(json::Writer& json, const TableDescription& table) {
    json.key("SourceTableDetails").open_object();
    json.key("BillingMode").text(billing_mode_name(table.billing));
    json.key("ItemCount").integer(table.item_count);
    write_key_schema(json.key("KeySchema"), table.keys);
    write_throughput(json, table.throughput);
    json.key("TableArn").text(table.arn);
    write_time(json.key("TableCreationDateTime"), table.created);
    json.key("TableId").text(table.id);
    json.key("TableName").text(table.name);
    json.key("TableSizeBytes").integer(table.size_bytes);
    json.close_object();
}

void write_indexes(json::Writer& json, std::string_view name,
                   const std::vector<IndexDescription>& indexes, bool global) {
    if (indexes.empty()) return;
    json.key(name).open_list();
    for (const auto& index : indexes) {
        json.open_object().key("IndexName").text(index.spec.name);
        write_key_schema(json.key("KeySchema"), index.spec.keys);
        write_projection(json.key("Projection"), index.spec.projection);
        if (global) write_throughput(json, index.spec.throughput);
        json.close_object();
    }
    json.close_list();
}

void write_features(json::Writer& json, const BackupDescription& backup) {
    json.key("SourceTableFeatureDetails").open_object();
    write_indexes(json, "GlobalSecondaryIndexes", backup.source.global_indexes, true);
    write_indexes(json, "LocalSecondaryIndexes", backup.source.local_indexes, false);
    if (backup.source.stream.enabled) {
        json.key("StreamDescription").open_object();
        json.key("StreamEnabled").boolean(true);
        json.key("StreamViewType").text(stream_view_name(backup.source.stream.view));
        json.close_object();
    }
    json.key("TimeToLiveDescription").open_object();
    write_text(json, "AttributeName", backup.ttl_attribute);
    json.key("TimeToLiveStatus").text(backup.ttl_attribute.empty() ? "DISABLED" : "ENABLED");
    json.close_object().close_object();
}

}  // namespace

void append_created_backup(std::string& out, const BackupSummary& backup) {
    json::Writer json(out);
    json.open_object();
    write_details(json, backup);
    json.close_object();
}

void append_answer(std::string& out, const BackupDescription& backup) {
    json::Writer json(out);
    json.open_object().key("BackupDescription").open_object();
    write_details(json, backup.summary);
    write_source(json, backup.source);
    write_features(json, backup);
    json.close_object().close_object();
}

void append_answer(std::string& out, const BackupList& answer) {
    json::Writer json(out);
    json.open_object().key("BackupSummaries").open_list();
    for (const auto& backup : answer.backups) {
        json.open_object();
        json.key("BackupArn").text(backup.arn);
        write_time(json.key("BackupCreationDateTime"), backup.created);
        json.key("BackupName").text(backup.name);
        json.key("BackupSizeBytes").integer(backup.size_bytes);
        json.key("BackupStatus").text(status_of(backup));
        json.key("BackupType").text("USER");
        json.key("TableArn").text(backup.table_arn);
        json.key("TableId").text(backup.table_id);
        json.key("TableName").text(backup.table).close_object();
    }
    json.close_list();
    if (answer.last) json.key("LastEvaluatedBackupArn").text(*answer.last);
    json.close_object();
}

void append_answer(std::string& out, const ContinuousBackups& answer) {
    json::Writer json(out);
    json.open_object().key("ContinuousBackupsDescription").open_object();
    json.key("ContinuousBackupsStatus").text("ENABLED");
    json.key("PointInTimeRecoveryDescription").open_object();
    const bool enabled = answer.setting.enabled;
    if (enabled) {
        write_time(json.key("EarliestRestorableDateTime"), answer.earliest);
        write_time(json.key("LatestRestorableDateTime"), answer.latest);
    }
    json.key("PointInTimeRecoveryStatus").text(enabled ? "ENABLED" : "DISABLED");
    if (enabled) json.key("RecoveryPeriodInDays").integer(answer.setting.days);
    json.close_object().close_object().close_object();
}

}  // namespace mailroom::table::wire
