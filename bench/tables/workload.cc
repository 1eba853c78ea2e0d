#include "workload.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

namespace mailroom::bench {

namespace {

constexpr std::size_t partition_digits = 8;
constexpr std::size_t sort_digits = 4;
constexpr std::size_t token_digits = 16;
constexpr std::size_t raw_put_bytes = 300;  // As large as an item.

std::string join(std::string_view a, const auto&... rest) {
    std::string text(a);
    (text.append(rest), ...);
    return text;
}

std::string key_attributes() {
    return join(R"("pk":{"S":"CUSTOMER#)", mark(Field::partition, partition_digits),
                R"("},"sk":{"S":"MAIL#)", mark(Field::sort, sort_digits), R"("})");
}

std::string mail_attributes() {
    return join(R"("subject":{"S":"Invoice )", mark(Field::token, token_digits),
                R"( is due on Friday"},"state":{"S":"queued"},"opens":{"N":"0"},)",
                R"("created_at":{"N":"1700000000123"},"preview":{"S":"Dear customer, )",
                mark(Field::token, token_digits),
                R"( is the reference to name when you pay. Thank you for your order and )",
                R"(for paying on time, Anna Smith."},)",
                R"("delivery":{"M":{"relay":{"S":"mx1.example.com"},"tries":{"N":"1"},)",
                R"("signed":{"BOOL":true}}})");
}

std::string mail_item() { return join("{", key_attributes(), ",", mail_attributes(), "}"); }

std::string hot_key() { return R"("pk":{"S":"COUNTER"},"sk":{"S":"HOT"})"; }

// The signature is well-formed and false: no server here checks it, but dynalite wants to see one.
std::string common_headers() {
    return join("Host: 127.0.0.1\r\n", "X-Amz-Date: 20240101T000000Z\r\n",
                "Authorization: AWS4-HMAC-SHA256 "
                "Credential=bench/20240101/us-east-1/dynamodb/aws4_request, "
                "SignedHeaders=host;x-amz-date;x-amz-target, Signature=",
                std::string(64, '0'), "\r\n");
}

std::string table_request(std::string_view action, std::string_view body) {
    return join("POST / HTTP/1.1\r\n", common_headers(),
                "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.",
                action, "\r\nContent-Length: ", std::to_string(body.size()), "\r\n\r\n", body);
}

std::string get_request() {
    return table_request("GetItem",
                         join(R"({"TableName":"Bench","Key":{)", key_attributes(), "}}"));
}

std::string empty_text(std::string_view path) {
    const auto start = join("GET ", path, " HTTP/1.1\r\n", common_headers(), "X-Padding: ");
    const std::string end = "\r\n\r\n";
    const auto wanted = get_request().size();
    assert(start.size() + end.size() < wanted);
    return start + std::string(wanted - start.size() - end.size(), 'x') + end;
}

std::string increment_request(std::string_view key) {
    return table_request("UpdateItem",
                         join(R"({"TableName":"Bench","Key":{)", key,
                              R"(},"UpdateExpression":"SET #n = #n + :one",)",
                              R"json("ConditionExpression":"attribute_exists(pk)",)json",
                              R"("ExpressionAttributeNames":{"#n":"opens"},)",
                              R"("ExpressionAttributeValues":{":one":{"N":"1"}}})"));
}

std::string query_request() {
    return table_request(
        "Query", join(R"({"TableName":"Bench","KeyConditionExpression":"pk = :pk","Limit":10,)",
                      R"("ExpressionAttributeValues":{":pk":{"S":"CUSTOMER#)",
                      mark(Field::partition, partition_digits), R"("}}})"));
}

std::string transact_request() {
    const auto put = join(R"({"Put":{"TableName":"Bench","Item":)", mail_item(), "}}");
    return table_request("TransactWriteItems", join(R"({"TransactItems":[)", put, ",", put, "]}"));
}

std::string batch_request() {
    std::string puts;
    for (std::uint32_t i = 0; i < items_per_batch; ++i) {
        puts += join(i > 0 ? "," : "", R"({"PutRequest":{"Item":)", mail_item(), "}}");
    }
    return table_request("BatchWriteItem", join(R"({"RequestItems":{"Bench":[)", puts, "]}}"));
}

std::string request_for(Operation operation) {
    switch (operation) {
        case Operation::empty:
            return empty_text("/healthz");
        case Operation::put:
            return table_request("PutItem",
                                 join(R"({"TableName":"Bench","Item":)", mail_item(), "}"));
        case Operation::get:
            return get_request();
        case Operation::update:
            return increment_request(key_attributes());
        case Operation::query:
            return query_request();
        case Operation::transact:
            return transact_request();
        case Operation::batch:
            return batch_request();
        case Operation::hot_item:
            return increment_request(hot_key());
    }
    assert(false);
    return {};
}

bool makes_new_items(Operation operation) {
    return operation == Operation::put || operation == Operation::transact ||
           operation == Operation::batch;
}

bool contains(std::string_view body, std::string_view part) { return body.find(part) != body.npos; }

}  // namespace

std::string_view name_of(Operation operation) {
    constexpr std::array<std::string_view, std::size(all_operations)> names = {
        "empty", "get", "query", "put", "update", "hot-item", "transact", "batch"};
    return names[static_cast<std::size_t>(operation)];
}

Workload::Workload(std::uint32_t partitions) : partitions_(partitions) {
    assert(partitions > 0 && partitions % 5 == 0 && partitions <= new_partitions_from);
}

std::string Workload::create_table_request() const {
    return table_request("CreateTable",
                         R"({"TableName":"Bench","BillingMode":"PAY_PER_REQUEST",)"
                         R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                         R"({"AttributeName":"sk","AttributeType":"S"}],)"
                         R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                         R"({"AttributeName":"sk","KeyType":"RANGE"}]})");
}

std::string Workload::describe_table_request() const {
    return table_request("DescribeTable", R"({"TableName":"Bench"})");
}

Render Workload::preload() {
    return [this, text = RequestTemplate(batch_request())](std::string& request) {
        text.render(request, [this](Field field) {
            if (field == Field::partition) return preloaded_items_ / items_per_partition;
            if (field == Field::sort) return preloaded_items_++ % items_per_partition;
            return random_.next();
        });
    };
}

std::uint64_t Workload::preload_requests() const {
    return std::uint64_t{partitions_} * items_per_partition / items_per_batch;
}

std::string Workload::create_hot_item_request() const {
    return table_request("PutItem", join(R"({"TableName":"Bench","Item":{)", hot_key(),
                                         R"(,"opens":{"N":"0"},"state":{"S":"queued"}}})"));
}

std::string Workload::read_hot_item_request() const {
    return table_request(
        "GetItem", join(R"({"TableName":"Bench","ConsistentRead":true,"Key":{)", hot_key(), "}}"));
}

Render Workload::render(Operation operation) {
    const bool is_new = makes_new_items(operation);
    return [this, is_new, text = RequestTemplate(request_for(operation))](std::string& request) {
        text.render(request, [&](Field field) { return is_new ? fresh(field) : existing(field); });
    };
}

Accept Workload::accept(Operation operation) const {
    switch (operation) {
        case Operation::get:
            return [](std::string_view body) { return contains(body, R"("preview":)"); };
        case Operation::query:
            return [](std::string_view body) { return contains(body, R"("Count":10)"); };
        case Operation::batch:
            return [](std::string_view body) { return !contains(body, "PutRequest"); };
        case Operation::empty:
        case Operation::put:
        case Operation::update:
        case Operation::transact:
        case Operation::hot_item:
            break;
    }
    return [](std::string_view) { return true; };
}

std::uint64_t Workload::existing(Field field) {
    const auto random = random_.next();
    if (field == Field::partition) return random % partitions_;
    if (field == Field::sort) return random % items_per_partition;
    return random;
}

std::uint64_t Workload::fresh(Field field) {
    if (field == Field::partition) return new_partition(new_partitions_++);
    if (field == Field::sort) return 0;
    return random_.next();
}

std::optional<std::uint64_t> hot_item_count(std::string_view answer) {
    constexpr std::string_view before = R"("opens":{"N":")";
    const auto found = answer.find(before);
    if (found == answer.npos) return std::nullopt;
    const auto digits = answer.substr(found + before.size());
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (parsed.ec != std::errc{}) return std::nullopt;
    return count;
}

Render empty_request(std::string_view path) {
    return [bytes = empty_text(path)](std::string& request) { request.assign(bytes); };
}

Render raw_put_request(std::string_view path) {
    const auto bytes = join("POST ", path, " HTTP/1.1\r\n", common_headers(),
                            "Content-Length: ", std::to_string(raw_put_bytes), "\r\n\r\n",
                            std::string(raw_put_bytes, 'v'));
    return [bytes](std::string& request) { request.assign(bytes); };
}

}  // namespace mailroom::bench
