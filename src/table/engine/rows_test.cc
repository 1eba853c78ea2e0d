#include "table/engine/rows.h"

#include "base/hex.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

std::string item_row(const Value& hash, const Value& range) {
    auto row = space_prefix(Space::item, 7);
    append_partition(row, hash, Spread::hashed);
    append_key_part(row, range);
    return row;
}

TEST(Rows, FormsArePinned) {
    EXPECT_EQ(hex_encode(catalog_key("T")), "74540001");
    EXPECT_EQ(hex_encode(space_prefix(Space::entry, 258)), "7800000102");
    EXPECT_EQ(hex_encode(item_row("a", 42)),
              "6900000007"
              "eccf"
              "610001"
              "02832b00");
    EXPECT_EQ(hex_encode(expiry_key(1, 2, "k")),
              "65"
              "00000001"
              "0000000000000002"
              "6b");
    EXPECT_EQ(hex_encode(token_key("t")), "6b740001");
    EXPECT_EQ(hex_encode(token_end_key(1, "t")),
              "4b"
              "0000000000000001"
              "740001");
}

TEST(Rows, RangeKeysSortAsTheirValuesDo) {
    const Value strings[] = {"", "a", std::string("a\0", 2), "a0", "ab", "b", "\xc3\xa9"};
    for (std::size_t i = 0; i + 1 < std::size(strings); ++i) {
        EXPECT_LT(item_row("p", strings[i]), item_row("p", strings[i + 1])) << i;
    }
    const Value numbers[] = {-100, -1, 0, 1, 2, 10, 1000};
    for (std::size_t i = 0; i + 1 < std::size(numbers); ++i) {
        EXPECT_LT(item_row("p", numbers[i]), item_row("p", numbers[i + 1])) << i;
    }
}

TEST(Rows, PartitionsSpreadOverTheSlots) {
    int low = 0;
    constexpr int count = 4000;
    for (int i = 0; i < count; ++i) {
        std::string key;
        append_partition(key, Value("user-" + std::to_string(i)), Spread::timed);
        low += static_cast<unsigned char>(key[0]) < 128 ? 1 : 0;
    }
    EXPECT_NEAR(low, count / 2, count / 10);
}

std::string slot(const std::string& hash, Spread spread) {
    std::string key;
    append_partition(key, Value(hash), spread);
    return hex_encode(std::string_view(key).substr(0, 2));
}

TEST(Rows, TimedKeysOfOneMinuteShareTheirSlotAndMinutesFollowEachOther) {
    const std::string first = "019a8a3e-0000-7aaa-8bbb-0123456789ab";
    const std::string later = "019a8a3e-ffff-7ccc-9ddd-ba9876543210";
    const std::string next_minute = "019a8a3f-0000-7aaa-8bbb-0123456789ab";
    EXPECT_EQ(slot(first, Spread::timed), "8a3e");
    EXPECT_EQ(slot(later, Spread::timed), slot(first, Spread::timed));
    EXPECT_EQ(slot("eml/2026/May/" + later + ".EML", Spread::timed), slot(first, Spread::timed));
    EXPECT_EQ(slot(next_minute, Spread::timed), "8a3f");
    EXPECT_NE(slot(later, Spread::hashed), slot(first, Spread::hashed));
}

TEST(Rows, KeysThatAreNoTimedUuidsAreHashed) {
    for (const std::string key :
         {"", "a", "/", "019a8a3e-0000-4aaa-8bbb-0123456789ab",
          "019A8A3E-0000-7AAA-8BBB-0123456789AB", "019a8a3e-0000-7aaa-8bbb-0123456789a",
          "019a8a3e-0000-7aaa-8bbb_0123456789ab", "019a8a3e-0000-7aaa-8bbb-0123456789ab/x"}) {
        EXPECT_EQ(slot(key, Spread::timed), slot(key, Spread::hashed)) << key;
    }
}

}  // namespace
}  // namespace mailroom::table
