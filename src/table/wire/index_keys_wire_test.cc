// Key schemas of several attributes as requests and answers carry them.
#include "table/wire/answer_decoder.h"
#include "table/wire/decode_by_name.h"
#include "table/wire/encoder.h"
#include "table/wire/request_encoder.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

// "a b | c d": the hash attributes a and b, the range attributes c and d.
std::string key_elements(std::string_view keys) {
    std::string out = "[";
    bool is_hash = true;
    for (const char c : keys) {
        if (c == '|') is_hash = false;
        if (c == '<') is_hash = true;
        if (c == '|' || c == '<' || c == ' ') continue;
        out += std::string(out.size() == 1 ? "" : ",") + R"({"AttributeName":")" + c +
               R"(","KeyType":")" + (is_hash ? "HASH" : "RANGE") + R"("})";
    }
    return out + "]";
}

std::string definitions() {
    std::string out = "[";
    for (const char c : std::string_view("abcdefghi")) {
        out += std::string(out.size() == 1 ? "" : ",") + R"({"AttributeName":")" + c +
               R"(","AttributeType":"S"})";
    }
    return out + "]";
}

std::string index_of(std::string_view keys) {
    return R"({"IndexName":"idx","KeySchema":)" + key_elements(keys) +
           R"(,"Projection":{"ProjectionType":"ALL"}})";
}

std::string create_request(std::string_view keys) {
    return R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","KeySchema":)" +
           key_elements("a") + R"(,"AttributeDefinitions":)" + definitions() +
           R"(,"GlobalSecondaryIndexes":[)" + index_of(keys) + "," +
           R"({"IndexName":"all","KeySchema":)" + key_elements("bcde|fghi") +
           R"(,"Projection":{"ProjectionType":"ALL"}}]})";
}

std::string update_request(std::string_view keys) {
    return R"({"TableName":"abc","AttributeDefinitions":)" + definitions() +
           R"(,"GlobalSecondaryIndexUpdates":[{"Create":)" + index_of(keys) + "}]}";
}

TEST(IndexKeysOnTheWire, AreReadInTheirOrder) {
    Decoder decoder;
    const auto created = decoder.create_table(create_request("cba|fed"));
    ASSERT_TRUE(created) << created.error().message;
    const KeySchema wanted{"c", "f", {"b", "a"}, {"e", "d"}};
    EXPECT_EQ(created->keys, (KeySchema{"a", ""}));
    EXPECT_EQ(created->global_indexes.at(0).keys, wanted);
    EXPECT_EQ(created->global_indexes.at(1).keys,
              (KeySchema{"b", "f", {"c", "d", "e"}, {"g", "h", "i"}}));
    const auto updated = decoder.update_table(update_request("cba|fed"));
    ASSERT_TRUE(updated) << updated.error().message;
    EXPECT_EQ(updated->create_index->keys, wanted);
}

TEST(IndexKeysOnTheWire, ThatCannotBeAreRefusedInDynamodbsWords) {
    const std::string one_or_more = "One or more parameter values were invalid: ";
    const std::string too_many =
        one_or_more + "The KeySchema exceeds the maximum allowed number of ";
    const std::string precede =
        one_or_more + "All HASH key attributes must precede RANGE key attributes in the KeySchema";
    const std::string first =
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
    const std::string same = "The KeySchema contains multiple key attributes with the same name";
    const struct {
        std::string_view keys;
        std::string want;
    } cases[] = {
        {"abcde", too_many + "HASH key attributes"},
        {"abcde|fghi", too_many + "HASH key attributes"},
        {"a|bcdef", too_many + "RANGE key attributes"},
        {"a|b<c", precede},
        {"a|b<c|d", precede},
        {"|ab", first},
        {"|a", first},
        {"|a<b", first},
        {"|a<bc", first},
        {"aa", same},
        {"ab|a", same},
        {"a|bb", same},
        {"a|a", "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
    };
    Decoder decoder;
    for (const auto& [keys, want] : cases) {
        SCOPED_TRACE(keys);
        EXPECT_EQ(decode_by_name(decoder, "CreateTable", create_request(keys)).text,
                  "ValidationException: " + want);
        EXPECT_EQ(decode_by_name(decoder, "UpdateTable", update_request(keys)).text,
                  "ValidationException: " + want);
    }
    const auto undefined =
        decode_by_name(decoder, "UpdateTable",
                       R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a",)"
                       R"("AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":)" +
                           index_of("ab|c") + "}]}");
    EXPECT_EQ(undefined.text, "ValidationException: " + one_or_more +
                                  "Some index key attributes are not defined in "
                                  "AttributeDefinitions. Keys: [a, b, c], AttributeDefinitions: "
                                  "[a]");
}

TEST(IndexKeysOnTheWire, OfTablesAndLocalIndexesStayPairs) {
    const auto too_long = [](std::string_view at) {
        return "ValidationException: 1 validation error detected: Value "
               "'[KeySchemaElement(attributeName=a, keyType=HASH), "
               "KeySchemaElement(attributeName=b, keyType=RANGE), "
               "KeySchemaElement(attributeName=c, keyType=RANGE)]' at '" +
               std::string(at) +
               "' failed to satisfy constraint: Member must have length less than or equal to 2";
    };
    const std::string start =
        R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)" +
        definitions();
    Decoder decoder;
    EXPECT_EQ(decode_by_name(decoder, "CreateTable",
                             start + R"(,"KeySchema":)" + key_elements("a|bc") + "}")
                  .text,
              too_long("keySchema"));
    EXPECT_EQ(decode_by_name(decoder, "CreateTable",
                             start + R"(,"KeySchema":)" + key_elements("a|b") +
                                 R"(,"LocalSecondaryIndexes":[)" + index_of("a|bc") + "]}")
                  .text,
              too_long("localSecondaryIndexes.1.member.keySchema"));
}

TEST(IndexKeysOnTheWire, ArriveAsTheyWereSent) {
    Decoder decoder;
    const auto request = *decoder.create_table(create_request("cba|fed"));
    std::string sent, again;
    append_request(sent, request);
    const auto arrived = decoder.create_table(sent);
    ASSERT_TRUE(arrived) << arrived.error().message;
    append_request(again, *arrived);
    EXPECT_EQ(again, sent);
    EXPECT_EQ(arrived->global_indexes.at(0).keys, request.global_indexes[0].keys);

    TableDescription table;
    table.name = "abc";
    table.attributes = request.attributes;
    table.keys = request.keys;
    IndexDescription index;
    for (const auto& spec : request.global_indexes) {
        index.spec = spec;
        table.global_indexes.push_back(index);
    }
    std::string answer;
    append_described_table(answer, table);
    EXPECT_NE(answer.find(R"("KeySchema":)" + key_elements("cba|fed")), std::string::npos);
    AnswerDecoder answers;
    const auto described = answers.table(answer);
    ASSERT_TRUE(described) << described.error().message;
    EXPECT_EQ(described->global_indexes.at(0).spec.keys, request.global_indexes[0].keys);
    EXPECT_EQ(described->global_indexes.at(1).spec.keys, request.global_indexes[1].keys);
}

TEST(IndexKeysOnTheWire, LegacyConditionsMayBeOnAllOfThemInAnIndexOnly) {
    const auto text = [](int count, bool index) {
        std::string body = R"({"TableName":"abc",)";
        if (index) body += R"("IndexName":"idx",)";
        body += R"("KeyConditions":{)";
        for (int i = 0; i < count; ++i) {
            body += std::string(i == 0 ? "" : ",") + "\"k" + std::to_string(i) +
                    R"(":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]})";
        }
        Decoder decoder;
        return decode_by_name(decoder, "Query", body + "}}").text;
    };
    const std::string refusal = "ValidationException: Conditions can be of length 1 or 2 only";
    EXPECT_NE(text(2, false), refusal);
    EXPECT_EQ(text(3, false), refusal);
    EXPECT_NE(text(8, true), refusal);
    EXPECT_NE(text(8, true).find("#n7 = :v7"), std::string::npos) << text(8, true);
    EXPECT_EQ(text(9, true), refusal);
    EXPECT_EQ(text(0, true), refusal);
}

}  // namespace
}  // namespace mailroom::table::wire
