#include "outbox/sending/rates.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using Domains = std::vector<std::string>;

class RatesTest : public ::testing::Test {
protected:
    // How many of `count` mails to `domains` may leave at once.
    static int let_through(Rates& rates, const Domains& domains, int count) {
        int through = 0;
        for (int i = 0; i < count; ++i) through += rates.enter(domains, false) ? 0 : 1;
        return through;
    }

    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    const Domains a = {"a.example"}, b = {"b.example"}, both = {"a.example", "b.example"};
};

TEST_F(RatesTest, WithoutLimitsEverythingLeavesAndNothingIsRemembered) {
    Rates rates(clock, {});
    EXPECT_EQ(let_through(rates, both, 5000), 5000);
    EXPECT_EQ(rates.domains(), 0U);
}

TEST_F(RatesTest, TurnsAreSetAsideOneAfterTheOtherAtTheRate) {
    Rates rates(clock, {.per_second = 10});
    EXPECT_EQ(let_through(rates, a, 2), 2);  // One, and one ahead of its turn.
    for (int i = 1; i <= 20; ++i) {
        const auto turn = rates.enter(a, false);
        ASSERT_TRUE(turn);
        EXPECT_EQ(*turn - clock.now(), i * 100ms);
    }
}

TEST_F(RatesTest, WhoComesAtTheTimeSetAsideIsLetThroughWithoutTakingAnotherTurn) {
    Rates rates(clock, {.per_second = 10});
    let_through(rates, a, 2);
    const auto first = rates.enter(a, false);
    const auto second = rates.enter(a, false);
    ASSERT_TRUE(first && second);
    clock.set(*first);
    EXPECT_FALSE(rates.enter(a, true));
    EXPECT_EQ(*rates.enter(a, false) - *second, 100ms);
}

TEST_F(RatesTest, WhoWouldNotWaitEntersOnlyIfFreeAndTakesNothingOtherwise) {
    const struct {
        RateLimits limits;
        int enter;  // Of many that come at the same time.
    } cases[] = {{{}, 1000},
                 {{.per_second = 10}, 2},  // One, and one ahead of its turn.
                 {{.per_domain_per_second = 10}, 2},
                 {{.per_domain_at_once = 3}, 3}};
    for (const auto& [limits, enter] : cases) {
        Rates rates(clock, limits);
        int entered = 0;
        for (int i = 0; i < 1000; ++i) entered += rates.enter_at_once(both) ? 1 : 0;
        EXPECT_EQ(entered, enter);
    }
    Rates rates(clock, {.per_second = 10});
    for (int i = 0; i < 100; ++i) rates.enter_at_once(a);
    EXPECT_EQ(*rates.enter(a, false) - clock.now(), 100ms) << "those refused set nothing aside";
    EXPECT_FALSE(rates.enter_at_once(b)) << "not before one for whom a turn is set aside";
}

TEST_F(RatesTest, APlaceEnteredAtOnceIsGivenBackLikeAnyOther) {
    Rates rates(clock, {.per_domain_at_once = 1});
    EXPECT_TRUE(rates.enter_at_once(a));
    EXPECT_FALSE(rates.enter_at_once(both));
    EXPECT_TRUE(rates.enter_at_once(b)) << "the refusal left b alone";
    rates.leave(a);
    EXPECT_TRUE(rates.enter_at_once(a));
}

TEST_F(RatesTest, OverALongTimeNoMoreLeavesThanTheRateAllows) {
    Rates rates(clock, {.per_second = 3.5});
    int through = 0;
    for (int step = 0; step < 10'000; ++step, clock.advance(7ms)) {
        if (!rates.enter(a, false)) ++through;
    }
    EXPECT_LE(through, 70 * 3.5 + 2);
    EXPECT_GE(through, 1);
}

TEST_F(RatesTest, ASlowDomainDoesNotHoldUpOthers) {
    Rates rates(clock, {.per_second = 1000, .per_domain_per_second = 1});
    EXPECT_EQ(let_through(rates, a, 50), 1);
    EXPECT_FALSE(rates.enter(b, false));
    const auto turn = rates.enter(both, false);
    ASSERT_TRUE(turn);
    EXPECT_EQ(*turn - clock.now(), 50s - 100ms);
}

TEST_F(RatesTest, AClockThatIsSetBackHoldsUpNobody) {
    Rates rates(clock, {.per_second = 10, .per_domain_per_second = 5});
    EXPECT_EQ(let_through(rates, a, 1), 1);
    for (int i = 0; i < 20; ++i) rates.enter(a, false);
    clock.set(clock.now() - 24h);
    const auto turn = rates.enter(a, false);
    ASSERT_TRUE(turn);
    EXPECT_GT(*turn, clock.now() + 3s) << "what was set aside still is";
    EXPECT_LT(*turn, clock.now() + 10s);
    clock.advance(10s);
    EXPECT_EQ(let_through(rates, b, 1), 1);
    EXPECT_EQ(let_through(rates, a, 1), 1);
}

TEST_F(RatesTest, AVerySlowRateIsNoEndlessOne) {
    Rates rates(clock, {.per_second = 1e-12});
    EXPECT_FALSE(rates.enter(a, false));
    EXPECT_LE(*rates.enter(a, false) - clock.now(), 24h);
}

TEST_F(RatesTest, AtMostSoManyAreInHandAndOthersComeBackSpreadOut) {
    Rates rates(clock, {.per_domain_at_once = 2});
    EXPECT_EQ(let_through(rates, a, 2), 2);
    const auto third = rates.enter(a, false);
    const auto fourth = rates.enter(a, true);
    ASSERT_TRUE(third && fourth);
    EXPECT_GT(*third, clock.now());
    EXPECT_GT(*fourth, *third);
    EXPECT_TRUE(rates.enter(both, false));
    EXPECT_FALSE(rates.enter(b, false)) << "the refused mail must not stay in hand";
    rates.leave(a);
    clock.set(*third);
    EXPECT_FALSE(rates.enter(a, true));
}

TEST_F(RatesTest, WhereMailsLeaveFastThoseTurnedAwayComeBackFast) {
    Rates rates(clock, {.per_domain_at_once = 1});
    const auto pause = [&] { return *rates.enter(a, true) - clock.now(); };
    rates.enter(a, false);
    const auto slow = pause();
    for (int i = 0; i < 60; ++i) {
        rates.leave(a);
        clock.advance(20ms);
        rates.enter(a, true);
    }
    clock.advance(10s);  // Past the times set aside so far.
    const auto fast = pause();
    EXPECT_LT(fast, slow / 4);
    EXPECT_GT(fast, 0ms);
}

TEST_F(RatesTest, IdleDomainsAreForgotten) {
    Rates rates(clock, {.per_domain_per_second = 10, .per_domain_at_once = 5});
    const Domains busy = {"busy.example"};
    rates.enter(busy, false);
    for (int i = 0; i < 20'000; ++i) {
        const Domains domains = {std::to_string(i) + ".example"};
        ASSERT_FALSE(rates.enter(domains, false));
        rates.leave(domains);
        clock.advance(1ms);
    }
    EXPECT_LE(rates.domains(), 2048U);
    rates.leave(busy);  // Is still known: asserts otherwise.
}

TEST_F(RatesTest, ManyThreadsNeverHoldMoreThanAllowed) {
    Rates rates(clock, {.per_domain_at_once = 3});
    std::atomic<int> in_hand = 0, most = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                if (rates.enter(a, true)) continue;
                const int now = ++in_hand;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
                --in_hand;
                rates.leave(a);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_GE(most, 1);
    EXPECT_LE(most, 3);
}

}  // namespace
}  // namespace mailroom::outbox
