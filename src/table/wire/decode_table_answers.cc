// Answers of the table operations.
#include "table/wire/answer_decoding.h"
#include "table/wire/decode_schemas.h"
#include "table/wire/decoding.h"

#include <cmath>

namespace mailroom::table::wire {

namespace {

// States we have no name for (ARCHIVING, …) are states in which a table is not to be used.
TableStatus table_status(std::string_view text) {
    if (text == "ACTIVE") return TableStatus::active;
    if (text == "CREATING") return TableStatus::creating;
    return text == "DELETING" ? TableStatus::deleting : TableStatus::updating;
}

IndexStatus index_status(std::string_view text) {
    if (text == "ACTIVE") return IndexStatus::active;
    if (text == "CREATING") return IndexStatus::creating;
    return text == "DELETING" ? IndexStatus::deleting : IndexStatus::updating;
}

Time read_time(Reader& reader, const Place& place) {
    return from_unix_ms(std::llround(reader.decimal(place).value_or(0) * 1000.0));
}

std::string read_text(Reader& reader, const Place& place) {
    return std::string(reader.text(place).value_or(""));
}

KeySchema key_schema(Reader& reader, const KeyElements& keys) {
    if (!keys.elements.empty() && keys.elements[0].is_hash) return keys.schema();
    reader.problems.malformed("a table or an index without a key");
    return {};
}

std::vector<IndexDescription> read_indexes(Reader& reader, const Place& place, IndexKind kind) {
    std::vector<IndexDescription> indexes;
    reader.elements(place, [&](const Place& element) {
        const Structure in(reader.problems, element, "IndexDescription", Holder::collection);
        auto members = read_index(reader, in, kind);
        IndexDescription index;
        index.spec = std::move(members.spec);
        index.spec.keys = key_schema(reader, members.keys);
        index.status = index_status(reader.text(in["IndexStatus"]).value_or("ACTIVE"));
        index.backfilling = reader.flag(in["Backfilling"]).value_or(false);
        index.arn = read_text(reader, in["IndexArn"]);
        index.item_count = reader.integer(in["ItemCount"]).value_or(0);
        index.size_bytes = reader.integer(in["IndexSizeBytes"]).value_or(0);
        indexes.push_back(std::move(index));
    });
    return indexes;
}

void read_billing(Reader& reader, const Place& place, TableDescription& table) {
    table.billing = BillingMode::provisioned;
    if (!place) return;
    const Structure in(reader.problems, place, "BillingModeSummary");
    table.billing = read_billing_mode(reader, in).value_or(BillingMode::provisioned);
    const auto since = in["LastUpdateToPayPerRequestDateTime"];
    if (since) table.pay_per_request_since = read_time(reader, since);
}

TableDescription read_table(Reader& reader, const Place& place) {
    const Structure in(reader.problems, place, "TableDescription");
    TableDescription table;
    table.name = read_text(reader, in["TableName"]);
    table.id = read_text(reader, in["TableId"]);
    table.arn = read_text(reader, in["TableArn"]);
    table.status = table_status(reader.text(in["TableStatus"]).value_or(""));
    table.created = read_time(reader, in["CreationDateTime"]);
    table.attributes = read_attribute_definitions(reader, in["AttributeDefinitions"]);
    table.keys = key_schema(reader, read_key_elements(reader, in["KeySchema"], key_pair_max));
    table.local_indexes = read_indexes(reader, in["LocalSecondaryIndexes"], IndexKind::local);
    table.global_indexes = read_indexes(reader, in["GlobalSecondaryIndexes"], IndexKind::global);
    read_billing(reader, in["BillingModeSummary"], table);
    table.throughput = read_throughput(reader, in["ProvisionedThroughput"]);
    table.deletion_protection = reader.flag(in["DeletionProtectionEnabled"]).value_or(false);
    const auto table_class = in["TableClassSummary"];
    const Structure class_in(reader.problems, table_class, "TableClassSummary");
    table.table_class = read_table_class(reader, class_in).value_or(table.table_class);
    table.stream = read_stream(reader, in).spec();
    table.stream_arn = read_text(reader, in["LatestStreamArn"]);
    table.stream_label = read_text(reader, in["LatestStreamLabel"]);
    table.item_count = reader.integer(in["ItemCount"]).value_or(0);
    table.size_bytes = reader.integer(in["TableSizeBytes"]).value_or(0);
    return table;
}

}  // namespace

Outcome<TableDescription> AnswerDecoder::table(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TableOutput");
    const auto described = in["Table"], changed = in["TableDescription"];
    if (!described && !changed) return unreadable("no table in it");
    auto table = read_table(reader, described ? described : changed);
    REFUSE(check_readable(reader));
    return table;
}

Outcome<TableNames> AnswerDecoder::list_tables(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListTablesOutput");
    TableNames answer;
    answer.names = reader.texts(in["TableNames"]);
    answer.last = reader.text(in["LastEvaluatedTableName"]);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<TimeToLive> AnswerDecoder::time_to_live(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TimeToLiveOutput");
    const auto changed = in["TimeToLiveSpecification"], described = in["TimeToLiveDescription"];
    const auto place = changed ? changed : described;
    const Structure setting(reader.problems, place, "TimeToLive");
    TimeToLive answer;
    const auto status = reader.text(setting["TimeToLiveStatus"]).value_or("");
    answer.enabled = reader.flag(setting["Enabled"]).value_or(false) || status == "ENABLED" ||
                     status == "ENABLING";
    answer.attribute = read_text(reader, setting["AttributeName"]);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<Tags> AnswerDecoder::tags(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "ListTagsOfResourceOutput");
    auto tags = read_tags(reader, in["Tags"]);
    REFUSE(check_readable(reader));
    return tags;
}

}  // namespace mailroom::table::wire
