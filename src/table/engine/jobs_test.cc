#include "table/engine/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>

namespace mailroom::table {
namespace {

using namespace std::chrono_literals;

class JobsTest : public ::testing::TestWithParam<Jobs::Mode> {
protected:
    // A job that fails until it has run `tries` times.
    Jobs::Job failing(int tries) {
        return {"it could not be done", "T", [this, tries]() -> Outcome<> {
                    if (++runs < tries) return Failure{Fault::internal, "disk"};
                    return Ok{};
                }};
    }
    int runs_after(std::chrono::milliseconds pause) {
        clock.advance(pause);
        jobs->retry_due();
        jobs->drain();
        return runs;
    }

    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    std::atomic<int> runs = 0;
    std::unique_ptr<Jobs> jobs = std::make_unique<Jobs>(clock, GetParam());
};

TEST_P(JobsTest, WhatFailsIsTriedAgainAfterEverLongerPauses) {
    jobs->post(failing(9));
    jobs->drain();
    EXPECT_EQ(runs, 1);
    int wanted = 1;
    for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        SCOPED_TRACE(pause.count());
        EXPECT_EQ(runs_after(pause - 1ms), wanted) << "too early";
        EXPECT_EQ(runs_after(1ms), ++wanted);
    }
    EXPECT_EQ(runs_after(10min), wanted) << "it was done the last time";
}

TEST_P(JobsTest, OthersGoOnWhileOneWaits) {
    jobs->post(failing(3));
    std::atomic<int> others = 0;
    for (int i = 0; i < 3; ++i) {
        jobs->post({"", "T", [&others]() -> Outcome<> {
                        ++others;
                        return Ok{};
                    }});
    }
    jobs->drain();
    EXPECT_EQ(others, 3);
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(runs_after(1s), 2);
    EXPECT_EQ(runs_after(2s), 3);
    EXPECT_EQ(others, 3);
}

TEST_P(JobsTest, AClockThatIsSetBackHoldsNothingUp) {
    jobs->post(failing(2));
    jobs->drain();
    EXPECT_EQ(runs_after(-24h), 2);
}

TEST_P(JobsTest, WhatWaitsIsDroppedAtTheEnd) {
    jobs->post(failing(100));
    jobs->drain();
    jobs.reset();
    EXPECT_EQ(runs, 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, JobsTest,
                         ::testing::Values(Jobs::Mode::threaded, Jobs::Mode::immediate));

}  // namespace
}  // namespace mailroom::table
