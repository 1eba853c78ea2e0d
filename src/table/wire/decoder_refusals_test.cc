#include "table/wire/attributes.h"
#include "table/wire/decode_by_name.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

struct Case {
    std::string_view operation, body, want;
};

void expect_refusals(std::span<const Case> cases) {
    Decoder decoder;
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.operation) + " " + std::string(c.body.substr(0, 200)));
        const auto echo = decode_by_name(decoder, c.operation, c.body);
        EXPECT_FALSE(echo.accepted);
        EXPECT_EQ(echo.text, c.want);
    }
}

std::string repeated(std::string_view text, std::size_t times, std::string_view between = "") {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        if (i > 0) out += between;
        out += text;
    }
    return out;
}

TEST(DecoderRefusals, OfTheWrongShapeAreSerializationExceptions) {
    // clang-format off
    const Case cases[] = {
        {"GetItem", "",              "SerializationException: The request is not valid JSON"},
        {"GetItem", "{",             "SerializationException: The request is not valid JSON"},
        {"GetItem", "{\"a\":\"\xff\"}", "SerializationException: The request is not valid UTF-8"},
        {"GetItem", R"({"a":"\ud800"})", "SerializationException: The request is not valid JSON"},
        {"GetItem", "[]",            "SerializationException: Unexpected value type in payload"},
        {"GetItem", R"({"TableName":"abc","TableName":"abd"})", "SerializationException: Duplicate member: TableName"},
        {"GetItem", R"({"TableName":1})",     "SerializationException: NUMBER_VALUE cannot be converted to String"},
        {"GetItem", R"({"TableName":1.5})",   "SerializationException: DECIMAL_VALUE cannot be converted to String"},
        {"GetItem", R"({"TableName":true})",  "SerializationException: TRUE_VALUE cannot be converted to String"},
        {"GetItem", R"({"TableName":{}})",    "SerializationException: Start of structure or map found where not expected."},
        {"GetItem", R"({"TableName":[]})",    "SerializationException: Unrecognized collection type class java.lang.String"},
        {"GetItem", R"({"Key":"a"})",         "SerializationException: Unexpected field type"},
        {"GetItem", R"({"Key":[]})",          "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
        {"GetItem", R"({"Key":{"a":"b"}})",   "SerializationException: Unexpected value type in payload"},
        {"GetItem", R"({"Key":{"a":[]}})",    "SerializationException: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
        {"GetItem", R"({"Key":{"a":{"N":5}}})", "SerializationException: NUMBER_VALUE cannot be converted to String"},
        {"GetItem", R"({"Key":{"a":{"S":"1"},"a":{"S":"2"}}})", "SerializationException: Duplicate key in a map: a"},
        {"GetItem", R"({"Key":{"a":{"B":1}}})", "SerializationException: only base-64-encoded strings are convertible to bytes"},
        {"GetItem", R"({"Key":{"a":{"B":"abc"}}})", "SerializationException: Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
        {"GetItem", R"({"Key":{"a":{"B":"ab!="}}})", "SerializationException: Invalid last non-pad Base64 character dectected"},
        {"GetItem", R"({"Key":{"a":{"SS":"a"}}})", "SerializationException: Unexpected field type"},
        {"GetItem", R"({"Key":{"a":{"L":{}}}})", "SerializationException: Start of structure or map found where not expected."},
        {"GetItem", R"({"Key":{"a":{"M":[]}}})", "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
        {"GetItem", R"({"Key":{"a":{"M":{"b":{"S":"1"},"b":{"S":"1"}}}}})", "SerializationException: Duplicate key in a map: b"},
        {"GetItem", R"({"Key":{"a":{"BOOL":"maybe"}}})", "SerializationException: Unexpected token received from parser"},
        {"GetItem", R"({"ConsistentRead":1})", "SerializationException: NUMBER_VALUE cannot be converted to Boolean"},
        {"GetItem", R"({"ExpressionAttributeNames":[]})", "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
        {"GetItem", R"({"ExpressionAttributeNames":{"#a":"b","#a":"c"}})", "SerializationException: Duplicate key in ExpressionAttributeNames"},
        {"PutItem", R"({"ExpressionAttributeValues":{":a":{"S":"b"},":a":{"S":"c"}}})", "SerializationException: Duplicate key in ExpressionAttributeValues"},
        {"Query",   R"({"Limit":"1"})",       "SerializationException: STRING_VALUE cannot be converted to Integer"},
        {"Query",   R"({"Limit":true})",      "SerializationException: TRUE_VALUE cannot be converted to Integer"},
        {"BatchGetItem", R"({"RequestItems":[]})", "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.KeysAndAttributes>"},
        {"BatchGetItem", R"({"RequestItems":{"abc":1}})", "SerializationException: Unexpected value type in payload"},
        {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[{"a":{"S":"1"}}]},"abc":{"Keys":[{"a":{"S":"1"}}]}}})", "SerializationException: Duplicate key in a map of tables"},
        {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":[]}]}})", "SerializationException: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.PutRequest"},
        {"CreateTable", R"({"TableName":"abc","KeySchema":{}})", "SerializationException: Start of structure or map found where not expected."},
        {"CreateTable", R"({"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":"1"}})", "SerializationException: STRING_VALUE cannot be converted to Long"},
        // The shape of the whole request is judged before anything else.
        {"PutItem", R"({"TableName":"a","Item":{"a":{"N":"x"}},"ConditionExpression":1})", "SerializationException: NUMBER_VALUE cannot be converted to String"},
    };
    // clang-format on
    expect_refusals(cases);
}

TEST(DecoderRefusals, ListEveryBrokenConstraintInOneSentence) {
    // clang-format off
    const Case cases[] = {
        {"GetItem", "{}",
         "ValidationException: 2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; "
         "Value null at 'key' failed to satisfy constraint: Member must not be null"},
        {"GetItem", R"({"TableName":null,"Key":{}})",
         "ValidationException: 1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null"},
        {"GetItem", R"({"TableName":"a;","Key":{}})",
         "ValidationException: 1 validation error detected: Value 'a;' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
        // The name of a table is judged first, and alone.
        {"PutItem", R"({"TableName":"","ReturnValues":"hi"})",
         "ValidationException: 1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1"},
        {"DeleteItem", R"({"TableName":"arn:aws:dynamodb:x:y:table/a!c"})",
         "ValidationException: 1 validation error detected: Value 'arn:aws:dynamodb:x:y:table/a!c' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
        {"PutItem", R"({"TableName":"abc","Item":{},"ReturnValues":"hi","ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi"})",
         "ValidationException: 3 validation errors detected: Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; "
         "Value 'hi' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; "
         "Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"},
        {"Query", R"({"TableName":"abc","Limit":0,"Select":"X","IndexName":"i"})",
         "ValidationException: 3 validation errors detected: Value 'X' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; "
         "Value 'i' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; "
         "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
        {"Scan", R"({"TableName":"abc","TotalSegments":0,"Segment":-1})",
         "ValidationException: 2 validation errors detected: Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1; "
         "Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0"},
        {"Scan", R"({"TableName":"abc","TotalSegments":1000001,"Segment":0})",
         "ValidationException: 1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000"},
        {"ListTables", R"({"Limit":101})",
         "ValidationException: 1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"},
        {"BatchGetItem", "{}",
         "ValidationException: 1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null"},
        {"BatchGetItem", R"({"RequestItems":{}})", "ValidationException: The requestItems parameter is required for BatchGetItem"},
        {"BatchWriteItem", R"({"RequestItems":{}})", "ValidationException: The requestItems parameter is required for BatchWriteItem"},
        {"BatchGetItem", R"({"RequestItems":{"abc":{}}})",
         "ValidationException: 1 validation error detected: Value null at 'requestItems.abc.member.keys' failed to satisfy constraint: Member must not be null"},
        {"BatchGetItem", R"({"RequestItems":{"a":{"Keys":[{}]}}})",
         "ValidationException: 1 validation error detected: Value '{a=...}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: "
         "[Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"},
        {"BatchWriteItem", R"({"RequestItems":{"abc":[]}})",
         "ValidationException: 1 validation error detected: Value '{abc=[0 writes]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
         "[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"},
        {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":{}}]}})",
         "ValidationException: 1 validation error detected: Value null at 'requestItems.abc.member.1.member.putRequest.item' failed to satisfy constraint: Member must not be null"},
        {"TransactWriteItems", R"({"TransactItems":[]})",
         "ValidationException: 1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"abc"}}],"ClientRequestToken":""})",
         "ValidationException: 2 validation errors detected: Value '' at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1; "
         "Value null at 'transactItems.1.member.put.item' failed to satisfy constraint: Member must not be null"},
        {"TransactWriteItems", R"({"TransactItems":[{"Update":{"TableName":"abc","Key":{}}},{"ConditionCheck":{"TableName":"abc","Key":{}}}]})",
         "ValidationException: 2 validation errors detected: Value null at 'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member must not be null; "
         "Value null at 'transactItems.2.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null"},
        {"TransactGetItems", R"({"TransactItems":[{}]})",
         "ValidationException: 1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member must not be null"},
        {"UpdateTimeToLive", R"({"TableName":"abc"})",
         "ValidationException: 1 validation error detected: Value null at 'timeToLiveSpecification' failed to satisfy constraint: Member must not be null"},
        {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"})",
         "ValidationException: 1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member must not be null"},
        {"GetRecords", R"({"Limit":1001})",
         "ValidationException: 2 validation errors detected: Value null at 'shardIterator' failed to satisfy constraint: Member must not be null; "
         "Value '1001' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 1000"},
        {"CreateBackup", R"({"TableName":"abc","BackupName":"a b"})",
         "ValidationException: 1 validation error detected: Value 'a b' at 'backupName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
        {"UpdateContinuousBackups", R"({"TableName":"abc","PointInTimeRecoverySpecification":{}})",
         "ValidationException: 1 validation error detected: Value null at 'pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled' failed to satisfy constraint: Member must not be null"},
        {"CreateTable", R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"X"}],"KeySchema":[]})",
         "ValidationException: 2 validation errors detected: Value 'X' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]; "
         "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1"},
        {"ExecuteStatement", R"({"Statement":"","Parameters":[],"Limit":0})",
         "ValidationException: 3 validation errors detected: Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1; "
         "Value '[]' at 'parameters' failed to satisfy constraint: Member must have length greater than or equal to 1; "
         "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
    };
    // clang-format on
    expect_refusals(cases);
}

TEST(DecoderRefusals, OfAttributeValuesUseDynamodbsSentences) {
    constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";
    const std::string deep = repeated(R"({"L":[)", 32) + R"({"S":"x"})" + repeated("]}", 32);
    const std::string bomb = repeated("[", 100'000) + repeated("]", 100'000);
    struct Row {
        std::string value, want;
    };
    // clang-format off
    const Row rows[] = {
        {"{}",                        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {"null",                      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {R"({"S":null})",             "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {R"({"X":"a"})",              "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {R"({"S":"a","N":"1"})",      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
        {R"({"M":{"b":{"S":"a","BOOL":true}}})", "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
        {R"({"L":[{"S":"a"},{}]})",   "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {R"({"N":""})",               "The parameter cannot be converted to a numeric value"},
        {R"({"N":"x"})",              "The parameter cannot be converted to a numeric value: x"},
        {R"({"N":"1e126"})",          "Number overflow. Attempting to store a number with magnitude larger than supported range"},
        {R"({"N":"1e-131"})",         "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
        {R"({"N":"123456789012345678901234567890123456789"})", "Attempting to store more than 38 significant digits in a Number"},
        {R"({"NULL":false})",         std::string(one_or_more) + "Null attribute value types must have the value of true"},
        {R"({"SS":[]})",              std::string(one_or_more) + "An string set  may not be empty"},
        {R"({"NS":[]})",              std::string(one_or_more) + "An number set  may not be empty"},
        {R"({"BS":[]})",              std::string(one_or_more) + "Binary sets should not be empty"},
        {R"({"SS":["a","a"]})",       std::string(one_or_more) + "Input collection [a, a] contains duplicates."},
        {R"({"SS":["b","a","b"]})",   std::string(one_or_more) + "Input collection [b, a, b] contains duplicates."},
        {R"({"NS":["1","1.0"]})",     "Input collection contains duplicates"},
        {R"({"NS":["1","x"]})",       "The parameter cannot be converted to a numeric value: x"},
        {R"({"BS":["YQ==","YQ=="]})", std::string(one_or_more) + "Input collection [YQ==, YQ==]of type BS contains duplicates."},
        {R"({"SS":[null]})",          std::string(one_or_more) + "An string set may not have a null member"},
        {deep,                        std::string(nesting_too_deep)},
    };
    // clang-format on
    Decoder decoder;
    for (const auto& row : rows) {
        SCOPED_TRACE(row.value.substr(0, 100));
        const std::string body = R"({"TableName":"abc","Item":{"a":)" + row.value + "}}";
        EXPECT_EQ(decode_by_name(decoder, "PutItem", body).text,
                  "ValidationException: " + row.want);
        const std::string bound = R"({"TableName":"abc","Item":{},"ConditionExpression":"x",)"
                                  R"("ExpressionAttributeValues":{":a":)" +
                                  row.value + "}}";
        EXPECT_EQ(decode_by_name(decoder, "PutItem", bound).text,
                  "ValidationException: ExpressionAttributeValues contains invalid value: " +
                      row.want + " for key :a");
    }
    EXPECT_EQ(decode_by_name(decoder, "PutItem", bomb).text,
              "ValidationException: " + std::string(nesting_too_deep));
}

TEST(DecoderRefusals, OfParametersThatDoNotGoTogether) {
    // clang-format off
    const Case cases[] = {
        {"GetItem", R"({"TableName":"abc","Key":{},"ExpressionAttributeNames":{}})", "ValidationException: ExpressionAttributeNames can only be specified when using expressions"},
        {"GetItem", R"({"TableName":"abc","Key":{},"ProjectionExpression":""})", "ValidationException: Invalid ProjectionExpression: The expression can not be empty;"},
        {"GetItem", R"({"TableName":"abc","Key":{},"ProjectionExpression":"a","ExpressionAttributeNames":{}})", "ValidationException: ExpressionAttributeNames must not be empty"},
        {"GetItem", R"({"TableName":"abc","Key":{},"ProjectionExpression":"a","ExpressionAttributeNames":{"a":"b"}})", "ValidationException: ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""},
        {"GetItem", R"({"TableName":"abc","Key":{},"ProjectionExpression":"a","AttributesToGet":["a"]})",
         "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
        {"PutItem", R"({"TableName":"abc","Item":{},"ExpressionAttributeValues":{}})", "ValidationException: ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
        {"UpdateItem", R"({"TableName":"abc","Key":{},"ExpressionAttributeValues":{}})", "ValidationException: ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"},
        {"PutItem", R"({"TableName":"abc","Item":{},"ConditionExpression":"x","ExpressionAttributeValues":{}})", "ValidationException: ExpressionAttributeValues must not be empty"},
        {"PutItem", R"({"TableName":"abc","Item":{},"ConditionExpression":"x","ExpressionAttributeValues":{":":{"S":"a"}}})", "ValidationException: ExpressionAttributeValues contains invalid key: Syntax error; key: \":\""},
        {"PutItem", R"({"TableName":"abc","Item":{},"ReturnValues":"ALL_NEW"})", "ValidationException: ReturnValues can only be ALL_OLD or NONE"},
        {"DeleteItem", R"({"TableName":"abc","Key":{},"ReturnValues":"UPDATED_OLD"})", "ValidationException: ReturnValues can only be ALL_OLD or NONE"},
        {"Query", R"({"TableName":"abc"})", "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":""})", "ValidationException: Invalid KeyConditionExpression: The expression can not be empty;"},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":"x","ExclusiveStartKey":{"a":{}}})", "ValidationException: The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":"x","ExclusiveStartKey":{"a":{"N":"x"}}})", "ValidationException: The parameter cannot be converted to a numeric value: x"},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":"x","Select":"ALL_PROJECTED_ATTRIBUTES"})", "ValidationException: One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":"x","Select":"SPECIFIC_ATTRIBUTES"})", "ValidationException: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
        {"Query", R"({"TableName":"abc","KeyConditionExpression":"x","Select":"COUNT","ProjectionExpression":"a"})", "ValidationException: Cannot specify the ProjectionExpression when choosing to get only the Count"},
        {"Scan", R"({"TableName":"abc","Select":"ALL_ATTRIBUTES","ProjectionExpression":"a"})", "ValidationException: Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
        {"Scan", R"({"TableName":"abc","Segment":0})", "ValidationException: The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
        {"Scan", R"({"TableName":"abc","TotalSegments":1})", "ValidationException: The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
        {"Scan", R"({"TableName":"abc","Segment":2,"TotalSegments":2})", "ValidationException: The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2"},
        {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[{"a":{"N":"1"}},{"a":{"N":"1.0"}}]}}})", "ValidationException: Provided list of item keys contains duplicates"},
        {"BatchWriteItem", R"({"RequestItems":{"abc":[{}]}})", "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
        {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{}},"DeleteRequest":{"Key":{}}}]}})", "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
        {"TransactWriteItems", R"({"TransactItems":[{}]})", "ValidationException: TransactItems can only contain one of Check, Put, Update or Delete"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"abc","Item":{}},"Delete":{"TableName":"abc","Key":{}}}]})", "ValidationException: TransactItems can only contain one of Check, Put, Update or Delete"},
        {"TransactWriteItems", R"({"TransactItems":[{"Update":{"TableName":"abc","Key":{},"UpdateExpression":""}}]})", "ValidationException: Invalid UpdateExpression: The expression can not be empty;"},
        {"TagResource", "{}", "ValidationException: Invalid TableArn"},
        {"TagResource", R"({"ResourceArn":"abc","Tags":[]})", "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input abc"},
        {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","Tags":[]})", "ValidationException: Atleast one Tag needs to be provided as Input."},
        {"UntagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","TagKeys":[]})", "ValidationException: Atleast one Tag Key needs to be provided as Input."},
        {"ListTagsOfResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/ab"})", "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:us-east-1:000000000000:table/ab"},
    };
    // clang-format on
    expect_refusals(cases);
}

TEST(DecoderRefusals, OfTablesThatCannotBe) {
    constexpr std::string_view one_or_more =
        "ValidationException: One or more parameter values were invalid: ";
    // clang-format off
    const auto create = [](std::string_view rest) {
        return R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},)"
               R"({"AttributeName":"b","AttributeType":"N"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
               R"({"AttributeName":"b","KeyType":"RANGE"}])" +
               std::string(rest) + "}";
    };
    const auto local = [&](std::string_view keys, std::string_view projection) {
        return create(
            R"(,"BillingMode":"PAY_PER_REQUEST","LocalSecondaryIndexes":[{"IndexName":"idx","KeySchema":)" +
            std::string(keys) + R"(,"Projection":)" + std::string(projection) + "}]");
    };
    constexpr std::string_view both =
        R"([{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}])";
    // clang-format on
    struct Row {
        std::string body, want;
    };
    // clang-format off
    const Row rows[] = {
        {"{}", "ValidationException: The parameter 'TableName' is required but was not present in the request"},
        {R"({"TableName":"ab"})", "ValidationException: 1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
        {create(""), std::string(one_or_more) + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1})"), std::string(one_or_more) + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
        {create(R"(,"ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1})"), "ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","LocalSecondaryIndexes":[])"), std::string(one_or_more) + "List of LocalSecondaryIndexes is empty"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[])"), std::string(one_or_more) + "List of GlobalSecondaryIndexes is empty"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true})"), std::string(one_or_more) + "StreamViewType must be specified when StreamEnabled is true"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"})"), std::string(one_or_more) + "StreamViewType is not allowed when StreamEnabled is false"},
        {create(R"(,"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"ALL"})"), "ValidationException: 1 validation error detected: Value 'ALL' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]"},
        {R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"},{"AttributeName":"c","KeyType":"RANGE"}]})",
         "ValidationException: 1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2"},
        {local(both, "{}"), std::string(one_or_more) + "Unknown ProjectionType: null"},
        {local(both, R"({"ProjectionType":"ALL","NonKeyAttributes":["x"]})"), std::string(one_or_more) + "ProjectionType is ALL, but NonKeyAttributes is specified"},
        {local(R"([{"AttributeName":"a","KeyType":"HASH"}])", R"({"ProjectionType":"ALL"})"), std::string(one_or_more) + "Index KeySchema does not have a range key for index: idx"},
        {local(R"([{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}])", R"({"ProjectionType":"ALL"})"), std::string(one_or_more) + "Index KeySchema does not have the same leading hash key as table KeySchema for index: idx. index hash key: b, table hash key: a"},
        {local(R"([{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}])", R"({"ProjectionType":"ALL"})"), std::string(one_or_more) + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
        {R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"RANGE"}]})", "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
        {R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]})", std::string(one_or_more) + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
    };
    // clang-format on
    Decoder decoder;
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        EXPECT_EQ(decode_by_name(decoder, "CreateTable", row.body).text, row.want);
    }
    // clang-format off
    const Case updates[] = {
        {"UpdateTable", R"({"TableName":"abc"})", "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
        {"UpdateTable", R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})", "ValidationException: One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
        {"UpdateTable", R"({"TableName":"abc","BillingMode":"PROVISIONED"})", "ValidationException: One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
        {"UpdateTable", R"({"TableName":"abc","GlobalSecondaryIndexUpdates":[{}]})", "ValidationException: One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
        {"UpdateTable", R"({"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"abc"}},{"Delete":{"IndexName":"abd"}}]})", "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"},
    };
    // clang-format on
    expect_refusals(updates);
}

TEST(DecoderRefusals, OfBatchesThatAreTooLarge) {
    Decoder decoder;
    const auto keys = [](int count, int from) {
        std::string out;
        for (int i = 0; i < count; ++i) {
            if (i > 0) out += ',';
            out += R"({"a":{"N":")" + std::to_string(from + i) + R"("}})";
        }
        return out;
    };
    EXPECT_EQ(
        decode_by_name(decoder, "BatchGetItem",
                       R"({"RequestItems":{"abc":{"Keys":[)" + keys(101, 0) + "]}}}")
            .text,
        "ValidationException: 1 validation error detected: Value at "
        "'RequestItems.abc.member.Keys' failed to satisfy constraint: Member must have length "
        "less than or equal to 100");
    EXPECT_EQ(decode_by_name(decoder, "BatchGetItem",
                             R"({"RequestItems":{"abc":{"Keys":[)" + keys(60, 0) +
                                 R"(]},"abd":{"Keys":[)" + keys(60, 0) + "]}}}")
                  .text,
              "ValidationException: Too many items requested for the BatchGetItem call");
    const std::string erase = R"({"DeleteRequest":{"Key":{"a":{"S":"1"}}}})";
    EXPECT_EQ(decode_by_name(decoder, "BatchWriteItem",
                             R"({"RequestItems":{"abc":[)" + repeated(erase, 20, ",") +
                                 R"(],"abd":[)" + repeated(erase, 6, ",") + "]}}")
                  .text,
              "ValidationException: Too many items requested for the BatchWriteItem call");
    const std::string put = R"({"Put":{"TableName":"abc","Item":{}}})";
    EXPECT_TRUE(decode_by_name(decoder, "TransactWriteItems",
                               R"({"TransactItems":[)" + repeated(put, 100, ",") + "]}")
                    .accepted);
    EXPECT_EQ(decode_by_name(decoder, "TransactWriteItems",
                             R"({"TransactItems":[)" + repeated(put, 101, ",") + "]}")
                  .text,
              "ValidationException: 1 validation error detected: Value '[101 elements]' at "
              "'transactItems' failed to satisfy constraint: Member must have length less than or "
              "equal to 100");
}

}  // namespace
}  // namespace mailroom::table::wire
