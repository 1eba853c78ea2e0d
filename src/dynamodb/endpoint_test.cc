#include "dynamodb/endpoint_for_tests.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::dynamodb {
namespace {

std::optional<std::string> header(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return std::nullopt;
}

TEST_F(EndpointTest, AnswersEveryOperation) {
    struct Step {
        std::string_view operation, body, want;  // `want` is the whole body, or empty for any.
    };
    create_orders();
    // clang-format off
    const Step steps[] = {
        {"ListTables", "{}", R"({"TableNames":["Orders"]})"},
        {"DescribeTable", R"({"TableName":"Orders"})", ""},
        {"PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"n":{"N":"5"}}})", "{}"},
        {"GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}})", R"({"Item":{"n":{"N":"5"},"pk":{"S":"a"},"sk":{"N":"1"}}})"},
        {"GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"},"sk":{"N":"2"}}})", "{}"},
        {"UpdateItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET n = n + :one","ExpressionAttributeValues":{":one":{"N":"1"}},"ReturnValues":"UPDATED_NEW"})", R"({"Attributes":{"n":{"N":"6"}}})"},
        {"BatchWriteItem", R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"}}}}]}})", R"({"UnprocessedItems":{}})"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"3"}}}}]})", "{}"},
        {"Query", R"({"TableName":"Orders","KeyConditionExpression":"pk = :a AND sk > :one","ExpressionAttributeValues":{":a":{"S":"a"},":one":{"N":"1"}}})", R"({"Count":2,"Items":[{"pk":{"S":"a"},"sk":{"N":"2"}},{"pk":{"S":"a"},"sk":{"N":"3"}}],"ScannedCount":2})"},
        {"Scan", R"({"TableName":"Orders","Select":"COUNT"})", R"({"Count":3,"ScannedCount":3})"},
        {"BatchGetItem", R"({"RequestItems":{"Orders":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"2"}}]}}})", R"({"Responses":{"Orders":[{"pk":{"S":"a"},"sk":{"N":"2"}}]},"UnprocessedKeys":{}})"},
        {"TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"Orders","Key":{"pk":{"S":"a"},"sk":{"N":"9"}}}}]})", R"({"Responses":[{}]})"},
        {"DeleteItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"},"sk":{"N":"2"}},"ReturnValues":"ALL_OLD"})", R"({"Attributes":{"pk":{"S":"a"},"sk":{"N":"2"}}})"},
        {"UpdateTimeToLive", R"({"TableName":"Orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})", R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})"},
        {"DescribeTimeToLive", R"({"TableName":"Orders"})", R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLED"}})"},
        {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders","Tags":[{"Key":"k","Value":"v"}]})", "{}"},
        {"ListTagsOfResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders"})", R"({"Tags":[{"Key":"k","Value":"v"}]})"},
        {"UntagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders","TagKeys":["k"]})", "{}"},
        {"UpdateTable", R"({"TableName":"Orders","DeletionProtectionEnabled":false})", ""},
        {"DeleteTable", R"({"TableName":"Orders"})", ""},
    };
    // clang-format on
    for (const auto& step : steps) {
        SCOPED_TRACE(step.operation);
        const auto response = call(step.operation, std::string(step.body));
        EXPECT_EQ(response.status, 200) << response.body;
        if (!step.want.empty()) {
            EXPECT_EQ(response.body, step.want);
        }
    }
}

TEST_F(EndpointTest, AnswersRefusalsInDynamodbsForm) {
    create_orders();
    struct Row {
        std::string_view operation, body;
        int status;
        std::string_view want;
    };
    // clang-format off
    const Row rows[] = {
        {"GetItem", "{", 400, R"({"__type":"com.amazon.coral.service#SerializationException","Message":"The request is not valid JSON"})"},
        {"GetItem", "", 400, R"({"__type":"com.amazon.coral.service#SerializationException"})"},
        {"NoSuchThing", "{}", 400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
        {"getitem", "{}", 400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
        {"PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(pk) "})", 400,
         R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"})"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto response = call(row.operation, std::string(row.body));
        EXPECT_EQ(response.status, row.status);
        EXPECT_EQ(response.body, row.want);
        EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
    }
}

TEST_F(EndpointTest, AnswersOtherHttpRequestsAsDynamodbDoes) {
    struct Row {
        std::string_view method, target, amz_target, content_type;
        int status;
        std::string_view body;
    };
    // clang-format off
    const Row rows[] = {
        {"GET",  "/",   "",                          "",                           200, "healthy: dynamodb\n"},
        {"HEAD", "/",   "",                          "",                           200, "healthy: dynamodb\n"},
        {"HEAD", "/x",  "",                          "",                           404, "<UnknownOperationException/>\n"},
        {"PUT",  "/",   "DynamoDB_20120810.GetItem", "application/x-amz-json-1.0", 404, "<UnknownOperationException/>\n"},
        {"POST", "/x",  "DynamoDB_20120810.GetItem", "application/x-amz-json-1.0", 404, "<UnknownOperationException/>\n"},
        {"POST", "/",   "DynamoDB_20120810.GetItem", "text/plain",                 404, "<UnknownOperationException/>\n"},
        {"POST", "/",   "",                          "application/json",           400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
        {"POST", "/?x", "DynamoDB_20111205.GetItem", "application/json; charset=utf-8", 400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
    };
    // clang-format on
    for (const auto& row : rows) {
        http::Request request;
        request.method = row.method;
        request.target = row.target;
        if (!row.amz_target.empty()) request.headers.emplace_back("x-amz-target", row.amz_target);
        if (!row.content_type.empty())
            request.headers.emplace_back("content-type", row.content_type);
        if (row.method == "POST" || row.method == "PUT") request.body = "{}";
        const auto response = send(std::move(request));
        EXPECT_EQ(response.status, row.status);
        EXPECT_EQ(response.body, row.body);
    }
}

TEST_F(EndpointTest, CallsATableByItsArnWhereTheRequestDid) {
    create_orders();
    const std::string arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Orders";
    const auto consumed = R"("ConsumedCapacity":[{"TableName":")" + arn;
    const auto key = std::string(R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
    const auto show = std::string(R"("ReturnConsumedCapacity":"TOTAL")");
    const auto written =
        call("BatchWriteItem", R"({"RequestItems":{")" + arn + R"(":[{"PutRequest":{"Item":)" +
                                   key + "}}]}," + show + "}");
    EXPECT_NE(written.body.find(consumed), std::string::npos) << written.body;
    const auto read = call("BatchGetItem", R"({"RequestItems":{")" + arn + R"(":{"Keys":[)" + key +
                                               "]}}," + show + "}");
    EXPECT_NE(read.body.find(R"("Responses":{")" + arn + R"(":[)" + key), std::string::npos)
        << read.body;
    EXPECT_NE(read.body.find(consumed), std::string::npos) << read.body;
    const auto got =
        call("GetItem", R"({"TableName":")" + arn + R"(","Key":)" + key + "," + show + "}");
    EXPECT_NE(got.body.find(R"("TableName":")" + arn), std::string::npos) << got.body;
    // The next request of the same thread is its own.
    const auto plain = call("GetItem", R"({"TableName":"Orders","Key":)" + key + "," + show + "}");
    EXPECT_NE(plain.body.find(R"("TableName":"Orders")"), std::string::npos) << plain.body;
}

TEST_F(EndpointTest, NamesAndChecksEveryAnswer) {
    std::set<std::string> ids;
    for (int i = 0; i < 100; ++i) {
        const auto response = call("ListTables", "{}");
        const auto id = header(response, "x-amzn-RequestId");
        ASSERT_TRUE(id);
        EXPECT_EQ(id->size(), 52u);
        EXPECT_EQ(id->find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUV"), id->npos);
        ids.insert(*id);
        const auto crc =
            crc32_z(0, reinterpret_cast<const Bytef*>(response.body.data()), response.body.size());
        EXPECT_EQ(header(response, "x-amz-crc32"), std::to_string(crc));
    }
    EXPECT_EQ(ids.size(), 100u);
}

TEST_F(EndpointTest, TakesLargeBodiesAndLargeQueriesOnTheWorkers) {
    create_orders();
    const std::string large(100'000, 'x');
    for (int i = 0; i < 3; ++i) {
        const auto response =
            call("PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":")" +
                                std::to_string(i) + R"("},"text":{"S":")" + large + R"("}}})");
        ASSERT_EQ(response.status, 200) << response.body;
    }
    const auto page = call("Query", R"({"TableName":"Orders","KeyConditionExpression":"pk = :a",)"
                                    R"("ExpressionAttributeValues":{":a":{"S":"a"}}})");
    EXPECT_EQ(page.status, 200);
    EXPECT_GT(page.body.size(), 3 * large.size());
}

TEST_F(EndpointTest, RefusesWhatTheWorkersHaveNoRoomFor) {
    workers_->stop();
    const auto response = call("Scan", R"({"TableName":"Orders"})");
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.availability#ThrottlingException",)"
                             R"("message":"Too many requests are waiting; please try again"})");
}

TEST_F(EndpointTest, RefusesBeforehandInItsOwnForm) {
    const auto response = endpoint_->refuse(413, "too large");
    EXPECT_EQ(response.status, 413);
    EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
    EXPECT_EQ(
        response.body,
        R"({"__type":"com.amazon.coral.service#SerializationException","Message":"too large"})");
}

}  // namespace
}  // namespace mailroom::dynamodb
