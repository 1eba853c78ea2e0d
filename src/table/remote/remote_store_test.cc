#include "table/remote/remote_store.h"

#include "net/scripted_server.h"

#include <gtest/gtest.h>

#include <memory>

namespace mailroom::table::remote {
namespace {

using namespace std::chrono_literals;
using net::ScriptedServer;

constexpr const char* found = R"({"Item":{"pk":{"S":"a"}}})";
constexpr const char* throttled =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",)"
    R"("message":"slow down"})";

// Remembers the waits instead of waiting.
class CountingSleeper final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds duration) override {
        waits.push_back(duration);
        return patient;
    }
    std::vector<std::chrono::milliseconds> waits;
    bool patient = true;
};

class RemoteStoreTest : public ::testing::Test {
protected:
    void serve(std::vector<std::string> answers) {
        store.reset();
        server = std::make_unique<ScriptedServer>(std::move(answers));
        RemoteOptions options;
        options.endpoint = server->url();
        options.region = "eu-central-1";
        options.credentials = {"AKIDEXAMPLE", "secret", std::nullopt};
        options.retry.attempts_max = attempts_max;
        sleeper.waits.clear();
        auto opened = RemoteStore::open(options, clock, random, sleeper);
        ASSERT_TRUE(opened) << opened.error().message;
        store = *std::move(opened);
    }
    Outcome<GetResult> get() {
        GetItem request;
        request.table = "T";
        request.key = {{"pk", "a"}};
        return store->get(request);
    }

    ManualClock clock{from_unix_ms(1'794'721'884'000)};  // 2026-11-15T05:51:24Z
    SeededRandom random{3};
    CountingSleeper sleeper;
    int attempts_max = 3;
    // The store goes first and closes its connections, which the server waits for.
    std::unique_ptr<ScriptedServer> server;
    std::unique_ptr<RemoteStore> store;
};

TEST_F(RemoteStoreTest, SendsWhatAnSdkSends) {
    serve({ScriptedServer::answer(200, found)});
    const auto got = get();
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->item, (Item{{"pk", "a"}}));
    const auto sent = server->requests().at(0);
    for (const char* part :
         {"POST / HTTP/1.1\r\n", "\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n",
          "\r\nContent-Type: application/x-amz-json-1.0\r\n",
          "\r\nX-Amz-Date: 20261115T055124Z\r\n",
          "\r\nAuthorization: AWS4-HMAC-SHA256 "
          "Credential=AKIDEXAMPLE/20261115/eu-central-1/dynamodb/aws4_request, "
          "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=",
          R"("Key":{"pk":{"S":"a"}})"}) {
        EXPECT_NE(sent.find(part), sent.npos) << part << " is not in\n" << sent;
    }
}

TEST_F(RemoteStoreTest, TriesAgainWhatMayHelpAndNothingElse) {
    struct Case {
        const char* name;
        std::string first;
        bool again;
        Fault fault;
    };
    const auto answer = &ScriptedServer::answer;
    const auto typed = [](const std::string& type) {
        return R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + type + R"(","message":"m"})";
    };
    const auto cancelled = [](const std::string& codes) {
        return R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
               R"("Message":"m","CancellationReasons":[)" +
               codes + "]}";
    };
    const std::string conflict = R"({"Code":"None"},{"Code":"TransactionConflict","Message":"m"})";
    const std::string condition = R"({"Code":"ConditionalCheckFailed","Message":"m"})";
    const Case cases[] = {
        {"cancelled for now", answer(400, cancelled(conflict), ""), true,
         Fault::transaction_canceled},
        {"cancelled for good", answer(400, cancelled(conflict + "," + condition), ""), false,
         Fault::transaction_canceled},
        {"throughput", answer(400, throttled, ""), true, Fault::throttling},
        {"throttling", answer(400, typed("ThrottlingException"), ""), true, Fault::throttling},
        {"429", answer(429, "", ""), true, Fault::throttling},
        {"in progress", answer(400, typed("TransactionInProgressException"), ""), true,
         Fault::transaction_in_progress},
        {"500", answer(500, typed("InternalServerError"), ""), true, Fault::internal},
        {"502 of a proxy", answer(502, "<html>", ""), true, Fault::internal},
        {"503", answer(503, "", ""), true, Fault::internal},
        {"lost", "", true, Fault::internal},
        {"cut off in its header", "HTTP/1.1 200 OK\r\nServer: x\r\n", true, Fault::internal},
        {"damaged", answer(200, found, "x-amz-crc32: 1\r\n"), true, Fault::internal},
        {"validation", answer(400, typed("ValidationException"), ""), false, Fault::validation},
        {"condition", answer(400, typed("ConditionalCheckFailedException"), ""), false,
         Fault::conditional_check_failed},
        {"limit", answer(400, typed("LimitExceededException"), ""), false, Fault::limit_exceeded},
        {"not found", answer(400, typed("ResourceNotFoundException"), ""), false,
         Fault::resource_not_found},
        {"bad key", answer(400, typed("UnrecognizedClientException"), ""), false,
         Fault::validation},
        {"501", answer(501, "", ""), false, Fault::internal},
        {"not JSON", answer(200, "<html>", ""), false, Fault::internal},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        attempts_max = 3;
        serve({c.first, ScriptedServer::answer(200, found)});
        EXPECT_EQ(static_cast<bool>(get()), c.again);
        EXPECT_EQ(sleeper.waits.size(), c.again ? 1u : 0u);
        attempts_max = 1;
        serve({c.first});
        const auto refused = get();
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().fault, c.fault) << refused.error().message;
    }
}

TEST_F(RemoteStoreTest, GivesUpAfterItsAttemptsOrWhenThereIsNoTimeToWait) {
    const auto busy = ScriptedServer::answer(400, throttled);
    serve({busy, busy, busy, ScriptedServer::answer(200, found)});
    const auto refused = get();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::throttling);
    EXPECT_NE(refused.error().message.find("slow down"), std::string::npos);
    EXPECT_EQ(server->requests().size(), 3u);
    ASSERT_EQ(sleeper.waits.size(), 2u);
    EXPECT_LE(sleeper.waits[0], 50ms);
    EXPECT_LE(sleeper.waits[1], 100ms);

    sleeper.patient = false;
    serve({busy, ScriptedServer::answer(200, found)});
    EXPECT_FALSE(get());
    EXPECT_EQ(server->requests().size(), 1u);
}

TEST_F(RemoteStoreTest, ADeadServerGetsNoMoreRetriesOnceTheBudgetIsSpent) {
    serve({});
    const auto url = server->url();
    server.reset();
    constexpr int retries_per_call = 2;
    constexpr int calls = RetryBudget::capacity / RetryBudget::retry_cost / retries_per_call;
    for (int i = 0; i < calls; ++i) EXPECT_EQ(get().error().fault, Fault::internal);
    EXPECT_EQ(sleeper.waits.size(), std::size_t{calls} * retries_per_call);
    const auto refused = get();
    EXPECT_EQ(sleeper.waits.size(), std::size_t{calls} * retries_per_call);
    EXPECT_NE(refused.error().message.find(url), std::string::npos) << refused.error().message;
}

std::string token_in(const std::string& request) {
    const std::string name = R"("ClientRequestToken":")";
    const auto at = request.find(name);
    if (at == request.npos) return "";
    const auto from = at + name.size();
    return request.substr(from, request.find('"', from) - from);
}

TEST_F(RemoteStoreTest, AdditionsAreSentAsUpdates) {
    TransactWrite write;
    write.additions = {{"T", {{"pk", "sums"}}, {{"sent", 1}, {"waiting", -1}}}};
    serve({ScriptedServer::answer(200, "{}")});
    ASSERT_TRUE(store->transact(write));
    const auto sent = server->requests();
    ASSERT_EQ(sent.size(), 1u);
    for (const auto* part : {R"("TransactItems":[{"Update":{)", R"({"#n0":"sent","#n1":"waiting"})",
                             R"({":v0":{"N":"1"},":v1":{"N":"-1"}})",
                             R"("UpdateExpression":"ADD #n0 :v0, #n1 :v1")"}) {
        EXPECT_NE(sent[0].find(part), std::string::npos) << part << " in " << sent[0];
    }
}

TEST_F(RemoteStoreTest, EveryTransactionHasATokenAndItsAttemptsTheSameOne) {
    PutItem put;
    put.table = "T";
    put.item = {{"pk", "a"}};
    TransactWrite write;
    write.actions = {put};
    const auto ok = ScriptedServer::answer(200, "{}");
    serve({"", ok, ok, ok});
    ASSERT_TRUE(store->transact(write));
    ASSERT_TRUE(store->transact(write));
    write.token = "mine";
    ASSERT_TRUE(store->transact(write));
    const auto sent = server->requests();
    ASSERT_EQ(sent.size(), 4u);
    EXPECT_EQ(token_in(sent[0]).size(), 36u);
    EXPECT_EQ(token_in(sent[1]), token_in(sent[0]));
    EXPECT_NE(token_in(sent[2]), token_in(sent[0]));
    EXPECT_EQ(token_in(sent[3]), "mine");
}

TEST_F(RemoteStoreTest, WhatABatchLeavesIsGivenToTheCaller) {
    serve({ScriptedServer::answer(
        200, R"({"UnprocessedItems":{"T":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}})")});
    BatchWrite write;
    write.tables.push_back({"T", {BatchWrite::Put{{{"pk", "a"}}}, BatchWrite::Put{{{"pk", "b"}}}}});
    const auto done = store->batch_write(write);
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(done->unprocessed.tables.size(), 1u);
    const auto& left = done->unprocessed.tables[0].actions;
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(std::get<BatchWrite::Put>(left[0]).item, (Item{{"pk", "b"}}));
    EXPECT_EQ(server->requests().size(), 1u);
}

TEST_F(RemoteStoreTest, IsNotOpenedWithOptionsThatCannotWork) {
    struct Case {
        const char* name;
        void (*edit)(RemoteOptions&);
    };
    const Case cases[] = {
        {"endpoint", [](RemoteOptions& o) { o.endpoint = "ftp://h"; }},
        {"region", [](RemoteOptions& o) { o.region = "eu central"; }},
        {"no key id", [](RemoteOptions& o) { o.credentials.access_key_id = ""; }},
        {"no secret", [](RemoteOptions& o) { o.credentials.secret_key = ""; }},
        {"header injection", [](RemoteOptions& o) { o.credentials.session_token = "a\r\nb: c"; }},
        {"no connection", [](RemoteOptions& o) { o.connections_max = 0; }},
        {"no attempt", [](RemoteOptions& o) { o.retry.attempts_max = 0; }},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        RemoteOptions options;
        options.endpoint = "http://127.0.0.1:1";
        options.credentials = {"id", "secret", std::nullopt};
        ASSERT_TRUE(RemoteStore::open(options, clock, random, sleeper));
        c.edit(options);
        const auto refused = RemoteStore::open(options, clock, random);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::invalid);
    }
}

}  // namespace
}  // namespace mailroom::table::remote
