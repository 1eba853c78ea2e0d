// Real threads on one engine. Run under TSan as well.

#include "table/engine/engine_fixture.h"

#include <atomic>
#include <barrier>
#include <random>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

constexpr int thread_count = 16;

class ConcurrencyTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }
    static void on_threads(const std::function<void(int)>& work) {
        std::barrier start(thread_count);
        std::vector<std::thread> threads;
        for (int i = 0; i < thread_count; ++i) {
            threads.emplace_back([&, i] {
                start.arrive_and_wait();
                work(i);
            });
        }
        for (auto& thread : threads) thread.join();
    }
};

TEST_F(ConcurrencyTest, NoIncrementOfOneItemIsLost) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "n"}, {"n", 0}})));
    constexpr int rounds = 100;
    on_threads([&](int) {
        for (int i = 0; i < rounds; ++i) {
            ASSERT_TRUE(
                engine->update(update("T", {{"pk", "n"}}, "SET n = n + :one", {{":one", 1}})));
        }
    });
    EXPECT_EQ(get("T", {{"pk", "n"}})->integer("n"), thread_count * rounds);
}

TEST_F(ConcurrencyTest, OfManyCreatorsExactlyOneWins) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> winners = 0;
        on_threads([&](int i) {
            auto request = put("T", {{"pk", "new-" + std::to_string(round)}, {"by", i}});
            request.condition = "attribute_not_exists(pk)";
            if (engine->put(request)) ++winners;
        });
        EXPECT_EQ(winners, 1);
    }
}

TEST_F(ConcurrencyTest, OptimisticLocksLoseNoAppend) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "doc"}, {"version", 0}, {"log", Value::list({})}})));
    constexpr int appends = 20;
    on_threads([&](int thread) {
        for (int done = 0; done < appends;) {
            const auto version = *get("T", {{"pk", "doc"}})->integer("version");
            auto request =
                update("T", {{"pk", "doc"}}, "SET version = :next, #l = list_append(#l, :entry)",
                       {{":next", version + 1},
                        {":seen", version},
                        {":entry", Value::list({Value(thread)})}});
            request.bind.names = {{"#l", "log"}};
            request.condition = "version = :seen";
            if (engine->update(request)) ++done;
        }
    });
    const auto document = get("T", {{"pk", "doc"}});
    EXPECT_EQ(document->integer("version"), thread_count * appends);
    EXPECT_EQ(document->find("log")->list().count(), std::size_t{thread_count * appends});
}

TEST_F(ConcurrencyTest, TransfersKeepTheTotalAndReadersSeeNoHalf) {
    constexpr int accounts = 8, start = 100;
    const auto account = [](int i) { return Item{{"pk", "account-" + std::to_string(i)}}; };
    for (int i = 0; i < accounts; ++i) {
        auto item = account(i);
        item.set("n", Value(start));
        ASSERT_TRUE(engine->put(put("T", item)));
    }
    const auto total = [&] {
        TransactGet request;
        for (int i = 0; i < accounts; ++i) request.gets.push_back({"T", account(i), "", {}, true});
        const auto got = engine->transact_get(request);
        std::int64_t sum = 0;
        for (const auto& item : got->items) sum += *item->integer("n");
        return sum;
    };
    on_threads([&](int thread) {
        std::mt19937 chance(static_cast<unsigned>(thread));
        for (int i = 0; i < 60; ++i) {
            if (thread == 0) {
                EXPECT_EQ(total(), accounts * start);
                continue;
            }
            const int from = static_cast<int>(chance() % accounts);
            const int to = (from + 1 + static_cast<int>(chance() % (accounts - 1))) % accounts;
            auto take = update("T", account(from), "SET n = n - :x", {{":x", 7}});
            take.condition = "n >= :x";
            TransactWrite write;
            write.actions = {take, update("T", account(to), "SET n = n + :x", {{":x", 7}})};
            const auto moved = engine->transact(write);
            EXPECT_TRUE(moved || moved.error().fault == Fault::transaction_canceled);
        }
    });
    EXPECT_EQ(total(), accounts * start);
}

TEST_F(ConcurrencyTest, WhatWasRefusedOrAcknowledgedIsDurable) {
    // Commits fail now and then: what was acknowledged must be there, what failed must not be.
    constexpr int rounds = 40;
    std::vector<std::vector<std::string>> acknowledged(thread_count), failed(thread_count);
    for (std::uint64_t nth = 5; nth < 400; nth += 9)
        kv.fail_commit(nth, {Errc::unavailable, "full"});
    on_threads([&](int thread) {
        for (int i = 0; i < rounds; ++i) {
            const auto pk = "k" + std::to_string(thread) + "-" + std::to_string(i);
            const auto written = engine->put(put("T", {{"pk", pk}}));
            auto& list = (written ? acknowledged : failed)[static_cast<std::size_t>(thread)];
            list.push_back(pk);
        }
    });
    kv.heal();
    kv.crash();
    engine.reset();
    kv.restart();
    reopen();
    std::size_t lost = 0;
    for (const auto& list : acknowledged) {
        for (const auto& pk : list) EXPECT_TRUE(get("T", {{"pk", pk}})) << pk;
    }
    for (const auto& list : failed) {
        lost += list.size();
        for (const auto& pk : list) EXPECT_FALSE(get("T", {{"pk", pk}})) << pk;
    }
    EXPECT_GT(lost, 0u) << "the test injected no failure";
}

TEST_F(ConcurrencyTest, TablesComeAndGoUnderLoad) {
    std::atomic<bool> stop = false;
    std::thread changer([&] {
        for (int i = 0; i < 30; ++i) {
            ASSERT_TRUE(engine->create_table(simple_table("Other")));
            ASSERT_TRUE(engine->put(put("Other", {{"pk", "a"}})));
            ASSERT_TRUE(engine->delete_table("Other"));
        }
        stop = true;
    });
    on_threads([&](int thread) {
        for (int i = 0; !stop; ++i) {
            ASSERT_TRUE(engine->put(put("T", {{"pk", std::to_string(thread)}, {"i", i}})));
            const auto other = engine->put(put("Other", {{"pk", std::to_string(thread)}}));
            EXPECT_TRUE(other || other.error().fault == Fault::resource_not_found);
        }
    });
    changer.join();
}

}  // namespace
}  // namespace mailroom::table
