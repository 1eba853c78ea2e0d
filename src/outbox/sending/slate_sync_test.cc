#include "outbox/sending/slate_sync.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace mailroom::outbox {
namespace {

class SlateSyncTest : public ::testing::Test {
protected:
    ~SlateSyncTest() override { ::close(descriptor); }

    ScratchDirectory scratch;
    const int descriptor = ::open((scratch / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
};

TEST_F(SlateSyncTest, TellsEachOfManyOnceThatItIsDurable) {
    std::atomic<int> told = 0, refused = 0;
    {
        SlateSync sync(descriptor, SlateSync::Mode::threaded);
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                for (int k = 0; k < 500; ++k) {
                    sync.ask([&](bool is_durable) { ++(is_durable ? told : refused); });
                }
            });
        }
        for (auto& thread : threads) thread.join();
    }
    EXPECT_EQ(told, 2000) << "its end waits for all";
    EXPECT_EQ(refused, 0);
}

TEST_F(SlateSyncTest, TellsBeforeItReturnsWhereNobodyMayWait) {
    SlateSync sync(descriptor, SlateSync::Mode::immediate);
    bool told = false;
    sync.ask([&](bool is_durable) { told = is_durable; });
    EXPECT_TRUE(told);
}

TEST_F(SlateSyncTest, NeverSaysAgainThatAnythingIsDurableOnceTheDiskFailed) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const int at_first_no_file = pipe_ends[0];
    SlateSync sync(at_first_no_file, SlateSync::Mode::immediate);
    const auto ask = [&] {
        bool durable = false;
        sync.ask([&](bool is_durable) { durable = is_durable; });
        return durable;
    };
    EXPECT_FALSE(sync.has_failed());
    EXPECT_FALSE(ask()) << "a pipe cannot be synced";
    EXPECT_TRUE(sync.has_failed());
    ASSERT_GE(::dup2(descriptor, at_first_no_file), 0);
    EXPECT_FALSE(ask()) << "what was lost meanwhile nobody knows";
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
}

}  // namespace
}  // namespace mailroom::outbox
