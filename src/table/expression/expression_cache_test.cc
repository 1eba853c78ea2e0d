#include "table/expression/expression_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace mailroom::table {
namespace {

TEST(ExpressionCache, GivesTheSameCompiledExpressionForTheSameText) {
    ExpressionCache cache;
    const auto first = cache.condition("a = :v");
    const auto again = cache.condition("a = :v");
    ASSERT_TRUE(first && again);
    EXPECT_EQ(first->get(), again->get());
    EXPECT_NE(cache.filter("a = :v")->get(), first->get());  // Its refusals read differently.
    EXPECT_EQ(cache.update("SET a = :v")->get(), cache.update("SET a = :v")->get());
    EXPECT_EQ(cache.projection("a")->get(), cache.projection("a")->get());
    EXPECT_EQ(cache.key_condition("a = :v")->get(), cache.key_condition("a = :v")->get());
    EXPECT_EQ(cache.entries(), 5u);
}

TEST(ExpressionCache, KeepsNoRefusals) {
    ExpressionCache cache;
    EXPECT_FALSE(cache.condition("a = "));
    EXPECT_FALSE(cache.update("SET"));
    EXPECT_EQ(cache.entries(), 0u);
    EXPECT_EQ(cache.bytes(), 0u);
}

TEST(ExpressionCache, StaysWithinItsEntriesAndBytes) {
    ExpressionCache few(64);
    ExpressionCache small(1 << 20, 64 * 1024);
    for (int i = 0; i < 2000; ++i) {
        const auto text = "attribute_exists(a" + std::to_string(i) + ")";
        ASSERT_TRUE(few.condition(text));
        ASSERT_TRUE(small.condition(text));
    }
    EXPECT_LE(few.entries(), 64u);
    EXPECT_GE(few.entries(), 32u);
    EXPECT_LE(small.bytes(), 64u * 1024);
    EXPECT_GE(small.bytes(), 32u * 1024);
}

TEST(ExpressionCache, ForgetsWhatWasUsedLongestAgo) {
    ExpressionCache cache(64);
    const auto hot = *cache.condition("attribute_exists(hot)");
    for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(cache.condition("attribute_exists(a" + std::to_string(i) + ")"));
        ASSERT_EQ(cache.condition("attribute_exists(hot)")->get(), hot.get());
    }
}

TEST(ExpressionCache, ServesThreadsThatAskForTheSameAndForOthers) {
    ExpressionCache cache(128, 256 * 1024);
    const Bindings bindings{{}, {{":v", 7}}};
    const Item item{{"a1", 7}, {"a2", 8}};
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 2000; ++i) {
                const int number = (i * 7 + thread) % 400;
                const auto attribute = "a" + std::to_string(number);
                BindingUse use(bindings);
                const auto condition = bind(*cache.condition(attribute + " = :v"), bindings, use);
                const auto update = bind(*cache.update("ADD " + attribute + " :v"), bindings, use);
                const bool holds = condition->holds(item);
                const auto effect = update->apply(item);
                const int want = number == 1 ? 14 : number == 2 ? 15 : 7;
                if (holds != (number == 1) || effect->item.integer(attribute) != want) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(cache.entries(), 256u);
}

}  // namespace
}  // namespace mailroom::table
