#include "dynamodb/endpoint_for_tests.h"

namespace mailroom::dynamodb {
namespace {

TEST_F(EndpointTest, AnswersForFeaturesThatAreOff) {
    create_orders();
    struct Row {
        std::string_view operation, body, want;
    };
    // clang-format off
    const Row rows[] = {
        {"DescribeLimits", "{}", R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})"},
        {"DescribeContributorInsights", R"({"TableName":"Orders"})", R"({"ContributorInsightsStatus":"DISABLED","TableName":"Orders"})"},
        {"DescribeKinesisStreamingDestination", R"({"TableName":"Orders"})", R"({"KinesisDataStreamDestinations":[],"TableName":"Orders"})"},
        {"DescribeTableReplicaAutoScaling", R"({"TableName":"Orders"})", R"({"TableAutoScalingDescription":{"Replicas":[],"TableName":"Orders","TableStatus":"ACTIVE"}})"},
        {"ListContributorInsights", "{}", R"({"ContributorInsightsSummaries":[]})"},
        {"ListExports", "{}", R"({"ExportSummaries":[]})"},
        {"ListGlobalTables", "{}", R"({"GlobalTables":[]})"},
        {"ListImports", "{}", R"({"ImportSummaryList":[]})"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.operation);
        const auto response = call(row.operation, std::string(row.body));
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.body, row.want);
    }
    for (const auto operation : {"DescribeContributorInsights", "DescribeContinuousBackups"}) {
        const auto response = call(operation, R"({"TableName":"Nothing"})");
        EXPECT_EQ(response.status, 400) << response.body;
    }
}

TEST_F(EndpointTest, NamesItselfAsTheClientDoes) {
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = {{"Host", "tables.example:8000"},
                       {"X-Amz-Target", "DynamoDB_20120810.DescribeEndpoints"},
                       {"Content-Type", "application/x-amz-json-1.0"}};
    request.body = "{}";
    EXPECT_EQ(send(std::move(request)).body,
              R"({"Endpoints":[{"Address":"tables.example:8000","CachePeriodInMinutes":1440}]})");
}

TEST_F(EndpointTest, TakesAnArnForTheNameOfATable) {
    create_orders();
    const std::string arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Orders";
    // clang-format off
    EXPECT_EQ(call("PutItem", R"({"TableName":")" + arn + R"(","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}})").status, 200);
    EXPECT_EQ(call("BatchGetItem", R"({"RequestItems":{")" + arn + R"(":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}]}}})").body,
              R"({"Responses":{")" + arn + R"(":[{"pk":{"S":"a"},"sk":{"N":"1"}}]},"UnprocessedKeys":{}})");
    // clang-format on
    EXPECT_EQ(call("DescribeTable", R"({"TableName":")" + arn + R"("})").status, 200);
}

// A table with a local index has item collections; others have none.
TEST_F(EndpointTest, ShowsItemCollectionsOfTablesWithLocalIndexes) {
    create_orders();
    // clang-format off
    ASSERT_EQ(call("CreateTable",
        R"({"TableName":"Local","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"l","AttributeType":"S"}],)"
        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
        R"("LocalSecondaryIndexes":[{"IndexName":"ByL","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]})").status, 200);
    struct Row {
        std::string_view operation, body, want;
    };
    const Row rows[] = {
        {"PutItem", R"({"TableName":"Local","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}})"},
        {"UpdateItem", R"({"TableName":"Local","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET x = :x","ExpressionAttributeValues":{":x":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}})"},
        {"DeleteItem", R"({"TableName":"Local","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}})"},
        {"PutItem", R"({"TableName":"Local","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"NONE"})", "{}"},
        {"PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"})", "{}"},
        {"BatchWriteItem", R"({"RequestItems":{"Orders":[{"DeleteRequest":{"Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}}],"Local":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"}}}},{"PutRequest":{"Item":{"pk":{"S":"b"},"sk":{"N":"2"}}}}]},"ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ItemCollectionMetrics":{"Local":[{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]},{"ItemCollectionKey":{"pk":{"S":"b"}},"SizeEstimateRangeGB":[0.0,1.0]}]},"UnprocessedItems":{}})"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Local","Item":{"pk":{"S":"c"},"sk":{"N":"1"}}}},{"ConditionCheck":{"TableName":"Local","Key":{"pk":{"S":"d"},"sk":{"N":"1"}},"ConditionExpression":"pk <> :x","ExpressionAttributeValues":{":x":{"S":"y"}}}}],"ReturnItemCollectionMetrics":"SIZE"})",
         R"({"ItemCollectionMetrics":{"Local":[{"ItemCollectionKey":{"pk":{"S":"c"}},"SizeEstimateRangeGB":[0.0,1.0]}]}})"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        EXPECT_EQ(call(row.operation, std::string(row.body)).body, row.want);
    }
}

}  // namespace
}  // namespace mailroom::dynamodb
