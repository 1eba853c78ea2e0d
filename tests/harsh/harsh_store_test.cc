#include "harsh/harsh_store.h"

#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::table {
namespace {

using namespace std::chrono_literals;

constexpr int always = 1000;

class HarshStoreTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = Engine::open(kv, clock, random, {});
        ASSERT_TRUE(opened);
        engine = *std::move(opened);
        ASSERT_TRUE(engine->create_table(mails("Mails")));
        begin({});
    }
    void begin(const Harshness& harshness, std::uint64_t seed = 1) {
        store = std::make_unique<HarshStore>(*engine, clock, seed, harshness);
    }

    // `id`, and an index by `state`, in order of `id`.
    static CreateTable mails(const std::string& name) {
        CreateTable request;
        request.name = name;
        request.attributes = {{"id", Kind::string}, {"state", Kind::string}};
        request.keys = {"id", ""};
        request.global_indexes.push_back({"ByState", {"state", "id"}, {}, {}});
        return request;
    }
    static PutItem mail(const std::string& id, const std::string& state) {
        PutItem request;
        request.table = "Mails";
        request.item = {{"id", id}, {"state", state}};
        return request;
    }
    static PutItem new_mail(const std::string& id) {
        auto request = mail(id, "new");
        request.condition = "attribute_not_exists(id)";
        return request;
    }
    void fill(int count) {
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(engine->put(mail("m" + std::to_string(10 + i), "new")));
        }
    }
    // The ids of one state as the index shows them: "a b ".
    std::string ids(const std::string& state) {
        const auto page =
            store->query(from("Mails").index("ByState").partition("state", state).limit(100));
        EXPECT_TRUE(page) << page.error().message;
        std::string text;
        for (const auto& item : page->items) text.append(*item.text("id")).append(" ");
        return text;
    }
    // The state of a mail as a read shows it.
    std::string state(const std::string& id, bool consistent) {
        GetItem request;
        request.table = "Mails";
        request.key = {{"id", id}};
        request.consistent = consistent;
        const auto got = store->get(request);
        EXPECT_TRUE(got) << got.error().message;
        return got && got->item ? std::string(*got->item->text("state")) : "none";
    }
    bool is_there(const std::string& id) {
        GetItem request;
        request.table = "Mails";
        request.key = {{"id", id}};
        return engine->get(request)->item.has_value();
    }

    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'794'721'884'000)};
    SeededRandom random{1};
    std::unique_ptr<Engine> engine;
    std::unique_ptr<HarshStore> store;
};

TEST_F(HarshStoreTest, WithoutHarshnessItIsTheStoreBelow) {
    ASSERT_TRUE(store->put(mail("a", "new")));
    EXPECT_EQ(ids("new"), "a ");
    EXPECT_EQ(state("a", false), "new");
    EXPECT_TRUE(is_there("a"));
    const auto counts = store->counts();
    EXPECT_EQ(counts.throttled + counts.conflicts + counts.lost + counts.cut + counts.late, 0u);
}

TEST_F(HarshStoreTest, AnIndexSeesEachWriteAfterALagOfItsOwn) {
    begin({.lag = 10s});
    for (const char* id : {"a", "b", "c", "d", "e", "f"}) ASSERT_TRUE(store->put(mail(id, "new")));
    std::set<std::string> seen;
    for (int second = 0; second <= 10; ++second, clock.advance(1s)) seen.insert(ids("new"));
    EXPECT_EQ(*seen.begin(), "") << "nothing at first";
    EXPECT_GT(seen.size(), 3u) << "not all of them at once";
    EXPECT_EQ(ids("new"), "a b c d e f ");
}

TEST_F(HarshStoreTest, AnIndexStillHasWhatWasChangedOrErased) {
    fill(2);
    begin({.lag = 10s});
    EXPECT_EQ(ids("new"), "m10 m11 ") << "what was there before is no news";
    ASSERT_TRUE(store->put(mail("m10", "sent")));
    ASSERT_TRUE(store->erase(write::Erase("Mails", {{"id", "m11"}})));
    EXPECT_EQ(ids("new") + "|" + ids("sent"), "m10 m11 |");
    store->catch_up();
    EXPECT_EQ(ids("new") + "|" + ids("sent"), "|m10 ");
}

TEST_F(HarshStoreTest, ReadsMayComeFromThePastUnlessTheyAreConsistent) {
    ASSERT_TRUE(engine->put(mail("a", "0")));
    begin({.stale = 500, .lag = 10s});
    ASSERT_EQ(state("a", false), "0");
    ASSERT_TRUE(store->put(mail("a", "1")));
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(state("a", true), "1");
        seen.insert(state("a", false));
    }
    EXPECT_EQ(seen, (std::set<std::string>{"0", "1"}));
    clock.advance(10s);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(state("a", false), "1");
}

TEST_F(HarshStoreTest, WhatIsReadLateOfOneItemNeverGoesBack) {
    begin({.stale = always, .lag = 10s});
    int last = -1;
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(store->put(mail("a", std::to_string(i))));
        const auto read = state("a", false);
        const int now = read == "none" ? -1 : std::stoi(read);
        EXPECT_GE(now, last);
        last = now;
        clock.advance(500ms);
    }
    EXPECT_GT(last, 0);
    EXPECT_LT(last, 199) << "it is never late";
}

TEST_F(HarshStoreTest, AThrottledWriteIsNotDone) {
    begin({.throttled = always});
    const auto refused = store->put(mail("a", "new"));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(is_temporary(refused.error()));
    EXPECT_FALSE(is_there("a"));
    EXPECT_EQ(store->query(from("Mails").partition("id", "a")).error().fault, Fault::throttling);
}

TEST_F(HarshStoreTest, ATransactionIsCancelledForNowWithReasonsOfItsItems) {
    std::set<std::string> ways;
    for (const auto& harshness : {Harshness{.throttled = always}, Harshness{.conflicts = always}}) {
        begin(harshness);
        for (int i = 0; i < 50; ++i) {
            write::Transaction together;
            for (const char* id : {"a", "b", "c"}) together.put("Mails", {{"id", id}});
            const auto refused = store->transact(together);
            ASSERT_FALSE(refused);
            const auto& failure = refused.error();
            EXPECT_TRUE(is_temporary(failure));
            std::string way(exception_name(failure.fault));
            if (failure.fault == Fault::transaction_canceled) {
                ASSERT_EQ(failure.reasons.size(), 3u);
                for (const auto& reason : failure.reasons) {
                    if (reason.code != "None") way = reason.code;
                }
            }
            ways.insert(way);
        }
    }
    EXPECT_FALSE(is_there("a"));
    EXPECT_EQ(ways, (std::set<std::string>{"ProvisionedThroughputExceeded", "ThrottlingError",
                                           "ThrottlingException", "TransactionConflict",
                                           "TransactionInProgressException"}));
}

TEST_F(HarshStoreTest, ARefusalForGoodMayCarryConflictsOfOtherItems) {
    fill(1);
    begin({.conflicts = 500});
    std::set<std::string> others;
    for (int i = 0; i < 50; ++i) {
        write::Transaction together;
        together.put("Mails", {{"id", "m10"}}).if_absent("id");
        together.put("Mails", {{"id", "m11"}});
        const auto refused = store->transact(together);
        ASSERT_FALSE(refused);
        const auto& failure = refused.error();
        if (is_temporary(failure)) continue;
        EXPECT_EQ(Error(failure).code, Errc::conflict);
        ASSERT_EQ(failure.reasons.size(), 2u);
        EXPECT_EQ(failure.reasons[0].code, "ConditionalCheckFailed");
        others.insert(failure.reasons[1].code);
    }
    EXPECT_EQ(others, (std::set<std::string>{"None", "TransactionConflict"}));
}

TEST_F(HarshStoreTest, WhatALostAnswerWasAboutIsDone) {
    begin({.lost = always});
    write::Transaction together;
    together.put("Mails", {{"id", "b"}}).if_absent("id");
    EXPECT_EQ(store->put(new_mail("a")).error().fault, Fault::internal);
    EXPECT_EQ(store->transact(together).error().fault, Fault::internal);
    EXPECT_TRUE(is_there("a") && is_there("b"));
}

TEST_F(HarshStoreTest, AClientThatAsksAgainIsRefusedByItsOwnWriteButNotByItsTransaction) {
    begin({.lost = 500, .attempts = 100});
    int refused_by_themselves = 0;
    for (int i = 0; i < 40; ++i) {
        const auto id = std::to_string(i);
        const auto written = store->put(new_mail(id));
        EXPECT_TRUE(is_there(id));
        if (!written) {
            EXPECT_EQ(written.error().fault, Fault::conditional_check_failed);
            ++refused_by_themselves;
        }
        write::Transaction together;
        together.put("Mails", {{"id", "t" + id}}).if_absent("id");
        EXPECT_TRUE(store->transact(together));
    }
    EXPECT_GT(refused_by_themselves, 5);
    EXPECT_LT(refused_by_themselves, 35);
}

TEST_F(HarshStoreTest, AClientThatAsksOftenEnoughSeesNoThrottling) {
    begin({.throttled = 300, .conflicts = 300, .attempts = 100});
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(store->put(new_mail(std::to_string(i))));
        write::Transaction together;
        together.put("Mails", {{"id", "t" + std::to_string(i)}}).if_absent("id");
        ASSERT_TRUE(store->transact(together));
    }
    EXPECT_GT(store->counts().throttled, 10u);
    EXPECT_GT(store->counts().conflicts, 10u);
}

TEST_F(HarshStoreTest, BatchesStayUndoneInPartAndCanBeFinished) {
    begin({.unprocessed = 800});
    std::vector<BatchWrite::Action> actions;
    std::vector<Item> keys;
    for (int i = 0; i < 60; ++i) {
        actions.emplace_back(BatchWrite::Put{mail(std::to_string(i), "new").item});
        keys.push_back({{"id", std::to_string(i)}});
    }
    BatchWrite batch;
    batch.tables.push_back({"Mails", {actions.begin(), actions.begin() + 25}});
    std::size_t left = 0;
    for (int i = 0; i < 10; ++i) {
        const auto answer = store->batch_write(batch);
        if (!answer) continue;
        for (const auto& table : answer->unprocessed.tables) left += table.actions.size();
    }
    EXPECT_GT(left, 25u);
    // With pauses, in which nobody waits.
    begin({.unprocessed = 500});
    ASSERT_TRUE(write_all(*store, "Mails", actions));
    const auto rows = get_all(*store, "Mails", keys);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(rows->size(), 60u);
    EXPECT_GT(store->counts().unprocessed, 2u);
}

TEST_F(HarshStoreTest, PagesEndEarlyAndTheNextOnesHaveTheRestOnce) {
    fill(40);
    begin({.cut = 900});
    std::string want;
    for (int i = 0; i < 40; ++i) want += "m" + std::to_string(10 + i) + " ";
    bool empty_with_key = false, short_with_key = false;
    for (int round = 0; round < 10; ++round) {
        std::string all;
        std::optional<Item> after;
        do {
            const auto page = store->query(
                from("Mails").index("ByState").partition("state", "new").limit(30).after(after));
            ASSERT_TRUE(page) << page.error().message;
            for (const auto& item : page->items) all.append(*item.text("id")).append(" ");
            empty_with_key |= page->items.empty() && page->last_key;
            short_with_key |= !page->items.empty() && page->items.size() < 30 && page->last_key;
            EXPECT_EQ(page->count, page->items.size());
            after = page->last_key;
        } while (after);
        EXPECT_EQ(all, want);
    }
    EXPECT_TRUE(empty_with_key);
    EXPECT_TRUE(short_with_key);
}

TEST_F(HarshStoreTest, BehindTheLastItemThereMayBeOneMorePage) {
    fill(3);
    begin({.cut = always});
    bool seen = false;
    for (int i = 0; i < 30; ++i) {
        const auto page = store->query(from("Mails").index("ByState").partition("state", "new"));
        seen |= page->items.size() == 3 && page->last_key;
    }
    EXPECT_TRUE(seen);
}

TEST_F(HarshStoreTest, ATableIsMadeAndChangedForAWhile) {
    begin({.table_work = 5s});
    auto request = mails("Slow");
    request.global_indexes.clear();
    request.attributes.pop_back();
    ASSERT_TRUE(store->create_table(request));
    EXPECT_EQ(store->describe_table("Slow")->status, TableStatus::creating);
    GetItem get;
    get.table = "Slow";
    get.key = {{"id", "a"}};
    EXPECT_EQ(store->get(get).error().fault, Fault::resource_not_found);
    clock.advance(5s);
    EXPECT_EQ(store->describe_table("Slow")->status, TableStatus::active);
    EXPECT_TRUE(store->get(get));

    UpdateTable change;
    change.name = "Slow";
    change.attributes = mails("").attributes;
    change.create_index = mails("").global_indexes.front();
    ASSERT_TRUE(store->update_table(change));
    const auto described = store->describe_table("Slow");
    EXPECT_EQ(described->status, TableStatus::updating);
    EXPECT_EQ(described->global_indexes.at(0).status, IndexStatus::creating);
    EXPECT_TRUE(store->get(get)) << "the table itself can be read meanwhile";
    change.create_index->name = "Other";
    EXPECT_EQ(store->update_table(change).error().fault, Fault::resource_in_use);
    clock.advance(5s);
    engine->finish_jobs();
    EXPECT_EQ(store->describe_table("Slow")->status, TableStatus::active);
    EXPECT_TRUE(store->update_table(change));
}

TEST_F(HarshStoreTest, PausesTakeNoTimeButTimePassesHere) {
    begin({.lag = 2s});
    ASSERT_TRUE(store->put(mail("a", "new")));
    auto pauses = store->pauses({.first = 1s, .longest = 1s, .tries_max = 10});
    while (ids("new").empty() && pauses.again()) {
    }
    EXPECT_EQ(ids("new"), "a ");
}

TEST_F(HarshStoreTest, WhatOthersWroteIsSeenLateAfterThePastIsForgotten) {
    begin({.lag = 10s});
    ASSERT_TRUE(store->put(mail("a", "new")));
    ASSERT_TRUE(engine->put(mail("b", "new")));
    store->forget_past();
    EXPECT_EQ(ids("new"), "a b ");
}

TEST_F(HarshStoreTest, ASeedIsRepeatedAndAnotherOneIsAnother) {
    const auto story = [&](std::uint64_t seed) {
        begin({.throttled = 300, .conflicts = 200, .lost = 200, .cut = 300, .lag = 5s}, seed);
        std::string text;
        for (int i = 0; i < 30; ++i) {
            const auto put = store->put(mail(std::to_string(i % 7), "new"));
            text += put ? 'w' : put.error().fault == Fault::throttling ? 't' : 'l';
            const auto page =
                store->query(from("Mails").index("ByState").partition("state", "new"));
            text += page ? std::to_string(page->items.size()) : "x";
        }
        write::Transaction clear;
        for (int i = 0; i < 7; ++i) clear.erase("Mails", {{"id", std::to_string(i)}});
        EXPECT_TRUE(engine->transact(clear));
        return text;
    };
    const auto first = story(7);
    EXPECT_EQ(story(7), first);
    EXPECT_NE(story(8), first);
}

}  // namespace
}  // namespace mailroom::table
