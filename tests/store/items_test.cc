#include "store_contract.h"

#include <string>
#include <thread>

namespace mailroom::table {
namespace {

constexpr std::size_t item_bytes_max = 400 * 1024;

class Items : public StoreContract {
protected:
    void SetUp() override {
        StoreContract::SetUp();
        auto request = hash_table("Things");
        request.attributes.push_back({"state", Kind::string});
        request.global_indexes.push_back({"ByState", {"state", ""}, {}, {}});
        create(request);
        create(range_table("Ranged"));
    }
};

Value number(const char* text) { return Value(*Number::parse(text)); }

TEST_P(Items, EveryKindOfValueIsReadAsItWasWritten) {
    struct Case {
        const char* name;
        Value value;
    };
    const Item inner{{"a.b", 1}, {"#", "hash"}, {"", "empty name"}};
    const Case cases[] = {
        {"text", "plain"},
        {"empty text", ""},
        {"quotes and controls", "\"\\\b\f\n\r\t\x01\x1f/"},
        {"unicode", "Grüße, 世界 \U0001F4EC e\u0301"},
        {"zero byte", Value(std::string_view("a\0b", 3))},
        {"binary", Value::binary(std::string_view("\0\xff\x80 text", 8))},
        {"empty binary", Value::binary("")},
        {"zero", 0},
        {"negative", -17},
        {"38 digits", number("12345678901234567890123456789012345678")},
        {"38 digits of fraction", number("-0.12345678901234567890123456789012345678")},
        {"largest", number("9.9999999999999999999999999999999999999E+125")},
        {"smallest", number("1E-130")},
        {"trailing zeros", number("1.5000")},
        {"true", true},
        {"false", false},
        {"null", Value::null()},
        {"texts", Value::string_set({"b", "a", "ü"})},
        {"numbers", Value::set_of(Kind::number_set, {Number(10).encoded(), Number(-2).encoded()})},
        {"binaries", Value::set_of(Kind::binary_set, {std::string_view("\0", 1), "\xff"})},
        {"empty list", Value::list({})},
        {"list", Value::list({"a", 1, true, Value::null(), Value::list({"b"})})},
        {"empty map", Value::map(Item{})},
        {"map", Value::map(inner)},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const Item item{{"pk", c.name}, {"value", c.value}, {"the ünusual.name", 1}};
        const auto done = store().put(put("Things", item));
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_EQ(read("Things", {{"pk", c.name}}), item);
    }
}

TEST_P(Items, AnItemMayBeAsLargeAsTheLimitAndNoLarger) {
    // The name of the attribute and the key count as well.
    const std::size_t rest = std::string_view(
                                 "pk"
                                 "a"
                                 "x")
                                 .size();
    const Item largest{{"pk", "a"}, {"x", std::string(item_bytes_max - rest, 'x')}};
    fill("Things", largest);
    EXPECT_EQ(read("Things", {{"pk", "a"}}), largest);
    Item larger = largest;
    larger.set("y", Value(""));
    expect_refused(store().put(put("Things", larger)), Fault::validation,
                   "Item size has exceeded the maximum allowed size");
    expect_refused(store().update(update("Things", {{"pk", "a"}}, "SET y = :y", {{":y", ""}})),
                   Fault::validation, "Item size to update has exceeded the maximum allowed size");
    const std::string wide(item_bytes_max / 4, '\x01');
    fill("Things", {{"pk", "escaped"}, {"x", wide}});
    EXPECT_EQ(read("Things", {{"pk", "escaped"}})->text("x"), wide);
}

TEST_P(Items, WritesReturnWhatWasAskedFor) {
    struct Case {
        const char* name;
        ReturnValues returns;
        std::optional<Item> want;
    };
    const Case cases[] = {
        {"none", ReturnValues::none, std::nullopt},
        {"all old", ReturnValues::all_old, Item{{"pk", "a"}, {"n", 1}, {"x", "y"}}},
        {"all new", ReturnValues::all_new, Item{{"pk", "a"}, {"n", 6}, {"x", "y"}}},
        {"updated old", ReturnValues::updated_old, Item{{"n", 1}}},
        {"updated new", ReturnValues::updated_new, Item{{"n", 6}}},
    };
    const Item item{{"pk", "a"}, {"n", 1}, {"x", "y"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        fill("Things", item);
        auto request = update("Things", {{"pk", "a"}}, "SET n = n + :v", {{":v", 5}});
        request.returns = c.returns;
        const auto updated = store().update(request);
        ASSERT_TRUE(updated) << updated.error().message;
        EXPECT_EQ(updated->attributes, c.want);
    }
    auto again = put("Things", item);
    again.returns = ReturnValues::all_old;
    EXPECT_EQ(store().put(again)->attributes, (Item{{"pk", "a"}, {"n", 6}, {"x", "y"}}));
    auto gone = erase("Things", {{"pk", "a"}});
    gone.returns = ReturnValues::all_old;
    EXPECT_EQ(store().erase(gone)->attributes, item);
    EXPECT_EQ(store().erase(gone)->attributes, std::nullopt) << "there is nothing any more";
    EXPECT_EQ(read("Things", {{"pk", "a"}}), std::nullopt);
}

TEST_P(Items, ARefusedConditionChangesNothingAndShowsTheItemWhenAsked) {
    const Item item{{"pk", "a"}, {"n", 1}};
    fill("Things", item);
    auto put_again = put("Things", {{"pk", "a"}});
    auto change = update("Things", {{"pk", "a"}}, "SET n = :v", {{":v", 2}});
    auto gone = erase("Things", {{"pk", "a"}});
    put_again.condition = change.condition = gone.condition = "attribute_not_exists(pk)";
    for (const auto show : {OnConditionFailure::none, OnConditionFailure::all_old}) {
        put_again.on_failure = change.on_failure = gone.on_failure = show;
        const auto want = show == OnConditionFailure::none ? std::nullopt : std::optional(item);
        for (const auto& outcome :
             {store().put(put_again), store().update(change), store().erase(gone)}) {
            expect_refused(outcome, Fault::conditional_check_failed,
                           "The conditional request failed");
            EXPECT_EQ(outcome.error().item, want);
        }
    }
    EXPECT_EQ(read("Things", {{"pk", "a"}}), item);
}

TEST_P(Items, UpdatesSetRemoveAddAndDelete) {
    fill("Things", {{"pk", "a"},
                    {"list", Value::list({1, 2})},
                    {"map", Value::map(Item{{"x", 1}})},
                    {"tags", Value::string_set({"p", "q"})}});
    auto request =
        update("Things", {{"pk", "a"}},
               "SET #m.y = :two, #l = list_append(#l, :more), fresh = "
               "if_not_exists(fresh, :two) REMOVE #m.x ADD n :two DELETE tags :q",
               {{":two", 2}, {":more", Value::list({3})}, {":q", Value::string_set({"q"})}});
    request.bind.names = {{"#m", "map"}, {"#l", "list"}};
    const auto done = store().update(request);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(read("Things", {{"pk", "a"}}), (Item{{"pk", "a"},
                                                   {"list", Value::list({1, 2, 3})},
                                                   {"map", Value::map(Item{{"y", 2}})},
                                                   {"fresh", 2},
                                                   {"n", 2},
                                                   {"tags", Value::string_set({"p"})}}));
}

TEST_P(Items, RefusalsAreDynamoDbs) {
    struct Case {
        const char* name;
        PutItem request;
        Fault fault;
        const char* message;
    };
    auto unbound = put("Things", {{"pk", "a"}});
    unbound.condition = "n = :missing";
    auto unused = put("Things", {{"pk", "a"}});
    unused.condition = "attribute_exists(pk)";
    unused.bind.values = {{":x", 1}};
    auto reserved = put("Things", {{"pk", "a"}});
    reserved.condition = "attribute_exists(name)";
    const Case cases[] = {
        {"no table", put("Nowhere", {{"pk", "a"}}), Fault::resource_not_found,
         "Requested resource not found"},
        {"no key", put("Things", {{"n", 1}}), Fault::validation,
         "One or more parameter values were invalid: Missing the key pk in the item"},
        {"key of another type", put("Things", {{"pk", 1}}), Fault::validation,
         "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: "
         "N"},
        {"empty key", put("Things", {{"pk", ""}}), Fault::validation,
         "One or more parameter values are not valid. The AttributeValue for a key attribute "
         "cannot contain an empty string value. Key: pk"},
        {"index key of another type", put("Things", {{"pk", "a"}, {"state", 1}}), Fault::validation,
         "One or more parameter values were invalid: Type mismatch for Index Key state Expected: "
         "S Actual: N IndexName: ByState"},
        {"unbound value", unbound, Fault::validation,
         "Invalid ConditionExpression: An expression attribute value used in expression is not "
         "defined; attribute value: :missing"},
        {"unused value", unused, Fault::validation,
         "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}"},
        {"reserved word", reserved, Fault::validation,
         "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: "
         "name"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        expect_refused(store().put(c.request), c.fault, c.message);
    }
    expect_refused(store().get(get("Ranged", {{"pk", "a"}})), Fault::validation,
                   "The provided key element does not match the schema");
    expect_refused(
        store().update(update("Things", {{"pk", "a"}}, "SET pk = :v", {{":v", "b"}})),
        Fault::validation,
        "One or more parameter values were invalid: Cannot update attribute pk. This attribute is "
        "part of the key");
    fill("Things", {{"pk", "a"}, {"x", "text"}});
    expect_refused(store().update(update("Things", {{"pk", "a"}}, "SET x = x + :v", {{":v", 1}})),
                   Fault::validation,
                   "An operand in the update expression has an incorrect data type");
}

TEST_P(Items, ReadsShowTheProjection) {
    fill("Things", {{"pk", "a"}, {"n", 1}, {"map", Value::map(Item{{"x", "1"}, {"y", "2"}})}});
    auto request = get("Things", {{"pk", "a"}});
    request.projection = "n, #m.y, lacking";
    request.bind.names = {{"#m", "map"}};
    request.consistent = true;
    const auto got = store().get(request);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->item, (Item{{"n", 1}, {"map", Value::map(Item{{"y", "2"}})}}));
    EXPECT_EQ(read("Things", {{"pk", "none"}}), std::nullopt);
}

TEST_P(Items, CapacityIsCounted) {
    const auto done = store().put(put("Things", {{"pk", "a"}, {"state", "open"}}));
    ASSERT_TRUE(done);
    EXPECT_EQ(done->consumed.table, "Things");
    EXPECT_EQ(done->consumed.table_write, 1);
    ASSERT_EQ(done->consumed.indexes.size(), 1u);
    EXPECT_EQ(done->consumed.indexes[0].name, "ByState");
    EXPECT_EQ(done->consumed.indexes[0].write, 1);
    EXPECT_EQ(store().get(get("Things", {{"pk", "a"}}))->consumed.table_read, 0.5);
}

TEST_P(Items, ThreadsThatRaiseACounterLoseNothing) {
    constexpr int threads = 4, rounds = 25;
    fill("Things", {{"pk", "n"}, {"n", 0}});
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
        running.emplace_back([&] {
            for (int i = 0; i < rounds; ++i) {
                EXPECT_TRUE(
                    store().update(update("Things", {{"pk", "n"}}, "SET n = n + :v", {{":v", 1}})));
            }
        });
    }
    for (auto& thread : running) thread.join();
    EXPECT_EQ(read("Things", {{"pk", "n"}})->integer("n"), threads * rounds);
}

INSTANTIATE_TEST_SUITE_P(Stores, Items, every_store(), name_of);

}  // namespace
}  // namespace mailroom::table
