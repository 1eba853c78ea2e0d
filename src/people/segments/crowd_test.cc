#include "people/segments/crowd.h"

#include "people/segments/filter_text.h"
#include "people/segments/holds.h"
#include "people/segments/question.h"
#include "people/segments/random_filters.h"

#include <gtest/gtest.h>

#include <set>

namespace mailroom::people {
namespace {

using namespace std::chrono_literals;
using table::Item;
using table::Value;

// The same people in a crowd, and as rows.
class CrowdTest : public ::testing::Test {
protected:
    void put(const std::string& address, const Item& profile) {
        crowd.put(address, profile);
        profiles[address] = profile;
    }
    void erase(const std::string& address) {
        crowd.erase(address);
        profiles.erase(address);
    }
    void did(const std::string& address, const Activity& activity) {
        crowd.put(address, activity);
        activities[address] = activity;
    }

    std::set<std::string> asked_of_rows(const Filter& filter) const {
        std::set<std::string> found;
        for (const auto& [address, profile] : profiles) {
            const auto activity = activities.find(address);
            const auto* done = activity == activities.end() ? nullptr : &activity->second;
            if (holds(filter, {profile, done}, now)) found.insert(address);
        }
        return found;
    }
    std::set<std::string> asked_of_crowd(const Filter& filter) const {
        std::set<std::string> found;
        Question(crowd, filter, now).each([&](Crowd::Place place) {
            found.emplace(crowd.address(place));
        });
        return found;
    }
    std::vector<std::string> in_order() {
        crowd.sort();
        std::vector<std::string> all;
        for (const auto place : crowd.by_address()) {
            if (crowd.is_present(place)) all.emplace_back(crowd.address(place));
        }
        return all;
    }
    void expect_same(const Filter& filter) {
        const auto want = asked_of_rows(filter);
        ASSERT_EQ(asked_of_crowd(filter), want) << text_of(filter);
        ASSERT_EQ(Question(crowd, filter, now).count(), want.size()) << text_of(filter);
        Question question(crowd, filter, now);
        crowd.sort();
        std::size_t found = 0;
        const std::span<const Crowd::Place> places(crowd.by_address());
        for (std::size_t i = 0; i < places.size(); i += Question::block_places) {
            const auto block =
                places.subspan(i, std::min(Question::block_places, places.size() - i));
            found += static_cast<std::size_t>(std::popcount(question.of(block)));
        }
        ASSERT_EQ(found, want.size()) << text_of(filter);
    }

    Time now = from_unix_ms(1'760'000'000'000);
    Crowd crowd;
    std::map<std::string, Item> profiles;
    std::map<std::string, Activity> activities;
};

TEST_F(CrowdTest, AChangedProfileReplacesAllOfTheOneBefore) {
    put("a@x.com", {{"plan", "pro"}, {"city", "Köln"}});
    put("b@x.com", {{"plan", "free"}});
    put("a@x.com", {{"plan", "free"}, {"seats", 2}});
    EXPECT_EQ(asked_of_crowd(*parse_filter("plan = \"free\"")).size(), 2U);
    EXPECT_EQ(asked_of_crowd(*parse_filter("city exists")).size(), 0U);
    EXPECT_EQ(asked_of_crowd(*parse_filter("seats > 1")), (std::set<std::string>{"a@x.com"}));
    erase("a@x.com");
    EXPECT_EQ(crowd.size(), 1U);
    EXPECT_EQ(asked_of_crowd(Filter()), (std::set<std::string>{"b@x.com"}));
    put("a@x.com", {{"city", "Bonn"}});
    EXPECT_EQ(asked_of_crowd(*parse_filter("seats exists or plan exists")).size(), 1U);
}

TEST_F(CrowdTest, PeopleAreInOrderWheneverTheyCame) {
    for (const auto* address : {"m@x", "a@x", "z@x"}) put(address, {});
    EXPECT_EQ(in_order(), (std::vector<std::string>{"a@x", "m@x", "z@x"}));
    put("b@x", {});
    erase("m@x");
    put("n@x", {});
    EXPECT_EQ(in_order(), (std::vector<std::string>{"a@x", "b@x", "n@x", "z@x"}));
    EXPECT_EQ(crowd.address(crowd.by_address()[crowd.after("b@x")]), "m@x");
    EXPECT_EQ(crowd.after("zz"), crowd.by_address().size());
}

TEST_F(CrowdTest, ArrangedAllAreStillWhoTheyWere) {
    Activity opened;
    opened.done[static_cast<std::size_t>(Deed::opened)] = {now, 2, {now - 24h}};
    for (const auto* address : {"m@x", "a@x", "z@x"}) put(address, {{"email", address}});
    did("z@x", opened);
    did("nobody@x", opened);
    erase("m@x");
    crowd.arrange();
    EXPECT_EQ(in_order(), (std::vector<std::string>{"a@x", "z@x"}));
    EXPECT_EQ(crowd.address(0), "a@x");
    EXPECT_EQ(crowd.profile("z@x")->text("email"), "z@x");
    expect_same(*parse_filter("opened at least 2 times within 2 days"));
    put("m@x", {{"email", "again"}});
    EXPECT_EQ(in_order(), (std::vector<std::string>{"a@x", "m@x", "z@x"}));
}

TEST_F(CrowdTest, ManyChangesTakeNoMoreRoomThanThoseWhoAreThere) {
    for (int i = 0; i < 200'000; ++i) {
        const auto text = std::to_string(i);
        put("p" + std::to_string(i % 500) + "@x.com", {{"updatedAt", text}});
        if (i % 3 == 0) erase("p" + std::to_string(i * 7 % 500) + "@x.com");
        if (i % 2 == 0) put("once" + text + "@x.com", {{"n", i}}), erase("once" + text + "@x.com");
    }
    EXPECT_EQ(crowd.size(), profiles.size());
    EXPECT_LT(crowd.bytes(), 1024U * 1024U);
    expect_same(*parse_filter("updatedAt > \"19\""));
}

TEST_F(CrowdTest, WhatSomebodyDidIsKnownWhetherTheirProfileCameBeforeOrAfter) {
    Activity opened;
    opened.done[static_cast<std::size_t>(Deed::opened)] = {now - 24h, 2};
    did("a@x.com", opened);
    EXPECT_EQ(crowd.size(), 0U);
    EXPECT_EQ(asked_of_crowd(*parse_filter("opened")).size(), 0U);
    put("a@x.com", {});
    put("b@x.com", {});
    did("b@x.com", opened);
    EXPECT_EQ(asked_of_crowd(*parse_filter("opened within 2 days")).size(), 2U);
    did("b@x.com", {});
    EXPECT_EQ(asked_of_crowd(*parse_filter("not opened")), (std::set<std::string>{"b@x.com"}));
}

// Whatever is asked after whatever changed: columns and rows say the same.
TEST_F(CrowdTest, AnswersAnyFilterAsTheRowsDo) {
    RandomFilters filters(11);
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 60; ++i) {
            const auto address = "p" + std::to_string(filters.below(150)) + "@x.com";
            switch (filters.below(5)) {
                case 0:
                    erase(address);
                    break;
                case 1:
                    did(address, filters.activity(now));
                    break;
                default:
                    put(address, filters.profile(now));
            }
        }
        if (round % 7 == 3) crowd.arrange();
        for (int i = 0; i < 40; ++i) expect_same(filters.filter(3));
        now += 36h;
    }
}

}  // namespace
}  // namespace mailroom::people
