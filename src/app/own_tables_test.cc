#include "app/own_tables.h"

#include "app/app.h"
#include "app/storage.h"
#include "app/test_process.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace mailroom::app {
namespace {

const std::string admin_key = "mr_0123456789abcdefghijklmnopqrstuvwxyz";

// A server that has been started once, with everything on.
class OwnTables : public testing::Test {
protected:
    Config config() const {
        Config config;
        const auto loaded = load_config({std::nullopt,
                                         {{"MAILROOM_SERVER_DATA", (scratch_ / "data").string()},
                                          {"MAILROOM_SERVER_HTTP", "127.0.0.1:0"},
                                          {"MAILROOM_SERVER_DYNAMODB", "127.0.0.1:0"},
                                          {"MAILROOM_SERVER_SMTP", "127.0.0.1:0"},
                                          {"MAILROOM_DYNAMODB_AUTH", "none"}},
                                         {}},
                                        config);
        EXPECT_TRUE(loaded) << loaded.error().message;
        return config;
    }
    const ScratchDirectory scratch_;
};

TEST_F(OwnTables, EveryTableThatAServerHasIsDeclaredAndTheOtherWayRound) {
    ASSERT_TRUE(App::start(config(), admin_key));
    const auto wanted = config();
    const SystemClock clock;
    SystemRandom random;
    const auto storage = open_storage(wanted, clock, random);
    ASSERT_TRUE(storage) << storage.error().message;
    std::set<std::string> declared, found;
    for (const auto& table : declared_tables(wanted.programs.house)) {
        declared.insert(table.made.name);
        EXPECT_EQ(table.outside == table::Outside::hidden,
                  table::OwnTables::is_reserved(table.made.name))
            << table.made.name << ": what is hidden has a name that nobody else may have";
        const auto kept = storage->engine->backups().continuous(table.made.name);
        ASSERT_TRUE(kept) << table.made.name;
        EXPECT_EQ(kept->setting.enabled, table.keeps_history) << table.made.name;
    }
    const auto names = storage->engine->list_tables("", 100);
    ASSERT_TRUE(names);
    EXPECT_FALSE(names->last);
    found.insert(names->names.begin(), names->names.end());
    EXPECT_EQ(found, declared);
    EXPECT_GT(found.size(), 10u);
}

TEST_F(OwnTables, WhatIsHiddenIsOutOfReachOfEveryOperation) {
    auto app = App::start(config(), admin_key);
    ASSERT_TRUE(app) << app.error().message;
    const auto tables = listener_in((*app)->ready_line(), "dynamodb");
    const auto send = [&](std::string operation, const std::string& body) {
        if (operation.find('.') == operation.npos) operation = "DynamoDB_20120810." + operation;
        return ask(tables,
                   "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                   "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: " +
                       operation + "\r\nContent-Length: " + std::to_string(body.size()) +
                       "\r\n\r\n" + body);
    };
    struct Case {
        std::string operation, body;  // $ stands for the table.
    };
    // clang-format off
    const Case cases[] = {
        {"DescribeTable", R"({"TableName":"$"})"},
        {"Scan", R"({"TableName":"$"})"},
        {"Query", R"({"TableName":"$","KeyConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"S":"x"}}})"},
        {"GetItem", R"({"TableName":"$","Key":{"a":{"S":"x"}}})"},
        {"PutItem", R"({"TableName":"$","Item":{"a":{"S":"x"}}})"},
        {"UpdateItem", R"({"TableName":"$","Key":{"a":{"S":"x"}}})"},
        {"DeleteItem", R"({"TableName":"$","Key":{"a":{"S":"x"}}})"},
        {"BatchGetItem", R"({"RequestItems":{"$":{"Keys":[{"a":{"S":"x"}}]}}})"},
        {"BatchWriteItem", R"({"RequestItems":{"$":[{"PutRequest":{"Item":{"a":{"S":"x"}}}}]}})"},
        {"TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"$","Key":{"a":{"S":"x"}}}}]})"},
        {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"$","Item":{"a":{"S":"x"}}}}]})"},
        {"TransactWriteItems", R"x({"TransactItems":[{"ConditionCheck":{"TableName":"$","Key":{"a":{"S":"x"}},"ConditionExpression":"attribute_not_exists(a)"}}]})x"},
        {"TransactWriteItems", R"({"TransactItems":[{"Delete":{"TableName":"$","Key":{"a":{"S":"x"}}}}]})"},
        {"ExecuteStatement", R"({"Statement":"SELECT * FROM \"$\""})"},
        {"ExecuteStatement", R"({"Statement":"DELETE FROM \"$\" WHERE a='x'"})"},
        {"ExecuteTransaction", R"({"TransactStatements":[{"Statement":"INSERT INTO \"$\" VALUE {'a':'x'}"}]})"},
        {"CreateTable", R"({"TableName":"$","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]})"},
        {"UpdateTable", R"({"TableName":"$","BillingMode":"PAY_PER_REQUEST"})"},
        {"DeleteTable", R"({"TableName":"$"})"},
        {"DescribeTimeToLive", R"({"TableName":"$"})"},
        {"UpdateTimeToLive", R"({"TableName":"$","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}})"},
        {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/$","Tags":[{"Key":"a","Value":"b"}]})"},
        {"ListTagsOfResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/$"})"},
        {"CreateBackup", R"({"TableName":"$","BackupName":"backup"})"},
        {"DescribeContinuousBackups", R"({"TableName":"$"})"},
        {"UpdateContinuousBackups", R"({"TableName":"$","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"},
        {"RestoreTableToPointInTime", R"({"SourceTableName":"$","TargetTableName":"Mine","UseLatestRestorableTime":true})"},
        {"RestoreTableToPointInTime", R"({"SourceTableName":"EmailTrackingTable","TargetTableName":"$","UseLatestRestorableTime":true})"},
        {"DescribeContributorInsights", R"({"TableName":"$"})"},
        {"DynamoDBStreams_20120810.DescribeStream", R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/$/stream/2026-11-19T00:00:00.000"})"},
    };
    // clang-format on
    const auto refused = [](const std::string& answer) {
        return answer.starts_with("HTTP/1.1 400") &&
               (answer.find("NotFoundException") != answer.npos ||
                answer.find("AccessDeniedException") != answer.npos);
    };
    for (const auto& table : declared_tables(config().programs.house)) {
        if (table.outside != table::Outside::hidden) continue;
        const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + table.made.name;
        for (const auto& name : {table.made.name, arn}) {
            for (auto [operation, body] : cases) {
                const bool takes_no_arn = body.find('/') != body.npos;
                if (takes_no_arn && name == arn) continue;
                for (auto at = body.find('$'); at != body.npos; at = body.find('$')) {
                    body.replace(at, 1, name);
                }
                const auto answer = send(operation, body);
                EXPECT_TRUE(refused(answer) ||
                            (name == arn && answer.find("ValidationException") != answer.npos))
                    << operation << " " << body << "\n"
                    << answer;
            }
        }
    }
    for (const auto* listing :
         {"ListTables", "ListBackups", "DynamoDBStreams_20120810.ListStreams"}) {
        EXPECT_EQ(send(listing, "{}").find("Mailroom"), std::string::npos) << listing;
    }
    EXPECT_EQ(
        send(
            "BatchExecuteStatement",
            R"({"Statements":[{"Statement":"SELECT * FROM \"MailroomKeys\" WHERE key_hash='x'"}]})")
            .find("\"Item\""),
        std::string::npos);
}

}  // namespace
}  // namespace mailroom::app
