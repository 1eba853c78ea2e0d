#include "http/login_watch.h"

#include "base/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mailroom::http {
namespace {

using namespace std::chrono_literals;

TEST(LoginWatch, AnAddressThatFailsAgainAndAgainWaitsLongerAndOthersDoNot) {
    ManualClock clock{from_unix_ms(1'000'000'000)};
    LoginWatch watch(clock);
    std::vector<std::chrono::milliseconds> delays;
    for (int i = 0; i < 10; ++i) delays.push_back(watch.failed(Door::smtp, "192.0.2.1", "", "no"));
    EXPECT_EQ(delays[0], 0ms);
    EXPECT_EQ(delays[1], 0ms);
    EXPECT_EQ(delays[2], 200ms);
    EXPECT_EQ(delays[3], 400ms);
    EXPECT_EQ(delays[9], 5s);
    EXPECT_EQ(watch.failed(Door::smtp, "192.0.2.2", "", "no"), 0ms);
    clock.advance(10min);
    EXPECT_EQ(watch.failed(Door::http, "192.0.2.1", "", "no"), 0ms) << "it is forgiven";
    EXPECT_EQ(watch.failures(Door::smtp), 11u);
    EXPECT_EQ(watch.failures(Door::http), 1u);
    EXPECT_EQ(watch.failures(Door::dynamodb), 0u);
}

TEST(LoginWatch, AFloodOfAddressesIsRememberedAsOne) {
    ManualClock clock{from_unix_ms(1'000'000'000)};
    LoginWatch watch(clock);
    log::configure(log::Level::off, log::Format::text);
    for (int i = 0; i < 10'000; ++i) watch.failed(Door::http, std::to_string(i), "", "no");
    EXPECT_GT(watch.failed(Door::http, "new", "", "no"), 0ms);
    clock.advance(10min);
    EXPECT_EQ(watch.failed(Door::http, "newer", "", "no"), 0ms);
    log::configure(log::Level::info, log::Format::text);
}

TEST(LoginWatch, AFailureIsInTheLogAlthoughTheClockWentBack) {
    ManualClock clock{from_unix_ms(1'000'000'000)};
    LoginWatch watch(clock);
    testing::internal::CaptureStderr();
    for (int i = 0; i < 3; ++i) watch.failed(Door::smtp, "192.0.2.1", "", "no");
    clock.set(clock.now() - 1h);
    watch.failed(Door::smtp, "192.0.2.1", "", "no");
    const auto log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
    EXPECT_NE(log.find("more=2"), std::string::npos) << log;
}

TEST(LoginWatch, ShowsEnoughOfAKeyToKnowItAndNothingOfOtherPasswords) {
    EXPECT_EQ(shown_key("mr_abcdefghijklmnopqrstuvwxyz"), "mr_abcd…");
    EXPECT_EQ(shown_key("mr_short"), "");
    EXPECT_EQ(shown_key("hunter2 hunter2 hunter2"), "");
}

}  // namespace
}  // namespace mailroom::http
