#include "people/segments/segments.h"

#include "people/segments/expansions.h"
#include "people/segments/segments_fixture.h"

#include <thread>

namespace mailroom::people {
namespace {

using SavedSegmentsTest = SegmentsTest;

TEST_F(SavedSegmentsTest, AreKeptAsTextAndShownInBothForms) {
    const auto made = save("vips", "plan='pro' and tag='vip'");
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->filter, "plan = \"pro\" and tag = \"vip\"");
    EXPECT_EQ(made->by, "mailroom");
    clock.advance(std::chrono::hours(1));
    const auto changed = save("vips", "plan = \"team\"");
    EXPECT_EQ(changed->created, made->created);
    EXPECT_EQ(to_unix_ms(changed->updated), to_unix_ms(clock.now()));
    const auto json = table::to_json(*segments->require("vips"));
    EXPECT_NE(json.find(R"("rules":{"attribute":"plan","equals":"team"})"), json.npos) << json;
    ASSERT_TRUE(save("another", "all"));
    const auto page = segments->page({1, {}});
    EXPECT_EQ(page->items.front().id, "another");
    EXPECT_TRUE(page->next);
    ASSERT_TRUE(segments->remove("vips"));
    EXPECT_EQ(segments->require("vips").error().kind, Refusal::Kind::not_found);
    EXPECT_EQ(segments->remove("vips").error().kind, Refusal::Kind::not_found);
}

TEST_F(SavedSegmentsTest, MayAskForOthersButNotForThemselves) {
    ASSERT_TRUE(save("pros", "plan = \"pro\""));
    ASSERT_TRUE(save("active", "segment = \"pros\" and not suppressed"));
    const auto resolved = segments->resolve(filter("segment = \"active\" or tag = \"x\""));
    ASSERT_TRUE(resolved);
    EXPECT_EQ(text_of(*resolved), "plan = \"pro\" and not suppressed = true or tag = \"x\"");
    EXPECT_NE(save("pros", "segment = \"pros\"").error().text().find("itself"), std::string::npos);
    EXPECT_NE(save("pros", "segment = \"active\"").error().text().find("itself"),
              std::string::npos);
    EXPECT_NE(save("new", "segment = \"old\"").error().text().find("not there"), std::string::npos);
    EXPECT_EQ(segments->remove("pros").error().code, "segment_in_use");
    ASSERT_TRUE(segments->remove("active"));
    ASSERT_TRUE(segments->remove("pros"));
}

TEST_F(SavedSegmentsTest, AChainThatIsTooLongOrTooMuchIsRefused) {
    ASSERT_TRUE(save("s0", "n = 0"));
    bool is_refused = false;
    for (int i = 1; i < 20 && !is_refused; ++i) {
        is_refused = !save("s" + std::to_string(i), "segment = \"s" + std::to_string(i - 1) + "\"");
    }
    EXPECT_TRUE(is_refused);
    // Each asks twice for the one before: doubled with every step.
    ASSERT_TRUE(save("d0", "a = 1 or a = 2 or a = 3 or a = 4 or a = 5 or a = 6 or a = 7"));
    is_refused = false;
    for (int i = 1; i < 9 && !is_refused; ++i) {
        const auto before = "segment = \"d" + std::to_string(i - 1) + "\"";
        auto text = before;
        for (int j = 0; j < 4; ++j) text += " or " + before;
        is_refused = !save("d" + std::to_string(i), text);
    }
    EXPECT_TRUE(is_refused);
}

TEST_F(SavedSegmentsTest, ARowThatAnotherProgramSpoiledIsLeftOutOfListsAndNobodyElseIsHurt) {
    ASSERT_TRUE(save("good", "all"));
    ASSERT_TRUE(engine->put(
        put("MailroomPeople",
            {{"PK", "SEGMENT#"}, {"SK", "bad"}, {"id", "bad"}, {"filter", "plan is"}})));
    EXPECT_EQ(segments->page({10, {}})->items.size(), 1U);
    EXPECT_FALSE(segments->require("bad"));
    ASSERT_TRUE(segments->remove("good"));
}

TEST_F(SavedSegmentsTest, WrongOnesAreRefusedWithThePlace) {
    EXPECT_NE(save("No Id", "all").error().text().find("id"), std::string::npos);
    table::Reading reading;
    SegmentDetails::check({" ", std::string(2000, 'x'), {"plan", std::nullopt}}, reading);
    EXPECT_EQ(reading.take().size(), 3U);
    table::Reading both;
    AskedFilter::check({"all", Filter()}, both);
    EXPECT_FALSE(both.is_good());
}

using ExpansionsTest = SegmentsTest;

TEST_F(ExpansionsTest, WhoIsInStaysInWhateverBecomesOfThem) {
    crowd->start();
    for (int i = 0; i < 2500; ++i) {
        put_person("p" + std::to_string(i) + "@x.com", {{"tags", table::Value::list({"a"})}});
    }
    const auto made = expansions->expand("b1", filter("tag = \"a\""));
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->people, 2500);
    EXPECT_TRUE(made->is_done);
    put_person("late@x.com", {{"tags", table::Value::list({"a"})}});
    erase_person("p7@x.com");
    EXPECT_EQ(expansions->expand("b1", filter("all"))->people, 2500);
    Texts all;
    for (;;) {
        const auto page = expansions->page("b1", all.empty() ? "" : all.back(), 700);
        ASSERT_TRUE(page);
        all.insert(all.end(), page->begin(), page->end());
        if (page->size() < 700) break;
    }
    EXPECT_EQ(all.size(), 2500U);
    EXPECT_TRUE(std::ranges::is_sorted(all));
    EXPECT_TRUE(std::ranges::binary_search(all, "p7@x.com"));
    EXPECT_FALSE(std::ranges::binary_search(all, "late@x.com"));
}

// A crash after each of its writes; others come and go in between.
TEST_F(ExpansionsTest, OneThatWasInterruptedGoesOnAndTakesNobodyTwice) {
    for (int i = 0; i < 3000; ++i) put_person("p" + std::to_string(10'000 + i) + "@x.com");
    Expansion half;
    half.id = "b2";
    half.filter = "createdAt is missing";
    half.at = clock.now();
    half.through = "p11000@x.com";
    half.people = 1;
    table::write::Transaction together;
    table::Rows<Expansion>(*engine, Books::people_table("MailroomPeople")).save(together, half);
    together.put("MailroomPeople", {{"PK", "EXPANSION#b2"},
                                    {"SK", "p11000@x.com"},
                                    {"addresses", table::Value::list({"p11000@x.com"})}});
    ASSERT_TRUE(engine->transact(together));
    clock.advance(std::chrono::hours(5));
    put_person("p10500a@x.com");
    const auto made = expansions->expand("b2", filter("all"));
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->people, 2000);
    EXPECT_EQ(made->at, half.at);
    EXPECT_EQ(expansions->page("b2", "", 5000)->size(), 2000U);
}

TEST_F(ExpansionsTest, TwoWhoExpandTheSameTakeEverybodyOnce) {
    crowd->start();
    for (int i = 0; i < 4000; ++i) put_person("p" + std::to_string(i) + "@x.com");
    const auto expand = [&] { EXPECT_EQ(expansions->expand("b3", Filter())->people, 4000); };
    std::thread other(expand);
    expand();
    other.join();
    const auto all = expansions->page("b3", "", 10'000);
    EXPECT_EQ(all->size(), 4000U);
    EXPECT_EQ(std::set<std::string>(all->begin(), all->end()).size(), 4000U);
}

TEST_F(ExpansionsTest, WhoIsErasedIsNamedNowhereAndTheOthersAreFound) {
    for (const auto* address : {"a@x.com", "b@x.com", "c@x.com"}) put_person(address);
    ASSERT_TRUE(expansions->expand("b4", Filter()));
    ASSERT_TRUE(expansions->expand("b5", Filter()));
    EXPECT_EQ(expansions->with("a@x.com")->size(), 2U);
    EXPECT_EQ(expansions->with("nobody@x.com")->size(), 0U);
    ASSERT_TRUE(expansions->forget("a@x.com"));
    EXPECT_EQ(expansions->with("a@x.com")->size(), 0U);
    ASSERT_TRUE(expansions->forget("c@x.com"));
    ASSERT_TRUE(expansions->forget("nobody@x.com"));
    EXPECT_EQ(*expansions->page("b4", "", 10), (Texts{"b@x.com"}));
    EXPECT_EQ(*expansions->page("b5", "a@x.com", 10), (Texts{"b@x.com"}));
    ASSERT_TRUE(expansions->forget("b@x.com"));
    EXPECT_EQ(*expansions->page("b4", "", 10), Texts());
    ASSERT_TRUE(expansions->remove("b4"));
    EXPECT_EQ(*expansions->find("b4"), std::nullopt);
}

TEST_F(ExpansionsTest, AreKeptForAYear) {
    put_person("a@x.com");
    ASSERT_TRUE(expansions->expand("b6", Filter()));
    clock.advance(std::chrono::hours(24 * 364));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(expansions->page("b6", "", 10)->size(), 1U);
    clock.advance(std::chrono::hours(24 * 2));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(expansions->page("b6", "", 10)->size(), 0U);
    EXPECT_EQ(*expansions->find("b6"), std::nullopt);
}

TEST_F(ExpansionsTest, AreRefusedForASegmentThatIsNotThere) {
    EXPECT_FALSE(expansions->expand("b7", filter("segment = \"none\"")));
    EXPECT_EQ(*expansions->find("b7"), std::nullopt);
    EXPECT_FALSE(expansions->expand("", Filter()));
}

}  // namespace
}  // namespace mailroom::people
