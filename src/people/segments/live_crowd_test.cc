#include "people/segments/live_crowd.h"

#include "people/segments/question.h"
#include "people/segments/random_filters.h"
#include "people/segments/segments_fixture.h"
#include "table/write_builder.h"

#include <thread>

namespace mailroom::people {
namespace {

using namespace std::chrono_literals;
using table::Item;
using table::Value;

class LiveCrowdTest : public SegmentsTest {
protected:
    // How many a crowd has; none if there is no crowd.
    std::optional<std::size_t> known() {
        std::optional<std::size_t> size;
        crowd->with(LiveCrowd::Order::any, [&](const Crowd& all) { size = all.size(); });
        return size;
    }
    std::set<std::string> asked_of_crowd(const Filter& wanted) {
        std::set<std::string> found;
        EXPECT_TRUE(crowd->with(LiveCrowd::Order::any, [&](const Crowd& all) {
            Question(all, wanted, clock.now()).each([&](Crowd::Place place) {
                found.emplace(all.address(place));
            });
        }));
        return found;
    }
    std::set<std::string> asked_of_tables(const Filter& wanted) {
        LiveCrowd nobody(*engine, books->tables, {0, 0});
        const Finder by_rows(*books, nobody);
        const auto all = by_rows.addresses_after("", wanted, clock.now());
        EXPECT_TRUE(all);
        return {all->begin(), all->end()};
    }
};

TEST_F(LiveCrowdTest, HasWhoWasThereBeforeAndWhoComesAfter) {
    put_person("a@x.com");
    crowd->start();
    EXPECT_EQ(known(), 1U);
    put_person("b@x.com", {{"plan", "pro"}});
    EXPECT_EQ(known(), 2U);
    erase_person("a@x.com");
    EXPECT_EQ(known(), 1U);
    EXPECT_EQ(count("plan = \"pro\""), 1U);
    did("b@x.com", Deed::opened, clock.now());
    EXPECT_EQ(count("opened within 1 day"), 1U);
    clock.advance(25h);
    EXPECT_EQ(count("opened within 1 day"), 0U);
    EXPECT_EQ(count("opened"), 1U);
}

TEST_F(LiveCrowdTest, RowsThatAreNoProfilesAreNobody) {
    crowd->start();
    ASSERT_TRUE(engine->put(put("Audience", {{"PK", "SUB#a@x.com"}, {"SK", "SENT#2026"}})));
    ASSERT_TRUE(engine->put(put("Audience", {{"PK", "TAG#a"}, {"SK", "PROFILE"}})));
    ASSERT_TRUE(engine->put(put("MailroomPeople", {{"PK", "ACTIVITY#a"}, {"SK", "OTHER"}})));
    EXPECT_EQ(known(), 0U);
}

TEST_F(LiveCrowdTest, WhoExpiresIsGone) {
    crowd->start();
    put_person("a@x.com", {{"ttl", to_unix_seconds(clock.now()) + 60}});
    EXPECT_EQ(known(), 1U);
    clock.advance(1h);
    ASSERT_TRUE(engine->sweep_expired(10));
    EXPECT_EQ(known(), 0U);
}

TEST_F(LiveCrowdTest, WhoAsksWhilePeopleAreBeingReadIsToldToComeAgain) {
    put_person("a@x.com");
    crowd.emplace(*engine, books->tables, CrowdLimits{.wait_max = 1ms});
    kv.crash();
    crowd->start();
    const auto refused = finder->count({Filter()}, clock.now());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::unavailable);
    EXPECT_EQ(refused.error().code, "people_not_ready");
    EXPECT_FALSE(finder->rows(Filter(), PeopleOrder::address, {10, {}}, clock.now()));
    kv.restart();
    while (!known()) std::this_thread::yield();
    EXPECT_EQ(count(Filter()), 1U);
}

TEST_F(LiveCrowdTest, RowsOfPeopleAreFoundBetweenManyThatAreNot) {
    const std::string large(40'000, 'x');  // So that pages end in the middle of each.
    for (int i = 0; i < 40; ++i) {
        const auto number = std::to_string(i);
        for (const auto* partition : {"TAG#a", "SUB#a@x.com", "SUB#b@x.com"}) {
            ASSERT_TRUE(engine->put(
                put("Audience", {{"PK", partition}, {"SK", "SENT#" + number}, {"body", large}})));
        }
        ASSERT_TRUE(engine->put(
            put("Audience", {{"PK", "SUB#b@x.com"}, {"SK", "EVENT#" + number}, {"body", large}})));
    }
    for (int i = 0; i < 50; ++i) put_person("p" + std::to_string(i) + "@x.com");
    put_person("a@x.com");
    put_person("b@x.com");
    crowd->start();
    EXPECT_EQ(known(), 52U);
}

TEST_F(LiveCrowdTest, ATableThatIsMadeAnewIsReadAnew) {
    put_person("a@x.com");
    crowd->start();
    EXPECT_EQ(known(), 1U);
    ASSERT_TRUE(engine->delete_table("Audience"));
    EXPECT_EQ(known(), 0U);
    ASSERT_TRUE(books->open());
    put_person("b@x.com");
    put_person("c@x.com");
    EXPECT_EQ(known(), 2U);
}

TEST_F(LiveCrowdTest, MoreThanMemoryIsSetAsideForAreAskedOfTheTables) {
    crowd.emplace(*engine, books->tables, CrowdLimits{20'000, 1'000'000});
    finder.emplace(*books, *crowd);
    crowd->start();
    EXPECT_EQ(known(), 0U);
    for (int i = 0; i < 2000; ++i) put_person("p" + std::to_string(i) + "@x.com", {{"n", i}});
    while (crowd->figures().state == LiveCrowd::State::ready) std::this_thread::yield();
    EXPECT_EQ(known(), std::nullopt);
    EXPECT_LT(crowd->figures().bytes, 20'000U);
    EXPECT_EQ(count("n >= 1990"), 10U);
}

TEST_F(LiveCrowdTest, WhereMoreChangesWaitThanThereIsRoomForAllIsReadAgain) {
    crowd.emplace(*engine, books->tables, CrowdLimits{CrowdLimits::usual_bytes_max, 300});
    finder.emplace(*books, *crowd);
    crowd->start();
    for (int i = 0; i < 300; ++i) put_person("p" + std::to_string(i) + "@x.com", {{"n", i}});
    EXPECT_EQ(count("n >= 290"), 10U);
    EXPECT_EQ(known(), 300U);
}

// Whoever writes, in whatever way, while it is read and after that: it equals the tables.
TEST_F(LiveCrowdTest, EqualsTheTablesWhileManyWrite) {
    RandomFilters people(3);
    for (int i = 0; i < 300; ++i) {
        put_person("early" + std::to_string(i) + "@x.com", people.profile(clock.now()));
    }
    const auto write = [&](std::uint64_t seed) {
        RandomFilters chance(seed);
        for (int i = 0; i < 300; ++i) {
            const auto address = "p" + std::to_string(chance.below(60)) + "@x.com";
            const auto kind = chance.below(6);
            if (kind == 0) erase_person(address);
            if (kind == 1) erase_person("early" + std::to_string(chance.below(300)) + "@x.com");
            if (kind == 2) {
                const auto update = table::write::Update("Audience", profile_key(address))
                                        .set("plan", chance.below(2) == 0 ? "pro" : "free");
                ASSERT_TRUE(engine->update(update));
            }
            if (kind > 2) put_person(address, chance.profile(clock.now()));
        }
    };
    std::vector<std::thread> writers;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) writers.emplace_back(write, seed);
    crowd->start();
    for (int i = 0; i < 20; ++i) asked_of_crowd(people.filter(2));
    for (auto& writer : writers) writer.join();
    for (int i = 0; i < 50; ++i) {
        const auto wanted = people.filter(3);
        ASSERT_EQ(asked_of_crowd(wanted), asked_of_tables(wanted)) << text_of(wanted);
    }
    ASSERT_EQ(asked_of_crowd(Filter()), asked_of_tables(Filter()));
}

TEST_F(LiveCrowdTest, WhatWasAcknowledgedIsInTheNextAnswer) {
    crowd->start();
    const auto write_and_ask = [&](int writer) {
        for (int i = 0; i < 100; ++i) {
            const auto name = std::to_string(writer) + "-" + std::to_string(i);
            put_person(name + "@x.com", {{"name", name}});
            ASSERT_EQ(asked_of_crowd(is_equal("name", name)).size(), 1U);
        }
    };
    std::vector<std::thread> writers;
    for (int i = 0; i < 3; ++i) writers.emplace_back(write_and_ask, i);
    for (auto& writer : writers) writer.join();
}

}  // namespace
}  // namespace mailroom::people
