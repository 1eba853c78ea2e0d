#include "api/dynamodb_operations.h"

#include "table/partiql/executor.h"
#include "table/partiql/wire.h"
#include "table/wire/decoder.h"
#include "table/wire/encoder.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace mailroom::api {

using table::Outcome;
using table::wire::append_answer;
using table::wire::Decoder;

namespace {

// Larger bodies take long enough to parse that they would hold up the other connections.
constexpr std::size_t inline_body_bytes_max = 64 * 1024;
// What a query may read while those wait.
constexpr std::size_t inline_query_bytes_max = 64 * 1024;

// The thread that runs an operation: whether it may block.
enum class Thread { io, worker };

struct Job {
    // Has the calls that do not block; look at `store` first whether they are allowed.
    table::Engine& engine;
    table::HidingStore& store;
    Workers& workers;
    Thread thread;
    std::string body;
    DynamodbReply reply;
};

// Parsing reuses buffers, which belong to one thread each.
Decoder& decoder() {
    thread_local Decoder decoder;
    return decoder;
}

table::Failure busy() {
    return {table::Fault::throttling, "Too many requests are waiting; please try again"};
}

// Answers with what `encode` makes of the value, or with the failure.
template <class T, class Encode>
void answer(const DynamodbReply& reply, const Outcome<T>& outcome, Encode encode) {
    if (!outcome) return reply.refuse(outcome.error());
    std::string body;
    encode(body, *outcome);
    reply.send(std::move(body));
}

// The usual answer of an operation with ReturnConsumedCapacity.
template <class T>
void answer(const DynamodbReply& reply, const Outcome<T>& outcome, table::wire::ShowConsumed show) {
    answer(reply, outcome,
           [&](std::string& body, const T& value) { append_answer(body, value, show); });
}

template <class T>
table::Engine::Done<T> answer_later(DynamodbReply reply, table::wire::ShowConsumed show) {
    return [reply = std::move(reply), show](const Outcome<T>& outcome) {
        answer(reply, outcome, show);
    };
}

void answer_nothing(std::string& body, Ok) { body += "{}"; }

void get_item(Job job) {
    const auto call = decoder().get_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.store.get(call->request), call->options.consumed);
}

void put_item(Job job) {
    const auto call = decoder().put_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    job.engine.put(call->request,
                   answer_later<table::WriteResult>(std::move(job.reply), call->options.consumed));
}

void update_item(Job job) {
    const auto call = decoder().update_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    job.engine.update(call->request, answer_later<table::WriteResult>(std::move(job.reply),
                                                                      call->options.consumed));
}

void delete_item(Job job) {
    const auto call = decoder().delete_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    job.engine.erase(call->request, answer_later<table::WriteResult>(std::move(job.reply),
                                                                     call->options.consumed));
}

void batch_write_item(Job job) {
    const auto call = decoder().batch_write_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    job.engine.batch_write(call->request, answer_later<table::BatchWriteResult>(
                                              std::move(job.reply), call->options.consumed));
}

void transact_write_items(Job job) {
    const auto call = decoder().transact_write_items(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    job.engine.transact(call->request, answer_later<table::TransactWriteResult>(
                                           std::move(job.reply), call->options.consumed));
}

void answer_page(const DynamodbReply& reply, const Outcome<table::Page>& page, table::Select select,
                 table::wire::ShowConsumed show) {
    answer(reply, page, [&](std::string& body, const table::Page& value) {
        append_answer(body, value, select, show);
    });
}

using QueryCall = table::wire::Call<table::Query>;

void run_query(table::Store& store, const DynamodbReply& reply, const QueryCall& call) {
    answer_page(reply, store.query(call.request), call.request.select, call.options.consumed);
}

void query(Job job) {
    auto call = decoder().query(job.body);
    if (!call) return job.reply.refuse(call.error());
    if (job.thread == Thread::worker) return run_query(job.store, job.reply, *call);

    if (auto seen = job.store.check(call->request); !seen) return job.reply.refuse(seen.error());
    auto page = job.engine.query_if_small(call->request, inline_query_bytes_max);
    if (!page) return job.reply.refuse(page.error());
    if (*page) {
        return answer_page(job.reply, **std::move(page), call->request.select,
                           call->options.consumed);
    }
    auto later = [&store = job.store, reply = job.reply,
                  shared = std::make_shared<const QueryCall>(*std::move(call))] {
        run_query(store, reply, *shared);
    };
    if (!job.workers.post(std::move(later))) job.reply.refuse(busy());
}

void scan(Job job) {
    const auto call = decoder().scan(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer_page(job.reply, job.store.scan(call->request), call->request.select,
                call->options.consumed);
}

void batch_get_item(Job job) {
    const auto call = decoder().batch_get_item(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.store.batch_get(call->request), call->options.consumed);
}

void transact_get_items(Job job) {
    const auto call = decoder().transact_get_items(job.body);
    if (!call) return job.reply.refuse(call.error());
    answer(job.reply, job.store.transact_get(call->request), call->options.consumed);
}

void create_table(Job job) {
    const auto request = decoder().create_table(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.create_table(*request), table::wire::append_changed_table);
}

void update_table(Job job) {
    const auto request = decoder().update_table(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.update_table(*request), table::wire::append_changed_table);
}

void delete_table(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.store.delete_table(*name), table::wire::append_changed_table);
}

void describe_table(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.store.describe_table(*name), table::wire::append_described_table);
}

void list_tables(Job job) {
    const auto request = decoder().list_tables(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.list_tables(request->after, request->limit),
           [](std::string& body, const table::TableNames& names) { append_answer(body, names); });
}

void update_time_to_live(Job job) {
    const auto request = decoder().update_time_to_live(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.set_time_to_live(request->table, request->setting),
           table::wire::append_changed_time_to_live);
}

void describe_time_to_live(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.store.time_to_live(*name), table::wire::append_described_time_to_live);
}

void tag_resource(Job job) {
    const auto request = decoder().tag_resource(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.tag(request->arn, request->tags), answer_nothing);
}

void untag_resource(Job job) {
    const auto request = decoder().untag_resource(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.store.untag(request->arn, request->keys), answer_nothing);
}

void list_tags_of_resource(Job job) {
    const auto arn = decoder().list_tags_of_resource(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    answer(job.reply, job.store.tags(*arn),
           [](std::string& body, const table::Tags& tags) { append_answer(body, tags); });
}

void execute_statement(Job job) {
    auto call = decoder().execute_statement(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.store);
    answer(job.reply, executor.execute(table::partiql::statement_of(std::move(call->request))),
           call->options.consumed);
}

void batch_execute_statement(Job job) {
    auto call = decoder().batch_execute_statement(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.store);
    const auto statements = table::partiql::statements_of(std::move(call->request.statements));
    answer(job.reply, executor.batch(statements), call->options.consumed);
}

void execute_transaction(Job job) {
    auto call = decoder().execute_transaction(job.body);
    if (!call) return job.reply.refuse(call.error());
    table::partiql::Executor executor(job.store);
    const auto statements = table::partiql::statements_of(std::move(call->request.statements));
    answer(job.reply, executor.transact(statements, call->request.token), call->options.consumed);
}

}  // namespace

struct DynamodbOperations::Operation {
    std::string_view name;
    Thread thread;  // Where it runs, unless its body is large.
    void (*run)(Job job);
};

const DynamodbOperations::Operation* DynamodbOperations::find(std::string_view name) const {
    static constexpr Operation operations[] = {
        {"BatchExecuteStatement", Thread::worker, batch_execute_statement},
        {"BatchGetItem", Thread::worker, batch_get_item},
        {"BatchWriteItem", Thread::io, batch_write_item},
        {"CreateTable", Thread::worker, create_table},
        {"DeleteItem", Thread::io, delete_item},
        {"DeleteTable", Thread::worker, delete_table},
        {"DescribeTable", Thread::worker, describe_table},
        {"DescribeTimeToLive", Thread::worker, describe_time_to_live},
        {"ExecuteStatement", Thread::worker, execute_statement},
        {"ExecuteTransaction", Thread::worker, execute_transaction},
        {"GetItem", Thread::io, get_item},
        {"ListTables", Thread::worker, list_tables},
        {"ListTagsOfResource", Thread::worker, list_tags_of_resource},
        {"PutItem", Thread::io, put_item},
        {"Query", Thread::io, query},
        {"Scan", Thread::worker, scan},
        {"TagResource", Thread::worker, tag_resource},
        {"TransactGetItems", Thread::worker, transact_get_items},
        {"TransactWriteItems", Thread::io, transact_write_items},
        {"UntagResource", Thread::worker, untag_resource},
        {"UpdateItem", Thread::io, update_item},
        {"UpdateTable", Thread::worker, update_table},
        {"UpdateTimeToLive", Thread::worker, update_time_to_live},
    };
    static_assert(std::ranges::is_sorted(operations, {}, &Operation::name));
    const auto found = std::ranges::lower_bound(operations, name, {}, &Operation::name);
    return found != std::end(operations) && found->name == name ? found : nullptr;
}

void DynamodbOperations::run(const Operation& operation, std::string body, DynamodbReply reply) {
    if (operation.thread == Thread::io && body.size() <= inline_body_bytes_max) {
        return operation.run(
            {engine_, store_, workers_, Thread::io, std::move(body), std::move(reply)});
    }
    auto later = [&operation, job = Job{engine_, store_, workers_, Thread::worker, std::move(body),
                                        reply}]() mutable { operation.run(std::move(job)); };
    if (!workers_.post(std::move(later))) reply.refuse(busy());
}

}  // namespace mailroom::api
