// What tests of the DynamoDB endpoint share.
#pragma once

#include "dynamodb/endpoint.h"
#include "kv/memory_store.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::dynamodb {

// An endpoint on an engine in memory.
class EndpointTest : public testing::Test {
protected:
    EndpointTest() {
        auto engine = table::Engine::open(kv_, clock_, random_);
        EXPECT_TRUE(engine);
        engine_ = *std::move(engine);
        workers_ = std::make_unique<http::Workers>(2, 16);
        auto shared = table::own_table("EmailOutbox", {{"Id", table::Kind::string}});
        shared.outside = table::Outside::shared;
        endpoint_ =
            std::make_unique<Endpoint>(*engine_, table::OwnTables({shared}), *workers_, random_);
    }
    ~EndpointTest() override { workers_->stop(); }

    // Waits for the answer, which may come from another thread.
    http::Response send(http::Request request) {
        auto answered = std::make_shared<std::promise<http::Response>>();
        auto future = answered->get_future();
        endpoint_->handle(std::move(request), [answered](http::Response response) {
            answered->set_value(std::move(response));
        });
        return future.get();
    }

    // `operation` of the API of tables, unless it names another in front.
    http::Response call(std::string_view operation, std::string body) {
        http::Request request;
        request.method = "POST";
        request.target = "/";
        const bool has_api = operation.find('.') != operation.npos;
        request.headers = {
            {"X-Amz-Target", (has_api ? "" : "DynamoDB_20120810.") + std::string(operation)},
            {"Content-Type", "application/x-amz-json-1.0"}};
        request.body = std::move(body);
        return send(std::move(request));
    }

    void create_orders() {
        // clang-format off
        const auto response = call("CreateTable",
            R"({"TableName":"Orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]})");
        // clang-format on
        ASSERT_EQ(response.status, 200) << response.body;
    }

    kv::MemoryStore kv_;
    ManualClock clock_{from_unix_ms(1'763'186'844'000)};
    SeededRandom random_{1};
    std::unique_ptr<table::Engine> engine_;
    std::unique_ptr<http::Workers> workers_;
    std::unique_ptr<Endpoint> endpoint_;
};

}  // namespace mailroom::dynamodb
