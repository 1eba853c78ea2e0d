#include "table/remote/remote_store.h"

#include "base/ids.h"
#include "table/additions.h"
#include "table/remote/endpoint.h"
#include "table/wire/answer_decoder.h"
#include "table/wire/request_encoder.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mailroom::table::remote {

namespace {

using wire::AnswerDecoder;

// As the embedded engine counts them, so that both stores answer the same.
constexpr wire::Options with_consumed = {.consumed = wire::ShowConsumed::indexes};

// Parsing reuses buffers, which belong to one thread each.
AnswerDecoder& decoder() {
    thread_local AnswerDecoder decoder;
    return decoder;
}

template <class Request>
std::string item_body(const Request& request) {
    std::string body;
    wire::append_request(body, request, with_consumed);
    return body;
}

template <class Request>
std::string table_body(const Request& request) {
    std::string body;
    wire::append_request(body, request);
    return body;
}

std::string name_body(const std::string& table) {
    std::string body;
    wire::append_table_name_request(body, table);
    return body;
}

template <class T>
using Decode = Outcome<T> (AnswerDecoder::*)(std::string_view body);

template <class T>
Outcome<T> call(Client& client, std::string_view operation, const std::string& body,
                Decode<T> decode) {
    const auto answer = TRY(client.call(operation, body));
    return (decoder().*decode)(answer);
}

// What may stand in a signed header.
bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

Result<> check(const RemoteOptions& options) {
    const auto& [key_id, secret, session_token] = options.credentials;
    if (!is_token(options.region)) return Error{Errc::invalid, "the region is not valid"};
    if (!is_token(key_id)) return Error{Errc::invalid, "the access key id is not valid"};
    if (secret.empty()) return Error{Errc::invalid, "the secret access key is missing"};
    if (session_token && !is_token(*session_token)) {
        return Error{Errc::invalid, "the session token is not valid"};
    }
    if (options.connections_max == 0 || options.retry.attempts_max < 1) {
        return Error{Errc::invalid, "a remote store needs a connection and an attempt"};
    }
    return Ok{};
}

}  // namespace

Result<std::unique_ptr<RemoteStore>> RemoteStore::open(const RemoteOptions& options,
                                                       const Clock& clock, Random& random) {
    return make(options, clock, random, nullptr);
}

Result<std::unique_ptr<RemoteStore>> RemoteStore::open(const RemoteOptions& options,
                                                       const Clock& clock, Random& random,
                                                       Sleeper& sleeper) {
    return make(options, clock, random, &sleeper);
}

Result<std::unique_ptr<RemoteStore>> RemoteStore::make(const RemoteOptions& options,
                                                       const Clock& clock, Random& random,
                                                       Sleeper* sleeper) {
    TRY(check(options));
    Client::Options checked{TRY(parse_endpoint(options.endpoint)),
                            options.region,
                            options.credentials,
                            options.http,
                            options.retry,
                            options.connections_max};
    return std::unique_ptr<RemoteStore>(
        new RemoteStore(std::move(checked), clock, random, sleeper));
}

RemoteStore::RemoteStore(Client::Options options, const Clock& clock, Random& random,
                         Sleeper* sleeper)
    : sleeper_(sleeper ? *sleeper : static_cast<Sleeper&>(own_sleeper_)),
      random_(random),
      client_(std::move(options), clock, random, sleeper_) {}

Pauses RemoteStore::pauses(const Pauses::Plan& plan) { return Pauses(plan, random_, sleeper_); }

void RemoteStore::stop_retrying() { own_sleeper_.stop(); }

Outcome<GetResult> RemoteStore::get(const GetItem& request) {
    return call(client_, "GetItem", item_body(request), &AnswerDecoder::get_item);
}

Outcome<WriteResult> RemoteStore::put(const PutItem& request) {
    return call(client_, "PutItem", item_body(request), &AnswerDecoder::write_item);
}

Outcome<WriteResult> RemoteStore::update(const UpdateItem& request) {
    return call(client_, "UpdateItem", item_body(request), &AnswerDecoder::write_item);
}

Outcome<WriteResult> RemoteStore::erase(const DeleteItem& request) {
    return call(client_, "DeleteItem", item_body(request), &AnswerDecoder::write_item);
}

Outcome<Page> RemoteStore::query(const Query& request) {
    return call(client_, "Query", item_body(request), &AnswerDecoder::page);
}

Outcome<Page> RemoteStore::scan(const Scan& request) {
    return call(client_, "Scan", item_body(request), &AnswerDecoder::page);
}

Outcome<BatchGetResult> RemoteStore::batch_get(const BatchGet& request) {
    return call(client_, "BatchGetItem", item_body(request), &AnswerDecoder::batch_get_item);
}

Outcome<BatchWriteResult> RemoteStore::batch_write(const BatchWrite& request) {
    return call(client_, "BatchWriteItem", item_body(request), &AnswerDecoder::batch_write_item);
}

Outcome<TransactWriteResult> RemoteStore::transact(const TransactWrite& request) {
    auto whole = request;
    if (whole.token.empty()) whole.token = make_uuid(random_);
    make_updates_of_additions(whole);
    return call(client_, "TransactWriteItems", item_body(whole),
                &AnswerDecoder::transact_write_items);
}

Outcome<TransactGetResult> RemoteStore::transact_get(const TransactGet& request) {
    return call(client_, "TransactGetItems", item_body(request),
                &AnswerDecoder::transact_get_items);
}

Outcome<TableDescription> RemoteStore::create_table(const CreateTable& request) {
    return call(client_, "CreateTable", table_body(request), &AnswerDecoder::table);
}

Outcome<TableDescription> RemoteStore::describe_table(const std::string& table) {
    return call(client_, "DescribeTable", name_body(table), &AnswerDecoder::table);
}

Outcome<TableDescription> RemoteStore::update_table(const UpdateTable& request) {
    return call(client_, "UpdateTable", table_body(request), &AnswerDecoder::table);
}

Outcome<TableDescription> RemoteStore::delete_table(const std::string& table) {
    return call(client_, "DeleteTable", name_body(table), &AnswerDecoder::table);
}

Outcome<TableNames> RemoteStore::list_tables(const std::string& after, std::size_t limit) {
    const wire::ListTables request{after, std::min(limit, wire::ListTables::limit_max)};
    return call(client_, "ListTables", table_body(request), &AnswerDecoder::list_tables);
}

Outcome<TimeToLive> RemoteStore::set_time_to_live(const std::string& table,
                                                  const TimeToLive& setting) {
    const wire::UpdateTimeToLive request{table, setting};
    return call(client_, "UpdateTimeToLive", table_body(request), &AnswerDecoder::time_to_live);
}

Outcome<TimeToLive> RemoteStore::time_to_live(const std::string& table) {
    return call(client_, "DescribeTimeToLive", name_body(table), &AnswerDecoder::time_to_live);
}

Outcome<> RemoteStore::tag(const std::string& arn, const Tags& tags) {
    TRY(client_.call("TagResource", table_body(wire::TagResource{arn, tags})));
    return Ok{};
}

Outcome<> RemoteStore::untag(const std::string& arn, const std::vector<std::string>& keys) {
    TRY(client_.call("UntagResource", table_body(wire::UntagResource{arn, keys})));
    return Ok{};
}

Outcome<Tags> RemoteStore::tags(const std::string& arn) {
    std::string body;
    wire::append_arn_request(body, arn);
    return call(client_, "ListTagsOfResource", body, &AnswerDecoder::tags);
}

}  // namespace mailroom::table::remote
