// From the link in a mail to the event.
#include "engagement/tracking/tracking.h"

#include "base/time_format.h"
#include "engagement/tracking/account_for_tests.h"
#include "engagement/tracking/tracking_routes.h"
#include "kv/memory_store.h"
#include "schedule/crew.h"
#include "table/engine/engine.h"
#include "table/records/ensure_table.h"
#include "table/write_builder.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace mailroom::engagement {
namespace {

using namespace std::chrono_literals;

constexpr const char* table_name = "MailroomEngagement";
constexpr const char* mail = "0191d6f0-1234-7abc-8def-0123456789ab";
constexpr const char* other = "0191d6f0-1234-7abc-8def-0123456789ac";
constexpr const char* firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0";

class TrackingTest : public ::testing::Test {
protected:
    void SetUp() override {
        engine = *table::Engine::open(kv, clock, random);
        ASSERT_TRUE(table::ensure_table(
            *engine, table::own_table(table_name,
                                      {{"PK", table::Kind::string}, {"SK", table::Kind::string}})));
        start();
        account.know(mail, "ann@example.com");
    }
    // As after the process was killed, too.
    void start(bool has_thread = false) {
        crew.reset();
        digest.reset();
        journal.reset();
        schedule.reset();
        recent = std::make_unique<RecentHits>();
        schedule = *schedule::Schedule::open(*engine, clock, random);
        journal.emplace(*schedule, *recent, clock, random,
                        HitJournalOptions{.table = table_name,
                                          .waiting_max = waiting_max,
                                          .row_bytes_max = row_bytes_max,
                                          .has_thread = has_thread});
        digest.emplace(
            *engine, *schedule, clock, account, *recent, table_name,
            [this](const std::string& email) -> Result<bool> { return email != unwilling; });
        crew.emplace(*schedule, clock,
                     schedule::CrewOptions{.queues = {std::string(hits_queue)}, .threads = 0},
                     [this](schedule::JobInHand job) { digest->run(std::move(job)); });
        crew->start();
        api.emplace();
        add_tracking_routes(
            *api,
            {tokens, settings, *journal, clock, [](const auto& asked) {
                 return program::Rendered{404, "text/html", "bad " + asked.path.front().second};
             }});
    }

    struct Answered {
        std::optional<program::Rendered> rendered;
        std::string location() const {
            for (const auto& [name, value] : rendered->headers) {
                if (name == "Location") return value;
            }
            return "";
        }
    };
    std::shared_ptr<Answered> get(const std::string& path, const std::string& token,
                                  program::Pairs headers = {{"User-Agent", firefox}},
                                  std::string_view method = "GET") {
        auto answered = std::make_shared<Answered>();
        const program::Actor nobody;
        const program::Pairs path_values = {{"token", token}}, query;
        for (const auto& route : api->routes()) {
            if (route.path != path) continue;
            const program::Asked asked{path_values, query, "", nobody, "", method, "", &headers};
            auto start = route.start(asked, nullptr, [answered](auto found) {
                answered->rendered = std::get<program::Rendered>(found);
            });
            if (auto* now = std::get_if<program::Rendered>(&start)) answered->rendered = *now;
        }
        return answered;
    }
    std::shared_ptr<Answered> open(const std::string& id = mail) {
        return get("/t/o/{token}", *tokens.make(OpenToken{id}));
    }
    std::shared_ptr<Answered> click(std::uint16_t link = 0,
                                    const std::string& url = "https://a.example/?b=1#c") {
        return get("/t/c/{token}", *tokens.make(ClickToken{mail, link, url}));
    }
    void digest_all() {
        journal->write();
        for (int i = 0; i < 4; ++i) {
            clock.advance(digest_pause);
            crew->run_due();
        }
    }
    std::size_t rows() {
        table::Scan all;
        all.table = table_name;
        return (*engine->scan(all)).items.size();
    }

    kv::MemoryStore kv;
    ManualClock clock{*parse_rfc3339("2026-03-01T10:00:00Z")};
    SeededRandom random{7};
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<schedule::Schedule> schedule;
    Tokens tokens{*TokenKeys::make({{1, "the first of our secrets"}})};
    TrackingSettings settings;
    AccountForTests account;
    std::unique_ptr<RecentHits> recent;
    std::size_t waiting_max = 1000, row_bytes_max = 200'000;
    std::string unwilling = "nobody";
    std::optional<HitJournal> journal;
    std::optional<HitDigest> digest;
    std::optional<schedule::Crew> crew;
    std::optional<program::Api> api;
};

TEST_F(TrackingTest, AnOpenIsDurableBeforeThePictureIsAnswered) {
    const auto answered = open();
    EXPECT_FALSE(answered->rendered);
    EXPECT_EQ(journal->write(), 1U);
    ASSERT_TRUE(answered->rendered);
    EXPECT_EQ(answered->rendered->status, 200);
    EXPECT_EQ(answered->rendered->content_type, "image/gif");
    EXPECT_EQ(answered->rendered->body.size(), 43U);
    EXPECT_EQ(rows(), 1U);
}

TEST_F(TrackingTest, AClickLeadsWhereItWasToLeadAndBecomesAnEvent) {
    const auto at = clock.now();
    const auto answered = click(3);
    journal->write();
    EXPECT_EQ(answered->rendered->status, 302);
    EXPECT_EQ(answered->location(), "https://a.example/?b=1#c");
    digest_all();
    ASSERT_EQ(account.happenings.size(), 1U);
    const auto& event = account.happenings[0];
    EXPECT_EQ(event.type, EventType::click);
    EXPECT_EQ(event.at, at);
    EXPECT_EQ(event.mail_id, mail);
    EXPECT_EQ(event.link_url, "https://a.example/?b=1#c");
    EXPECT_EQ(event.user_agent, firefox);
    EXPECT_FALSE(event.is_machine);
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, WhatIsNoTokenOfThatKindIsRefusedAndNotNoted) {
    const auto a_click = *tokens.make(ClickToken{mail, 0, "https://a.example"});
    const auto an_open = *tokens.make(OpenToken{mail});
    auto forged = a_click;
    forged[30] = forged[30] == 'A' ? 'B' : 'A';
    for (const auto& [path, token] :
         std::vector<std::pair<std::string, std::string>>{{"/t/c/{token}", forged},
                                                          {"/t/c/{token}", an_open},
                                                          {"/t/c/{token}", "https://evil.example"},
                                                          {"/t/o/{token}", a_click},
                                                          {"/t/o/{token}", "x"}}) {
        const auto answered = get(path, token);
        ASSERT_TRUE(answered->rendered);
        EXPECT_EQ(answered->rendered->status, 404);
        EXPECT_EQ(answered->location(), "");
        EXPECT_EQ(answered->rendered->body == "bad " + token, path == "/t/c/{token}");
    }
    EXPECT_EQ(journal->write(), 0U);
}

TEST_F(TrackingTest, HitsThatComeTogetherAreOneRowAndEachAnEventOfItsOwn) {
    for (int i = 0; i < 5; ++i) {
        open();
        click();
    }
    EXPECT_EQ(journal->write(), 1U);
    EXPECT_EQ(rows(), 1U);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 10U);
    EXPECT_EQ(account.calls, 1);
}

TEST_F(TrackingTest, ARowHoldsNoMoreThanItCan) {
    row_bytes_max = 1000;
    start();
    for (int i = 0; i < 100; ++i) click();
    EXPECT_GT(journal->write(), 10U);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 100U);
}

TEST_F(TrackingTest, MachinesAreToldApart) {
    get("/t/c/{token}", *tokens.make(ClickToken{mail, 0, "https://a.example"}),
        {{"User-Agent", firefox}}, "HEAD");
    get("/t/o/{token}", *tokens.make(OpenToken{mail}),
        {{"User-Agent", firefox}, {"Sec-Purpose", "prefetch;anonymous-client-ip"}});
    clock.advance(1min);
    click(1);
    click(2);
    clock.advance(1min);
    click(1);
    digest_all();
    std::vector<std::string> reasons;
    for (const auto& event : account.happenings) {
        EXPECT_EQ(event.is_machine, !event.machine_reason.empty());
        reasons.push_back(event.machine_reason);
    }
    EXPECT_EQ(reasons, (std::vector<std::string>{"head", "prefetch", "burst", "burst", ""}));
}

// Whatever the process did in between: the hit was answered.
TEST_F(TrackingTest, WhatWasAnsweredBecomesAnEventAfterAKillAndABurstIsStillOne) {
    click(1);
    journal->write();
    click(2);
    journal->write();
    start();
    clock.advance(24h);
    digest_all();
    ASSERT_EQ(account.happenings.size(), 2U);
    EXPECT_EQ(account.happenings[0].machine_reason, "burst");
    EXPECT_EQ(account.happenings[1].machine_reason, "burst");
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, WhileManyComeTheirEventsAreMadeLaterAndNoneIsLost) {
    open();
    const auto many = static_cast<std::size_t>(busy_hits_per_second / 10);
    for (std::size_t i = 0; i < many; ++i) open();
    clock.advance(100ms);
    open();
    digest_all();
    EXPECT_TRUE(account.happenings.empty());
    open(mail);
    clock.advance(busy_digest_pause);
    digest_all();
    EXPECT_EQ(account.happenings.size(), many + 3);
    EXPECT_EQ(digest->counts().ended, many + 3);
    EXPECT_GE(digest->delay(), 3s);
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, FewHitsDoNotMakeTheirEventsLate) {
    for (int i = 0; i < 20; ++i) {
        open();
        clock.advance(100ms);
    }
    digest_all();
    EXPECT_EQ(account.happenings.size(), 20U);
}

TEST_F(TrackingTest, ABurstIsStillKnownWhenItIsJudgedLate) {
    click(1);
    click(2);
    journal->write();
    clock.advance(10min);
    open(other);
    digest_all();
    ASSERT_EQ(account.happenings.size(), 2U);
    EXPECT_EQ(account.happenings[0].machine_reason, "burst");
    EXPECT_EQ(account.happenings[1].machine_reason, "burst");
}

TEST_F(TrackingTest, ADigestThatIsInterruptedDoesNotDoubleAnEvent) {
    open();
    account.broken = true;
    digest_all();
    EXPECT_TRUE(account.happenings.empty());
    EXPECT_EQ(rows(), 1U);
    account.broken = false;
    clock.advance(1h);
    digest_all();
    start();
    clock.advance(1h);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 1U);
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, AHitOfAMailThatIsNotKnownYetWaitsAndOneOfAForgottenMailGoes) {
    open(other);
    open(mail);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 1U);
    account.know(other, "bo@example.com");
    clock.advance(1min);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 2U);
    account.mails.clear();
    open();
    digest_all();
    EXPECT_EQ(rows(), 1U);
    clock.advance(unknown_mail_patience);
    digest_all();
    EXPECT_EQ(rows(), 0U);
    EXPECT_EQ(account.happenings.size(), 2U);
    EXPECT_EQ(digest->counts().of_unknown_mails, 1U);
}

TEST_F(TrackingTest, NothingIsKeptOfWhoDoesNotWantToBeTracked) {
    unwilling = "ann@example.com";
    account.know(other, "bo@example.com");
    const auto answered = click();
    open(other);
    digest_all();
    EXPECT_EQ(answered->location(), "https://a.example/?b=1#c");
    ASSERT_EQ(account.happenings.size(), 1U);
    EXPECT_EQ(account.happenings[0].mail_id, other);
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, WhereTrackingIsOffLinksStillLeadOnAndNothingIsNoted) {
    settings.opens = settings.clicks = false;
    EXPECT_EQ(click()->location(), "https://a.example/?b=1#c");
    EXPECT_EQ(open()->rendered->status, 200);
    EXPECT_EQ(journal->write(), 0U);
}

TEST_F(TrackingTest, OneThatCannotBeAnEventDoesNotKeepTheOthersFromBeingSome) {
    account.know(other, "gone@example.com");
    account.wrong_mail = other;
    open(mail);
    open(other);
    open(mail);
    digest_all();
    EXPECT_EQ(account.happenings.size(), 2U);
    EXPECT_EQ(rows(), 0U);
}

TEST_F(TrackingTest, WhoeverFollowsALinkGetsThereEvenIfItCannotBeStored) {
    ASSERT_TRUE(engine->delete_table(table_name));
    const auto answered = click();
    journal->write();
    EXPECT_EQ(answered->location(), "https://a.example/?b=1#c");
    EXPECT_EQ(journal->counts().lost, 1U);
}

TEST_F(TrackingTest, MoreThanPeopleDoIsAnsweredAndNotStored) {
    for (std::size_t i = 0; i < RecentHits::of_a_mail_max + 5; ++i) open();
    EXPECT_EQ(journal->counts().too_many, 5U);
    journal->write();
    EXPECT_EQ(journal->counts().kept, RecentHits::of_a_mail_max);
    waiting_max = 2;
    start();
    for (int i = 0; i < 5; ++i) click();
    EXPECT_EQ(journal->counts().lost, 3U);
}

TEST_F(TrackingTest, StrangeWordsOfABrowserDoNoHarm) {
    get("/t/o/{token}", *tokens.make(OpenToken{mail}),
        {{"User-Agent", "Moz\xff\xfeilla" + std::string(5000, 'x')}});
    digest_all();
    ASSERT_EQ(account.happenings.size(), 1U);
    EXPECT_EQ(account.happenings[0].user_agent.size(), agent_bytes_max);
    EXPECT_TRUE(account.happenings[0].user_agent.starts_with("Moz??illa"));
}

TEST_F(TrackingTest, ARowThatNobodyCanReadIsLaidAside) {
    open();
    journal->write();
    table::Scan all;
    all.table = table_name;
    auto row = (*engine->scan(all)).items.front();
    row.set("hits", table::Value("text"));
    ASSERT_TRUE(engine->put(table::write::Put(table_name, row)));
    digest_all();
    EXPECT_EQ((*schedule->dead(hits_queue, 10, {})).jobs.size(), 1U);
}

// As in the server: many ask while rows are written.
TEST_F(TrackingTest, EveryHitOfManyThreadsIsAnsweredOnceAndNoted) {
    constexpr int threads = 8, hits = 200;
    waiting_max = threads * hits;
    start(true);
    std::vector<std::string> ids;
    for (int i = 0; i < threads; ++i) {
        ids.push_back("0191d6f0-1234-7abc-8def-01234567890" + std::to_string(i));
        account.know(ids.back(), "ann@example.com");
    }
    std::atomic<int> told = 0, kept = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) {
        all.emplace_back([&, i] {
            for (int n = 0; n < hits; ++n) {
                Hit hit;
                hit.at = clock.now();
                hit.mail_id = ids[static_cast<std::size_t>(i)];
                journal->add(std::move(hit), [&](HitJournal::Kept how) {
                    ++told;
                    if (how == HitJournal::Kept::yes) ++kept;
                });
            }
        });
    }
    for (auto& thread : all) thread.join();
    // Its end waits for those that are not answered yet.
    start();
    EXPECT_EQ(told, threads * hits);
    EXPECT_EQ(kept, threads * hits);
    digest_all();
    EXPECT_EQ(account.happenings.size(), static_cast<std::size_t>(threads * hits));
}

}  // namespace
}  // namespace mailroom::engagement
