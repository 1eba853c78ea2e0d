#include "kv/committer.h"

#include "kv/memory_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::kv {
namespace {

using Mode = Committer::Mode;

// Its commits wait while the gate is shut, so that a test decides what gathers meanwhile.
class GatedStore final : public MemoryStore {
public:
    Result<> commit(const Batch& batch, Sync sync) override {
        {
            std::unique_lock lock(mutex_);
            ++arrived_;
            changed_.notify_all();
            changed_.wait(lock, [this] { return open_; });
            sizes_.push_back(batch.size());
            largest_bytes_ = std::max(largest_bytes_, batch.bytes());
        }
        return MemoryStore::commit(batch, sync);
    }
    void shut() { set_open(false); }
    void open() { set_open(true); }
    void wait_for_commit(std::size_t nth) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return arrived_ >= nth; });
    }
    std::vector<std::size_t> sizes() {
        const std::lock_guard lock(mutex_);
        return sizes_;
    }
    std::size_t largest_bytes() {
        const std::lock_guard lock(mutex_);
        return largest_bytes_;
    }

private:
    void set_open(bool open) {
        const std::lock_guard lock(mutex_);
        open_ = open;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = true;
    std::size_t arrived_ = 0;
    std::vector<std::size_t> sizes_;
    std::size_t largest_bytes_ = 0;
};

Batch one_row(std::string_view key, std::string_view value) {
    Batch batch;
    batch.put(key, value);
    return batch;
}

std::string value_of(const Store& store, std::string_view key) {
    const auto got = store.get(key);
    return got && *got ? **got : "(none)";
}

// What was reported to whom, in order: "a+" or "a-".
class Reports {
public:
    Committer::Done expect(std::string name) {
        return [this, name = std::move(name)](const Result<>& result) {
            note(name + (result ? "+ " : "- "));
        };
    }
    void note(std::string_view text) {
        const std::lock_guard lock(mutex_);
        text_ += text;
    }
    std::string text() {
        const std::lock_guard lock(mutex_);
        return text_;
    }

private:
    std::mutex mutex_;
    std::string text_;
};

TEST(Committer, BatchesReachTheStoreInTheOrderOfSubmit) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Reports reports;
        std::string want;
        Committer committer(store, Sync::full, mode);
        for (int i = 1; i <= 200; ++i) {
            const auto name = std::to_string(i);
            EXPECT_EQ(committer.submit(one_row("k", name), reports.expect(name)),
                      static_cast<std::uint64_t>(i));
            want += name + "+ ";
        }
        committer.drain();
        EXPECT_EQ(reports.text(), want);
        EXPECT_EQ(value_of(store, "k"), "200");
        EXPECT_EQ(committer.stats().batches, 200u);
        EXPECT_EQ(committer.pending_bytes(), 0u);
    }
}

TEST(Committer, DoneRunsWhenTheBatchCanBeRead) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        std::string seen;
        Committer committer(store, Sync::full, mode);
        committer.submit(one_row("k", "v"), [&](const Result<>&) { seen = value_of(store, "k"); });
        committer.drain();
        EXPECT_EQ(seen, "v");
    }
}

TEST(Committer, ImmediateModeHasCommittedWhenSubmitReturns) {
    MemoryStore store;
    Reports reports;
    Committer committer(store, Sync::full, Mode::immediate);
    committer.submit(one_row("a", "1"), reports.expect("a"));
    EXPECT_EQ(reports.text(), "a+ ");
    store.fail_commit(1, {Errc::unavailable, "disk full"});
    committer.submit(one_row("b", "1"), reports.expect("b"));
    committer.submit({}, reports.expect("barrier"));
    committer.submit(one_row("c", "1"), reports.expect("c"));
    EXPECT_EQ(reports.text(), "a+ b- barrier+ c+ ");
    EXPECT_EQ(committer.stats().failures, 1u);
    EXPECT_EQ(store.recoveries(), 1u);
    EXPECT_EQ(committer.pending_bytes(), 0u);
}

TEST(Committer, WhatSixteenThreadsSubmitDuringOneCommitIsOneCommit) {
    constexpr int threads_count = 16;
    GatedStore store;
    Reports reports;
    Committer committer(store, Sync::full, Mode::threaded);
    store.shut();
    committer.submit(one_row("first", "1"), reports.expect("first"));
    store.wait_for_commit(1);
    std::vector<std::thread> threads;
    for (int t = 0; t < threads_count; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 10; ++i) {
                const auto key = std::to_string(t) + "/" + std::to_string(i);
                committer.submit(one_row(key, "x"), nullptr);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(committer.pending_bytes(),
              6u + threads_count * 10 * 4 + 6 * 10u);  // Ten keys of six threads are longer by one.
    EXPECT_EQ(reports.text(), "");
    store.open();
    committer.drain();
    EXPECT_EQ(store.sizes(), (std::vector<std::size_t>{1, 160}));
    EXPECT_EQ(committer.stats().commits, 2u);
    EXPECT_EQ(committer.stats().batches, 161u);
}

TEST(Committer, AWriterThatWaitedReadsItsOwnRow) {
    MemoryStore store;
    Committer committer(store, Sync::full, Mode::threaded);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                std::latch durable(1);
                const auto key = std::to_string(t);
                committer.submit(one_row(key, std::to_string(i)), [&](const Result<>& result) {
                    EXPECT_TRUE(result);
                    durable.count_down();
                });
                durable.wait();
                EXPECT_EQ(value_of(store, key), std::to_string(i));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(committer.stats().batches, 400u);
    EXPECT_LE(committer.stats().commits, 400u);
    EXPECT_EQ(committer.stats().commits, store.commits());
}

TEST(Committer, OneCommitIsBoundedAndTheRestFollows) {
    constexpr std::size_t mib = 1024 * 1024;
    GatedStore store;
    Reports reports;
    Committer committer(store, Sync::full, Mode::threaded);
    store.shut();
    committer.submit(one_row("first", ""), nullptr);
    store.wait_for_commit(1);
    std::string want;
    for (int i = 0; i < 10; ++i) {
        const auto name = std::to_string(i);
        committer.submit(one_row(name, std::string(4 * mib, 'x')), reports.expect(name));
        want += name + "+ ";
    }
    committer.submit(one_row("big", std::string(20 * mib, 'x')), reports.expect("big"));
    committer.submit(one_row("after", "x"), reports.expect("after"));
    store.open();
    committer.drain();
    EXPECT_EQ(reports.text(), want + "big+ after+ ");
    EXPECT_EQ(store.sizes(), (std::vector<std::size_t>{1, 3, 3, 3, 1, 1, 1}));
    EXPECT_EQ(store.largest_bytes(), 20 * mib + 3);
}

TEST(Committer, AFailedCommitTakesEverythingBehindItAndNothingLater) {
    struct Case {
        std::string name;
        bool hook, hook_drops;
        std::string want;
    };
    const Case cases[] = {
        {"no hook", false, false, "a- b- barrier- c- "},
        {"hook drops", true, true, "hook a- b- barrier- c- "},
        {"hook forgets to drop", true, false, "hook a- b- barrier- c- "},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        GatedStore store;
        Reports reports;
        Committer committer(store, Sync::full, Mode::threaded);
        if (c.hook) {
            committer.on_failure([&](const Committer::DropQueued& drop_queued) {
                reports.note("hook ");
                if (c.hook_drops) drop_queued();
            });
        }
        store.shut();
        store.fail_commit(1, {Errc::unavailable, "disk full"});
        committer.submit(one_row("a", "1"), reports.expect("a"));
        store.wait_for_commit(1);
        committer.submit(one_row("b", "1"), reports.expect("b"));
        committer.submit({}, reports.expect("barrier"));
        committer.submit(one_row("c", std::string(17 << 20, 'x')), reports.expect("c"));
        store.open();
        committer.drain();
        EXPECT_EQ(reports.text(), c.want);
        EXPECT_EQ(committer.pending_bytes(), 0u);

        committer.submit(one_row("d", "1"), reports.expect("d"));
        committer.drain();
        EXPECT_EQ(reports.text(), c.want + "d+ ");
        EXPECT_EQ(value_of(store, "b"), "(none)");
        EXPECT_EQ(value_of(store, "d"), "1");
        EXPECT_EQ(store.recoveries(), 1u);
        EXPECT_EQ(committer.stats().failures, 1u);
        EXPECT_EQ(committer.stats().batches, 1u);
    }
}

TEST(Committer, WhatIsSubmittedAfterTheHookDroppedTheQueueSurvives) {
    MemoryStore store;
    Reports reports;
    Committer committer(store, Sync::full, Mode::threaded);
    std::latch dropped(1), submitted(1);
    committer.on_failure([&](const Committer::DropQueued& drop_queued) {
        drop_queued();
        dropped.count_down();
        submitted.wait();
    });
    store.fail_commit(1, {Errc::unavailable, "disk full"});
    committer.submit(one_row("lost", "1"), reports.expect("lost"));
    dropped.wait();
    committer.submit(one_row("kept", "1"), reports.expect("kept"));
    submitted.count_down();
    committer.drain();
    EXPECT_EQ(reports.text(), "lost- kept+ ");
    EXPECT_EQ(value_of(store, "kept"), "1");
}

TEST(Committer, ABarrierWaitsForAllBeforeItAndWritesNothing) {
    GatedStore store;
    Reports reports;
    Committer committer(store, Sync::full, Mode::threaded);
    committer.submit({}, reports.expect("idle"));
    committer.drain();
    EXPECT_EQ(reports.text(), "idle+ ");
    store.shut();
    committer.submit(one_row("a", "1"), reports.expect("a"));
    store.wait_for_commit(1);
    committer.submit({}, reports.expect("barrier"));
    EXPECT_EQ(reports.text(), "idle+ ");
    store.open();
    committer.drain();
    EXPECT_EQ(reports.text(), "idle+ a+ barrier+ ");
    EXPECT_EQ(committer.stats().commits, 1u);
    EXPECT_EQ(store.commits(), 1u);
}

TEST(Committer, TheCommitHookAddsOneRowToEachCommit) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Committer committer(store, Sync::full, mode);
        int calls = 0;
        committer.before_commit([&](Batch& batch) -> Result<> {
            batch.put("commits", std::to_string(++calls));
            return Ok{};
        });
        for (int i = 0; i < 20; ++i) committer.submit(one_row("k", "v"), nullptr);
        committer.drain();
        committer.submit({}, nullptr);
        committer.drain();
        EXPECT_EQ(value_of(store, "commits"), std::to_string(store.commits()));
        EXPECT_EQ(committer.pending_bytes(), 0u);
    }
}

TEST(Committer, TheCommitHookSeesWhatIsDeferredInOrderAndEveryEarlierCommit) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Committer committer(store, Sync::full, mode);
        committer.before_commit([&](Batch& batch) -> Result<> {
            auto text = TRY(store.get("text")).value_or("");
            for (std::size_t i = 0; i < batch.deferred_size(); ++i) {
                text += batch.deferred(i).value;
            }
            batch.put("text", text);
            return Ok{};
        });
        std::string expected;
        for (char letter = 'a'; letter <= 'z'; ++letter) {
            Batch batch;
            batch.defer("text", {&letter, 1});
            committer.submit(batch, nullptr);
            expected += letter;
        }
        committer.drain();
        EXPECT_EQ(value_of(store, "text"), expected);
    }
}

TEST(Committer, ACommitFailsWithItsHookAndLaterOnesAreTaken) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Committer committer(store, Sync::full, mode);
        std::atomic<bool> broken = true;
        committer.before_commit([&](Batch&) -> Result<> {
            if (broken) return Error{Errc::corrupt, "unreadable"};
            return Ok{};
        });
        Reports reports;
        committer.submit(one_row("a", "1"), reports.expect("a"));
        committer.drain();
        broken = false;
        committer.submit(one_row("b", "1"), reports.expect("b"));
        committer.drain();
        EXPECT_EQ(reports.text(), "a- b+ ");
        EXPECT_EQ(*store.get("a"), std::nullopt);
        EXPECT_EQ(value_of(store, "b"), "1");
        EXPECT_EQ(committer.stats().failures, 1u);
    }
}

TEST(Committer, WhatWasPreparedIsTakenBackOnlyWhenItsCommitFailed) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Committer committer(store, Sync::full, mode);
        std::atomic<int> prepared = 0, taken_back = 0;
        std::atomic<bool> broken = false;
        committer.before_commit(
            [&](Batch&) -> Result<> {
                if (broken) return Error{Errc::corrupt, "unreadable"};
                ++prepared;
                return Ok{};
            },
            [&] { ++taken_back; });
        const auto commit = [&] {
            committer.submit(one_row("a", "1"), nullptr);
            committer.drain();
        };
        commit();
        EXPECT_EQ(taken_back, 0);
        store.fail_commit(1, {Errc::unavailable, "disk full"});
        commit();
        EXPECT_EQ(prepared, 2);
        EXPECT_EQ(taken_back, 1);
        broken = true;
        commit();
        EXPECT_EQ(taken_back, 1) << "nothing was prepared";
    }
}

TEST(Committer, TheDestructorCommitsWhatIsQueued) {
    GatedStore store;
    Reports reports;
    {
        Committer committer(store, Sync::full, Mode::threaded);
        store.shut();
        committer.submit(one_row("a", "1"), reports.expect("a"));
        store.wait_for_commit(1);
        committer.submit(one_row("b", "1"), reports.expect("b"));
        store.open();
    }
    EXPECT_EQ(reports.text(), "a+ b+ ");
    EXPECT_EQ(value_of(store, "b"), "1");
}

TEST(Committer, ThreadsMaySubmitDrainAndFailAtOnceInEitherMode) {
    for (const auto mode : {Mode::threaded, Mode::immediate}) {
        MemoryStore store;
        Committer committer(store, Sync::full, mode);
        std::atomic<int> good = 0, bad = 0;
        for (const std::uint64_t nth : {3u, 7u, 20u}) {
            store.fail_commit(nth, {Errc::unavailable, "disk full"});
        }
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 100; ++i) {
                    committer.submit(one_row(std::to_string(t), std::to_string(i)),
                                     [&](const Result<>& result) { ++(result ? good : bad); });
                    if (i % 10 == 0) committer.drain();
                }
            });
        }
        for (auto& thread : threads) thread.join();
        committer.drain();
        EXPECT_EQ(good + bad, 400);
        EXPECT_GE(bad, 1);
        EXPECT_EQ(committer.stats().batches, static_cast<std::uint64_t>(good));
        EXPECT_EQ(committer.pending_bytes(), 0u);
    }
}

}  // namespace
}  // namespace mailroom::kv
