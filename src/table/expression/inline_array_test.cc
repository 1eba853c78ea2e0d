#include "table/expression/inline_array.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {
namespace {

TEST(InlineArray, BeginsWithEmptyValuesAndKeepsThemWhenMoved) {
    for (const std::size_t size : {0, 1, 3, 4, 5, 100}) {
        InlineArray<std::size_t, 4> array(size);
        std::vector<std::size_t> wanted(size, 0);
        EXPECT_EQ(std::vector(array.begin(), array.end()), wanted) << size;

        std::iota(array.begin(), array.end(), 10u);
        std::iota(wanted.begin(), wanted.end(), 10u);
        InlineArray<std::size_t, 4> moved(std::move(array));
        EXPECT_EQ(std::vector(moved.begin(), moved.end()), wanted) << size;

        for (const std::size_t other_size : {0, 2, 50}) {
            InlineArray<std::size_t, 4> assigned(other_size);
            InlineArray<std::size_t, 4> source(size);
            std::iota(source.begin(), source.end(), 10u);
            assigned = std::move(source);
            EXPECT_EQ(assigned.size(), size);
            EXPECT_EQ(std::vector(assigned.begin(), assigned.end()), wanted) << size;
        }
    }
}

TEST(InlineArray, ValuesWithAConstructorAreConstructed) {
    const InlineArray<std::string_view, 2> few(2), many(3);
    for (const auto text : few) EXPECT_EQ(text.data(), nullptr);
    for (const auto text : many) EXPECT_EQ(text.data(), nullptr);
}

}  // namespace
}  // namespace mailroom::table
