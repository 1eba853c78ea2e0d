#include "schedule/partition.h"

#include <gtest/gtest.h>

namespace mailroom::schedule {
namespace {

Time at(std::int64_t ms) { return from_unix_ms(1'760'000'000'000 + ms); }
std::string place(std::int64_t ms, const char* key = "k") { return place_of(at(ms), key); }

// As after a look at `now` that found nothing and a first later row at `later`.
Partition seen(std::int64_t now, std::optional<Time> later) {
    Partition partition;
    const auto look = partition.begin(at(now));
    EXPECT_FALSE(partition.end_with_all(look, std::nullopt, true));
    partition.end_at(later);
    return partition;
}

TEST(Partition, IsLookedAtFromTheBeginningAtFirst) {
    Partition partition;
    EXPECT_LT(partition.next(), at(0));
    EXPECT_EQ(partition.begin(at(0)).from, first_place);
}

TEST(Partition, SleepsUntilTheFirstLaterRow) {
    EXPECT_EQ(seen(0, at(500)).next(), at(500));
    EXPECT_EQ(seen(0, std::nullopt).next(), Time::max());
}

TEST(Partition, AJobDueNowIsFoundWithoutAskingForTheNextAgain) {
    auto partition = seen(0, at(500));
    partition.expect(place(10), at(10));
    EXPECT_EQ(partition.next(), at(10));
    const auto look = partition.begin(at(10));
    EXPECT_LE(look.from, place(10));
    EXPECT_GT(look.from, place(0)) << "nor are the rows before it stepped over again";
    EXPECT_TRUE(partition.end_with_all(look, place(10), true));
    EXPECT_EQ(partition.next(), at(500));
}

TEST(Partition, FutureJobsAreRememberedByTheEarliestAndThenAskedFor) {
    auto partition = seen(0, at(500));
    partition.expect(place(300), at(1));
    partition.expect(place(200), at(1));
    EXPECT_EQ(partition.next(), at(200));
    const auto look = partition.begin(at(200));
    EXPECT_FALSE(partition.end_with_all(look, place(200), true)) << "300 may be the next, or not";
    partition.end_at(at(300));
    EXPECT_EQ(partition.next(), at(300));
}

TEST(Partition, AFullPageIsContinuedAfterItsLastRow) {
    Partition partition;
    partition.begin(at(100));
    partition.end_with_more(place(7));
    EXPECT_EQ(partition.next(), at(7));
    const auto look = partition.begin(at(100));
    EXPECT_GT(look.from, place(7));
    EXPECT_LT(look.from, place(7, "k0"));
}

TEST(Partition, WhatIsToldDuringALookIsNotForgotten) {
    auto partition = seen(0, std::nullopt);
    partition.expect(place(1), at(1));
    const auto look = partition.begin(at(50));
    partition.expect(place(20), at(50));
    partition.expect(place(700), at(50));
    EXPECT_TRUE(partition.end_with_all(look, place(1), true));
    EXPECT_EQ(partition.next(), at(20));
    const auto again = partition.begin(at(50));
    EXPECT_LE(again.from, place(20));
    EXPECT_TRUE(partition.end_with_all(again, place(20), true));
    EXPECT_EQ(partition.next(), at(700));
}

TEST(Partition, WhatIsToldWhileTheNextIsAskedForIsNotForgotten) {
    Partition partition;
    const auto look = partition.begin(at(0));
    ASSERT_FALSE(partition.end_with_all(look, std::nullopt, true));
    partition.expect(place(300), at(0));
    partition.end_at(at(900));
    EXPECT_EQ(partition.next(), at(300));
    const auto again = partition.begin(at(300));
    EXPECT_FALSE(partition.end_with_all(again, place(300), true));
    partition.end_at(at(900));
    EXPECT_EQ(partition.next(), at(900));
}

TEST(Partition, OthersMayAddBehindOurLookUnlessWeAreAlone) {
    Partition partition;
    auto look = partition.begin(at(100));
    partition.end_with_all(look, place(10), false);
    partition.end_at(std::nullopt);
    partition.poll(at(101));
    look = partition.begin(at(101));
    EXPECT_LE(look.from, place(11));
    EXPECT_GT(look.from, place(10));
    partition.end_with_all(look, std::nullopt, false);
    partition.start_over();
    EXPECT_EQ(partition.begin(at(102)).from, first_place);
}

TEST(Partition, StartingOverDuringALookIsNotForgotten) {
    auto partition = seen(0, std::nullopt);
    partition.poll(at(10));
    const auto look = partition.begin(at(10));
    partition.start_over();
    partition.end_with_more(place(5));
    EXPECT_LE(partition.next(), at(10));
    EXPECT_EQ(partition.begin(at(10)).from, first_place);
}

TEST(Partition, AFailedLookIsRepeatedLater) {
    auto partition = seen(0, at(500));
    partition.expect(place(10), at(10));
    partition.begin(at(10));
    partition.end_with_failure(at(1010));
    EXPECT_EQ(partition.next(), at(1010));
    EXPECT_LE(partition.begin(at(1010)).from, place(10));
}

TEST(Partition, AJobIsFoundAlthoughTheClockWentBackBehindIt) {
    auto partition = seen(1000, at(5000));
    partition.expect(place(1500), at(1500));
    partition.expect(place(20), at(1500));
    const auto look = partition.begin(at(30));
    EXPECT_FALSE(partition.end_with_all(look, place(20), true)) << "1500 is to come again";
    partition.end_at(at(1500));
    EXPECT_EQ(partition.next(), at(1500));
    EXPECT_LE(partition.begin(at(1500)).from, place(1500));
}

}  // namespace
}  // namespace mailroom::schedule
