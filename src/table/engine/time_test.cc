// What only time does to tables, on the store that keeps them on disk: trimming of streams and
// histories, expiry, tokens that are forgotten, backups that stay.
#include "base/scratch_directory.h"
#include "kv/key.h"
#include "kv/rocks_store.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

#include <map>

namespace mailroom::table {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr auto day = hours(24);

class TimeTest : public EngineTest {
protected:
    using Items = std::map<std::string, Item>;

    void SetUp() override { restart(); }
    // As after a restart of the process: what is not in tables is read from the log again.
    void restart() {
        engine.reset();
        rows.reset();
        auto opened = kv::open_rocks(directory.path(), {.cache_bytes = 8 * 1024 * 1024});
        ASSERT_TRUE(opened) << opened.error().message;
        rows = *std::move(opened);
        auto made = Engine::open(*rows, clock, random, options);
        ASSERT_TRUE(made) << made.error().message;
        engine = *std::move(made);
    }
    void create_recorded(const std::string& name, int history_days) {
        auto request = simple_table(name);
        request.stream = {true, StreamView::new_and_old_images};
        create(request);
        ASSERT_TRUE(engine->backups().set_continuous(name, {true, history_days}));
        ASSERT_TRUE(engine->set_time_to_live(name, {true, "ttl"}));
        engine->finish_jobs();
    }
    // A few changes of each kind. Half of the items expire after five hours.
    void change_some(const std::string& table) {
        for (int i = 0; i < 12; ++i) {
            const auto key = std::to_string(random_key());
            Item item{{"pk", key}, {"n", ++written}, {"text", std::string(500, 'x')}};
            if (i % 2 == 0) item.set("ttl", Value(to_unix_seconds(clock.now() + hours(5))));
            ASSERT_TRUE(engine->put(put(table, item)));
        }
        TransactWrite together;
        together.token = "token-" + std::to_string(written);
        for (const auto* key : {"left", "right"}) {
            together.actions.emplace_back(put(table, {{"pk", key}, {"n", written}}));
        }
        ASSERT_TRUE(engine->transact(together));
        DeleteItem erase;
        erase.table = table;
        erase.key = {{"pk", std::to_string(random_key())}};
        ASSERT_TRUE(engine->erase(erase));
    }
    int random_key() { return static_cast<unsigned char>(random_bytes(random, 1).front()) % 20; }
    Items items_of(const std::string& table) {
        Items items;
        Scan request;
        request.table = table;
        const auto page = engine->scan(request);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) return items;
        for (const auto& item : page->items) {
            items.emplace(std::string(item.text("pk").value_or("")), item);
        }
        return items;
    }
    void pass(std::chrono::milliseconds time) {
        clock.advance(time);
        const auto swept = engine->sweep_expired(1'000);
        ASSERT_TRUE(swept) << swept.error().message;
    }
    std::size_t rows_in(Space space) {
        const std::string from(1, static_cast<char>(space));
        const auto cursor = rows->scan(from, kv::after_prefix(from));
        std::size_t count = 0;
        for (cursor->seek(from); cursor->valid(); cursor->next()) ++count;
        EXPECT_TRUE(cursor->status());
        return count;
    }
    Items restored(const std::string& table, Time at) {
        const auto made = engine->backups().restore(RestoreToTime{table, "Restored", at, {}});
        EXPECT_TRUE(made) << made.error().message;
        if (!made) return {};
        engine->finish_jobs();
        auto items = items_of("Restored");
        EXPECT_TRUE(engine->delete_table("Restored"));
        return items;
    }
    std::vector<StreamRecord> stream_of(const std::string& table) {
        const auto arn = engine->describe_table(table)->stream_arn;
        const auto shard = engine->streams().describe(arn)->shard;
        auto next =
            std::optional(*engine->streams().iterator({arn, shard, StreamStart::trim_horizon, ""}));
        std::vector<StreamRecord> records;
        while (next) {
            auto page = engine->streams().records(*next, 1'000);
            EXPECT_TRUE(page) << page.error().message;
            if (!page || page->records.empty()) break;
            for (auto& record : page->records) records.push_back(std::move(record));
            next = page->next;
        }
        return records;
    }

    ScratchDirectory directory;
    std::unique_ptr<kv::Store> rows;
    int written = 0;
};

TEST_F(TimeTest, TwoMonthsOfTrimmingLeaveWhatMustBeThereAndNothingElse) {
    create_recorded("T", 35);
    create_recorded("Week", 7);
    std::map<Time, Items> remembered;
    std::string backup;
    Items backed_up;
    for (int quarter = 0; quarter < 4 * 60; ++quarter) {
        SCOPED_TRACE(quarter);
        change_some("T");
        change_some("Week");
        if (quarter == 9) {
            backed_up = items_of("T");
            backup = engine->backups().create({"T", "kept"})->arn;
            engine->finish_jobs();
        }
        if (quarter % 16 == 3) {
            remembered.emplace(engine->backups().continuous("T")->latest, items_of("T"));
        }
        ASSERT_NO_FATAL_FAILURE(pass(hours(6)));
        if (quarter % 40 == 39) restart();
        ASSERT_TRUE(engine);
    }
    for (const auto& [key, item] : items_of("T")) {
        const auto ttl = item.integer("ttl");
        EXPECT_TRUE(!ttl || *ttl > to_unix_seconds(clock.now())) << key;
    }
    for (const auto* table : {"T", "Week"}) {
        const auto records = stream_of(table);
        EXPECT_FALSE(records.empty());
        for (const auto& record : records) EXPECT_GE(record.at, clock.now() - day);
    }
    const auto earliest = engine->backups().continuous("T")->earliest;
    EXPECT_EQ(earliest, clock.now() - 35 * day);
    EXPECT_EQ(engine->backups().continuous("Week")->earliest, clock.now() - 7 * day);
    std::size_t restorable = 0;
    for (const auto& [at, items] : remembered) {
        if (at < earliest) continue;
        ++restorable;
        EXPECT_EQ(restored("T", at), items);
    }
    EXPECT_GE(restorable, 8u);
    ASSERT_TRUE(engine->backups().restore(RestoreBackup{backup, "FromBackup", {}}));
    engine->finish_jobs();
    EXPECT_EQ(items_of("FromBackup"), backed_up) << "a backup stays until it is deleted";
    EXPECT_EQ(rows_in(Space::token), 0u);
    EXPECT_EQ(rows_in(Space::token_end), 0u);

    // A year in which nobody wrote. What expired meanwhile is on record for its time.
    ASSERT_NO_FATAL_FAILURE(pass(365 * day));
    ASSERT_NO_FATAL_FAILURE(pass(36 * day));
    EXPECT_EQ(rows_in(Space::record), 0u);
    for (const auto* table : {"T", "Week"}) EXPECT_TRUE(stream_of(table).empty());
    ASSERT_NO_FATAL_FAILURE(restart());
    ASSERT_NO_FATAL_FAILURE(change_some("T"));
    EXPECT_FALSE(stream_of("T").empty());
}

TEST_F(TimeTest, StreamsThatEndedGoADayLaterAndTheTableHasANewOne) {
    create_recorded("T", 35);
    change_some("T");
    UpdateTable turn;
    turn.name = "T";
    turn.stream = StreamSpec{};
    ASSERT_TRUE(engine->update_table(turn));
    turn.stream = {true, StreamView::keys_only};
    ASSERT_TRUE(engine->update_table(turn));
    ASSERT_NO_FATAL_FAILURE(pass(hours(23)));
    change_some("T");
    EXPECT_EQ(engine->streams().list("T", "", 10)->streams.size(), 2u);
    ASSERT_NO_FATAL_FAILURE(pass(hours(2)));
    EXPECT_EQ(engine->streams().list("T", "", 10)->streams.size(), 1u);
    EXPECT_FALSE(stream_of("T").empty());
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_FALSE(stream_of("T").empty());

    ASSERT_TRUE(engine->delete_table("T"));
    EXPECT_EQ(engine->streams().list("T", "", 10)->streams.size(), 1u) << "readable for a day";
    ASSERT_NO_FATAL_FAILURE(pass(hours(25)));
    EXPECT_TRUE(engine->streams().list("T", "", 10)->streams.empty());
    EXPECT_EQ(rows_in(Space::record), 0u);
    ASSERT_NO_FATAL_FAILURE(restart());
}

TEST_F(TimeTest, TokensIteratorsAndItemsHoldToTheMinute) {
    create_recorded("T", 35);
    TransactWrite once;
    once.token = "once";
    once.actions.emplace_back(update("T", {{"pk", "a"}}, "ADD n :one", {{":one", 1}}));
    ASSERT_TRUE(engine->transact(once));
    const auto arn = engine->describe_table("T")->stream_arn;
    const auto shard = engine->streams().describe(arn)->shard;
    const auto iterator = *engine->streams().iterator({arn, shard, StreamStart::trim_horizon, ""});
    ASSERT_TRUE(engine->put(
        put("T", {{"pk", "mortal"}, {"ttl", to_unix_seconds(clock.now() + minutes(12))}})));

    ASSERT_NO_FATAL_FAILURE(pass(minutes(9)));
    ASSERT_NO_FATAL_FAILURE(restart());
    ASSERT_TRUE(engine->transact(once));
    EXPECT_EQ(get("T", {{"pk", "a"}})->integer("n"), 1) << "remembered for ten minutes";
    ASSERT_NO_FATAL_FAILURE(pass(minutes(2)));
    ASSERT_TRUE(engine->transact(once));
    EXPECT_EQ(get("T", {{"pk", "a"}})->integer("n"), 2) << "and then forgotten";
    EXPECT_TRUE(get("T", {{"pk", "mortal"}}));
    EXPECT_TRUE(engine->streams().records(iterator, 10));
    ASSERT_NO_FATAL_FAILURE(pass(minutes(5)));
    EXPECT_FALSE(get("T", {{"pk", "mortal"}}));
    EXPECT_EQ(engine->streams().records(iterator, 10).error().fault, Fault::expired_iterator);
}

}  // namespace
}  // namespace mailroom::table
