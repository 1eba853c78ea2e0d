#include "outbox/sending/destinations.h"

#include <gtest/gtest.h>

#include <vector>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class DestinationsTest : public ::testing::Test {
protected:
    using Visits = std::vector<std::unique_ptr<Visit>>;

    // Nothing if there is no place.
    std::unique_ptr<Visit> try_enter(Destinations& destinations, const std::string& name) {
        auto entered = destinations.enter(name);
        if (auto* visit = std::get_if<std::unique_ptr<Visit>>(&entered)) return std::move(*visit);
        turn = std::get<ComeAgain>(entered);
        return nullptr;
    }
    void answer(Destinations& destinations, const std::string& name) {
        const auto visit = try_enter(destinations, name);
        ASSERT_TRUE(visit);
        visit->answered();
    }
    void keep_silent(Destinations& destinations, const std::string& name) {
        const auto visit = try_enter(destinations, name);
        ASSERT_TRUE(visit);
        clock.advance(15s);
        visit->silent();
    }

    ManualClock clock{from_unix_ms(1'000'000'000)};
    ComeAgain turn{};
    std::vector<std::function<void()>> posted;
    Destinations::Post post = [this](std::function<void()> work) {
        posted.push_back(std::move(work));
    };
};

TEST_F(DestinationsTest, EachGetsItsShareAndMoreOnceItHasAnswered) {
    Destinations destinations({.visits_per_destination = 4, .first_visits = 2}, clock, post);
    Visits visits;
    while (auto visit = try_enter(destinations, "a")) visits.push_back(std::move(visit));
    EXPECT_EQ(visits.size(), 2u);
    EXPECT_FALSE(turn.is_silent);
    EXPECT_GT(turn.at, clock.now());
    EXPECT_TRUE(try_enter(destinations, "b")) << "nobody is in the way of another";
    for (auto& visit : visits) visit->answered();
    visits.clear();
    while (auto visit = try_enter(destinations, "a")) visits.push_back(std::move(visit));
    EXPECT_EQ(visits.size(), 4u);
}

TEST_F(DestinationsTest, ASilentOneIsAskedByOneAtATimeAfterPausesThatGrow) {
    Destinations destinations({}, clock, post);
    answer(destinations, "a");
    Time last = clock.now();
    std::vector<std::chrono::milliseconds> pauses;
    for (int i = 0; i < 12; ++i) {
        keep_silent(destinations, "a");
        last = clock.now();
        EXPECT_FALSE(try_enter(destinations, "a"));
        EXPECT_TRUE(turn.is_silent);
        clock.set(turn.at);
        const auto probe = try_enter(destinations, "a");
        ASSERT_TRUE(probe);
        EXPECT_FALSE(try_enter(destinations, "a")) << "one is enough";
        pauses.push_back(clock.now() - last);
        clock.advance(10min);
    }
    EXPECT_EQ(pauses.front(), 5s);
    EXPECT_LE(pauses.back(), 10min);
    EXPECT_GE(pauses.back(), 5min);
    answer(destinations, "a");
    Visits visits;
    while (auto visit = try_enter(destinations, "a")) visits.push_back(std::move(visit));
    EXPECT_EQ(visits.size(), DestinationLimits{}.visits_per_destination) << "it is well again";
}

TEST_F(DestinationsTest, ASilentOneIsAskedAgainAlthoughTheClockWentBack) {
    Destinations destinations({}, clock, post);
    keep_silent(destinations, "a");
    clock.set(clock.now() - 24h);
    EXPECT_FALSE(try_enter(destinations, "a"));
    EXPECT_LE(turn.at, clock.now() + 5s);
    clock.advance(5s);
    answer(destinations, "a");
    EXPECT_TRUE(try_enter(destinations, "a"));
}

TEST_F(DestinationsTest, WhatWasLongAgoIsForgottenOnceThereAreMany) {
    Destinations destinations({.visits_per_destination = 4, .first_visits = 1}, clock, post);
    answer(destinations, "a");
    const auto at_once = [&] {
        Visits visits;
        while (auto visit = try_enter(destinations, "a")) visits.push_back(std::move(visit));
        return visits.size();
    };
    const auto meet_many = [&](const std::string& name) {
        for (int i = 0; i < 5000; ++i) answer(destinations, name + std::to_string(i));
    };
    clock.advance(50min);
    meet_many("first");
    EXPECT_EQ(at_once(), 4u) << "it answered within the hour";
    clock.advance(61min);
    meet_many("second");
    EXPECT_EQ(at_once(), 1u) << "nothing is known of it any more";
}

TEST_F(DestinationsTest, ThousandsOfNewOnesLeaveRoomForThoseThatAnswer) {
    Destinations destinations({.visits_max = 400}, clock, post);
    answer(destinations, "good");
    Visits visits;
    for (int i = 0; i < 5000; ++i) {
        if (auto visit = try_enter(destinations, "new" + std::to_string(i))) {
            visits.push_back(std::move(visit));
        }
    }
    EXPECT_EQ(visits.size(), 300u);
    EXPECT_LE(turn.at, clock.now() + 10min) << "each comes again before long";
    EXPECT_TRUE(try_enter(destinations, "good"));
}

TEST_F(DestinationsTest, ThoseTurnedAwayComeBackOneAfterTheOther) {
    Destinations destinations({.first_visits = 1}, clock, post);
    const auto visit = try_enter(destinations, "a");
    Time last = clock.now();
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(try_enter(destinations, "a"));
        EXPECT_GT(turn.at, last);
        last = turn.at;
    }
    for (int i = 0; i < 100'000; ++i) EXPECT_FALSE(try_enter(destinations, "a"));
    EXPECT_LE(turn.at, clock.now() + 10min);
}

TEST_F(DestinationsTest, WhoWaitsIsLetInWhenAPlaceIsFreeAndSentAwayWhenItFallsSilent) {
    Destinations destinations({.visits_per_destination = 1, .waiting_per_destination = 2}, clock,
                              post);
    answer(destinations, "a");
    auto first = try_enter(destinations, "a");
    std::vector<std::unique_ptr<Visit>> let_in;
    int sent_away = 0;
    const auto enter = [&](std::unique_ptr<Visit> visit) {
        visit ? let_in.push_back(std::move(visit)) : void(++sent_away);
    };
    EXPECT_FALSE(destinations.enter("a", enter));
    EXPECT_FALSE(destinations.enter("a", enter));
    EXPECT_TRUE(destinations.enter("a", enter)) << "two may wait";
    first->answered();
    first.reset();
    for (auto& work : std::exchange(posted, {})) work();
    ASSERT_EQ(let_in.size(), 1u);
    let_in[0]->silent();
    let_in.clear();
    for (auto& work : std::exchange(posted, {})) work();
    EXPECT_EQ(sent_away, 1);
    EXPECT_TRUE(let_in.empty());
}

TEST_F(DestinationsTest, NobodyWaitsAnyMoreAfterTheEnd) {
    Destinations destinations({.visits_per_destination = 1}, clock, post);
    answer(destinations, "a");
    const auto visit = try_enter(destinations, "a");
    const auto job = std::make_shared<int>(1);
    EXPECT_FALSE(destinations.enter("a", [job](const std::unique_ptr<Visit>&) {}));
    EXPECT_EQ(job.use_count(), 2);
    destinations.close();
    EXPECT_EQ(job.use_count(), 1);
    EXPECT_FALSE(destinations.enter("a", [job](const std::unique_ptr<Visit>&) {}));
    EXPECT_EQ(job.use_count(), 1);
}

}  // namespace
}  // namespace mailroom::outbox
