#include "kv/key.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

#include <atomic>
#include <map>
#include <thread>

namespace mailroom::table {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class StreamsTest : public EngineTest {
protected:
    void create_with_stream(const std::string& name,
                            StreamView view = StreamView::new_and_old_images) {
        auto request = simple_table(name);
        request.stream = {true, view};
        create(request);
    }
    std::string arn(const std::string& table) {
        const auto description = engine->describe_table(table);
        return description ? description->stream_arn : "";
    }
    std::string iterator(const std::string& stream, StreamStart start,
                         const std::string& sequence = "") {
        const auto description = engine->streams().describe(stream);
        EXPECT_TRUE(description) << description.error().message;
        if (!description) return "";
        const auto made = engine->streams().iterator({stream, description->shard, start, sequence});
        EXPECT_TRUE(made) << made.error().message;
        return made ? *made : "";
    }
    std::vector<StreamRecord> all(const std::string& stream) {
        std::vector<StreamRecord> records;
        auto next = std::optional(iterator(stream, StreamStart::trim_horizon));
        while (next) {
            auto page = engine->streams().records(*next, 2);
            EXPECT_TRUE(page) << page.error().message;
            if (!page || page->records.empty()) break;
            for (auto& record : page->records) records.push_back(std::move(record));
            next = page->next;
        }
        return records;
    }
    static UpdateItem set_n(const std::string& table, const std::string& key, int n) {
        return update(table, {{"pk", key}}, "SET n = :n", {{":n", n}});
    }
    void erase_item(const std::string& table, const std::string& key) {
        DeleteItem request;
        request.table = table;
        request.key = {{"pk", key}};
        ASSERT_TRUE(engine->erase(request));
    }
    void turn(const std::string& table, StreamSpec spec) {
        UpdateTable request;
        request.name = table;
        request.stream = spec;
        const auto turned = engine->update_table(request);
        ASSERT_TRUE(turned) << turned.error().message;
    }
};

TEST_F(StreamsTest, ShowWhatTheirViewSays) {
    struct Case {
        const char* table;
        StreamView view;
        bool old_image, new_image;
    };
    const Case cases[] = {
        {"Keys", StreamView::keys_only, false, false},
        {"New", StreamView::new_image, false, true},
        {"Old", StreamView::old_image, true, false},
        {"Both", StreamView::new_and_old_images, true, true},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.table);
        create_with_stream(c.table, c.view);
        ASSERT_TRUE(engine->put(put(c.table, {{"pk", "a"}, {"n", 1}})));
        ASSERT_TRUE(engine->update(set_n(c.table, "a", 2)));
        erase_item(c.table, "a");
        const auto records = all(arn(c.table));
        ASSERT_EQ(records.size(), 3u);
        using Event = StreamRecord::Event;
        const Event events[] = {Event::insert, Event::modify, Event::remove};
        for (std::size_t i = 0; i < records.size(); ++i) {
            EXPECT_EQ(records[i].event, events[i]);
            EXPECT_EQ(records[i].keys, (Item{{"pk", "a"}}));
            EXPECT_FALSE(records[i].by_service);
            EXPECT_EQ(records[i].at, clock.now());
        }
        EXPECT_FALSE(records[0].old_image);
        EXPECT_EQ(records[1].old_image.has_value(), c.old_image);
        EXPECT_EQ(records[1].new_image.has_value(), c.new_image);
        EXPECT_FALSE(records[2].new_image);
        if (c.old_image) {
            EXPECT_EQ(records[1].old_image->integer("n"), 1);
        }
        if (c.new_image) {
            EXPECT_EQ(records[1].new_image->integer("n"), 2);
        }
        EXPECT_LT(records[0].sequence, records[1].sequence);
        EXPECT_LT(records[1].sequence, records[2].sequence);
    }
}

TEST_F(StreamsTest, RecordChangesAndNothingElse) {
    create_with_stream("T");
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    ASSERT_TRUE(engine->update(set_n("T", "a", 1)));
    erase_item("T", "not there");
    auto refused = set_n("T", "a", 5);
    refused.condition = "n > :n";
    EXPECT_FALSE(engine->update(refused));
    TransactWrite cancelled;
    cancelled.actions.emplace_back(put("T", {{"pk", "b"}}));
    cancelled.actions.emplace_back(refused);
    EXPECT_FALSE(engine->transact(cancelled));
    EXPECT_EQ(all(arn("T")).size(), 1u);

    TransactWrite done;
    done.actions.emplace_back(put("T", {{"pk", "b"}}));
    done.actions.emplace_back(put("T", {{"pk", "c"}}));
    ASSERT_TRUE(engine->transact(done));
    EXPECT_EQ(all(arn("T")).size(), 3u);
}

TEST_F(StreamsTest, TablesWithoutOneHaveNoRowsOfTheirs) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}})));
    for (const auto space : {Space::stream, Space::record, Space::trimmed}) {
        const std::string from(1, static_cast<char>(space));
        const auto cursor = kv.scan(from, kv::after_prefix(from));
        cursor->seek(from);
        EXPECT_FALSE(cursor->valid());
    }
    EXPECT_EQ(engine->streams().list({}, "", 100)->streams.size(), 0u);
    EXPECT_EQ(arn("T"), "");
}

TEST_F(StreamsTest, IteratorsBeginWhereTheyAreTold) {
    create_with_stream("T");
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(engine->update(set_n("T", "a", i)));
    const auto stream = arn("T");
    const auto records = all(stream);
    ASSERT_EQ(records.size(), 3u);
    const auto latest = iterator(stream, StreamStart::latest);
    ASSERT_TRUE(engine->update(set_n("T", "a", 3)));
    struct Case {
        const char* name;
        std::string iterator;
        int first;
    };
    const Case cases[] = {
        {"trim horizon", iterator(stream, StreamStart::trim_horizon), 0},
        {"at", iterator(stream, StreamStart::at_sequence, records[1].sequence), 1},
        {"after", iterator(stream, StreamStart::after_sequence, records[1].sequence), 2},
        {"latest", latest, 3},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto page = engine->streams().records(c.iterator, 1);
        ASSERT_TRUE(page);
        ASSERT_EQ(page->records.size(), 1u);
        EXPECT_EQ(page->records[0].new_image->integer("n"), c.first);
        EXPECT_TRUE(page->next);
    }
}

TEST_F(StreamsTest, IteratorsThatCannotBeAreRefused) {
    create_with_stream("T");
    ASSERT_TRUE(engine->update(set_n("T", "a", 1)));
    const auto stream = arn("T");
    const auto good = iterator(stream, StreamStart::trim_horizon);
    const auto shard = engine->streams().describe(stream)->shard;
    for (const auto& bad : {std::string("x"), stream + "|1|", stream + "|1|AAAA", good + "A"}) {
        SCOPED_TRACE(bad);
        const auto page = engine->streams().records(bad, 1);
        ASSERT_FALSE(page);
        EXPECT_EQ(page.error().fault, Fault::validation);
    }
    EXPECT_EQ(
        engine->streams().iterator({stream, "shardId-1", StreamStart::latest, ""}).error().fault,
        Fault::resource_not_found);
    EXPECT_EQ(
        engine->streams().iterator({stream + "x", shard, StreamStart::latest, ""}).error().fault,
        Fault::resource_not_found);
    EXPECT_EQ(
        engine->streams().iterator({stream, shard, StreamStart::at_sequence, "12"}).error().fault,
        Fault::validation);
    clock.advance(minutes(16));
    EXPECT_EQ(engine->streams().records(good, 1).error().fault, Fault::expired_iterator);
}

TEST_F(StreamsTest, RecordsAreKeptForADay) {
    create_with_stream("T");
    ASSERT_TRUE(engine->update(set_n("T", "a", 1)));
    const auto stream = arn("T");
    const auto first = all(stream).front().sequence;
    clock.advance(hours(12));
    ASSERT_TRUE(engine->update(set_n("T", "a", 2)));
    clock.advance(hours(13));
    const auto slow = iterator(stream, StreamStart::trim_horizon);
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(engine->streams().records(slow, 10).error().fault, Fault::trimmed_data);
    const auto left = all(stream);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].new_image->integer("n"), 2);
    const auto shard = engine->streams().describe(stream)->shard;
    EXPECT_EQ(
        engine->streams().iterator({stream, shard, StreamStart::at_sequence, first}).error().fault,
        Fault::trimmed_data);

    // However many are due, they go; in pieces.
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(engine->update(set_n("T", "b", i)));
    clock.advance(hours(25));
    ASSERT_TRUE(engine->update(set_n("T", "b", 10)));
    ASSERT_TRUE(engine->sweep_expired(3));
    EXPECT_EQ(all(stream).size(), 1u);

    // Numbers go on growing, even when nothing is left to count from.
    clock.advance(hours(25));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(all(stream).size(), 0u);
    reopen();
    ASSERT_TRUE(engine->update(set_n("T", "a", 3)));
    ASSERT_EQ(all(stream).size(), 1u);
    EXPECT_GT(all(stream)[0].sequence, left[0].sequence);
}

TEST_F(StreamsTest, DeletionsOfExpiredItemsAreTheServices) {
    create_with_stream("T");
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    const auto soon = to_unix_seconds(clock.now()) + 10;
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"ttl", soon}})));
    clock.advance(std::chrono::seconds(11));
    ASSERT_EQ(*engine->sweep_expired(100), 1u);
    const auto records = all(arn("T"));
    ASSERT_EQ(records.size(), 2u);
    EXPECT_FALSE(records[0].by_service);
    EXPECT_TRUE(records[1].by_service);
    EXPECT_EQ(records[1].event, StreamRecord::Event::remove);
}

TEST_F(StreamsTest, OneThatIsTurnedOffEndsAndTheNextIsAnother) {
    create(simple_table("T"));
    turn("T", {true, StreamView::keys_only});
    const auto first = arn("T");
    ASSERT_TRUE(engine->update(set_n("T", "a", 1)));
    turn("T", {false, StreamView::keys_only});
    ASSERT_TRUE(engine->update(set_n("T", "a", 2)));
    EXPECT_EQ(arn("T"), first);
    EXPECT_FALSE(engine->describe_table("T")->stream.enabled);
    const auto ended = engine->streams().describe(first);
    EXPECT_FALSE(ended->enabled);
    ASSERT_TRUE(ended->last_sequence);
    const auto page = engine->streams().records(iterator(first, StreamStart::trim_horizon), 10);
    EXPECT_EQ(page->records.size(), 1u);
    EXPECT_EQ(page->records[0].sequence, *ended->last_sequence);
    EXPECT_FALSE(page->next);

    turn("T", {true, StreamView::new_image});
    const auto second = arn("T");
    EXPECT_NE(first, second);
    ASSERT_TRUE(engine->update(set_n("T", "a", 3)));
    EXPECT_EQ(all(second).size(), 1u);
    EXPECT_EQ(engine->streams().list("T", "", 100)->streams.size(), 2u);
    EXPECT_EQ(engine->streams().list("U", "", 100)->streams.size(), 0u);
    const auto one = engine->streams().list({}, "", 1);
    ASSERT_TRUE(one->last);
    EXPECT_EQ(engine->streams().list({}, *one->last, 100)->streams.size(), 1u);

    // The records of a table that is gone stay readable; the streams go a day later.
    ASSERT_TRUE(engine->delete_table("T"));
    EXPECT_EQ(all(second).size(), 1u);
    clock.advance(hours(25));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(engine->streams().list({}, "", 100)->streams.size(), 0u);
    EXPECT_FALSE(engine->streams().describe(second));
}

TEST_F(StreamsTest, TurningOneOnTwiceOrOffTwiceIsRefused) {
    create_with_stream("T");
    UpdateTable request;
    request.name = "T";
    request.stream = StreamSpec{true, StreamView::keys_only};
    EXPECT_EQ(engine->update_table(request).error().fault, Fault::validation);
    turn("T", {false, StreamView::keys_only});
    request.stream = StreamSpec{false, StreamView::keys_only};
    EXPECT_EQ(engine->update_table(request).error().fault, Fault::validation);
}

TEST_F(StreamsTest, AWriteThatFailedLeavesNoRecord) {
    create_with_stream("T");
    kv.fail_commit(1, {Errc::unavailable, "disk"});
    EXPECT_FALSE(engine->update(set_n("T", "a", 1)));
    ASSERT_TRUE(engine->update(set_n("T", "a", 2)));
    const auto records = all(arn("T"));
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].event, StreamRecord::Event::insert);
    reopen();
    EXPECT_EQ(all(arn("T")).size(), 1u);
}

// A reader that follows the stream while it is written meets every version of every item, in order.
TEST_F(StreamsTest, ReadersMissNothingWhileManyWrite) {
    create_with_stream("T");
    constexpr int writers = 8, versions = 100;
    const auto stream = arn("T");
    auto next = iterator(stream, StreamStart::latest);
    std::vector<std::thread> threads;
    for (int w = 0; w < writers; ++w) {
        threads.emplace_back([&, w] {
            for (int i = 1; i <= versions; ++i) {
                ASSERT_TRUE(engine->update(set_n("T", "item-" + std::to_string(w), i)));
            }
        });
    }
    std::map<std::string, std::int64_t> seen;
    int count = 0;
    std::string last_sequence;
    while (count < writers * versions) {
        const auto page = engine->streams().records(next, 7);
        ASSERT_TRUE(page) << page.error().message;
        for (const auto& record : page->records) {
            EXPECT_GT(record.sequence, last_sequence);
            last_sequence = record.sequence;
            auto& version = seen[std::string(*record.keys.text("pk"))];
            EXPECT_EQ(record.new_image->integer("n"), version + 1);
            version = *record.new_image->integer("n");
            ++count;
        }
        next = *page->next;
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(writers));
}

}  // namespace
}  // namespace mailroom::table
