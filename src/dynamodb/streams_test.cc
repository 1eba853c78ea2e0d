#include "dynamodb/endpoint_for_tests.h"

#include "json/json.h"

namespace mailroom::dynamodb {
namespace {

class DynamodbStreamsTest : public EndpointTest {
protected:
    http::Response stream_call(std::string_view operation, std::string body) {
        return call("DynamoDBStreams_20120810." + std::string(operation), std::move(body));
    }
    // The text of the member that `name` names, wherever it is first.
    static std::string text_of(const http::Response& response, const std::string& name) {
        const auto mark = "\"" + name + "\":\"";
        const auto begin = response.body.find(mark);
        if (begin == response.body.npos) return "";
        const auto at = begin + mark.size();
        return response.body.substr(at, response.body.find('"', at) - at);
    }
    void create_watched() {
        // clang-format off
        const auto made = call("CreateTable",
            R"({"TableName":"Watched","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})");
        // clang-format on
        ASSERT_EQ(made.status, 200) << made.body;
        arn_ = text_of(made, "LatestStreamArn");
    }
    std::string arn_;
};

TEST_F(DynamodbStreamsTest, TellTheChangesOfATable) {
    create_watched();
    EXPECT_EQ(stream_call("ListStreams", "{}").body,
              R"({"Streams":[{"StreamArn":")" + arn_ +
                  R"(","StreamLabel":"2025-11-15T06:07:24.000","TableName":"Watched"}]})");
    const auto described = stream_call("DescribeStream", R"({"StreamArn":")" + arn_ + R"("})");
    EXPECT_EQ(text_of(described, "StreamStatus"), "ENABLED");
    EXPECT_EQ(text_of(described, "StreamViewType"), "NEW_AND_OLD_IMAGES");
    const auto shard = text_of(described, "ShardId");
    const auto behind =
        stream_call("DescribeStream", R"({"StreamArn":")" + arn_ +
                                          R"(","ExclusiveStartShardId":")" + shard + R"("})");
    EXPECT_NE(behind.body.find(R"("Shards":[])"), std::string::npos) << behind.body;

    call("PutItem", R"({"TableName":"Watched","Item":{"pk":{"S":"a"},"n":{"N":"1"}}})");
    const auto iterator =
        stream_call("GetShardIterator", R"({"StreamArn":")" + arn_ + R"(","ShardId":")" + shard +
                                            R"(","ShardIteratorType":"TRIM_HORIZON"})");
    const auto records = stream_call(
        "GetRecords", R"({"ShardIterator":")" + text_of(iterator, "ShardIterator") + R"("})");
    EXPECT_EQ(records.status, 200);
    const auto want = R"("Records":[{"awsRegion":"us-east-1","dynamodb":{)"
                      R"("ApproximateCreationDateTime":1763186844,)"
                      R"("Keys":{"pk":{"S":"a"}},"NewImage":{"n":{"N":"1"},"pk":{"S":"a"}},)"
                      R"("SequenceNumber":"100000000000000000002","SizeBytes":9,)"
                      R"("StreamViewType":"NEW_AND_OLD_IMAGES"},"eventID":)";
    EXPECT_NE(records.body.find(want), std::string::npos) << records.body;
    EXPECT_EQ(text_of(records, "eventName"), "INSERT");
    EXPECT_NE(text_of(records, "NextShardIterator"), "");
}

TEST_F(DynamodbStreamsTest, AreRefusedInDynamodbsForm) {
    create_watched();
    struct Row {
        std::string_view operation;
        std::string body, want;
    };
    // clang-format off
    const Row rows[] = {
        {"ListStreams", R"({"Limit":0})", "ValidationException"},
        {"ListStreams", R"({"Limit":101})", "ValidationException"},
        {"DescribeStream", "{}", "ValidationException"},
        {"DescribeStream", R"({"StreamArn":")" + arn_ + R"(9"})", "ResourceNotFoundException"},
        {"GetShardIterator", R"({"StreamArn":")" + arn_ + R"(","ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"LATEST"})", "ResourceNotFoundException"},
        {"GetShardIterator", R"({"StreamArn":")" + arn_ + R"(","ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"AT_SEQUENCE_NUMBER"})", "ValidationException"},
        {"GetShardIterator", R"({"StreamArn":")" + arn_ + R"(","ShardId":"shardId-00000000000000000000-00000000","ShardIteratorType":"OLDEST"})", "ValidationException"},
        {"GetRecords", R"({"ShardIterator":"x"})", "ValidationException"},
        {"GetRecords", R"({"ShardIterator":"x","Limit":1001})", "ValidationException"},
        {"GetItem", "{}", "UnknownOperationException"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto response = stream_call(row.operation, row.body);
        EXPECT_EQ(response.status, 400);
        EXPECT_NE(response.body.find(row.want), std::string::npos) << response.body;
    }
}

}  // namespace
}  // namespace mailroom::dynamodb
