#include "dynamodb/endpoint_for_tests.h"

namespace mailroom::dynamodb {
namespace {

class DynamodbBackupsTest : public EndpointTest {
protected:
    // The text of the member that `name` names, wherever it is first.
    static std::string text_of(const http::Response& response, const std::string& name) {
        const auto mark = "\"" + name + "\":\"";
        const auto begin = response.body.find(mark);
        if (begin == response.body.npos) return "";
        const auto at = begin + mark.size();
        return response.body.substr(at, response.body.find('"', at) - at);
    }
};

TEST_F(DynamodbBackupsTest, AreMadeDescribedListedRestoredAndDeleted) {
    create_orders();
    call("PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}})");
    const auto made = call("CreateBackup", R"({"TableName":"Orders","BackupName":"monday"})");
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(text_of(made, "BackupStatus"), "CREATING");
    const auto arn = text_of(made, "BackupArn");
    const std::string with_arn = R"({"BackupArn":")" + arn + R"("})";
    engine_->finish_jobs();
    const auto described = call("DescribeBackup", with_arn);
    EXPECT_EQ(text_of(described, "BackupStatus"), "AVAILABLE") << described.body;
    EXPECT_NE(described.body.find(R"("ItemCount":1)"), std::string::npos) << described.body;
    EXPECT_NE(described.body.find(R"("TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"})"),
              std::string::npos);
    const auto listed = call("ListBackups", R"({"TableName":"Orders"})");
    EXPECT_EQ(text_of(listed, "BackupName"), "monday") << listed.body;
    EXPECT_EQ(call("ListBackups", R"({"BackupType":"SYSTEM"})").body, R"({"BackupSummaries":[]})");

    const auto restored = call("RestoreTableFromBackup",
                               R"({"TargetTableName":"Copy","BackupArn":")" + arn + R"("})");
    EXPECT_EQ(restored.status, 200) << restored.body;
    EXPECT_NE(restored.body.find(R"("RestoreInProgress":true)"), std::string::npos);
    engine_->finish_jobs();
    EXPECT_EQ(call("GetItem", R"({"TableName":"Copy","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}})").body,
              R"({"Item":{"pk":{"S":"a"},"sk":{"N":"1"}}})");
    EXPECT_EQ(text_of(call("DeleteBackup", with_arn), "BackupName"), "monday");
    EXPECT_NE(call("DescribeBackup", with_arn).body.find("BackupNotFoundException"),
              std::string::npos);
}

TEST_F(DynamodbBackupsTest, CanBeOfAnyMomentOfATable) {
    create_orders();
    EXPECT_EQ(call("DescribeContinuousBackups", R"({"TableName":"Orders"})").body,
              R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
              R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})");
    const auto on =
        call("UpdateContinuousBackups",
             R"({"TableName":"Orders",)"
             R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
    EXPECT_EQ(on.body,
              R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
              R"("PointInTimeRecoveryDescription":{"EarliestRestorableDateTime":1763186844.0,)"
              R"("LatestRestorableDateTime":1763186844.0,"PointInTimeRecoveryStatus":"ENABLED",)"
              R"("RecoveryPeriodInDays":35}}})");
    clock_.advance(std::chrono::seconds(10));
    call("PutItem", R"({"TableName":"Orders","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}})");
    const auto empty = call("RestoreTableToPointInTime",
                            R"({"SourceTableName":"Orders","TargetTableName":"Before",)"
                            R"("RestoreDateTime":1763186850.5})");
    EXPECT_EQ(empty.status, 200) << empty.body;
    const auto full = call("RestoreTableToPointInTime",
                           R"({"SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:)"
                           R"(table/Orders","TargetTableName":"Now",)"
                           R"("UseLatestRestorableTime":true})");
    EXPECT_EQ(full.status, 200) << full.body;
    engine_->finish_jobs();
    EXPECT_EQ(call("Scan", R"({"TableName":"Before","Select":"COUNT"})").body,
              R"({"Count":0,"ScannedCount":0})");
    EXPECT_EQ(call("Scan", R"({"TableName":"Now","Select":"COUNT"})").body,
              R"({"Count":1,"ScannedCount":1})");
}

TEST_F(DynamodbBackupsTest, AreKeptForAsManyDaysAsAreAskedFor) {
    create_orders();
    const auto set = [&](const std::string& days) {
        return call("UpdateContinuousBackups",
                    R"({"TableName":"Orders","PointInTimeRecoverySpecification":)"
                    R"({"PointInTimeRecoveryEnabled":true)" +
                        days + "}}")
            .body;
    };
    const auto described = [&] {
        return call("DescribeContinuousBackups", R"({"TableName":"Orders"})").body;
    };
    for (const auto* days : {"1", "7", "35"}) {
        const auto answer = set(R"(,"RecoveryPeriodInDays":)" + std::string(days));
        const auto wanted = R"("RecoveryPeriodInDays":)" + std::string(days) + "}";
        EXPECT_NE(answer.find(wanted), std::string::npos) << answer;
        EXPECT_NE(described().find(wanted), std::string::npos) << described();
    }
    set(R"(,"RecoveryPeriodInDays":7)");
    EXPECT_NE(set("").find(R"("RecoveryPeriodInDays":35})"), std::string::npos) << "the default";
}

TEST_F(DynamodbBackupsTest, OfTheProgramsOwnTablesAreNotForEverybodyToDelete) {
    call("CreateTable", R"({"TableName":"Plain","BillingMode":"PAY_PER_REQUEST",)"
                        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
    table::CreateTable shared;
    shared.name = "EmailOutbox";
    shared.attributes = {{"pk", table::Kind::string}};
    shared.keys.hash = "pk";
    ASSERT_TRUE(engine_->create_table(shared));
    const auto made = call("CreateBackup", R"({"TableName":"EmailOutbox","BackupName":"monday"})");
    ASSERT_EQ(made.status, 200) << made.body;
    const auto arn = text_of(made, "BackupArn");
    engine_->finish_jobs();
    // clang-format off
    const std::pair<const char*, std::string> refused[] = {
        {"DeleteBackup", R"({"BackupArn":")" + arn + R"("})"},
        {"UpdateContinuousBackups", R"({"TableName":"EmailOutbox","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}})"},
        {"RestoreTableFromBackup", R"({"TargetTableName":"EmailOutbox","BackupArn":")" + arn + R"("})"},
        {"RestoreTableFromBackup", R"({"TargetTableName":"MailroomCopy","BackupArn":")" + arn + R"("})"},
        {"RestoreTableToPointInTime", R"({"SourceTableName":"Plain","TargetTableName":"EmailOutbox","UseLatestRestorableTime":true})"},
        {"DeleteTable", R"({"TableName":"EmailOutbox"})"},
        {"UpdateTable", R"({"TableName":"EmailOutbox","DeletionProtectionEnabled":false})"},
    };
    // clang-format on
    for (const auto& [operation, body] : refused) {
        const auto answer = call(operation, body);
        EXPECT_NE(answer.body.find("AccessDeniedException"), std::string::npos) << answer.body;
    }
    const auto copied = call("RestoreTableFromBackup",
                             R"({"TargetTableName":"Copy","BackupArn":")" + arn + R"("})");
    EXPECT_EQ(copied.status, 200) << copied.body;
}

TEST_F(DynamodbBackupsTest, AreRefusedInDynamodbsForm) {
    create_orders();
    struct Row {
        std::string_view operation, body, want;
    };
    // clang-format off
    const Row rows[] = {
        {"CreateBackup", R"({"TableName":"Nothing","BackupName":"abc"})", "TableNotFoundException"},
        {"CreateBackup", R"({"TableName":"MailroomKeys","BackupName":"abc"})", "ResourceNotFoundException"},
        {"CreateBackup", R"({"TableName":"Orders","BackupName":"a"})", "ValidationException"},
        {"CreateBackup", R"({"TableName":"Orders"})", "ValidationException"},
        {"DescribeBackup", R"({"BackupArn":"x"})", "ValidationException"},
        {"DeleteBackup", R"({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/backup/1"})", "BackupNotFoundException"},
        {"ListBackups", R"({"Limit":101})", "ValidationException"},
        {"RestoreTableFromBackup", R"({"TargetTableName":"Copy","BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/backup/1"})", "BackupNotFoundException"},
        {"RestoreTableToPointInTime", R"({"SourceTableName":"Orders","TargetTableName":"Copy","UseLatestRestorableTime":true})", "PointInTimeRecoveryUnavailableException"},
        {"RestoreTableToPointInTime", R"({"SourceTableName":"Orders","TargetTableName":"Copy"})", "ValidationException"},
        {"RestoreTableToPointInTime", R"({"TargetTableName":"Copy","UseLatestRestorableTime":true})", "ValidationException"},
        {"DescribeContinuousBackups", R"({"TableName":"Nothing"})", "TableNotFoundException"},
        {"UpdateContinuousBackups", R"({"TableName":"Orders"})", "ValidationException"},
        {"UpdateContinuousBackups", R"({"TableName":"Orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":0}})", "Value '0' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: Member must have value greater than or equal to 1"},
        {"UpdateContinuousBackups", R"({"TableName":"Orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":36}})", "Value '36' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: Member must have value less than or equal to 35"},
    };
    // clang-format on
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto response = call(row.operation, std::string(row.body));
        EXPECT_EQ(response.status, 400);
        EXPECT_NE(response.body.find(row.want), std::string::npos) << response.body;
    }
}

}  // namespace
}  // namespace mailroom::dynamodb
