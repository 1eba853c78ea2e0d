#include "table/wire/encoder.h"

#include "json/writer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

TEST(Encoder, WritesEveryKindOfValue) {
    struct Row {
        Value value;
        std::string_view want;
    };
    const Row rows[] = {
        {"a\"b", R"({"S":"a\"b"})"},
        {-15, R"({"N":"-15"})"},
        {Value::binary("a"), R"({"B":"YQ=="})"},
        {true, R"({"BOOL":true})"},
        {false, R"({"BOOL":false})"},
        {Value::null(), R"({"NULL":true})"},
        {Value::list({}), R"({"L":[]})"},
        {Value::list({1, "x"}), R"({"L":[{"N":"1"},{"S":"x"}]})"},
        {Value::map(Item()), R"({"M":{}})"},
        {Value::map(Item{{"b", 1}, {"a\n", 2}}), R"({"M":{"a\n":{"N":"2"},"b":{"N":"1"}}})"},
        {Value::string_set({"b", "a"}), R"({"SS":["a","b"]})"},
        {Value::set_of(Kind::number_set, {Number(10).encoded(), Number(-2).encoded()}),
         R"({"NS":["-2","10"]})"},
        {Value::set_of(Kind::binary_set, {"a", ""}), R"({"BS":["","YQ=="]})"},
    };
    for (const auto& row : rows) {
        std::string out;
        append_value(out, row.value);
        EXPECT_EQ(out, row.want);
    }
}

Consumed some_consumed() {
    Consumed consumed{"Orders", 1.5, 0, {}};
    consumed.indexes.push_back({"loc", true, 0.5, 0});
    consumed.indexes.push_back({"glo", false, 2, 0});
    return consumed;
}

TEST(Encoder, WritesItemAnswers) {
    const Item item{{"a", "x"}};
    std::string out;
    append_answer(out, GetResult{}, ShowConsumed::none);
    append_answer(out += "\n", GetResult{item, some_consumed()}, ShowConsumed::total);
    append_answer(out += "\n", WriteResult{}, ShowConsumed::none);
    append_answer(out += "\n", WriteResult{item, some_consumed()}, ShowConsumed::indexes);
    // clang-format off
    EXPECT_EQ(
        out,
        "{}\n"
        R"({"ConsumedCapacity":{"TableName":"Orders","CapacityUnits":4.0},"Item":{"a":{"S":"x"}}})"
        "\n{}\n"
        R"({"Attributes":{"a":{"S":"x"}},"ConsumedCapacity":{"TableName":"Orders","CapacityUnits":4.0,)"
        R"("Table":{"CapacityUnits":1.5},"LocalSecondaryIndexes":{"loc":{"CapacityUnits":0.5}},)"
        R"("GlobalSecondaryIndexes":{"glo":{"CapacityUnits":2.0}}}})");
    // clang-format on
}

TEST(Encoder, WritesPagesWithItemsUnlessOnlyTheCountWasAskedFor) {
    Page page;
    std::string out;
    append_answer(out, page, Select::unset, ShowConsumed::none);
    EXPECT_EQ(out, R"({"Count":0,"Items":[],"ScannedCount":0})");

    page.items = {Item{{"a", 1}}, Item{{"a", 2}}};
    page.count = 2;
    page.scanned_count = 5;
    page.last_key = Item{{"a", 2}};
    out.clear();
    append_answer(out, page, Select::all_attributes, ShowConsumed::none);
    EXPECT_EQ(out, R"({"Count":2,"Items":[{"a":{"N":"1"}},{"a":{"N":"2"}}],)"
                   R"("LastEvaluatedKey":{"a":{"N":"2"}},"ScannedCount":5})");

    page.items.clear();
    page.last_key.reset();
    out.clear();
    append_answer(out, page, Select::count, ShowConsumed::none);
    EXPECT_EQ(out, R"({"Count":2,"ScannedCount":5})");
}

TEST(Encoder, WritesBatchAndTransactionAnswers) {
    std::string out;
    BatchGetResult got;
    got.tables.push_back({"Orders", {Item{{"a", 1}}}});
    got.unprocessed.tables.push_back({"Mails", {Item{{"b", 1}}}, "b", {}, true});
    append_answer(out, got, ShowConsumed::none);
    EXPECT_EQ(out,
              R"({"Responses":{"Orders":[{"a":{"N":"1"}}]},"UnprocessedKeys":{"Mails":)"
              R"({"ConsistentRead":true,"Keys":[{"b":{"N":"1"}}],"ProjectionExpression":"b"}}})");

    out.clear();
    append_answer(out, BatchWriteResult{{}, {{"Orders", 0, 2, {}}}}, ShowConsumed::total);
    EXPECT_EQ(out, R"({"ConsumedCapacity":[{"TableName":"Orders","CapacityUnits":2.0}],)"
                   R"("UnprocessedItems":{}})");

    out.clear();
    append_answer(out, TransactWriteResult{{{"Orders", 0, 2, {}}}}, ShowConsumed::total);
    EXPECT_EQ(out, R"({"ConsumedCapacity":[{"TableName":"Orders","CapacityUnits":2.0,)"
                   R"("WriteCapacityUnits":2.0}]})");

    out.clear();
    append_answer(out, TransactGetResult{{std::nullopt, Item{{"a", 1}}}, {}}, ShowConsumed::none);
    EXPECT_EQ(out, R"({"Responses":[{},{"Item":{"a":{"N":"1"}}}]})");
}

TEST(Encoder, WritesTablesInDynamodbsShape) {
    TableDescription table;
    table.name = "Orders";
    table.id = "00000000-0000-4000-8000-000000000000";
    table.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders";
    table.created = from_unix_ms(1'763'186'844'050);
    table.attributes = {{"a", Kind::string}, {"b", Kind::number}};
    table.keys = {"a", ""};
    table.pay_per_request_since = table.created;
    IndexDescription index;
    index.spec = {"idx", {"b", "a"}, {ProjectionKind::include, {"x"}}, {}};
    index.status = IndexStatus::creating;
    index.backfilling = true;
    index.arn = table.arn + "/index/idx";
    index.item_count = 3;
    index.size_bytes = 99;
    table.global_indexes.push_back(index);
    std::string out;
    append_described_table(out, table);
    // clang-format off
    EXPECT_EQ(
        out,
        R"({"Table":{"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"}],)"
        R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1763186844.05},)"
        R"("CreationDateTime":1763186844.05,"DeletionProtectionEnabled":false,)"
        R"("GlobalSecondaryIndexes":[{"Backfilling":true,"IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/index/idx","IndexName":"idx","IndexSizeBytes":99,"IndexStatus":"CREATING","ItemCount":3,)"
        R"("KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}],"Projection":{"NonKeyAttributes":["x"],"ProjectionType":"INCLUDE"},)"
        R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],)"
        R"("ItemCount":0,"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},)"
        R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders","TableClassSummary":{"TableClass":"STANDARD"},"TableId":"00000000-0000-4000-8000-000000000000",)"
        R"("TableName":"Orders","TableSizeBytes":0,"TableStatus":"ACTIVE"}})");
    // clang-format on
}

TEST(Encoder, WritesTheOtherTableAnswers) {
    std::string out;
    append_answer(out, TableNames{{"abc", "abd"}, "abd"});
    append_changed_time_to_live(out += "\n", {true, "ttl"});
    append_described_time_to_live(out += "\n", {true, "ttl"});
    append_described_time_to_live(out += "\n", {false, ""});
    append_answer(out += "\n", Tags{{"k", "v"}});
    EXPECT_EQ(out,
              R"({"LastEvaluatedTableName":"abd","TableNames":["abc","abd"]})"
              "\n"
              R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})"
              "\n"
              R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLED"}})"
              "\n"
              R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})"
              "\n"
              R"({"Tags":[{"Key":"k","Value":"v"}]})");
}

TEST(Encoder, WritesFailuresAsDynamodbNamesThem) {
    const Item item{{"a", 1}};
    Failure conditional{Fault::conditional_check_failed, "The conditional request failed"};
    conditional.item = item;
    Failure canceled{Fault::transaction_canceled, "Transaction cancelled"};
    canceled.reasons = {{}, {"ConditionalCheckFailed", "The conditional request failed", item}};
    struct Row {
        Failure failure;
        int status;
        std::string_view want;
    };
    // clang-format off
    const Row rows[] = {
        {invalid("no \"x\""), 400, R"({"__type":"com.amazon.coral.validate#ValidationException","message":"no \"x\""})"},
        {{Fault::serialization, "bad"}, 400, R"({"__type":"com.amazon.coral.service#SerializationException","Message":"bad"})"},
        {{Fault::unknown_operation, ""}, 400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
        {{Fault::resource_not_found, "gone"}, 400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"gone"})"},
        {{Fault::throttling, "slow"}, 400, R"({"__type":"com.amazon.coral.availability#ThrottlingException","message":"slow"})"},
        {{Fault::internal, "oh"}, 500, R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"oh"})"},
        {conditional, 400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"a":{"N":"1"}},"message":"The conditional request failed"})"},
        {canceled, 400, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"a":{"N":"1"}},"Message":"The conditional request failed"}],"Message":"Transaction cancelled"})"},
    };
    // clang-format on
    for (const auto& row : rows) {
        std::string out;
        append_failure(out, row.failure);
        EXPECT_EQ(out, row.want);
        EXPECT_EQ(http_status(row.failure.fault), row.status);
    }
}

}  // namespace
}  // namespace mailroom::table::wire
