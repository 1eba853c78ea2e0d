#include "table/engine/counts.h"

#include "kv/key.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

// A table with an index that has only some of the items.
class CountsTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        auto request = simple_table("T");
        request.attributes.push_back({"g", Kind::string});
        request.global_indexes = {{"G", {"g", ""}, {}, {}}};
        create(request);
    }

    static Item item(int number, bool in_index) {
        Item item{{"pk", "k" + std::to_string(number)},
                  {"text", std::string(static_cast<std::size_t>(number % 40), 't')}};
        if (in_index) item.set("g", Value("x"));
        return item;
    }

    struct Rows {
        std::int64_t items = 0, bytes = 0;
    };
    Rows rows(const std::string& index) {
        Scan request;
        request.table = "T";
        request.index = index;
        const auto page = engine->scan(request);
        EXPECT_TRUE(page) << page.error().message;
        EXPECT_FALSE(page->last_key);
        Rows rows;
        for (const auto& item : page->items) {
            ++rows.items;
            rows.bytes += static_cast<std::int64_t>(item.view().size_in_item());
        }
        return rows;
    }
    void expect_exact() {
        const auto table = *engine->describe_table("T");
        const auto items = rows(""), entries = rows("G");
        EXPECT_EQ(table.item_count, items.items);
        EXPECT_EQ(table.size_bytes, items.bytes);
        EXPECT_EQ(table.global_indexes[0].item_count, entries.items);
        EXPECT_EQ(table.global_indexes[0].size_bytes, entries.bytes);
    }

    // Puts and deletes on several threads; `along` runs beside them. Failures are no matter.
    void write_on_threads(int round, const std::function<void()>& along) {
        constexpr int threads = 6, writes = 150, keys = 60;
        std::vector<std::thread> writers;
        for (int t = 0; t < threads; ++t) {
            writers.emplace_back([&, t] {
                for (int i = 0; i < writes; ++i) {
                    const int number = (t * 31 + i * 7 + round) % keys;
                    if (i % 5 == 0) {
                        DeleteItem request;
                        request.table = "T";
                        request.key = {{"pk", "k" + std::to_string(number)}};
                        static_cast<void>(engine->erase(request));
                    } else {
                        static_cast<void>(engine->put(put("T", item(number + i % 3, i % 2 == 0))));
                    }
                }
            });
        }
        along();
        for (auto& writer : writers) writer.join();
    }
};

TEST_F(CountsTest, FollowEveryWriteAndOutliveARestart) {
    ASSERT_TRUE(engine->put(put("T", item(1, true))));
    ASSERT_TRUE(engine->put(put("T", item(2, false))));
    EXPECT_EQ(rows("").items, 2);
    EXPECT_EQ(rows("G").items, 1);
    expect_exact();
    ASSERT_TRUE(engine->put(put("T", item(1, false))));
    EXPECT_EQ(rows("G").items, 0);
    expect_exact();
    reopen();
    expect_exact();
}

TEST_F(CountsTest, AWriteThatFailedIsNotCounted) {
    ASSERT_TRUE(engine->put(put("T", item(1, true))));
    kv.fail_commit(1, {Errc::unavailable, "full"});
    EXPECT_FALSE(engine->put(put("T", item(2, true))));
    EXPECT_EQ(rows("").items, 1);
    expect_exact();
    ASSERT_TRUE(engine->put(put("T", item(3, true))));
    expect_exact();
}

TEST_F(CountsTest, AreExactAfterFailuresAmongManyWriters) {
    for (int round = 0; round < 5; ++round) {
        for (const std::uint64_t nth : {2u, 5u, 9u, 20u}) {
            kv.fail_commit(nth, {Errc::unavailable, "full"});
        }
        write_on_threads(round, [] {});
        kv.heal();
        expect_exact();
        reopen();
        expect_exact();
    }
}

TEST_F(CountsTest, AreExactAfterCrashesAmongManyWriters) {
    for (int round = 0; round < 20; ++round) {
        const auto commits = kv.commits();
        write_on_threads(round, [&] {
            while (kv.commits() < commits + 10) std::this_thread::yield();
            kv.crash();
        });
        engine.reset();
        kv.restart();
        reopen();
        expect_exact();
    }
}

TEST_F(CountsTest, ATableThatCouldNotBeDroppedIsCountedAsBefore) {
    ASSERT_TRUE(engine->put(put("T", item(1, true))));
    kv.fail_commit(1, {Errc::unavailable, "full"});
    EXPECT_FALSE(engine->delete_table("T"));
    expect_exact();
    ASSERT_TRUE(engine->put(put("T", item(2, true))));
    EXPECT_EQ(rows("").items, 2);
    expect_exact();
    reopen();
    expect_exact();
}

TEST_F(CountsTest, NothingIsLeftOfATableThatWasDropped) {
    ASSERT_TRUE(engine->put(put("T", item(1, true))));
    write_on_threads(0, [&] { ASSERT_TRUE(engine->delete_table("T")); });
    engine->finish_jobs();
    const std::string counts(1, static_cast<char>(Space::count));
    const auto cursor = kv.scan(counts, kv::after_prefix(counts));
    cursor->seek(counts);
    EXPECT_FALSE(cursor->valid());
}

// What the committer sees: one commit after the other, some of which fail.
class OneCounterTest : public ::testing::Test {
protected:
    void SetUp() override { counts.know(7, counter); }

    // The row that the commit would leave, as "items/bytes"; "-" when it is erased, "" for none.
    std::string row_after(const Tally& tally) {
        kv::Batch batch;
        tally.defer_to(batch);
        counts.add_to(batch, {});
        if (batch.size() == 0) return "";
        const auto [kind, key, value] = batch.change(0);
        EXPECT_EQ(key, count_key(7));
        if (kind == kv::Batch::Kind::erase) return "-";
        auto in = value;
        const auto items = kv::read_u64(in).value_or(0), bytes = kv::read_u64(in).value_or(0);
        return std::to_string(items) + "/" + std::to_string(bytes);
    }
    static Tally tally(std::int64_t items, std::int64_t bytes) {
        Tally tally;
        tally.add({7, items, bytes});
        return tally;
    }
    static Tally dropping() {
        Tally tally;
        tally.drop(7);
        return tally;
    }

    std::shared_ptr<Counter> counter = std::make_shared<Counter>();
    Counts counts;
};

TEST_F(OneCounterTest, IsWrittenAsItIsAfterTheCommitAndTakenBackWhenThatFails) {
    EXPECT_EQ(row_after(tally(2, 30)), "2/30");
    EXPECT_EQ(row_after(tally(1, 10)), "3/40");
    counts.take_back();
    EXPECT_EQ(counter->items, 2);
    EXPECT_EQ(counter->bytes, 30);
    EXPECT_EQ(row_after(tally(-1, -10)), "1/20");
    EXPECT_EQ(row_after({}), "");
    counts.take_back();
    EXPECT_EQ(counter->items, 1) << "the last commit changed nothing";
}

TEST_F(OneCounterTest, IsErasedWhenItsTableIsDroppedButNotWhenThatFails) {
    EXPECT_EQ(row_after(tally(2, 30)), "2/30");
    auto write_and_drop = tally(1, 10);
    write_and_drop.drop(7);
    EXPECT_EQ(row_after(write_and_drop), "-");
    counts.take_back();
    EXPECT_EQ(row_after(tally(1, 10)), "3/40") << "the table is still there";
    EXPECT_EQ(row_after(dropping()), "-");
    EXPECT_EQ(row_after(tally(1, 10)), "") << "nothing comes again";
}

TEST_F(OneCounterTest, IsForgottenWithItsLastDefinition) {
    counter.reset();
    EXPECT_EQ(row_after(tally(1, 10)), "");
}

TEST(Tally, AddsUpWhatBelongsTogetherAndTravelsWithABatch) {
    Tally tally;
    tally.add({1, 2, 30});
    tally.add({2, 1, 10});
    tally.add({1, -3, -40});
    tally.add({3, 0, 0});
    kv::Batch batch;
    tally.defer_to(batch);
    Tally same;
    same.add_deferred(batch);
    ASSERT_EQ(same.changes().size(), 2u);
    EXPECT_EQ(same.changes()[0].items, -1);
    EXPECT_EQ(same.changes()[0].bytes, -10);
    EXPECT_EQ(same.changes()[1].bytes, 10);
}

}  // namespace
}  // namespace mailroom::table
