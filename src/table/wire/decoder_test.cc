#include "table/wire/decoder.h"

#include "table/wire/decode_by_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

// A request, and what it comes to when it is written again.
struct Case {
    std::string_view operation, body, want;
};

TEST(Decoder, ReadsEveryOperation) {
    // clang-format off
    const Case cases[] = {
        {"GetItem",
         R"({ "TableName" : "Orders", "Key" : { "b" : {"N":"01.50"}, "a" : {"S":"x"} }, "ConsistentRead" : true, "ProjectionExpression" : "#c", "ExpressionAttributeNames" : {"#c":"c"}, "ReturnConsumedCapacity":"TOTAL", "Unknown": [1] })",
         R"({"ConsistentRead":true,"ExpressionAttributeNames":{"#c":"c"},"Key":{"a":{"S":"x"},"b":{"N":"1.5"}},"ProjectionExpression":"#c","TableName":"Orders","ReturnConsumedCapacity":"TOTAL"})"},
        {"GetItem", R"({"TableName":"abc","Key":{},"ConsistentRead":null,"ReturnConsumedCapacity":"NONE"})",
         R"({"Key":{},"TableName":"abc"})"},
        {"PutItem",
         R"({"TableName":"Orders","Item":{"a":{"S":"x"}},"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"BOOL":false}},"ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"BOOL":false}},"Item":{"a":{"S":"x"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD","TableName":"Orders","ReturnValues":"ALL_OLD","ReturnItemCollectionMetrics":"SIZE"})"},
        {"UpdateItem",
         R"({"TableName":"Orders","Key":{"a":{"S":"x"}},"UpdateExpression":"SET b = :b","ExpressionAttributeValues":{":b":{"N":"7"}},"ReturnValues":"UPDATED_NEW"})",
         R"({"ExpressionAttributeValues":{":b":{"N":"7"}},"Key":{"a":{"S":"x"}},"TableName":"Orders","UpdateExpression":"SET b = :b","ReturnValues":"UPDATED_NEW"})"},
        {"DeleteItem", R"({"TableName":"Orders","Key":{"a":{"S":"x"}}})", R"({"Key":{"a":{"S":"x"}},"TableName":"Orders"})"},
        {"Query",
         R"({"TableName":"Orders","IndexName":"idx","KeyConditionExpression":"a = :a","FilterExpression":"b < :b","ExpressionAttributeValues":{":a":{"S":"1"},":b":{"N":"2"}},"Limit":5,"ScanIndexForward":false,"ExclusiveStartKey":{"a":{"S":"1"}},"Select":"COUNT","ReturnConsumedCapacity":"INDEXES"})",
         R"({"ExclusiveStartKey":{"a":{"S":"1"}},"ExpressionAttributeValues":{":a":{"S":"1"},":b":{"N":"2"}},"FilterExpression":"b < :b","IndexName":"idx","Limit":5,"Select":"COUNT","TableName":"Orders","KeyConditionExpression":"a = :a","ScanIndexForward":false,"ReturnConsumedCapacity":"INDEXES"})"},
        {"Scan", R"({"TableName":"Orders","Segment":1,"TotalSegments":4,"Limit":10.9})", R"({"Limit":10,"TableName":"Orders","Segment":1,"TotalSegments":4})"},
        {"BatchGetItem", R"({"RequestItems":{"Orders":{"Keys":[{"a":{"S":"1"}},{"a":{"S":"2"}}],"ConsistentRead":true},"Mails":{"Keys":[{"b":{"S":"1"}}],"ProjectionExpression":"b"}}})",
         R"({"RequestItems":{"Orders":{"ConsistentRead":true,"Keys":[{"a":{"S":"1"}},{"a":{"S":"2"}}]},"Mails":{"Keys":[{"b":{"S":"1"}}],"ProjectionExpression":"b"}}})"},
        {"BatchWriteItem", R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"a":{"S":"1"}}}},{"DeleteRequest":{"Key":{"a":{"S":"2"}}}}]}})",
         R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"a":{"S":"1"}}}},{"DeleteRequest":{"Key":{"a":{"S":"2"}}}}]}})"},
        {"TransactWriteItems",
         R"({"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"abc","Item":{"a":{"S":"1"}}}},{"Update":{"TableName":"abc","Key":{"a":{"S":"2"}},"UpdateExpression":"REMOVE b"}},{"Delete":{"TableName":"abc","Key":{"a":{"S":"3"}}}},{"ConditionCheck":{"TableName":"abc","Key":{"a":{"S":"4"}},"ConditionExpression":"attribute_exists(a) ","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})",
         R"({"ClientRequestToken":"t","TransactItems":[{"Put":{"Item":{"a":{"S":"1"}},"TableName":"abc"}},{"Update":{"Key":{"a":{"S":"2"}},"TableName":"abc","UpdateExpression":"REMOVE b"}},{"Delete":{"Key":{"a":{"S":"3"}},"TableName":"abc"}},{"ConditionCheck":{"ConditionExpression":"attribute_exists(a) ","Key":{"a":{"S":"4"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD","TableName":"abc"}}]})"},
        {"TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"abc","Key":{"a":{"S":"1"}},"ProjectionExpression":"b"}}]})",
         R"({"TransactItems":[{"Get":{"Key":{"a":{"S":"1"}},"ProjectionExpression":"b","TableName":"abc"}}]})"},
        {"CreateTable",
         R"({"TableName":"Orders","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],"GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}],"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},"Tags":[{"Key":"k","Value":""}],"StreamSpecification":{"StreamEnabled":false}})",
         R"({"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],"BillingMode":"PROVISIONED","DeletionProtectionEnabled":false,"GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],"Projection":{"NonKeyAttributes":["x"],"ProjectionType":"INCLUDE"},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},"TableClass":"STANDARD","TableName":"Orders","Tags":[{"Key":"k","Value":""}]})"},
        {"UpdateTable", R"({"TableName":"Orders","DeletionProtectionEnabled":true,"TableClass":"STANDARD_INFREQUENT_ACCESS","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"idx"}}]})",
         R"({"DeletionProtectionEnabled":true,"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"idx"}}],"TableClass":"STANDARD_INFREQUENT_ACCESS","TableName":"Orders"})"},
        {"DescribeTable", R"({"TableName":"Orders"})", R"({"TableName":"Orders"})"},
        {"ListTables", "{}", R"({"Limit":100})"},
        {"ListTables", R"({"ExclusiveStartTableName":"abc","Limit":1})", R"({"ExclusiveStartTableName":"abc","Limit":1})"},
        {"UpdateTimeToLive", R"({"TableName":"Orders","TimeToLiveSpecification":{"Enabled":"TRUE","AttributeName":"ttl"}})",
         R"({"TableName":"Orders","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})"},
        {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","Tags":[{"Key":"k","Value":"v"}]})",
         R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","Tags":[{"Key":"k","Value":"v"}]})"},
        {"UntagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","TagKeys":["k"]})",
         R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","TagKeys":["k"]})"},
        {"ListTagsOfResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"})", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"})"},
        {"ExecuteStatement", R"({"Statement":"SELECT * FROM abc","Parameters":[{"S":"x"}],"Limit":3,"NextToken":"n","ConsistentRead":true})",
         R"({"Limit":3,"NextToken":"n","ConsistentRead":true,"Parameters":[{"S":"x"}],"Statement":"SELECT * FROM abc"})"},
        {"BatchExecuteStatement", R"({"Statements":[{"Statement":"SELECT 1"}]})", R"({"Statements":[{"Statement":"SELECT 1"}]})"},
        {"ExecuteTransaction", R"({"TransactStatements":[{"Statement":"DELETE"}],"ClientRequestToken":"t"})", R"({"ClientRequestToken":"t","TransactStatements":[{"Statement":"DELETE"}]})"},
    };
    // clang-format on
    Decoder decoder;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.operation);
        const auto echo = decode_by_name(decoder, c.operation, c.body);
        EXPECT_TRUE(echo.accepted);
        EXPECT_EQ(echo.text, c.want);
    }
}

Value read_value(std::string_view json) {
    Decoder decoder;
    const auto call =
        decoder.put_item(R"({"TableName":"abc","Item":{"a":)" + std::string(json) + "}}");
    EXPECT_TRUE(call) << json;
    if (!call) return Value::null();
    return Value(*call->request.item.find("a"));
}

TEST(Decoder, ReadsEveryKindOfValueIntoItsCanonicalForm) {
    struct Row {
        std::string_view json;
        Value want;
    };
    const Row rows[] = {
        {R"({"S":""})", Value("")},
        {R"({"S":"a\u00e9\ud83d\ude00\n\u0000b"})", Value(std::string_view("aé😀\n\0b", 10))},
        {R"({"N":"-0"})", Value(0)},
        {R"({"N":"1.50e2"})", Value(150)},
        {R"({"B":""})", Value::binary("")},
        {R"({"B":"AP8="})", Value::binary(std::string_view("\0\xff", 2))},
        {R"({"BOOL":true})", Value(true)},
        {R"({"BOOL":"no"})", Value(false)},
        {R"({"NULL":true})", Value::null()},
        {R"({"L":[]})", Value::list({})},
        {R"({"L":[{"N":"1"},{"L":[{"S":"x"}]}]})", Value::list({1, Value::list({"x"})})},
        {R"({"M":{}})", Value::map(Item())},
        {R"({"M":{"b":{"N":"1"},"a":{"M":{"z":{"S":"1"},"y":{"S":"2"}}}}})",
         Value::map(Item{{"a", Value::map(Item{{"y", "2"}, {"z", "1"}})}, {"b", 1}})},
        {R"({"SS":["b","a"]})", Value::string_set({"a", "b"})},
        {R"({"NS":["10","2","-1"]})",
         Value::set_of(Kind::number_set,
                       {Number(-1).encoded(), Number(2).encoded(), Number(10).encoded()})},
        {R"({"BS":["Yg==","YQ=="]})", Value::set_of(Kind::binary_set, {"a", "b"})},
        {R"({"S":"x","N":null})", Value("x")},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.json);
        EXPECT_EQ(read_value(row.json), row.want);
    }
}

TEST(Decoder, TakesThirtyTwoLevelsAndNoMore) {
    const auto nested = [](int containers) {
        std::string open, close;
        for (int i = 0; i < containers; ++i) {
            open += i % 2 == 0 ? R"({"L":[)" : R"({"M":{"a":)";
            close.insert(0, i % 2 == 0 ? "]}" : "}}");
        }
        return R"({"TableName":"abc","Item":{"a":)" + open + R"({"S":"x"})" + close + "}}";
    };
    Decoder decoder;
    EXPECT_TRUE(decoder.put_item(nested(31)));
    EXPECT_FALSE(decoder.put_item(nested(32)));
    EXPECT_FALSE(decoder.put_item(nested(2000)));
}

TEST(Decoder, TakesABodyOfSixteenMegabytesAndThenASmallOne) {
    std::string large = R"({"TableName":"abc","Item":{"a":{"L":[)";
    while (large.size() < 16 * 1024 * 1024 - 100)
        large += R"({"M":{"b":{"N":"1"},"a":{"S":"xyz"}}},)";
    large += R"({"NULL":true}]}}})";
    Decoder decoder;
    const auto call = decoder.put_item(large);
    ASSERT_TRUE(call);
    EXPECT_GT(call->request.item.bytes().size(), large.size() / 4);
    EXPECT_TRUE(decoder.get_item(R"({"TableName":"abc","Key":{"a":{"S":"x"}}})"));
}

TEST(Decoder, ForgetsTheProblemsOfTheRequestBefore) {
    Decoder decoder;
    EXPECT_FALSE(decoder.get_item("{}"));
    EXPECT_FALSE(decoder.get_item(R"({"TableName":1})"));
    EXPECT_TRUE(decoder.get_item(R"({"TableName":"abc","Key":{}})"));
}

TEST(Decoder, RefusesAStructureOfEndlessMembers) {
    std::string body = "{";
    for (int i = 0; i < 100'000; ++i) body += "\"m" + std::to_string(i) + "\":1,";
    body += R"("TableName":"abc","Key":{}})";
    Decoder decoder;
    const auto call = decoder.get_item(body);
    ASSERT_FALSE(call);
    EXPECT_EQ(call.error().fault, Fault::serialization);
}

}  // namespace
}  // namespace mailroom::table::wire
