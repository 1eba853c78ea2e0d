// What a server does about data that is missing, and what is left to an operator.
#include "app/data_directory.h"
#include "app/open_tables.h"
#include "app/test_process.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/scratch_directory.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::app {
namespace {

namespace fs = std::filesystem;

const std::string admin_key = "admin-key-of-this-test-0123456789";

std::string table_request(const std::string& operation, const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
           "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810." +
           operation + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class MissingDataTest : public testing::Test {
protected:
    // Starts a server, asks it, and kills it.
    std::string ask_once(const std::string& operation, const std::string& body) {
        TestProcess server(serve_, unsigned_);
        const auto tables = listener_in(server.read_line(), "dynamodb");
        EXPECT_NE(tables, "");
        const auto answer = tables.empty() ? "" : ask(tables, table_request(operation, body));
        server.send(SIGKILL);
        server.exit_code();
        return answer;
    }
    // What it says when it does not start.
    std::string refusal() {
        TestProcess server(serve_, unsigned_);
        EXPECT_EQ(server.exit_code(), 1);
        return server.rest_of_err();
    }
    fs::path log() const {
        fs::path found;
        for (const auto& file : fs::directory_iterator(data_ / "tables")) {
            if (file.path().extension() != ".log") continue;
            if (found.empty() || file.file_size() > fs::file_size(found)) found = file.path();
        }
        return found;
    }

    const ScratchDirectory scratch_;
    const fs::path data_ = scratch_ / "data";
    const TestProcess::Variables unsigned_{{"MAILROOM_DYNAMODB_AUTH", "none"}};
    const std::vector<std::string> serve_{"serve",  "--data",      data_.string(),
                                          "--http", "127.0.0.1:0", "--smtp",
                                          "off",    "--dynamodb",  "127.0.0.1:0"};
};

TEST_F(MissingDataTest, TablesThatAreGoneAreMissedAtEveryStart) {
    ask_once("ListTables", "{}");
    fs::rename(data_ / "tables", scratch_ / "elsewhere");
    for (int start = 0; start < 2; ++start) {
        const auto said = refusal();
        EXPECT_NE(said.find("the tables are missing"), std::string::npos) << said;
        EXPECT_NE(said.find((data_ / "tables").string()), std::string::npos) << said;
    }
    EXPECT_FALSE(fs::exists(data_ / "tables"));
    TestProcess salvage({"salvage", "--data", data_.string()});
    EXPECT_EQ(salvage.exit_code(), 1) << "there is nothing to salvage";
    fs::rename(scratch_ / "elsewhere", data_ / "tables");
    EXPECT_TRUE(ask_once("ListTables", "{}").starts_with("HTTP/1.1 200"));
}

TEST_F(MissingDataTest, ALogThatWasCutIsRefusedUntilAnOperatorGivesUpWhatIsMissing) {
    ask_once("ListTables", "{}");
    fs::copy(data_, scratch_ / "whole", fs::copy_options::recursive);
    fs::resize_file(log(), fs::file_size(log()) - 100);
    const auto said = refusal();
    EXPECT_NE(said.find("were acknowledged"), std::string::npos) << said;
    EXPECT_NE(said.find("docs/failures.md"), std::string::npos) << said;

    TestProcess salvage({"salvage", "--data", data_.string()});
    EXPECT_EQ(salvage.exit_code(), 0) << salvage.rest_of_err();
    const auto given_up = salvage.rest_of_out();
    EXPECT_NE(given_up.find("given up: "), std::string::npos) << given_up;
    EXPECT_TRUE(ask_once("ListTables", "{}").starts_with("HTTP/1.1 200"));

    TestProcess again({"salvage", "--data", (scratch_ / "whole").string()});
    EXPECT_EQ(again.exit_code(), 0);
    EXPECT_EQ(again.rest_of_out(), "nothing is missing\n");
}

// A request with the admin's key.
std::string api_request(const std::string& method, const std::string& path,
                        const std::string& body = "") {
    return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
           "Authorization: Bearer " + admin_key + "\r\nContent-Type: application/json\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Of some bytes; once more, and they are as they were.
void turn_bits(const fs::path& path, int twelfth) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(fs::file_size(path)) * twelfth / 12;
    std::string bytes(100, '\0');
    file.seekg(at);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    for (auto& byte : bytes) byte = static_cast<char>(byte ^ 1);
    file.seekp(at);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST_F(MissingDataTest, DamagedTablesAreToldByReadinessTheLogAndABackup) {
    const TestProcess::Variables with_key{{"MAILROOM_ADMIN_KEY", admin_key}};
    const auto mail = api_request("POST", "/v1/emails",
                                  R"({"from":"a@example.com","to":"b@example.org","subject":"s",)"
                                  R"("text":"t"})");
    {
        TestProcess server(serve_, with_key);
        const auto http = listener_in(server.read_line(), "http");
        for (int i = 0; i < 40; ++i) ASSERT_TRUE(ask(http, mail).starts_with("HTTP/1.1 202"));
        // Brings what is in the log into tables.
        const auto made = ask(http, api_request("POST", "/v1/backups", R"({"name":"one"})"));
        ASSERT_TRUE(made.starts_with("HTTP/1.1 201")) << made;
        server.send(SIGKILL);
        server.exit_code();
    }
    fs::remove_all(data_ / "backups");  // Links of the same files.
    std::vector<fs::path> tables;
    for (const auto& file : fs::directory_iterator(data_ / "tables")) {
        if (file.path().extension() == ".sst") tables.push_back(file.path());
    }
    ASSERT_FALSE(tables.empty());
    // Somewhere in it is a row that every mail needs. Not every place keeps mails from being
    // accepted, and some keep the server from starting.
    bool noticed = false;
    for (int twelfth = 1; twelfth < 12; ++twelfth) {
        SCOPED_TRACE(twelfth);
        for (const auto& table : tables) turn_bits(table, twelfth);
        TestProcess server(serve_, with_key);
        const auto http = listener_in(server.read_line(), "http");
        if (!http.empty()) {
            const auto refused = ask(http, mail).starts_with("HTTP/1.1 503");
            const auto readiness = ask(http, api_request("GET", "/readyz"));
            // Work behind an accepted mail may meet the damage, too, before or after we ask.
            const auto unready = readiness.starts_with("HTTP/1.1 503");
            EXPECT_TRUE(unready || !refused) << readiness;
            const auto backup = ask(http, api_request("POST", "/v1/backups", R"({"name":"two"})"));
            EXPECT_TRUE(backup.starts_with("HTTP/1.1 500")) << backup;
            EXPECT_NE(backup.find(".sst"), std::string::npos) << backup;
            EXPECT_FALSE(fs::exists(data_ / "backups" / "two"));
            server.send(SIGKILL);
            server.exit_code();
            const auto said = server.rest_of_err();
            const auto logged = said.find("commits fail") != std::string::npos;
            EXPECT_TRUE(logged || !unready) << said;
            EXPECT_NE(said.find(".sst"), std::string::npos) << said;
            noticed |= refused;
        } else {
            const auto said = server.rest_of_err();
            EXPECT_NE(said.find(".sst"), std::string::npos) << said;
            noticed = true;
        }
        for (const auto& table : tables) turn_bits(table, twelfth);
    }
    EXPECT_TRUE(noticed);
}

TEST_F(MissingDataTest, ReadinessSaysThatTheDirectoryOfMessagesIsAwayAndThatItIsBack) {
    const auto blobs = scratch_ / "blobs";
    TestProcess server(
        serve_, {{"MAILROOM_ADMIN_KEY", admin_key}, {"MAILROOM_OUTBOX_BLOBS", blobs.string()}});
    const auto http = listener_in(server.read_line(), "http");
    const auto mail = api_request("POST", "/v1/emails",
                                  R"({"from":"a@example.com","to":"b@example.org","subject":"s",)"
                                  R"("text":"t"})");
    const auto readiness = [&] { return ask(http, api_request("GET", "/readyz")); };
    // It is looked at now and then.
    const auto becomes = [&](const std::string& status) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < until) {
            if (readiness().starts_with("HTTP/1.1 " + status)) return true;
            std::this_thread::yield();
        }
        return false;
    };
    ASSERT_TRUE(ask(http, mail).starts_with("HTTP/1.1 202"));
    EXPECT_TRUE(readiness().starts_with("HTTP/1.1 200"));

    fs::rename(blobs, scratch_ / "away");
    const auto refused = ask(http, mail);
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 503")) << refused;
    ASSERT_TRUE(becomes("503"));
    const auto said = readiness();
    EXPECT_NE(said.find("outbox.blobs"), std::string::npos) << said;
    EXPECT_EQ(said.find(blobs.string()), std::string::npos) << "anybody may ask";
    const auto measured = ask(http, api_request("GET", "/metrics"));
    EXPECT_NE(measured.find("\nmailroom_blobs_writable 0\n"), std::string::npos);

    fs::rename(scratch_ / "away", blobs);
    ASSERT_TRUE(becomes("200"));
    EXPECT_TRUE(ask(http, mail).starts_with("HTTP/1.1 202"));
    server.send(SIGTERM);
    EXPECT_EQ(server.exit_code(), 0);
    const auto log = server.rest_of_err();
    const auto first = log.find("mails cannot be stored");
    EXPECT_NE(first, std::string::npos) << log;
    EXPECT_EQ(log.find("mails cannot be stored", first + 1), std::string::npos) << log;
    EXPECT_NE(log.find("mails can be stored again"), std::string::npos) << log;
}

TEST_F(MissingDataTest, TheHistoryOfRemindersIsKeptAndTurnedOnWhereItIsNot) {
    const std::string table = R"({"TableName":"EmailTrackingTable"})";
    const auto on = R"("PointInTimeRecoveryStatus":"ENABLED")";
    const auto first = ask_once("DescribeContinuousBackups", table);
    EXPECT_NE(first.find(on), std::string::npos) << first;
    {
        const SystemClock clock;
        SystemRandom random;
        const auto directory = DataDirectory::open(data_);
        ASSERT_TRUE(directory) << directory.error().message;
        const auto rows = open_tables(*directory);
        ASSERT_TRUE(rows) << rows.error().message;
        const auto engine = table::Engine::open(**rows, clock, random);
        ASSERT_TRUE(engine) << engine.error().message;
        ASSERT_TRUE((*engine)->backups().set_continuous("EmailTrackingTable", {}));
    }
    const auto next = ask_once("DescribeContinuousBackups", table);
    EXPECT_NE(next.find(on), std::string::npos) << next;
}

}  // namespace
}  // namespace mailroom::app
