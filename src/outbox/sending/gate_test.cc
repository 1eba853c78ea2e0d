#include "outbox/sending/gate.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

// Places for two connections; what is posted runs when the test says so.
class GateTest : public ::testing::Test {
protected:
    static constexpr std::size_t connections = 1, places = 2;

    ~GateTest() override {
        held.clear();
        posted.clear();
        gate.reset();
    }

    Gate::Enter as(const std::string& name) {
        return [this, name](std::unique_ptr<Place> place) {
            entered.push_back(name + (place ? "" : " sent away"));
            if (place) held.push_back(std::move(place));
        };
    }
    void leave() { held.erase(held.begin()); }
    void run_posted() {
        for (auto& work : std::exchange(posted, {})) work();
    }
    void fill() {
        for (std::size_t i = 0; i < places; ++i) gate->enter(as("early"));
        entered.clear();
    }

    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    std::vector<std::function<void()>> posted;
    std::vector<std::string> entered;
    std::vector<std::unique_ptr<Place>> held;
    std::unique_ptr<Gate> gate = std::make_unique<Gate>(
        connections, places, clock, [this](auto work) { posted.push_back(std::move(work)); });
};

using Names = std::vector<std::string>;

TEST_F(GateTest, WhoFindsAPlaceEntersAtOnce) {
    gate->enter(as("due"));
    gate->enter_soon(as("new"));
    EXPECT_EQ(entered, (Names{"due", "new"}));
    EXPECT_TRUE(posted.empty());
}

TEST_F(GateTest, DueMailsWaitAsLongAsItTakesAndKeepTheirOrder) {
    fill();
    gate->enter(as("first"));
    gate->enter(as("second"));
    clock.advance(24h);
    EXPECT_TRUE(entered.empty());
    leave();
    leave();
    EXPECT_TRUE(entered.empty()) << "not on the thread that gave the place back";
    run_posted();
    EXPECT_EQ(entered, (Names{"first", "second"}));
}

TEST_F(GateTest, WhileNobodyLeavesNewMailsAreSentAwayAtOnce) {
    fill();
    gate->enter_soon(as("new"));
    EXPECT_EQ(entered, (Names{"new sent away"}));
}

TEST_F(GateTest, AsManyNewMailsWaitAsLeftInTheMomentBefore) {
    fill();
    for (int i = 0; i < 2; ++i) {
        leave();
        gate->enter(as("due"));
    }
    clock.advance(Gate::moment);
    entered.clear();
    for (const char* name : {"one", "two", "three"}) gate->enter_soon(as(name));
    EXPECT_EQ(entered, (Names{"three sent away"}));
    leave();
    leave();
    run_posted();
    EXPECT_EQ(entered, (Names{"three sent away", "one", "two"}));

    clock.advance(2 * Gate::moment);
    gate->enter_soon(as("much later"));
    EXPECT_EQ(entered.back(), "much later sent away");
}

TEST_F(GateTest, DueAndNewMailsTakeTurns) {
    fill();
    for (int i = 0; i < 2; ++i) {
        leave();
        gate->enter(as("due"));
    }
    entered.clear();
    for (const char* name : {"due 1", "due 2", "due 3"}) gate->enter(as(name));
    for (const char* name : {"new 1", "new 2"}) gate->enter_soon(as(name));
    for (int i = 0; i < 5; ++i) {
        leave();
        run_posted();
    }
    EXPECT_EQ(entered, (Names{"due 1", "new 1", "due 2", "new 2", "due 3"}));
}

// The gate's own thread looks at the clock; the test waits for it, however long that takes.
TEST(Gate, WhoWaitsLongerThanAMomentIsSentAway) {
    ManualClock clock(from_unix_ms(1'760'000'000'000));
    std::promise<bool> answer;
    std::unique_ptr<Place> first, second;
    const auto into = [](std::unique_ptr<Place>& place) {
        return [&place](std::unique_ptr<Place> got) { place = std::move(got); };
    };
    Gate gate(1, 2, clock, [](const auto& work) { work(); });
    gate.enter(into(first));
    gate.enter(into(second));
    first.reset();
    gate.enter(into(first));
    gate.enter_soon([&](std::unique_ptr<Place> place) { answer.set_value(place != nullptr); });
    auto told = answer.get_future();
    EXPECT_EQ(told.wait_for(0ms), std::future_status::timeout);
    clock.advance(Gate::moment);
    EXPECT_FALSE(told.get());
    first.reset();
    second.reset();
}

TEST(Gate, WithoutAThreadSendsAwayWhoIsLateWhenItIsTold) {
    ManualClock clock(from_unix_ms(1'760'000'000'000));
    std::unique_ptr<Place> first, second;
    const auto into = [](std::unique_ptr<Place>& place) {
        return [&place](std::unique_ptr<Place> got) { place = std::move(got); };
    };
    int told = 0;
    Gate gate(
        1, 2, clock, [](const auto& work) { work(); }, Upkeep::by_calls);
    gate.enter(into(first));
    gate.enter(into(second));
    first.reset();
    gate.enter(into(first));
    gate.enter_soon([&](std::unique_ptr<Place> place) { told += place == nullptr ? 1 : 0; });
    gate.send_away_late();
    EXPECT_EQ(told, 0);
    clock.advance(Gate::moment);
    EXPECT_EQ(told, 0);
    gate.send_away_late();
    EXPECT_EQ(told, 1);
    first.reset();
    second.reset();
}

TEST(Gate, ItsEndSendsAwayWhoWaits) {
    ManualClock clock(from_unix_ms(1'760'000'000'000));
    bool told = false;
    std::unique_ptr<Place> first, second;
    {
        Gate gate(1, 2, clock, [](const auto& work) { work(); });
        gate.enter([&](std::unique_ptr<Place> place) { first = std::move(place); });
        gate.enter([&](std::unique_ptr<Place> place) { second = std::move(place); });
        first.reset();
        gate.enter([&](std::unique_ptr<Place> place) { first = std::move(place); });
        gate.enter_soon([&](std::unique_ptr<Place> place) { told = place == nullptr; });
        EXPECT_FALSE(told);
        // Places do not outlive their gate; these were never sent, so nobody follows.
        gate.close();
        EXPECT_TRUE(told);
        first.reset();
        second.reset();
    }
}

}  // namespace
}  // namespace mailroom::outbox
