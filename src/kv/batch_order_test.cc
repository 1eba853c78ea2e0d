#include "kv/batch_order.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace mailroom::kv {
namespace {

using namespace std::string_literals;

std::vector<std::string> keys_in_order(const Batch& batch) {
    std::vector<std::string> keys;
    for (const auto number : order_by_key(batch)) keys.emplace_back(batch.change(number).key);
    return keys;
}

TEST(BatchOrder, IsTheOrderOfTheKeysAsBytes) {
    const std::vector<std::string> sorted = {
        "",          "\0"s,       "\0\0"s, "a",     "a\0"s, "a\0\x01"s, "abcdefgh", "abcdefgh\0"s,
        "abcdefghi", "abcdefghj", "b\x7f", "b\x80", "\xff"};
    Batch batch;
    for (auto key = sorted.rbegin(); key != sorted.rend(); ++key) batch.put(*key, "v");
    EXPECT_EQ(keys_in_order(batch), sorted);
    EXPECT_TRUE(order_by_key(Batch()).empty());
}

TEST(BatchOrder, OfSeveralChangesOfOneKeyTheLastStays) {
    Batch batch;
    batch.put("b", "1");
    batch.erase("a");
    batch.put("b", "2");
    batch.put("a", "3");
    batch.erase("b");
    const auto order = order_by_key(batch);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 4}));
}

TEST(BatchOrder, ABatchThatErasesARangeIsLeftAsItIs) {
    Batch batch;
    batch.put("c", "1");
    batch.put("a", "1");
    batch.erase_range("a", "b");
    batch.put("a", "2");
    EXPECT_EQ(order_by_key(batch), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(BatchOrder, DoesWhatTheBatchDoes) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        Batch batch;
        std::map<std::string, std::string, std::less<>> expected, rows;
        for (auto i = random() % 60; i > 0; --i) {
            const std::string key = "a key with many others "s +
                                    static_cast<char>(random() % 20 * 13) +
                                    std::string(random() % 2, '\0');
            if (random() % 4 == 0) {
                batch.erase(key);
                expected.insert_or_assign(key, "erased");
            } else {
                batch.put(key, std::to_string(i));
                expected.insert_or_assign(key, std::to_string(i));
            }
        }
        std::string previous;
        for (const auto number : order_by_key(batch)) {
            const auto change = batch.change(number);
            EXPECT_LT(previous, change.key);
            previous = change.key;
            rows.emplace(change.key, change.kind == Batch::Kind::erase ? "erased" : change.value);
        }
        EXPECT_EQ(rows, expected);
    }
}

}  // namespace
}  // namespace mailroom::kv
