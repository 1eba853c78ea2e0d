#include "kv/key.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

#include <atomic>
#include <thread>

namespace mailroom::table {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class BackupsTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        auto request = simple_table("T");
        request.attributes.push_back({"g", Kind::string});
        request.global_indexes.push_back({"G", {"g", ""}, {}, {}});
        create(request);
    }
    void put_items(int count, const std::string& text = "x") {
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(engine->put(put(
                "T",
                {{"pk", std::to_string(i)}, {"g", i % 2 == 0 ? "even" : "odd"}, {"text", text}})));
        }
    }
    std::string back_up(const std::string& name = "first") {
        const auto made = engine->backups().create({"T", name});
        EXPECT_TRUE(made) << made.error().message;
        engine->finish_jobs();
        return made ? made->arn : "";
    }
    std::vector<Item> items_of(const std::string& table) {
        Scan request;
        request.table = table;
        const auto page = engine->scan(request);
        EXPECT_TRUE(page) << page.error().message;
        return page ? page->items : std::vector<Item>();
    }
    std::size_t rows_in(Space space) {
        const std::string from(1, static_cast<char>(space));
        const auto cursor = kv.scan(from, kv::after_prefix(from));
        std::size_t count = 0;
        for (cursor->seek(from); cursor->valid(); cursor->next()) ++count;
        return count;
    }
    void keep_history(bool enabled = true, int days = ContinuousSetting::days_max) {
        const auto kept = engine->backups().set_continuous("T", {enabled, days});
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_EQ(kept->setting.enabled, enabled);
        EXPECT_EQ(kept->setting.days, days);
    }
};

TEST_F(BackupsTest, HoldTheTableAsItWas) {
    put_items(1200);
    const auto before = items_of("T");
    const auto arn = back_up();
    put_items(1200, "changed");
    ASSERT_TRUE(engine->delete_table("T"));
    const auto backup = engine->backups().describe(arn);
    ASSERT_TRUE(backup) << backup.error().message;
    EXPECT_TRUE(backup->summary.available);
    EXPECT_EQ(backup->source.item_count, 1200);
    EXPECT_EQ(backup->source.global_indexes.size(), 1u);

    const auto restored = engine->backups().restore(RestoreBackup{arn, "New", {}});
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(restored->status, TableStatus::creating);
    engine->finish_jobs();
    EXPECT_EQ(items_of("New"), before);
    const auto description = engine->describe_table("New");
    EXPECT_EQ(description->status, TableStatus::active);
    EXPECT_EQ(description->item_count, 1200);
    ASSERT_TRUE(description->restored);
    EXPECT_EQ(description->restored->backup_arn, arn);
    EXPECT_FALSE(description->restored->in_progress);
    EXPECT_EQ(query("New", "G", "g = :g", {{":g", "odd"}}).count, 600u);
    EXPECT_EQ(description->global_indexes.at(0).item_count, 1200);
}

TEST_F(BackupsTest, AreOfOneMomentWhileWritersGoOn) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 0}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "b"}, {"n", 0}})));
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        for (int i = 1; !stop; ++i) {
            TransactWrite both;
            both.actions.emplace_back(put("T", {{"pk", "a"}, {"n", i}}));
            both.actions.emplace_back(put("T", {{"pk", "b"}, {"n", i}}));
            ASSERT_TRUE(engine->transact(both));
        }
    });
    for (int i = 0; i < 5; ++i) {
        const auto arn = back_up();
        const auto name = "Copy" + std::to_string(i);
        ASSERT_TRUE(engine->backups().restore(RestoreBackup{arn, name, {}}));
        engine->finish_jobs();
        const auto items = items_of(name);
        ASSERT_EQ(items.size(), 2u);
        EXPECT_EQ(items[0].integer("n"), items[1].integer("n"));
    }
    stop = true;
    writer.join();
}

TEST_F(BackupsTest, AreListedAndDeleted) {
    put_items(3);
    const auto first = back_up("first");
    clock.advance(seconds(10));
    const auto middle = clock.now();
    const auto second = back_up("second");
    ListBackups request;
    request.limit = 1;
    const auto page = engine->backups().list(request);
    ASSERT_EQ(page->backups.size(), 1u);
    EXPECT_EQ(page->backups[0].name, "first");
    ASSERT_TRUE(page->last);
    request.after = *page->last;
    EXPECT_EQ(engine->backups().list(request)->backups.at(0).name, "second");
    EXPECT_FALSE(engine->backups().list(request)->last);
    ListBackups late;
    late.from = middle;
    EXPECT_EQ(engine->backups().list(late)->backups.size(), 1u);
    ListBackups early;
    early.to = middle;
    EXPECT_EQ(engine->backups().list(early)->backups.at(0).arn, first);
    ListBackups other;
    other.table = "U";
    EXPECT_TRUE(engine->backups().list(other)->backups.empty());

    EXPECT_EQ(rows_in(Space::copy), 6u);
    ASSERT_TRUE(engine->backups().remove(first));
    EXPECT_EQ(rows_in(Space::copy), 3u);
    EXPECT_EQ(engine->backups().describe(first).error().fault, Fault::backup_not_found);
    EXPECT_EQ(engine->backups().remove(first).error().fault, Fault::backup_not_found);
    EXPECT_TRUE(engine->backups().describe(second));
}

TEST_F(BackupsTest, AreRefusedWhereDynamodbRefuses) {
    EXPECT_EQ(engine->backups().create({"Nothing", "abc"}).error().fault, Fault::table_not_found);
    EXPECT_EQ(engine->backups().continuous("Nothing").error().fault, Fault::table_not_found);
    const auto arn = back_up();
    const auto fault = [](const auto& outcome) { return outcome.error().fault; };
    EXPECT_EQ(fault(engine->backups().restore(RestoreBackup{arn, "T", {}})),
              Fault::table_already_exists);
    EXPECT_EQ(fault(engine->backups().restore(RestoreBackup{arn + "0", "New", {}})),
              Fault::backup_not_found);
    RestoreBackup unknown{arn, "New", {}};
    unknown.overrides.global_indexes = {{"NoSuchIndex"}};
    EXPECT_EQ(fault(engine->backups().restore(unknown)), Fault::validation);
    EXPECT_EQ(fault(engine->backups().restore(RestoreToTime{"T", "New", {}, {}})),
              Fault::point_in_time_unavailable);
    keep_history();
    EXPECT_EQ(
        fault(engine->backups().restore(RestoreToTime{"T", "New", clock.now() - seconds(1), {}})),
        Fault::invalid_restore_time);
    EXPECT_EQ(
        fault(engine->backups().restore(RestoreToTime{"T", "New", clock.now() + seconds(1), {}})),
        Fault::invalid_restore_time);
}

TEST_F(BackupsTest, CanBeRestoredWithOtherIndexesAndThroughput) {
    put_items(4);
    RestoreBackup request{back_up(), "New", {}};
    request.overrides.global_indexes.emplace();
    request.overrides.billing = BillingMode::provisioned;
    request.overrides.throughput = Throughput{5, 7};
    ASSERT_TRUE(engine->backups().restore(request));
    engine->finish_jobs();
    const auto description = engine->describe_table("New");
    EXPECT_TRUE(description->global_indexes.empty());
    EXPECT_EQ(description->attributes.size(), 1u);
    EXPECT_EQ(description->billing, BillingMode::provisioned);
    EXPECT_EQ(description->throughput, (Throughput{5, 7}));
}

TEST_F(BackupsTest, HistoryBringsBackAnyMoment) {
    keep_history();
    std::vector<std::pair<Time, std::vector<Item>>> moments;
    const auto remember = [&] {
        moments.emplace_back(clock.now(), items_of("T"));
        clock.advance(seconds(1));
    };
    remember();
    put_items(5);
    remember();
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(engine->update(
            update("T", {{"pk", "2"}}, "SET n = :n, g = :n2", {{":n", i}, {":n2", "other"}})));
        remember();
    }
    DeleteItem erase;
    erase.table = "T";
    erase.key = {{"pk", "2"}};
    ASSERT_TRUE(engine->erase(erase));
    remember();
    put_items(7, "again");
    remember();
    for (std::size_t i = 0; i < moments.size(); ++i) {
        SCOPED_TRACE(i);
        const auto name = "At" + std::to_string(i);
        const auto restored =
            engine->backups().restore(RestoreToTime{"T", name, moments[i].first, {}});
        ASSERT_TRUE(restored) << restored.error().message;
        engine->finish_jobs();
        EXPECT_EQ(items_of(name), moments[i].second);
        EXPECT_EQ(engine->describe_table(name)->item_count,
                  static_cast<std::int64_t>(moments[i].second.size()));
        std::size_t in_index = 0;
        for (const auto* group : {"even", "odd", "other"}) {
            in_index += query(name, "G", "g = :g", {{":g", group}}).count;
        }
        EXPECT_EQ(in_index, moments[i].second.size());
    }
    EXPECT_TRUE(engine->streams().list({}, "", 100)->streams.empty());
}

TEST_F(BackupsTest, HistoryIsKeptForThirtyFiveDaysOrUntilItIsTurnedOff) {
    keep_history();
    const auto started = clock.now();
    put_items(3);
    EXPECT_EQ(rows_in(Space::record), 3u);
    clock.advance(hours(24 * 30));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 3u);
    EXPECT_EQ(engine->backups().continuous("T")->earliest, started);
    clock.advance(hours(24 * 6));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 0u);
    EXPECT_EQ(engine->backups().continuous("T")->earliest, clock.now() - hours(24 * 35));

    put_items(3, "y");
    EXPECT_EQ(rows_in(Space::record), 3u);
    keep_history(false);
    EXPECT_EQ(rows_in(Space::record), 0u);
    put_items(3, "z");
    EXPECT_EQ(rows_in(Space::record), 0u);
    keep_history();
    put_items(3, "x");
    ASSERT_TRUE(engine->delete_table("T"));
    EXPECT_EQ(rows_in(Space::record), 0u);
    EXPECT_EQ(rows_in(Space::stream), 0u);
}

TEST_F(BackupsTest, HistoryIsKeptForAsManyDaysAsAreAskedFor) {
    const auto day = hours(24);
    const auto started = clock.now();
    const auto earliest = [&] { return engine->backups().continuous("T")->earliest; };
    const auto restore = [&](const std::string& name, Time at) {
        return engine->backups().restore(RestoreToTime{"T", name, at, {}});
    };
    keep_history(true, 7);
    put_items(3);
    clock.advance(day * 6);
    reopen();
    EXPECT_EQ(engine->backups().continuous("T")->setting.days, 7) << "it is stored";
    EXPECT_EQ(earliest(), started);
    put_items(3, "y");
    clock.advance(day * 2);
    EXPECT_EQ(earliest(), started + day);
    EXPECT_EQ(restore("TooOld", started).error().fault, Fault::invalid_restore_time);
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 3u);
    ASSERT_TRUE(restore("Then", started + day));
    engine->finish_jobs();
    for (const auto& item : items_of("Then")) EXPECT_EQ(item.text("text"), "x");

    keep_history(true, 30);
    EXPECT_EQ(earliest(), started + day) << "what was forgotten does not come back";
    clock.advance(day);
    EXPECT_EQ(earliest(), started + day);
    keep_history(true, 1);
    EXPECT_EQ(earliest(), clock.now() - day);
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 0u);
    keep_history();
    EXPECT_EQ(earliest(), clock.now() - day);
}

TEST_F(BackupsTest, HistoryStaysWhileATableIsRestoredFromIt) {
    keep_history();
    put_items(3);
    const auto until = clock.now();
    clock.advance(hours(24 * 2));
    put_items(3, "later");
    clock.advance(hours(24 * 2));
    kv.fail_commit(3, {Errc::unavailable, "disk"});
    ASSERT_TRUE(engine->backups().restore(RestoreToTime{"T", "New", until, {}}));
    engine->finish_jobs();
    ASSERT_EQ(engine->describe_table("New")->status, TableStatus::creating);
    keep_history(true, 1);
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 6u);
    reopen();
    engine->finish_jobs();
    EXPECT_EQ(engine->describe_table("New")->status, TableStatus::active);
    for (const auto& item : items_of("New")) EXPECT_EQ(item.text("text"), "x");
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 0u);
}

TEST_F(BackupsTest, ATableThatIsBeingRestoredCannotBeUsedAndGoesOnAfterACrash) {
    put_items(3);
    keep_history();
    const auto arn = back_up();
    const auto until = clock.now();
    clock.advance(minutes(1));
    put_items(3, "later");
    for (const bool from_backup : {true, false}) {
        const std::string name = from_backup ? "FromBackup" : "FromTime";
        // The disk fails when the table is to be opened for use.
        kv.fail_commit(3, {Errc::unavailable, "disk"});
        if (!from_backup) kv.fail_commit(4, {Errc::unavailable, "disk"});
        const auto restored = from_backup
                                  ? engine->backups().restore(RestoreBackup{arn, name, {}})
                                  : engine->backups().restore(RestoreToTime{"T", name, until, {}});
        ASSERT_TRUE(restored) << restored.error().message;
        engine->finish_jobs();
        kv.heal();
        EXPECT_EQ(engine->describe_table(name)->status, TableStatus::creating);
        EXPECT_TRUE(engine->describe_table(name)->restored->in_progress);
        GetItem get_item;
        get_item.table = name;
        get_item.key = {{"pk", "1"}};
        EXPECT_EQ(engine->get(get_item).error().fault, Fault::resource_not_found);
        EXPECT_EQ(engine->put(put(name, {{"pk", "1"}})).error().fault, Fault::resource_not_found);
        EXPECT_EQ(engine->set_time_to_live(name, {true, "ttl"}).error().fault,
                  Fault::resource_in_use);
        if (from_backup) {
            EXPECT_EQ(engine->backups().remove(arn).error().fault, Fault::backup_in_use);
        }
        reopen();
        engine->finish_jobs();
        EXPECT_EQ(engine->describe_table(name)->status, TableStatus::active);
        const auto items = items_of(name);
        ASSERT_EQ(items.size(), 3u);
        for (const auto& item : items) EXPECT_EQ(item.text("text"), "x");
        EXPECT_EQ(engine->describe_table(name)->item_count, 3);
    }
}

TEST_F(BackupsTest, ATableThatIsBeingRestoredCanBeDeletedAndHoldsNothingBack) {
    put_items(3);
    keep_history(true, 1);
    const auto arn = back_up();
    const auto until = clock.now();
    clock.advance(minutes(1));
    put_items(3, "later");
    const auto items = rows_in(Space::item);
    for (const bool from_backup : {true, false}) {
        SCOPED_TRACE(from_backup);
        kv.fail_commit(3, {Errc::unavailable, "disk"});
        ASSERT_TRUE(from_backup ? engine->backups().restore(RestoreBackup{arn, "New", {}})
                                : engine->backups().restore(RestoreToTime{"T", "New", until, {}}));
        engine->finish_jobs();
        ASSERT_EQ(engine->describe_table("New")->status, TableStatus::creating);
        const auto deleted = engine->delete_table("New");
        ASSERT_TRUE(deleted) << deleted.error().message;
        EXPECT_EQ(engine->describe_table("New").error().fault, Fault::resource_not_found);
        EXPECT_EQ(rows_in(Space::item), items);
        // The restore is due again, and finds nothing to do.
        clock.advance(seconds(2));
        ASSERT_TRUE(engine->sweep_expired(100));
        engine->finish_jobs();
        EXPECT_EQ(engine->describe_table("New").error().fault, Fault::resource_not_found);
        EXPECT_EQ(rows_in(Space::item), items);
    }
    EXPECT_TRUE(engine->backups().remove(arn));
    clock.advance(hours(24 * 2));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows_in(Space::record), 0u);
}

TEST_F(BackupsTest, ARestoreWhoseSourceIsGoneIsForgotten) {
    keep_history();
    put_items(3);
    kv.fail_commit(3, {Errc::unavailable, "disk"});
    ASSERT_TRUE(engine->backups().restore(RestoreToTime{"T", "New", {}, {}}));
    engine->finish_jobs();
    kv.heal();
    ASSERT_EQ(engine->describe_table("New")->status, TableStatus::creating);
    keep_history(false);
    reopen();
    EXPECT_EQ(engine->describe_table("New").error().fault, Fault::resource_not_found);
    EXPECT_EQ(items_of("T").size(), 3u);
}

TEST_F(BackupsTest, ABackupThatWasCutShortIsForgotten) {
    put_items(3);
    kv.fail_commit(2, {Errc::unavailable, "disk"});
    const auto made = engine->backups().create({"T", "cut"});
    ASSERT_TRUE(made);
    engine->finish_jobs();
    EXPECT_FALSE(engine->backups().describe(made->arn)->summary.available);
    EXPECT_EQ(engine->backups().remove(made->arn).error().fault, Fault::backup_in_use);
    EXPECT_EQ(engine->backups().restore(RestoreBackup{made->arn, "New", {}}).error().fault,
              Fault::backup_in_use);
    reopen();
    EXPECT_EQ(engine->backups().describe(made->arn).error().fault, Fault::backup_not_found);
    EXPECT_EQ(rows_in(Space::copy), 0u);
}

}  // namespace
}  // namespace mailroom::table
