#include "dynamodb/settings.h"

#include "http/http.h"
#include "json/writer.h"

#include <cstdint>
#include <string_view>

namespace mailroom::dynamodb {

using table::Outcome;

namespace {

// What DynamoDB allows a new account. Nothing is throttled here.
constexpr std::int64_t account_units_max = 80'000;
constexpr std::int64_t table_units_max = 40'000;
constexpr std::int64_t endpoint_minutes = 1440;

// Answers with what `write` adds to the answer's object, if there is such a table.
template <class Write>
void answer_about_table(Job& job, Write write) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.tables.store().describe_table(*name),
           [&](std::string& body, const table::TableDescription& table) {
               json::Writer json(body);
               json.open_object();
               write(json, table);
               json.close_object();
           });
}

void answer_empty_list(const Job& job, std::string_view name) {
    std::string body;
    json::Writer(body).open_object().key(name).open_list().close_list().close_object();
    job.reply.send(std::move(body));
}

}  // namespace

void describe_contributor_insights(Job job) {
    answer_about_table(job, [](json::Writer& json, const table::TableDescription& table) {
        json.key("ContributorInsightsStatus").text("DISABLED");
        json.key("TableName").text(table.name);
    });
}

void describe_endpoints(Job job) {
    std::string body;
    json::Writer json(body);
    json.open_object().key("Endpoints").open_list().open_object();
    http::append_json_string(json.key("Address").value(), job.host);
    json.key("CachePeriodInMinutes").integer(endpoint_minutes);
    json.close_object().close_list().close_object();
    job.reply.send(std::move(body));
}

void describe_kinesis_streaming_destination(Job job) {
    answer_about_table(job, [](json::Writer& json, const table::TableDescription& table) {
        json.key("KinesisDataStreamDestinations").open_list().close_list();
        json.key("TableName").text(table.name);
    });
}

void describe_limits(Job job) {
    std::string body;
    json::Writer json(body);
    json.open_object();
    json.key("AccountMaxReadCapacityUnits").integer(account_units_max);
    json.key("AccountMaxWriteCapacityUnits").integer(account_units_max);
    json.key("TableMaxReadCapacityUnits").integer(table_units_max);
    json.key("TableMaxWriteCapacityUnits").integer(table_units_max);
    json.close_object();
    job.reply.send(std::move(body));
}

void describe_table_replica_auto_scaling(Job job) {
    answer_about_table(job, [](json::Writer& json, const table::TableDescription& table) {
        json.key("TableAutoScalingDescription").open_object();
        json.key("Replicas").open_list().close_list();
        json.key("TableName").text(table.name);
        json.key("TableStatus").text("ACTIVE").close_object();
    });
}

void list_contributor_insights(Job job) { answer_empty_list(job, "ContributorInsightsSummaries"); }
void list_exports(Job job) { answer_empty_list(job, "ExportSummaries"); }
void list_global_tables(Job job) { answer_empty_list(job, "GlobalTables"); }
void list_imports(Job job) { answer_empty_list(job, "ImportSummaryList"); }

}  // namespace mailroom::dynamodb
