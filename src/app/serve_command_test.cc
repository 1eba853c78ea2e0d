#include "app/test_process.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

namespace mailroom::app {
namespace {

using Variables = TestProcess::Variables;

// Another program's request to the tables.
std::string table_request(const std::string& operation, const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
           "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810." +
           operation + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string get(const std::string& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
}

const std::string create_orders =
    R"({"TableName":"Orders","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})";

class ServeTest : public testing::Test {
protected:
    std::vector<std::string> serve(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"serve",       "--data", data_,        "--http",
                                           "127.0.0.1:0", "--smtp", "127.0.0.1:0"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    const ScratchDirectory scratch_;
    const std::string data_ = (scratch_ / "data").string();
    const std::vector<std::string> tables_on_{"--dynamodb", "127.0.0.1:0"};
    const TestProcess::Variables unsigned_{{"MAILROOM_DYNAMODB_AUTH", "none"}};
};

TEST_F(ServeTest, TellsItsRealPortsServesAndEndsWellOnEitherSignal) {
    for (const int signal : {SIGTERM, SIGINT}) {
        TestProcess server(serve(tables_on_), unsigned_);
        const auto ready = server.read_line();
        ASSERT_TRUE(ready.starts_with("mailroom ready http=127.0.0.1:")) << ready;
        EXPECT_NE(listener_in(ready, "smtp"), "");
        const auto http = listener_in(ready, "http"), tables = listener_in(ready, "dynamodb");
        EXPECT_TRUE(ask(http, get("/healthz")).starts_with("HTTP/1.1 200"));
        EXPECT_TRUE(ask(http, get("/readyz")).starts_with("HTTP/1.1 200"));
        EXPECT_NE(ask(http, get("/metrics")).find("mailroom_commits_total"), std::string::npos);
        const auto names = ask(tables, table_request("ListTables", "{}"));
        EXPECT_TRUE(names.starts_with("HTTP/1.1 200")) << names;
        server.send(signal);
        EXPECT_EQ(server.exit_code(), 0) << server.rest_of_err();
        EXPECT_EQ(server.rest_of_out(), "");
    }
}

TEST_F(ServeTest, MayOpenMoreFilesThanTheShellThatStartedIt) {
    rlimit ours{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &ours), 0);
    const rlimit few{std::min<rlim_t>(256, ours.rlim_max), ours.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    TestProcess server(serve());
    server.read_line();
    rlimit its{};
    EXPECT_EQ(prlimit(server.id(), RLIMIT_NOFILE, nullptr, &its), 0);
    EXPECT_EQ(its.rlim_cur, std::min<rlim_t>(65536, ours.rlim_max));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &ours), 0);
}

TEST_F(ServeTest, KeepsTheTablesOverARestart) {
    {
        TestProcess server(serve(tables_on_), unsigned_);
        const auto tables = listener_in(server.read_line(), "dynamodb");
        const auto made = ask(tables, table_request("CreateTable", create_orders));
        ASSERT_TRUE(made.starts_with("HTTP/1.1 200")) << made;
        server.send(SIGKILL);
        server.exit_code();
    }
    TestProcess server(serve(tables_on_), unsigned_);
    const auto tables = listener_in(server.read_line(), "dynamodb");
    const auto names = ask(tables, table_request("ListTables", "{}"));
    EXPECT_NE(names.find("\"Orders\""), std::string::npos) << names;
}

TEST_F(ServeTest, ListensOnlyWhereItIsToldTo) {
    TestProcess server(serve({"--dynamodb", "off"}));
    const auto ready = server.read_line();
    EXPECT_NE(listener_in(ready, "http"), "");
    EXPECT_EQ(listener_in(ready, "dynamodb"), "");
}

TEST_F(ServeTest, HasItsDataToItself) {
    TestProcess server(serve(tables_on_));
    const auto ready = server.read_line();
    const auto in_use = "mailroom: data directory " + data_ +
                        " is in use by another mailroom (pid " + std::to_string(server.id()) +
                        ")\n";
    TestProcess second(serve(tables_on_));
    EXPECT_EQ(second.exit_code(), 1);
    EXPECT_TRUE(second.rest_of_err().ends_with(in_use));
    TestProcess keys({"key", "--data", data_, "list"});
    EXPECT_EQ(keys.exit_code(), 1);
    EXPECT_EQ(keys.rest_of_err(), in_use);

    auto taken = serve({"--dynamodb", listener_in(ready, "http")});
    taken[2] = (scratch_ / "other").string();
    TestProcess third(taken);
    EXPECT_EQ(third.exit_code(), 1) << "the port is taken";
}

TEST_F(ServeTest, TheFirstStartShowsAnAdminKeyOnce) {
    const std::string_view mark = "mailroom: admin API key, shown only this once: mr_";
    for (const bool first : {true, false}) {
        TestProcess server(serve({"--dynamodb", "off"}));
        server.read_line();
        server.send(SIGTERM);
        EXPECT_EQ(server.exit_code(), 0);
        EXPECT_EQ(server.rest_of_err().find(mark) != std::string::npos, first);
    }
    TestProcess list({"key", "--data", data_, "list"});
    EXPECT_EQ(list.exit_code(), 0);
    const auto line = list.read_line();
    EXPECT_NE(line.find("  admin  admin"), std::string::npos) << line;
    EXPECT_EQ(list.rest_of_out(), "") << "one key, not two";
}

TEST_F(ServeTest, TheWantedAdminKeyIsNeverPrinted) {
    const std::string key = "chosen-by-the-operator-1234";
    TestProcess server(serve({"--dynamodb", "off"}), {{"MAILROOM_ADMIN_KEY", key}});
    server.read_line();
    server.send(SIGTERM);
    EXPECT_EQ(server.exit_code(), 0);
    const auto err = server.rest_of_err();
    EXPECT_EQ(err.find(key), std::string::npos);
    EXPECT_EQ(err.find("admin API key"), std::string::npos);
}

TEST_F(ServeTest, KeysAreMadeListedAndRevoked) {
    TestProcess made(
        {"key", "--data", data_, "create", "billing", "--scope", "send", "--scope", "read"});
    ASSERT_EQ(made.exit_code(), 0) << made.rest_of_err();
    const auto text = made.read_line();
    EXPECT_TRUE(text.starts_with("mr_"));
    EXPECT_EQ(made.rest_of_out(), "") << "nothing but the key";

    TestProcess listed({"key", "list", "--data", data_});
    const auto line = listed.read_line();
    EXPECT_EQ(line.find(text), std::string::npos);
    EXPECT_NE(line.find("read,send  billing"), std::string::npos) << line;
    EXPECT_NE(line.find(text.substr(text.size() - 4)), std::string::npos) << line;
    listed.exit_code();

    const auto id = line.substr(0, line.find(' '));
    for (const int exit_code : {0, 1}) {
        TestProcess revoked({"key", "--data", data_, "revoke", id});
        EXPECT_EQ(revoked.exit_code(), exit_code) << revoked.rest_of_err();
    }
    TestProcess wrong({"key", "--data", data_, "create", "x", "--scope", "NOT A SCOPE"});
    EXPECT_EQ(wrong.exit_code(), 2);
    TestProcess without({"key", "--data", data_, "create", "x"});
    EXPECT_EQ(without.exit_code(), 2);
}

TEST_F(ServeTest, AccessKeysAreMadeListedAndRevoked) {
    TestProcess made({"key", "--data", data_, "create", "reports", "--dynamodb", "--table",
                      "Orders", "--read-only"});
    ASSERT_EQ(made.exit_code(), 0) << made.rest_of_err();
    const auto id = made.read_line(), secret = made.read_line();
    EXPECT_TRUE(id.starts_with("AWS_ACCESS_KEY_ID=AKMR")) << id;
    EXPECT_TRUE(secret.starts_with("AWS_SECRET_ACCESS_KEY=")) << secret;
    EXPECT_EQ(made.rest_of_out(), "");

    TestProcess listed({"key", "list", "--data", data_});
    const auto line = listed.read_line();
    const auto id_text = id.substr(id.find('=') + 1);
    EXPECT_TRUE(line.starts_with(id_text)) << line;
    EXPECT_NE(line.find("read Orders  reports"), std::string::npos) << line;
    EXPECT_EQ(line.find(secret.substr(secret.find('=') + 1)), std::string::npos);
    listed.exit_code();

    for (const int exit_code : {0, 1}) {
        TestProcess revoked({"key", "--data", data_, "revoke", id_text});
        EXPECT_EQ(revoked.exit_code(), exit_code) << revoked.rest_of_err();
    }
    TestProcess mixed({"key", "--data", data_, "create", "x", "--dynamodb", "--scope", "send"});
    EXPECT_EQ(mixed.exit_code(), 2);
    TestProcess alone({"key", "--data", data_, "create", "x", "--scope", "send", "--read-only"});
    EXPECT_EQ(alone.exit_code(), 2);
}

// Unless it is told otherwise, the server wants signatures.
TEST_F(ServeTest, RefusesTableRequestsThatNobodySigned) {
    TestProcess server(serve(tables_on_));
    const auto tables = listener_in(server.read_line(), "dynamodb");
    const auto names = ask(tables, table_request("ListTables", "{}"));
    EXPECT_TRUE(names.starts_with("HTTP/1.1 400")) << names;
    EXPECT_NE(names.find("MissingAuthenticationTokenException"), std::string::npos) << names;
}

TEST_F(ServeTest, IsBackedUpWhileItServesAndBroughtBack) {
    const std::string key = "chosen-by-the-operator-1234";
    const auto copy = (scratch_ / "copy").string(), restored = (scratch_ / "restored").string();
    {
        auto environment = unsigned_;
        environment["MAILROOM_ADMIN_KEY"] = key;
        TestProcess server(serve(tables_on_), environment);
        const auto ready = server.read_line();
        const auto made =
            ask(listener_in(ready, "dynamodb"), table_request("CreateTable", create_orders));
        ASSERT_TRUE(made.starts_with("HTTP/1.1 200")) << made;
        const std::vector<std::string> arguments{"backup", copy,     "--data",
                                                 data_,    "--http", listener_in(ready, "http")};
        TestProcess locked(arguments);
        EXPECT_EQ(locked.exit_code(), 1);
        EXPECT_NE(locked.rest_of_err().find("MAILROOM_ADMIN_KEY"), std::string::npos);
        TestProcess stranger(arguments, {{"MAILROOM_ADMIN_KEY", "not-the-key-of-anybody-12"}});
        EXPECT_EQ(stranger.exit_code(), 1);
        TestProcess backup(arguments, {{"MAILROOM_ADMIN_KEY", key}});
        EXPECT_EQ(backup.exit_code(), 0) << backup.rest_of_err();
        TestProcess again(arguments, {{"MAILROOM_ADMIN_KEY", key}});
        EXPECT_EQ(again.exit_code(), 1);
        server.send(SIGKILL);
        server.exit_code();
    }
    TestProcess restore({"restore", copy, "--data", restored});
    ASSERT_EQ(restore.exit_code(), 0) << restore.rest_of_err();
    TestProcess server({"serve", "--data", restored, "--http", "127.0.0.1:0", "--smtp", "off",
                        "--dynamodb", "127.0.0.1:0"},
                       unsigned_);
    const auto names =
        ask(listener_in(server.read_line(), "dynamodb"), table_request("ListTables", "{}"));
    EXPECT_NE(names.find("\"Orders\""), std::string::npos) << names;
    // Without a server, the command copies by itself.
    TestProcess alone({"backup", (scratch_ / "second").string(), "--data", data_});
    EXPECT_EQ(alone.exit_code(), 0) << alone.rest_of_err();
    EXPECT_EQ(alone.rest_of_err(), "");
    // What a backup does not hold is said by it.
    const std::map<std::string, std::string> files = {{"MAILROOM_OUTBOX_BLOBS", "/srv/mail"}};
    TestProcess apart({"backup", (scratch_ / "fourth").string(), "--data", data_}, files);
    EXPECT_EQ(apart.exit_code(), 0);
    EXPECT_NE(apart.rest_of_err().find("/srv/mail"), std::string::npos);
    TestProcess back(
        {"restore", (scratch_ / "fourth").string(), "--data", (scratch_ / "fifth").string()},
        files);
    EXPECT_EQ(back.exit_code(), 0);
    EXPECT_NE(back.rest_of_err().find("/srv/mail"), std::string::npos);
    TestProcess nothing({"backup", (scratch_ / "third").string(), "--data", "/nowhere/at/all"});
    EXPECT_EQ(nothing.exit_code(), 1);
}

}  // namespace
}  // namespace mailroom::app
