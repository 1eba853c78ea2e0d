#include "base/refusal.h"

#include "base/names.h"
#include "base/random.h"
#include "base/sleeper.h"

#include <gtest/gtest.h>

namespace mailroom {

namespace {

using Kind = Refusal::Kind;

constexpr Kind all_kinds[] = {Kind::invalid,   Kind::forbidden,     Kind::not_found, Kind::conflict,
                              Kind::gone,      Kind::unprocessable, Kind::too_many,  Kind::provider,
                              Kind::lost_race, Kind::unavailable,   Kind::internal};

TEST(Refusal, NamesEveryFieldThatIsWrong) {
    const Refusal one = BadField{"name", "is missing"};
    EXPECT_EQ(one.message, "is missing");
    EXPECT_EQ(one.text(), "name is missing");
    const Refusal two(std::vector<BadField>{{"name", "is missing"}, {"", "must be an object"}});
    EXPECT_EQ(two.kind, Kind::invalid);
    EXPECT_EQ(two.text(), "name is missing; must be an object");
    EXPECT_EQ(static_cast<Error>(two).code, Errc::invalid);
}

TEST(Refusal, WhatPassesIsSaidAsPassingAtEachDoor) {
    for (const auto kind : all_kinds) {
        const auto& answer = answer_of(kind);
        SCOPED_TRACE(answer.code);
        const bool passes = kind == Kind::too_many || kind == Kind::provider ||
                            kind == Kind::lost_race || kind == Kind::unavailable ||
                            kind == Kind::internal;
        EXPECT_EQ(answer.http_status >= 429, passes);
        EXPECT_EQ(answer.smtp_reply < 500, passes);
        EXPECT_EQ(answer.smtp_status.front(), passes ? '4' : '5');
    }
}

TEST(Refusal, FailuresOfTheStoreKeepWhetherTheyPass) {
    EXPECT_EQ(Refusal(Error{Errc::throttled, "busy"}).kind, Kind::unavailable);
    EXPECT_EQ(Refusal(Error{Errc::unavailable, "away"}).kind, Kind::unavailable);
    EXPECT_EQ(Refusal(Error{Errc::conflict, "there"}).kind, Kind::conflict);
    EXPECT_EQ(Refusal(Error{Errc::corrupt, "odd"}).kind, Kind::internal);
}

struct Slept final : Sleeper {
    bool sleep(std::chrono::milliseconds duration) override {
        pauses.push_back(duration);
        return true;
    }
    std::vector<std::chrono::milliseconds> pauses;
};

TEST(Settled, TriesAgainAfterALostRaceOnlyAndWithPauses) {
    SeededRandom random(1);
    Slept slept;
    int tries = 0;
    const auto won = settled(Pauses(race_pauses, random, slept), [&]() -> Answer<int> {
        if (++tries < 4) return Refusal::lost_race();
        return tries;
    });
    ASSERT_TRUE(won);
    EXPECT_EQ(*won, 4);
    EXPECT_EQ(slept.pauses.size(), 3u);
    tries = 0;
    const auto refused = settled(Pauses(race_pauses, random, slept), [&]() -> Answer<int> {
        ++tries;
        return Refusal::not_found("nothing");
    });
    EXPECT_EQ(refused.error().kind, Kind::not_found);
    EXPECT_EQ(tries, 1);
}

TEST(Settled, WhoNeverWinsIsTold) {
    SeededRandom random(1);
    Slept slept;
    const auto lost = settled(Pauses(race_pauses, random, slept),
                              []() -> Answer<> { return Refusal::lost_race(); });
    EXPECT_EQ(lost.error().kind, Kind::unavailable);
    EXPECT_EQ(slept.pauses.size() + 1, static_cast<std::size_t>(race_pauses.tries_max));
}

enum class Weather { fair, foul };

constexpr auto names_of(Weather) {
    return std::array{Name{Weather::fair, "fair"}, Name{Weather::foul, "foul"}};
}
std::optional<Weather> otherwise_named(Weather, std::string_view text) {
    return text == "rainy" ? std::optional(Weather::foul) : std::nullopt;
}

TEST(Names, AreFoundInBothDirections) {
    EXPECT_EQ(name_of(Weather::foul), "foul");
    EXPECT_EQ(named<Weather>("fair"), Weather::fair);
    EXPECT_EQ(named<Weather>("rainy"), Weather::foul);
    EXPECT_EQ(named<Weather>("wet"), std::nullopt);
    EXPECT_EQ(names_text<Weather>(), "fair or foul");
}

}  // namespace
}  // namespace mailroom
