// Requests of the table operations and of PartiQL.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"
#include "table/wire/request_encoder.h"

namespace mailroom::table::wire {

namespace {

void write_throughput(json::Writer& json, const Throughput& throughput) {
    json.key("ProvisionedThroughput").open_object();
    json.key("ReadCapacityUnits").integer(throughput.read);
    json.key("WriteCapacityUnits").integer(throughput.write);
    json.close_object();
}

// Throughput only where it is provisioned: elsewhere DynamoDB refuses it.
void write_index(json::Writer& json, const IndexSpec& index) {
    json.open_object();
    json.key("IndexName").text(index.name);
    write_key_schema(json.key("KeySchema"), index.keys);
    write_projection(json.key("Projection"), index.projection);
    if (index.throughput != Throughput{}) write_throughput(json, index.throughput);
    json.close_object();
}

void write_indexes(json::Writer& json, std::string_view key,
                   const std::vector<IndexSpec>& indexes) {
    if (indexes.empty()) return;
    json.key(key).open_list();
    for (const auto& index : indexes) write_index(json, index);
    json.close_list();
}

void write_index_update(json::Writer& json, const UpdateTable& request) {
    if (!request.create_index && !request.delete_index && !request.update_index) return;
    json.key("GlobalSecondaryIndexUpdates").open_list().open_object();
    if (request.create_index) write_index(json.key("Create"), *request.create_index);
    if (request.delete_index) {
        json.key("Delete").open_object();
        json.key("IndexName").text(*request.delete_index).close_object();
    }
    if (request.update_index) {
        json.key("Update").open_object().key("IndexName").text(request.update_index->first);
        write_throughput(json, request.update_index->second);
        json.close_object();
    }
    json.close_object().close_list();
}

void write_statement(json::Writer& json, const Statement& statement) {
    if (statement.consistent) json.key("ConsistentRead").boolean(true);
    if (!statement.parameters.empty()) {
        json.key("Parameters").open_list();
        for (const auto& value : statement.parameters) append_value(json.value(), value);
        json.close_list();
    }
    if (statement.on_failure == OnConditionFailure::all_old) {
        json.key("ReturnValuesOnConditionCheckFailure").text("ALL_OLD");
    }
    json.key("Statement").text(statement.text);
}

void write_statements(json::Writer& json, const std::vector<Statement>& statements) {
    json.open_list();
    for (const auto& statement : statements) {
        json.open_object();
        write_statement(json, statement);
        json.close_object();
    }
    json.close_list();
}

void write_consumed_option(json::Writer& json, const Options& options) {
    if (options.consumed == ShowConsumed::none) return;
    json.key("ReturnConsumedCapacity")
        .text(options.consumed == ShowConsumed::total ? "TOTAL" : "INDEXES");
}

}  // namespace

void append_request(std::string& out, const CreateTable& request) {
    json::Writer json(out);
    json.open_object();
    write_attribute_definitions(json.key("AttributeDefinitions"), request.attributes);
    json.key("BillingMode").text(billing_mode_name(request.billing));
    json.key("DeletionProtectionEnabled").boolean(request.deletion_protection);
    write_indexes(json, "GlobalSecondaryIndexes", request.global_indexes);
    write_key_schema(json.key("KeySchema"), request.keys);
    write_indexes(json, "LocalSecondaryIndexes", request.local_indexes);
    if (request.billing == BillingMode::provisioned) write_throughput(json, request.throughput);
    if (request.stream.enabled) write_stream(json, request.stream);
    json.key("TableClass").text(request.table_class);
    json.key("TableName").text(request.name);
    if (!request.tags.empty()) write_tags(json.key("Tags"), request.tags);
    json.close_object();
}

void append_request(std::string& out, const UpdateTable& request) {
    json::Writer json(out);
    json.open_object();
    if (!request.attributes.empty()) {
        write_attribute_definitions(json.key("AttributeDefinitions"), request.attributes);
    }
    if (request.billing) json.key("BillingMode").text(billing_mode_name(*request.billing));
    if (request.deletion_protection) {
        json.key("DeletionProtectionEnabled").boolean(*request.deletion_protection);
    }
    write_index_update(json, request);
    if (request.throughput) write_throughput(json, *request.throughput);
    if (request.stream) write_stream(json, *request.stream);
    if (request.table_class) json.key("TableClass").text(*request.table_class);
    json.key("TableName").text(request.name);
    json.close_object();
}

void append_request(std::string& out, const ListTables& request) {
    json::Writer json(out);
    json.open_object();
    write_text(json, "ExclusiveStartTableName", request.after);
    json.key("Limit").integer(static_cast<std::int64_t>(request.limit));
    json.close_object();
}

void append_request(std::string& out, const UpdateTimeToLive& request) {
    json::Writer json(out);
    json.open_object().key("TableName").text(request.table);
    json.key("TimeToLiveSpecification").open_object();
    json.key("AttributeName").text(request.setting.attribute);
    json.key("Enabled").boolean(request.setting.enabled);
    json.close_object().close_object();
}

void append_request(std::string& out, const TagResource& request) {
    json::Writer json(out);
    json.open_object().key("ResourceArn").text(request.arn);
    write_tags(json.key("Tags"), request.tags);
    json.close_object();
}

void append_request(std::string& out, const UntagResource& request) {
    json::Writer json(out);
    json.open_object().key("ResourceArn").text(request.arn);
    json.key("TagKeys").open_list();
    for (const auto& key : request.keys) json.text(key);
    json.close_list().close_object();
}

void append_table_name_request(std::string& out, std::string_view table) {
    json::Writer(out).open_object().key("TableName").text(table).close_object();
}

void append_arn_request(std::string& out, std::string_view arn) {
    json::Writer(out).open_object().key("ResourceArn").text(arn).close_object();
}

void append_request(std::string& out, const ExecuteStatement& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    if (request.limit) json.key("Limit").integer(*request.limit);
    if (request.next_token) json.key("NextToken").text(*request.next_token);
    write_statement(json, request.statement);
    write_consumed_option(json, options);
    json.close_object();
}

void append_request(std::string& out, const BatchExecuteStatement& request,
                    const Options& options) {
    json::Writer json(out);
    write_statements(json.open_object().key("Statements"), request.statements);
    write_consumed_option(json, options);
    json.close_object();
}

void append_request(std::string& out, const ExecuteTransaction& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    write_text(json, "ClientRequestToken", request.token);
    write_statements(json.key("TransactStatements"), request.statements);
    write_consumed_option(json, options);
    json.close_object();
}

}  // namespace mailroom::table::wire
