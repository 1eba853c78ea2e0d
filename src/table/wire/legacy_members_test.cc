#include "table/wire/decode_by_name.h"

#include "table/expression/expression_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

struct Case {
    std::string_view operation, legacy, want;
};

std::string body_of(const Case& c) {
    const bool put = c.operation == "PutItem";
    const bool reads_many = c.operation == "Query" || c.operation == "Scan";
    return std::string(R"({"TableName":"abc",)") +
           (put ? R"("Item":{},)" : (reads_many ? "" : R"("Key":{},)")) + std::string(c.legacy) +
           "}";
}

TEST(LegacyMembers, BecomeTheExpressionsThatReplacedThem) {
    // clang-format off
    const Case cases[] = {
        {"GetItem", R"x("AttributesToGet":["a","b.c"])x",
         R"x("ExpressionAttributeNames":{"#n0":"a","#n1":"b.c"})x" "\n" R"x("ProjectionExpression":"#n0, #n1")x"},
        {"PutItem", R"x("Expected":{"a":{"Exists":false}})x",
         R"x("ConditionExpression":"attribute_not_exists(#n0)")x"},
        {"PutItem", R"x("Expected":{"a":{"Value":{"N":"1"}}})x",
         R"x("ConditionExpression":"#n0 = :v0")x" "\n" R"x("ExpressionAttributeValues":{":v0":{"N":"1"}})x"},
        {"PutItem", R"x("Expected":{"a":{"Exists":true,"Value":{"N":"1"}}})x", R"x("ConditionExpression":"#n0 = :v0")x"},
        {"DeleteItem", R"x("Expected":{"a":{"ComparisonOperator":"NE","Value":{"S":"x"}}})x", R"x("ConditionExpression":"#n0 <> :v0")x"},
        {"DeleteItem", R"x("Expected":{"a":{"ComparisonOperator":"NULL"},"b":{"ComparisonOperator":"NOT_NULL"}},"ConditionalOperator":"OR")x",
         R"x("ConditionExpression":"attribute_not_exists(#n0) OR attribute_exists(#n1)")x"},
        {"DeleteItem", R"x("Expected":{"a":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"1"}]},"b":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"2"}]}})x",
         R"x("ConditionExpression":"#n0 < :v0 AND #n1 IN (:v1, :v2)")x"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"LE","AttributeValueList":[{"N":"1"}]}})x", R"x("FilterExpression":"#n0 <= :v0")x"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}})x", R"x("FilterExpression":"#n0 > :v0")x"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"x"}]}})x", R"x("FilterExpression":"contains(#n0, :v0)")x"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]}})x", R"x("FilterExpression":"(attribute_exists(#n0) AND NOT contains(#n0, :v0))")x"},
        {"Scan", R"x("ScanFilter":{},"AttributesToGet":["a"],"Select":"SPECIFIC_ATTRIBUTES")x", R"x("ProjectionExpression":"#n0")x"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]},"r":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}},"QueryFilter":{"a":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"p"}]}})x",
         R"x("FilterExpression":"begins_with(#n0, :v0)")x" "\n" R"x("KeyConditionExpression":"#n1 = :v1 AND #n2 BETWEEN :v2 AND :v3")x"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]},"r":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"1"}]}})x",
         R"x("KeyConditionExpression":"#n0 = :v0 AND #n1 >= :v1")x"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"FilterExpression":"#n1 = :v1","ExpressionAttributeNames":{"#n1":"a"},"ExpressionAttributeValues":{":v1":{"S":"y"}})x",
         R"x("ExpressionAttributeNames":{"#n1":"a","#n2":"h"})x" "\n" R"x("FilterExpression":"#n1 = :v1")x" "\n" R"x("KeyConditionExpression":"#n2 = :v2")x"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"ProjectionExpression":"b")x",
         R"x("KeyConditionExpression":"#n0 = :v0")x" "\n" R"x("ProjectionExpression":"b")x"},
        {"UpdateItem", R"x("AttributeUpdates":{"a":{"Value":{"S":"x"}},"b":{"Action":"DELETE"},"c":{"Action":"ADD","Value":{"N":"1"}},"d":{"Action":"DELETE","Value":{"SS":["x"]}},"e":{"Action":"PUT","Value":{"S":"y"}}})x",
         R"x("UpdateExpression":"SET #n0 = :v0, #n4 = :v3 REMOVE #n1 ADD #n2 :v1 DELETE #n3 :v2")x"},
        {"UpdateItem", R"x("AttributeUpdates":{"a":{"Action":"ADD","Value":{"L":[{"S":"x"}]}}})x",
         R"x("UpdateExpression":"SET #n0 = list_append(if_not_exists(#n0, :v1), :v0)")x"},
    };
    // clang-format on
    Decoder decoder;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.legacy);
        const auto echo = decode_by_name(decoder, c.operation, body_of(c));
        ASSERT_TRUE(echo.accepted) << echo.text;
        for (std::size_t at = 0; at < c.want.size();) {
            const auto end = std::min(c.want.find('\n', at), c.want.size());
            EXPECT_NE(echo.text.find(c.want.substr(at, end - at)), std::string::npos) << echo.text;
            at = end + 1;
        }
    }
}

TEST(LegacyMembers, AreRefusedInDynamodbsWords) {
    constexpr std::string_view one_or_more =
        "ValidationException: One or more parameter values were invalid: ";
    // clang-format off
    const Case cases[] = {
        {"GetItem", R"x("AttributesToGet":["a","b","a"])x", "Duplicate value in attribute name: a"},
        {"PutItem", R"x("Expected":{"a":{}})x", "Value must be provided when Exists is null for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"Exists":true}})x", "Value must be provided when Exists is true for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"Exists":false,"Value":{"S":"x"}}})x", "Value cannot be used when Exists is false for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"Value":{"S":"x"},"AttributeValueList":[{"S":"x"}]}})x", "Value and AttributeValueList cannot be used together for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"AttributeValueList":[{"S":"x"}]}})x", "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"Exists":true,"ComparisonOperator":"EQ"}})x", "Exists and ComparisonOperator cannot be used together for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"ComparisonOperator":"EQ"}})x", "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
        {"PutItem", R"x("Expected":{"a":{"ComparisonOperator":"NULL","Value":{"S":"x"}}})x", "Invalid number of argument(s) for the NULL ComparisonOperator"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"EQ"}})x", "Invalid number of argument(s) for the EQ ComparisonOperator"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"x"}]}})x", "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"N":"1"}]}})x", "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"LT","AttributeValueList":[{"SS":["1"]}]}})x", "ComparisonOperator LT is not valid for SS AttributeValue type"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"1"},{"N":"1"}]}})x", "AttributeValues inside AttributeValueList must all be of the same type"},
        {"UpdateItem", R"x("AttributeUpdates":{"a":{"Action":"PUT"}})x", "Only DELETE action is allowed when no attribute value is specified"},
        {"UpdateItem", R"x("AttributeUpdates":{"a":{"Action":"DELETE","Value":{"S":"x"}}})x", "DELETE action with value is not supported for the type S"},
        {"UpdateItem", R"x("AttributeUpdates":{"a":{"Action":"ADD","Value":{"S":"x"}}})x", "ADD action is not supported for the type S"},
    };
    const Case others[] = {
        {"GetItem", R"x("AttributesToGet":[""])x", "ValidationException: One or more parameter values were invalid: Empty attribute name"},
        {"UpdateItem", R"x("AttributeUpdates":{"":{"Value":{"S":"x"}}})x", "ValidationException: One or more parameter values were invalid: Empty attribute name"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"QueryFilter":{},"FilterExpression":"a = b")x", "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {QueryFilter} Expression parameters: {FilterExpression}"},
        {"Query", R"x("KeyConditions":{"h":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"AttributesToGet":["a"],"ProjectionExpression":"a")x", "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
        {"Query", R"x("KeyConditions":{},"KeyConditionExpression":"h = :h")x", "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}"},
        {"GetItem", R"x("AttributesToGet":[])x", "ValidationException: 1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
        {"Scan", R"x("ScanFilter":{"a":{}})x", "ValidationException: 1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must not be null"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"LIKE"}})x", "ValidationException: 1 validation error detected: Value 'LIKE' at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"x"}]}})x", "ValidationException: The parameter cannot be converted to a numeric value: x"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]},"a":{"ComparisonOperator":"NULL"}})x", "SerializationException: Duplicate key in a map: a"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"2"},{"N":"1"}]}})x", "ValidationException: The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
        {"Scan", R"("ConditionalOperator":"AND")", "ValidationException: ConditionalOperator cannot be used without Filter or Expected"},
        {"Scan", R"x("ScanFilter":{"a":{"ComparisonOperator":"NULL"}},"ConditionalOperator":"AND")x", "ValidationException: ConditionalOperator can only be used when Filter or Expected has two or more elements"},
        {"Scan", R"x("AttributesToGet":["a"],"Select":"COUNT")x", "ValidationException: Cannot specify the AttributesToGet when choosing to get only the Count"},
        {"Query", R"x("KeyConditions":{})x", "ValidationException: Conditions can be of length 1 or 2 only"},
        {"Query", R"x("KeyConditions":{"a":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"x"}]}})x", "ValidationException: Attempted conditional constraint is not an indexable operation"},
    };
    // clang-format on
    Decoder decoder;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.legacy);
        const auto echo = decode_by_name(decoder, c.operation, body_of(c));
        EXPECT_FALSE(echo.accepted);
        EXPECT_EQ(echo.text, std::string(one_or_more) + std::string(c.want));
    }
    for (const auto& c : others) {
        SCOPED_TRACE(c.legacy);
        const auto echo = decode_by_name(decoder, c.operation, body_of(c));
        EXPECT_FALSE(echo.accepted);
        EXPECT_EQ(echo.text, c.want);
    }
}

TEST(LegacyMembers, InTakesAnyNumberOfValues) {
    Decoder decoder;
    for (const std::size_t count : {100, 101, 5000}) {
        std::string values;
        for (std::size_t i = 0; i < count; ++i) {
            values.append(i == 0 ? "" : ",").append(R"({"N":")" + std::to_string(i) + "\"}");
        }
        const auto call = decoder.scan(R"({"TableName":"abc","ScanFilter":{"a":{)"
                                       R"("ComparisonOperator":"IN","AttributeValueList":[)" +
                                       values + "]}}}");
        ASSERT_TRUE(call) << call.error().message;
        ExpressionCache cache;
        BindingUse use(call->request.bind);
        const auto filter = bind(*cache.filter(call->request.filter), call->request.bind, use);
        ASSERT_TRUE(filter) << filter.error().message;
        EXPECT_TRUE(filter->holds(Item{{"a", 99}}));
        EXPECT_FALSE(filter->holds(Item{{"a", -1}}));
        EXPECT_FALSE(filter->holds(Item{{"a", "99"}}));
        EXPECT_FALSE(filter->holds(Item{{"b", 99}}));
    }
}

}  // namespace
}  // namespace mailroom::table::wire
