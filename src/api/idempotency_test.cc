#include "api/idempotency.h"

#include "kv/memory_store.h"
#include "schedule/watched_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

namespace mailroom::api {
namespace {

Response json_response(int status, std::string body) {
    Response response;
    response.status = status;
    response.body = std::move(body);
    return response;
}

class IdempotencyTest : public testing::Test {
protected:
    void SetUp() override {
        auto engine = table::Engine::open(rows_, clock_, random_);
        ASSERT_TRUE(engine) << engine.error().message;
        engine_ = *std::move(engine);
        open(Idempotency::Writers::only_this);
        key_.id = "01A";
    }
    // As a new process does.
    void open(Idempotency::Writers writers) {
        auto opened = Idempotency::open(*engine_, clock_, random_, writers);
        ASSERT_TRUE(opened) << opened.error().message;
        begin(*std::move(opened));
    }
    void begin(Idempotency opened) { idempotency_ = &lives_.emplace_back(std::move(opened)); }
    table::Item only_row() {
        table::Scan scan;
        scan.table = Idempotency::table_name;
        auto rows = engine_->scan(scan);
        EXPECT_TRUE(rows && rows->items.size() == 1);
        return rows ? rows->items.at(0) : table::Item();
    }

    struct Asked {
        std::optional<std::string> value = "first";
        std::string body = "{}";
        std::string route = "POST /v1/emails";
        std::string target = "/v1/emails";
    };
    static RoutedRequest routed_of(const Asked& asked) {
        RoutedRequest routed;
        routed.request.body = asked.body;
        routed.request.target = asked.target;
        if (asked.value) routed.request.headers.emplace_back("idempotency-key", *asked.value);
        return routed;
    }
    // What act() answers is `answer_`; it is counted.
    Response ask(const Asked& asked) {
        const auto routed = routed_of(asked);
        return idempotency_->run({routed, key_, asked.route}, [&](const auto& value) {
            EXPECT_EQ(value, asked.value);
            ++runs_;
            if (const auto during = std::exchange(during_, nullptr)) during();
            return answer_;
        });
    }
    std::optional<Once> once(const Asked& asked) {
        const auto routed = routed_of(asked);
        return idempotency_->once({routed, key_, asked.route});
    }
    // An effect with that id, and the answer that names it, in one transaction.
    bool keep(const Asked& asked, const std::string& id) {
        table::write::Transaction together;
        together.put("Effects", {{"Id", id}});
        once(asked)->keep_with(together, json_response(202, R"({"id":")" + id + R"("})"));
        return bool(engine_->transact(together));
    }
    static table::CreateTable effects() {
        table::CreateTable request;
        request.name = "Effects";
        request.attributes = {{"Id", table::Kind::string}};
        request.keys.hash = "Id";
        return request;
    }
    std::int64_t effect_count() { return engine_->describe_table("Effects")->item_count; }

    static bool is_replayed(const Response& response) {
        for (const auto& [name, value] : response.headers) {
            if (name == "Idempotent-Replayed" && value == "true") return true;
        }
        return false;
    }

    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    SeededRandom random_{1};
    kv::MemoryStore rows_;
    std::unique_ptr<table::Engine> engine_;
    std::deque<Idempotency> lives_;  // An earlier one may still be at work.
    Idempotency* idempotency_ = nullptr;
    ApiKey key_;
    Response answer_ = json_response(202, R"({"id":"1"})");
    std::function<void()> during_;
    int runs_ = 0;
};

TEST_F(IdempotencyTest, TheSameRequestGetsTheFirstAnswerForADay) {
    EXPECT_FALSE(is_replayed(ask({})));
    answer_ = json_response(202, R"({"id":"2"})");
    clock_.advance(Idempotency::kept_for - std::chrono::seconds(1));
    const auto again = ask({});
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.body, R"({"id":"1"})");
    EXPECT_TRUE(is_replayed(again));
    EXPECT_EQ(runs_, 1);

    clock_.advance(std::chrono::seconds(2));
    EXPECT_EQ(ask({}).body, R"({"id":"2"})");
    EXPECT_EQ(runs_, 2);
}

TEST_F(IdempotencyTest, WithoutTheHeaderEachRequestRuns) {
    EXPECT_EQ(ask({.value = std::nullopt}).status, 202);
    EXPECT_EQ(ask({.value = std::nullopt}).status, 202);
    EXPECT_EQ(runs_, 2);
}

TEST_F(IdempotencyTest, AnotherBodyOrQueryIsAConflictAndAnotherKeyOrRouteIsAnotherRequest) {
    ASSERT_EQ(ask({}).status, 202);
    EXPECT_EQ(ask({.body = "[]"}).status, 409);
    EXPECT_EQ(ask({.target = "/v1/emails?to=b@example.org"}).status, 409);
    EXPECT_EQ(runs_, 1);
    EXPECT_EQ(ask({.value = "second"}).status, 202);
    EXPECT_EQ(ask({.route = "POST /v1/emails/raw"}).status, 202);
    key_.id = "01B";
    EXPECT_EQ(ask({}).status, 202);
    EXPECT_EQ(runs_, 4);
}

TEST_F(IdempotencyTest, AnAnswerKeptWithItsEffectIsTheOnlyOneAndIsTold) {
    ASSERT_TRUE(engine_->create_table(effects()));
    EXPECT_TRUE(keep({}, "1"));
    EXPECT_FALSE(keep({}, "2"));
    EXPECT_FALSE(keep({.body = "[]"}, "3"));
    EXPECT_EQ(effect_count(), 1);
    const auto told = ask({});
    EXPECT_EQ(told.body, R"({"id":"1"})");
    EXPECT_TRUE(is_replayed(told));
    EXPECT_EQ(ask({.body = "[]"}).status, 409);
    EXPECT_EQ(runs_, 0);
    EXPECT_TRUE(keep({.value = "second"}, "4"));
    EXPECT_EQ(effect_count(), 2);
}

TEST_F(IdempotencyTest, NothingIsKeptWithAnEffectWhileAnotherTryRunsOrItsTimeIsNotOver) {
    ASSERT_TRUE(engine_->create_table(effects()));
    during_ = [&] { EXPECT_FALSE(keep({}, "1")); };
    EXPECT_EQ(ask({}).status, 202);
    EXPECT_FALSE(keep({}, "2"));
    EXPECT_EQ(effect_count(), 0);
    clock_.advance(Idempotency::kept_for + std::chrono::seconds(1));
    during_ = nullptr;
    EXPECT_EQ(ask({}).status, 202) << "whoever is refused asks again";
    EXPECT_EQ(runs_, 2);
}

TEST_F(IdempotencyTest, OnlyAGoodValueIsKeptWithAnEffect) {
    EXPECT_FALSE(once({.value = std::nullopt}));
    EXPECT_FALSE(once({.value = ""}));
    EXPECT_FALSE(once({.value = std::string(256, 'a')}));
    EXPECT_TRUE(once({}));
}

TEST_F(IdempotencyTest, WhatStillRunsIsAConflictAndWhatCrashedRunsAgain) {
    during_ = [this] {
        const auto meanwhile = ask({});
        EXPECT_EQ(meanwhile.status, 409);
        EXPECT_NE(meanwhile.body.find("in_progress"), std::string::npos);
        EXPECT_EQ(ask({.body = "[]"}).status, 409);
        EXPECT_EQ(runs_, 1);

        clock_.advance(Idempotency::running_max);
        EXPECT_EQ(ask({.body = "[]"}).status, 409) << "crashed or not, it was another request";
        answer_ = json_response(202, R"({"id":"of the second"})");
        EXPECT_EQ(ask({}).status, 202);
        answer_ = json_response(202, R"({"id":"of the first"})");
    };
    ASSERT_EQ(ask({}).status, 202);
    EXPECT_EQ(runs_, 2);
    EXPECT_EQ(ask({}).body, R"({"id":"of the second"})") << "the first came too late";
}

TEST_F(IdempotencyTest, WhatAnEarlierProcessBeganIsOverUnlessOthersMayBeAtWork) {
    for (const auto writers : {Idempotency::Writers::only_this, Idempotency::Writers::others}) {
        SCOPED_TRACE(static_cast<int>(writers));
        const bool others = writers == Idempotency::Writers::others;
        const Asked asked{.value = others ? "b" : "a"};
        open(writers);
        runs_ = 0;
        during_ = [&] {
            EXPECT_EQ(ask(asked).status, 409) << "it is at work";
            // It is killed here; the next one gets the same request.
            open(writers);
            EXPECT_EQ(ask({.value = asked.value, .body = "[]"}).status, 409);
            EXPECT_EQ(ask(asked).status, others ? 409 : 202);
        };
        EXPECT_EQ(ask(asked).status, 202);
        EXPECT_EQ(runs_, others ? 1 : 2);
    }
}

TEST_F(IdempotencyTest, ARowOfAnEarlierVersionThatStillRunsIsOver) {
    during_ = [this] {
        auto row = only_row();
        row.erase("Life").erase("Attempt");
        ASSERT_TRUE(engine_->put(table::write::Put(Idempotency::table_name, row)));
        open(Idempotency::Writers::only_this);
        EXPECT_EQ(ask({}).status, 202);
    };
    ask({});
    EXPECT_EQ(runs_, 2);
}

TEST_F(IdempotencyTest, AWriteWhoseAnswerWasLostIsRecognisedWhenItIsMadeAgain) {
    schedule::WatchedStore store(*engine_);
    store.repeats_puts = true;
    for (const auto writers : {Idempotency::Writers::only_this, Idempotency::Writers::others}) {
        auto opened = Idempotency::open(store, clock_, random_, writers);
        ASSERT_TRUE(opened);
        begin(*std::move(opened));
        const std::string value = "of " + std::to_string(static_cast<int>(writers));
        runs_ = 0;
        EXPECT_EQ(ask({.value = value}).status, 202) << "it is its own row";
        EXPECT_EQ(runs_, 1);
        EXPECT_TRUE(is_replayed(ask({.value = value})));
    }
}

TEST_F(IdempotencyTest, RefusalsOfTheClientAreKeptAndTroubleOfOursIsNot) {
    struct Case {
        int status;
        bool kept;
    };
    for (const auto& c : {Case{400, true}, {409, true}, {429, false}, {500, false}, {503, false}}) {
        const auto value = std::to_string(c.status);
        answer_ = error_response(c.status, "x", "x");
        EXPECT_EQ(ask({.value = value}).status, c.status);
        answer_ = json_response(202, "{}");
        EXPECT_EQ(ask({.value = value}).status, c.kept ? c.status : 202) << c.status;
    }
}

TEST_F(IdempotencyTest, ValuesAreOneTo255PrintableCharacters) {
    for (const auto& value : {std::string(), std::string(256, 'a'), std::string("caf\xc3\xa9"),
                              std::string("a\tb"), std::string(1, '\x7f')}) {
        EXPECT_EQ(ask({.value = value}).status, 400) << value;
    }
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(ask({.value = std::string(255, '~')}).status, 202);
}

}  // namespace
}  // namespace mailroom::api
