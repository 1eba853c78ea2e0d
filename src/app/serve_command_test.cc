#include "app/test_process.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

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
    // Every port is the system's choice: the defaults may be taken by another program.
    std::vector<std::string> serve(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"serve",       "--data", data_,        "--http",
                                           "127.0.0.1:0", "--smtp", "127.0.0.1:0"};
        if (std::ranges::find(more, "--dynamodb") == more.end()) {
            arguments.insert(arguments.end(), {"--dynamodb", "127.0.0.1:0"});
        }
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    // Starts, and stops as soon as it is up.
    bool shows_admin_key() const {
        TestProcess server(serve({"--dynamodb", "off"}));
        server.read_line();
        server.send(SIGTERM);
        EXPECT_EQ(server.exit_code(), 0);
        return server.rest_of_err().find("admin API key, shown only this once: mr_") !=
               std::string::npos;
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

TEST_F(ServeTest, GoesOnAfterSignalsThatOtherProgramsSendAndEndsWellOnQuit) {
    TestProcess server(serve());
    const auto http = listener_in(server.read_line(), "http");
    for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2, SIGHUP}) {
        server.send(signal);
        EXPECT_TRUE(ask(http, get("/healthz")).starts_with("HTTP/1.1 200")) << signal;
    }
    server.send(SIGQUIT);
    EXPECT_EQ(server.exit_code(), 0);
    EXPECT_NE(server.rest_of_err().find("SIGQUIT"), std::string::npos);
}

TEST_F(ServeTest, ASettingThatCannotWorkIsSaidAtTheStart) {
    struct Case {
        Variables variables;
        std::string want;
    };
    const auto missing = (scratch_ / "missing").string();
    const Case cases[] = {
        {{{"MAILROOM_OUTBOX_ATTACHMENTS_DIRECTORY", missing}},
         "outbox.attachments_directory: " + missing},
        {{{"MAILROOM_OUTBOX_SHARED_DIRECTORY", missing}}, "outbox.shared_directory: " + missing},
        {{{"MAILROOM_SERVER_TLS_CERTIFICATE", missing}, {"MAILROOM_SERVER_TLS_KEY", missing}},
         "server.tls_certificate, server.tls_key: "},
        {{{"MAILROOM_DKIM_KEYS", "example.com:a:" + missing}}, "dkim.keys: " + missing},
        {{{"MAILROOM_OUTBOX_BLOBS", "/proc/nowhere"}}, "outbox.blobs: "},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        TestProcess server(serve(), c.variables);
        EXPECT_EQ(server.exit_code(), 1);
        EXPECT_NE(server.rest_of_err().find(c.want), std::string::npos);
    }
}

TEST_F(ServeTest, AFailedLoginIsInTheLogWithItsAddressAndWithoutTheKey) {
    TestProcess server(serve());
    const auto ready = server.read_line();
    const std::string key = "mr_guessed_by_somebody_who_does_not_know";
    const auto answer = ask(listener_in(ready, "http"),
                            "GET /v1/emails HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            "Authorization: Bearer " +
                                key + "\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401")) << answer;
    server.send(SIGTERM);
    EXPECT_EQ(server.exit_code(), 0);
    const auto err = server.rest_of_err();
    EXPECT_NE(err.find("a login failed door=http peer=127.0.0.1 key=mr_gues"), std::string::npos)
        << err;
    EXPECT_EQ(err.find(key), std::string::npos);
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
    const auto key_err = keys.rest_of_err();
    EXPECT_TRUE(key_err.starts_with(in_use.substr(0, in_use.size() - 1))) << key_err;
    EXPECT_NE(key_err.find("/v1/access-keys"), std::string::npos) << key_err;

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

TEST_F(ServeTest, TheAdminKeyOfAStartThatFailedIsShownByTheNext) {
    TestProcess neighbour({"serve", "--data", (scratch_ / "neighbour").string(), "--http",
                           "127.0.0.1:0", "--smtp", "off", "--dynamodb", "off"});
    const auto taken = listener_in(neighbour.read_line(), "http");
    for (const std::string flag : {"--http", "--smtp", "--dynamodb"}) {
        std::vector<std::string> arguments{"serve", "--data", data_};
        for (const std::string listener : {"--http", "--smtp", "--dynamodb"}) {
            arguments.insert(arguments.end(), {listener, listener == flag ? taken : "127.0.0.1:0"});
        }
        TestProcess failed(arguments);
        EXPECT_EQ(failed.exit_code(), 1) << flag;
        EXPECT_EQ(failed.rest_of_err().find("admin API key"), std::string::npos) << flag;
    }
    EXPECT_TRUE(shows_admin_key());
}

TEST_F(ServeTest, AKeyMadeBeforeTheFirstStartDoesNotStandForTheAdminKey) {
    TestProcess made({"key", "--data", data_, "create", "shop", "--scope", "send"});
    ASSERT_EQ(made.exit_code(), 0) << made.rest_of_err();
    EXPECT_TRUE(shows_admin_key());
}

// It must be something that the server does not refuse while it runs.
TEST_F(ServeTest, TheFirstStartTellsHowToReachTheTables) {
    TestProcess server(serve(tables_on_));
    server.read_line();
    server.send(SIGTERM);
    server.exit_code();
    const auto err = server.rest_of_err();
    EXPECT_NE(err.find("POST /v1/access-keys"), std::string::npos) << err;
    EXPECT_EQ(err.find("key create"), std::string::npos) << err;
}

TEST_F(ServeTest, KeysOfDataThatIsNotThereAreNotListedAndNothingIsMade) {
    const auto nowhere = scratch_ / "typo";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"list"}, {"revoke", "01ARYZ6S410000000000000000"}}) {
        std::vector<std::string> arguments{"key", "--data", nowhere.string()};
        arguments.insert(arguments.end(), words.begin(), words.end());
        TestProcess asked(arguments);
        EXPECT_EQ(asked.exit_code(), 1) << words[0];
        EXPECT_NE(asked.rest_of_err().find("no data in " + nowhere.string()), std::string::npos);
        EXPECT_FALSE(std::filesystem::exists(nowhere)) << words[0];
    }
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
    TestProcess managing({"key", "--data", data_, "create", "x", "--dynamodb", "--manage"});
    EXPECT_NE(managing.rest_of_err().find("for manage *"), std::string::npos);
    EXPECT_EQ(managing.exit_code(), 0);
    TestProcess both(
        {"key", "--data", data_, "create", "x", "--dynamodb", "--manage", "--read-only"});
    EXPECT_EQ(both.exit_code(), 2);
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
