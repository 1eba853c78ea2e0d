#include "dynamodb/operations.h"

#include "dynamodb/asked_names.h"
#include "dynamodb/backups.h"
#include "dynamodb/item_collections.h"
#include "dynamodb/job.h"
#include "dynamodb/settings.h"
#include "dynamodb/streams.h"
#include "table/partiql/executor.h"
#include "table/partiql/wire.h"
#include "table/wire/encoder.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace mailroom::dynamodb {

using table::Outcome;
using table::wire::append_answer;

namespace {

// Larger bodies take long enough to parse that they would hold up the other connections.
constexpr std::size_t inline_body_bytes_max = 64 * 1024;
// What a query may read while those wait.
constexpr std::size_t inline_query_bytes_max = 64 * 1024;

table::Failure busy() {
    return {table::Fault::throttling, "Too many requests are waiting; please try again"};
}

// The usual answer of an operation with ReturnConsumedCapacity.
template <class T>
void answer(const Reply& reply, const Outcome<T>& outcome, table::wire::ShowConsumed show) {
    answer(reply, outcome,
           [&](std::string& body, const T& value) { append_answer(body, value, show); });
}

// The same for one that names tables.
template <class T, class Request>
void answer(const Reply& reply, Outcome<T> outcome, const table::wire::Call<Request>& call) {
    if (outcome) AskedNames(call.arns).put_into(*outcome);
    answer(reply, outcome, call.options.consumed);
}

// For the writes, which are answered by the committer.
template <class T, class Request>
auto answer_later(Job& job, const table::wire::Call<Request>& call) {
    AskedNames names(call.arns);
    auto collections = collections_of(job.tables.store(), call);
    names.put_into(collections);
    return [reply = std::move(job.reply), show = call.options.consumed, names = std::move(names),
            collections = std::move(collections)](Outcome<T> outcome) {
        if (outcome) names.put_into(*outcome);
        answer(reply, outcome, [&](std::string& body, const T& value) {
            append_answer(body, value, show, collections);
        });
    };
}

void get_item(Job job) {
    const auto call = decoder().get_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.tables.store().get(call->request), *call);
}

void put_item(Job job) {
    const auto call = decoder().put_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    job.tables.put(call->request, answer_later<table::WriteResult>(job, *call));
}

void update_item(Job job) {
    const auto call = decoder().update_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    job.tables.update(call->request, answer_later<table::WriteResult>(job, *call));
}

void delete_item(Job job) {
    const auto call = decoder().delete_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    job.tables.erase(call->request, answer_later<table::WriteResult>(job, *call));
}

void batch_write_item(Job job) {
    const auto call = decoder().batch_write_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    job.tables.batch_write(call->request, answer_later<table::BatchWriteResult>(job, *call));
}

void transact_write_items(Job job) {
    const auto call = decoder().transact_write_items(job.body);
    if (!call) return job.reply.refuse(call.error());
    job.tables.transact(call->request, answer_later<table::TransactWriteResult>(job, *call));
}

template <class Request>
void answer_page(const Reply& reply, Outcome<table::Page> page,
                 const table::wire::Call<Request>& call) {
    if (page) AskedNames(call.arns).put_into(*page);
    answer(reply, page, [&](std::string& body, const table::Page& value) {
        append_answer(body, value, call.request.select, call.options.consumed);
    });
}

using QueryCall = table::wire::Call<table::Query>;

void run_query(table::Store& store, const Reply& reply, const QueryCall& call) {
    answer_page(reply, store.query(call.request), call);
}

void query(Job job) {
    auto call = decoder().query(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (job.thread == Thread::worker) return run_query(job.tables.store(), job.reply, *call);

    auto page = job.tables.query_if_small(call->request, inline_query_bytes_max);
    if (!page) return job.reply.refuse(page.error());
    if (*page) {
        return answer_page(job.reply, Outcome<table::Page>(**std::move(page)), *call);
    }
    auto later = [tables = job.tables, reply = job.reply,
                  shared = std::make_shared<const QueryCall>(*std::move(call))]() mutable {
        run_query(tables.store(), reply, *shared);
    };
    if (!job.workers.post(std::move(later))) job.reply.refuse(busy());
}

void scan(Job job) {
    const auto call = decoder().scan(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer_page(job.reply, job.tables.store().scan(call->request), *call);
}

void batch_get_item(Job job) {
    const auto call = decoder().batch_get_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.tables.store().batch_get(call->request), *call);
}

void transact_get_items(Job job) {
    const auto call = decoder().transact_get_items(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.tables.store().transact_get(call->request), *call);
}

void create_table(Job job) {
    const auto request = decoder().create_table(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().create_table(*request), table::wire::append_changed_table);
}

void update_table(Job job) {
    const auto request = decoder().update_table(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().update_table(*request), table::wire::append_changed_table);
}

void delete_table(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.tables.store().delete_table(*name), table::wire::append_changed_table);
}

void describe_table(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.tables.store().describe_table(*name),
           table::wire::append_described_table);
}

void list_tables(Job job) {
    const auto request = decoder().list_tables(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().list_tables(request->after, request->limit),
           [](std::string& body, const table::TableNames& names) { append_answer(body, names); });
}

void update_time_to_live(Job job) {
    const auto request = decoder().update_time_to_live(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().set_time_to_live(request->table, request->setting),
           table::wire::append_changed_time_to_live);
}

void describe_time_to_live(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.tables.store().time_to_live(*name),
           table::wire::append_described_time_to_live);
}

void tag_resource(Job job) {
    const auto request = decoder().tag_resource(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().tag(request->arn, request->tags), answer_nothing);
}

void untag_resource(Job job) {
    const auto request = decoder().untag_resource(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.store().untag(request->arn, request->keys), answer_nothing);
}

void list_tags_of_resource(Job job) {
    const auto arn = decoder().list_tags_of_resource(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    answer(job.reply, job.tables.store().tags(*arn),
           [](std::string& body, const table::Tags& tags) { append_answer(body, tags); });
}

void execute_statement(Job job) {
    auto call = decoder().execute_statement(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.tables.store());
    answer(job.reply, executor.execute(table::partiql::statement_of(std::move(call->request))),
           call->options.consumed);
}

void batch_execute_statement(Job job) {
    auto call = decoder().batch_execute_statement(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.tables.store());
    const auto statements = table::partiql::statements_of(std::move(call->request.statements));
    answer(job.reply, executor.batch(statements), call->options.consumed);
}

void execute_transaction(Job job) {
    auto call = decoder().execute_transaction(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.tables.store());
    const auto statements = table::partiql::statements_of(std::move(call->request.statements));
    answer(job.reply, executor.transact(statements, call->request.token), call->options.consumed);
}

constexpr std::string_view tables_api = "DynamoDB_20120810.";
constexpr std::string_view streams_api = "DynamoDBStreams_20120810.";

}  // namespace

struct Operations::Operation {
    std::string_view name;
    Thread thread;  // Where it runs, unless its body is large.
    void (*run)(Job job);
};

namespace {

// In the order of their names.
constexpr Operations::Operation stream_operations[] = {
    {"DescribeStream", Thread::worker, describe_stream},
    {"GetRecords", Thread::worker, get_records},
    {"GetShardIterator", Thread::worker, get_shard_iterator},
    {"ListStreams", Thread::worker, list_streams},
};
constexpr Operations::Operation operations[] = {
    {"BatchExecuteStatement", Thread::worker, batch_execute_statement},
    {"BatchGetItem", Thread::worker, batch_get_item},
    {"BatchWriteItem", Thread::io, batch_write_item},
    {"CreateBackup", Thread::worker, create_backup},
    {"CreateTable", Thread::worker, create_table},
    {"DeleteBackup", Thread::worker, delete_backup},
    {"DeleteItem", Thread::io, delete_item},
    {"DeleteTable", Thread::worker, delete_table},
    {"DescribeBackup", Thread::worker, describe_backup},
    {"DescribeContinuousBackups", Thread::worker, describe_continuous_backups},
    {"DescribeContributorInsights", Thread::worker, describe_contributor_insights},
    {"DescribeEndpoints", Thread::io, describe_endpoints},
    {"DescribeKinesisStreamingDestination", Thread::worker, describe_kinesis_streaming_destination},
    {"DescribeLimits", Thread::io, describe_limits},
    {"DescribeTable", Thread::worker, describe_table},
    {"DescribeTableReplicaAutoScaling", Thread::worker, describe_table_replica_auto_scaling},
    {"DescribeTimeToLive", Thread::worker, describe_time_to_live},
    {"ExecuteStatement", Thread::worker, execute_statement},
    {"ExecuteTransaction", Thread::worker, execute_transaction},
    {"GetItem", Thread::io, get_item},
    {"ListBackups", Thread::worker, list_backups},
    {"ListContributorInsights", Thread::io, list_contributor_insights},
    {"ListExports", Thread::io, list_exports},
    {"ListGlobalTables", Thread::io, list_global_tables},
    {"ListImports", Thread::io, list_imports},
    {"ListTables", Thread::worker, list_tables},
    {"ListTagsOfResource", Thread::worker, list_tags_of_resource},
    {"PutItem", Thread::io, put_item},
    {"Query", Thread::io, query},
    {"RestoreTableFromBackup", Thread::worker, restore_table_from_backup},
    {"RestoreTableToPointInTime", Thread::worker, restore_table_to_point_in_time},
    {"Scan", Thread::worker, scan},
    {"TagResource", Thread::worker, tag_resource},
    {"TransactGetItems", Thread::worker, transact_get_items},
    {"TransactWriteItems", Thread::io, transact_write_items},
    {"UntagResource", Thread::worker, untag_resource},
    {"UpdateContinuousBackups", Thread::worker, update_continuous_backups},
    {"UpdateItem", Thread::io, update_item},
    {"UpdateTable", Thread::worker, update_table},
    {"UpdateTimeToLive", Thread::worker, update_time_to_live},
};

static_assert(std::ranges::is_sorted(operations, {}, &Operations::Operation::name));
static_assert(std::ranges::is_sorted(stream_operations, {}, &Operations::Operation::name));

}  // namespace

const Operations::Operation* Operations::find(std::string_view target) const {
    const auto look_up = [](std::span<const Operation> all,
                            std::string_view name) -> const Operation* {
        const auto found = std::ranges::lower_bound(all, name, {}, &Operation::name);
        return found != all.end() && found->name == name ? &*found : nullptr;
    };
    if (target.starts_with(tables_api)) {
        return look_up(operations, target.substr(tables_api.size()));
    }
    if (target.starts_with(streams_api)) {
        return look_up(stream_operations, target.substr(streams_api.size()));
    }
    return nullptr;
}

bool Operations::wants_host(const Operation& operation) {
    return operation.run == describe_endpoints;
}

void Operations::run(const Operation& operation, Caller caller, std::string host, std::string body,
                     Reply reply) {
    table::GuardedEngine tables(engine_, own_, std::move(caller), watches_);
    if (operation.thread == Thread::io && body.size() <= inline_body_bytes_max) {
        return operation.run({std::move(tables), workers_, Thread::io, std::move(host),
                              std::move(body), std::move(reply)});
    }
    auto later = [&operation, job = Job{std::move(tables), workers_, Thread::worker,
                                        std::move(host), std::move(body), reply}]() mutable {
        operation.run(std::move(job));
    };
    if (!workers_.post(std::move(later))) reply.refuse(busy());
}

}  // namespace mailroom::dynamodb
