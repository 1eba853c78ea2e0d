#include "table/wire/answer_decoder.h"

#include <gtest/gtest.h>

#include <string_view>

namespace mailroom::table::wire {
namespace {

TEST(AnswerDecoder, MapsExceptionsWeHaveNoNameFor) {
    struct Row {
        int status;
        std::string_view body;
        Fault fault;
        std::string_view message;
    };
    // clang-format off
    const Row rows[] = {
        {400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow"})", Fault::throttling, "ProvisionedThroughputExceededException: slow"},
        {400, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"wait"})", Fault::throttling, "TransactionConflictException: wait"},
        {400, R"({"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"who"})", Fault::validation, "UnrecognizedClientException: who"},
        {500, R"({"__type":"Strange","message":"x"})", Fault::internal, "Strange: x"},
        {400, R"({"__type":"ValidationException:http://internal.amazon.com/","message":"x"})", Fault::validation, "x"},
        {502, "<html>", Fault::internal, "The remote DynamoDB answered with status 502"},
        {404, "", Fault::validation, "The remote DynamoDB answered with status 404"},
    };
    // clang-format on
    AnswerDecoder decoder;
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto failure = decoder.failure(row.status, row.body);
        EXPECT_EQ(failure.fault, row.fault);
        EXPECT_EQ(failure.message, row.message);
    }
}

TEST(AnswerDecoder, CallsAnUnreadableAnswerInternal) {
    AnswerDecoder decoder;
    for (const std::string_view body :
         {"", "[]", R"({"Item":[]})", R"({"Item":{"a":{"N":"x"}}})", R"({"Item":{"a":{"S":1}}})"}) {
        SCOPED_TRACE(body);
        const auto answer = decoder.get_item(body);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().fault, Fault::internal);
    }
    EXPECT_FALSE(decoder.table("{}"));
    EXPECT_FALSE(decoder.table(R"({"Table":{"KeySchema":[]}})"));
}

}  // namespace
}  // namespace mailroom::table::wire
