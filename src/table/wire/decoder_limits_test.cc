#include "table/wire/decode_by_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace mailroom::table::wire {
namespace {

TEST(DecoderLimits, NamesOfAttributesAreNeitherEmptyNorTooLong) {
    Decoder decoder;
    const auto outcome = [&](std::string_view operation, const std::string& body) {
        return decode_by_name(decoder, operation, body);
    };
    const std::string longest(65'535, 'n');
    const std::string too_long = "must be less than 65536 bytes", empty = "Empty attribute name";
    struct Row {
        std::string name;
        std::string want;  // Nothing: it is taken.
    };
    for (const auto& row : {Row{longest, ""}, Row{longest + "n", too_long}, Row{"", empty}}) {
        const std::pair<std::string_view, std::string> requests[] = {
            {"PutItem", R"({"TableName":"abc","Item":{")" + row.name + R"(":{"S":"x"}}})"},
            {"GetItem", R"({"TableName":"abc","Key":{},"ProjectionExpression":"#n",)"
                        R"("ExpressionAttributeNames":{"#n":")" +
                            row.name + R"("}})"},
            {"GetItem",
             R"({"TableName":"abc","Key":{},"AttributesToGet":[")" + row.name + R"("]})"},
            {"UpdateItem", R"({"TableName":"abc","Key":{},"AttributeUpdates":{")" + row.name +
                               R"(":{"Value":{"S":"x"}}}})"},
        };
        for (const auto& [operation, body] : requests) {
            const auto echo = outcome(operation, body);
            EXPECT_EQ(echo.accepted, row.want.empty()) << operation << " " << row.name.size();
            EXPECT_NE(echo.text.find(row.want), std::string::npos) << operation;
        }
    }
    const auto inside = [&](const std::string& name) {
        return outcome("PutItem",
                       R"({"TableName":"abc","Item":{"m":{"M":{")" + name + R"(":{"S":"x"}}}}})");
    };
    EXPECT_TRUE(inside("").accepted);
    EXPECT_FALSE(inside(longest + "n").accepted);
}

TEST(DecoderLimits, TagsAreOfCharactersThatAwsAllows) {
    Decoder decoder;
    const auto tagged = [&](const std::string& key, const std::string& value) {
        return decode_by_name(
                   decoder, "TagResource",
                   R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc",)"
                   R"("Tags":[{"Key":")" +
                       key + R"(","Value":")" + value + R"("}]})")
            .accepted;
    };
    const auto repeated = [](const std::string& text, int times) {
        std::string out;
        for (int i = 0; i < times; ++i) out += text;
        return out;
    };
    EXPECT_TRUE(tagged(repeated("\u05d0", 128), repeated("\u05d0", 256))) << "not bytes count";
    EXPECT_FALSE(tagged(repeated("\u05d0", 129), "v"));
    EXPECT_FALSE(tagged("k", repeated("\u05d0", 257)));
    EXPECT_FALSE(tagged("", "v"));
    for (const auto* fine : {"a b", "a\u00a0b", "cost:center/7@x.y", "+-=._:/@",
                             "\u0437\u0430\u043a", "\u6771\u4eac", "\u0661"}) {
        EXPECT_TRUE(tagged(fine, fine)) << fine;
    }
    for (const auto* wrong : {"hi!", "d%g", "a#b", "<a>", "a;b", "a(b)", "\u20ac", "\U0001f600"}) {
        EXPECT_FALSE(tagged(wrong, "v")) << wrong;
        EXPECT_FALSE(tagged("k", wrong)) << wrong;
    }
}

TEST(DecoderLimits, AnIteratorHasASequenceNumberOnlyWhereItIsUsed) {
    Decoder decoder;
    const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026";
    const auto iterator = [&](const std::string& stream, const std::string& rest) {
        return static_cast<bool>(
            decoder.get_shard_iterator(R"({"StreamArn":")" + stream +
                                       R"(","ShardId":"shardId-00000000000000000000-00000000",)" +
                                       R"("ShardIteratorType":)" + rest + "}"));
    };
    const std::string sequence = R"(,"SequenceNumber":"100000000000000000001")";
    for (const auto* type : {"\"TRIM_HORIZON\"", "\"LATEST\""}) {
        EXPECT_TRUE(iterator(arn, type));
        EXPECT_FALSE(iterator(arn, type + sequence)) << "it says itself where to begin";
        EXPECT_FALSE(iterator(std::string(60, 'x'), type));
    }
    for (const auto* type : {"\"AT_SEQUENCE_NUMBER\"", "\"AFTER_SEQUENCE_NUMBER\""}) {
        EXPECT_TRUE(iterator(arn, type + sequence));
        EXPECT_FALSE(iterator(arn, type));
    }
}

TEST(DecoderLimits, ProjectedNamesAreShortAndNotDoubled) {
    Decoder decoder;
    const auto created = [&](const std::string& names) {
        return decode_by_name(
            decoder, "CreateTable",
            R"({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
            R"({"AttributeName":"a","AttributeType":"S"}],)"
            R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"GlobalSecondaryIndexes":[)"
            R"({"IndexName":"glo","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":[)" +
                names + "]}}]}");
    };
    const std::string longest(255, 'n');
    EXPECT_TRUE(created("\"x\",\"" + longest + "\"").accepted);
    const auto long_name = created("\"" + longest + "n\"");
    EXPECT_FALSE(long_name.accepted);
    EXPECT_NE(long_name.text.find("less than or equal to 255"), std::string::npos);
    EXPECT_FALSE(created("\"\"").accepted);
    const auto doubled = created(R"("x","y","x")");
    EXPECT_FALSE(doubled.accepted);
    EXPECT_NE(doubled.text.find("Duplicate"), std::string::npos) << doubled.text;
}

}  // namespace
}  // namespace mailroom::table::wire
