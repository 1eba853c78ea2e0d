#include "outbox/accept/template_cache.h"

#include "base/clock.h"
#include "liquid/owned_value.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace mailroom::outbox {
namespace {

std::string numbered(std::size_t number) { return std::to_string(number) + " {{ name }}"; }

std::string rendered(TemplateCache& cache, const std::string& text) {
    const auto found = cache.get(text);
    EXPECT_TRUE(found) << text;
    const ManualClock clock(from_unix_ms(0));
    const auto data = liquid::OwnedValue::object({{"name", "ann"}});
    const auto done = found->render(data.view(), {.clock = clock});
    EXPECT_TRUE(done);
    return done ? done->text : "";
}

TEST(TemplateCache, TheSameTextIsCompiledOnce) {
    TemplateCache cache;
    const auto first = cache.get(numbered(1)), again = cache.get(numbered(1));
    ASSERT_TRUE(first && again);
    EXPECT_EQ(&first->program(), &again->program());
    EXPECT_EQ(rendered(cache, numbered(1)), "1 ann");
    EXPECT_EQ(rendered(cache, numbered(2)), "2 ann");
    EXPECT_EQ(cache.size(), 2U);
}

TEST(TemplateCache, AFailureIsToldEachTimeAndNotKept) {
    TemplateCache cache;
    for (int i = 0; i < 2; ++i) {
        const auto failed = cache.get("{% if %}");
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().line, 1U);
    }
    EXPECT_EQ(cache.size(), 0U);
}

TEST(TemplateCache, TheLongestUnusedGoesFirst) {
    TemplateCache cache;
    const auto* first = &cache.get(numbered(0))->program();
    for (std::size_t i = 1; i < 2 * TemplateCache::templates_max; ++i) {
        ASSERT_TRUE(cache.get(numbered(i)));
        EXPECT_EQ(&cache.get(numbered(0))->program(), first);
        EXPECT_LE(cache.size(), TemplateCache::templates_max);
    }
    EXPECT_EQ(cache.size(), TemplateCache::templates_max);
}

TEST(TemplateCache, LargeTextsAreBoundedByTheirBytes) {
    TemplateCache cache;
    const std::string filler(200 * 1024, 'x');
    for (std::size_t i = 0; i < 40; ++i) ASSERT_TRUE(cache.get(filler + numbered(i)));
    EXPECT_LE(cache.size(), TemplateCache::text_bytes_max / filler.size());
    EXPECT_GT(cache.size(), 1U);
    const auto before = cache.size();
    ASSERT_TRUE(cache.get(filler + filler));
    EXPECT_EQ(cache.size(), before) << "one that is too large is not kept";
}

TEST(TemplateCache, ManyThreadsMayUseIt) {
    TemplateCache cache;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&cache] {
            for (std::size_t i = 0; i < 1000; ++i) {
                const auto number = i % (TemplateCache::templates_max + 20);
                EXPECT_EQ(rendered(cache, numbered(number)), std::to_string(number) + " ann");
            }
        });
    }
    for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace mailroom::outbox
