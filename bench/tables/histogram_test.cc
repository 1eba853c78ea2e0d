#include "histogram.h"

#include <gtest/gtest.h>

#include <vector>

namespace mailroom::bench {
namespace {

using std::chrono::nanoseconds;

TEST(Histogram, PercentileIsNeverBelowTheTruthAndAtMostAThirtieth) {
    struct Case {
        const char* name;
        std::int64_t step_ns;
        double percent;
    };
    const Case cases[] = {
        {"exact below 32 ns", 0, 50},          {"microseconds, median", 1'000, 50},
        {"microseconds, 99", 1'000, 99},       {"milliseconds, 99", 1'000'000, 99},
        {"milliseconds, all", 1'000'000, 100},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Histogram histogram;
        for (std::int64_t i = 1; i <= 1000; ++i) histogram.add(nanoseconds(i * c.step_ns));
        const auto truth = static_cast<double>(c.step_ns) * c.percent * 10;
        const auto got = static_cast<double>(histogram.percentile(c.percent).count());
        EXPECT_GE(got, truth);
        EXPECT_LE(got, truth * 1.033);
    }
}

TEST(Histogram, EmptyHasPercentileZeroAndExtremesAreKept) {
    Histogram histogram;
    EXPECT_EQ(histogram.percentile(99), nanoseconds(0));

    histogram.add(nanoseconds(-5));
    EXPECT_EQ(histogram.percentile(50), nanoseconds(0));
    histogram.add(nanoseconds::max());
    EXPECT_EQ(histogram.percentile(100), nanoseconds::max());
    EXPECT_EQ(histogram.count(), 2u);
}

TEST(Histogram, AddingAnotherOneIsAddingAllItHolds) {
    Histogram few, many;
    few.add(nanoseconds(10));
    for (int i = 0; i < 9; ++i) many.add(nanoseconds(20));
    few.add_all(many);
    EXPECT_EQ(few.count(), 10u);
    EXPECT_EQ(few.percentile(10), nanoseconds(10));
    EXPECT_EQ(few.percentile(11), nanoseconds(20));
}

}  // namespace
}  // namespace mailroom::bench
