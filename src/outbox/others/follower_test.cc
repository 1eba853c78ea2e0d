#include "outbox/others/follower.h"

#include "outbox/accept/outbox_fixture.h"
#include "outbox/blobs/shared_files.h"
#include "outbox/others/followed_writes.h"
#include "outbox/others/seed_for_tests.h"
#include "table/guarded_store.h"

#include <filesystem>
#include <fstream>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using table::Item;
using table::Value;

// Our own kept in memory, others' in a directory.
class FollowerTest : public OutboxTest {
protected:
    void SetUp() override {
        OutboxTest::SetUp();
        std::filesystem::create_directories(directory);
        seed.emplace(*engine);
        use(directory);
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    void use(std::optional<std::filesystem::path> shared) {
        auto own = TableBlobs::open(*engine);
        ASSERT_TRUE(own);
        files.emplace(std::make_unique<TableBlobs>(*std::move(own)), std::move(shared));
    }

    std::string file(const std::string& name, const std::string& text) {
        const auto path = directory / name;
        std::ofstream(path) << text;
        return path.string();
    }
    std::string payload_of_seed(const std::string& more = R"("attachments":null)") {
        return R"({"id":")" + std::string(mail_a) +
               R"(","from":"a@example.com","reply_to":"r@example.com","to":"b@example.org",)"
               R"("subject":"Ciao","body_html":"","body_text":"Riga",)"
               R"("custom_headers":{"X-Camp":"7"},)" +
               more + "}";
    }

    Follower follower(FollowerOptions wanted = {.reads_shared = true}) {
        return {*ledger, *files, *schedule, clock, random, wanted};
    }
    bool follow(const std::string& id, FollowerOptions wanted = {.reads_shared = true}) {
        const auto followed = follower(wanted).follow(id);
        EXPECT_TRUE(followed) << followed.error().message;
        return followed && *followed;
    }
    // What is due for fetching.
    std::size_t take_in_shared() {
        net::HttpClient http({}, guard);
        schedule::Crew* running = nullptr;
        Fetching fetching(*ledger, *files, *schedule, http, clock, random, {},
                          [&] { return running->await(); });
        schedule::Crew crew(*schedule, clock,
                            {.queues = {std::string(fetching_queue)}, .threads = 0},
                            [&](schedule::JobInHand job) { fetching.run(std::move(job)); });
        running = &crew;
        return crew.run_due();
    }
    std::int64_t counted(State state) {
        const auto counts = ledger->counts();
        EXPECT_TRUE(counts);
        return counts ? counts->by_state[static_cast<std::size_t>(state)] : -1;
    }
    std::size_t listed(State state) {
        const auto page = ledger->list({.state = state}, 100, std::nullopt);
        EXPECT_TRUE(page);
        return page ? page->mails.size() : 0;
    }

    const std::filesystem::path directory = std::filesystem::temp_directory_path() /
                                            ("mailroom-follower-" + std::to_string(::getpid()));
    std::optional<SeedPrograms> seed;
    std::optional<SharedFiles> files;
};

TEST_F(FollowerTest, AMailThatTheSeedAcceptedIsTakenInOnceAndIsReadyToBeSent) {
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_EQ(take_in_shared(), 0u);
    EXPECT_TRUE(follow(mail_a));
    EXPECT_FALSE(follow(mail_a)) << "there is nothing to do any more";
    EXPECT_EQ(counted(State::accepted), 1);
    EXPECT_EQ(listed(State::accepted), 1u);
    EXPECT_EQ(take_in_shared(), 1u);
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready) << mail.reason;
    EXPECT_EQ(mail.sender, "a@example.com");
    ASSERT_EQ(mail.recipients.size(), 1u);
    EXPECT_EQ(mail.recipients[0].address, "b@example.org");
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    EXPECT_EQ(due(send_queue(Stream::transactional)), std::vector<std::string>{mail_a});
    const auto message = files->read(mail.eml_path);
    ASSERT_TRUE(message && *message);
    for (const auto* part : {"Subject: Ciao", "Reply-To: r@example.com", "X-Camp: 7", "Riga"}) {
        EXPECT_NE((*message)->find(part), std::string::npos) << part;
    }
}

TEST_F(FollowerTest, WhoComesSecondTakesNothingUp) {
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    // Another program's processor is faster.
    ASSERT_TRUE(seed->moves(mail_a, "INTAKING", ""));
    EXPECT_TRUE(follow(mail_a));
    EXPECT_EQ(counted(State::intaking), 1);
    clock.set(*parse_rfc3339("2025-11-20T10:20:00Z"));
    EXPECT_EQ(take_in_shared(), 0u) << "it may be working";
    clock.set(*parse_rfc3339("2025-11-20T10:31:00Z"));
    EXPECT_EQ(take_in_shared(), 1u) << "nobody comes back after so long";
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_FALSE(seed->moves(mail_a, "READY", "")) << "nor does who comes late";
}

TEST_F(FollowerTest, StepsOfOtherProgramsAreFollowedByListsAndCounts) {
    ASSERT_TRUE(seed->accepts(mail_a, "/nowhere.json"));
    for (const auto* state : {"INTAKING", "READY", "PROCESSING", "SENT", "CALLING-SENT-CALLBACK",
                              "SENT-ACKNOWLEDGED"}) {
        SCOPED_TRACE(state);
        ASSERT_TRUE(seed->moves(mail_a, state, ""));
        EXPECT_TRUE(follow(mail_a));
        EXPECT_EQ(counted(*state_named(state)), 1);
        EXPECT_EQ(listed(*state_named(state)), 1u);
        EXPECT_EQ(ledger->counts()->waiting(), is_settled(*state_named(state)) ? 0 : 1);
    }
    EXPECT_EQ(ledger->counts()->accepted_total, 1);
    EXPECT_EQ(ledger->counts()->sent_total, 1);
    EXPECT_TRUE(due(send_queue(Stream::transactional)).empty() ||
                found(mail_a).state == State::sent_acknowledged);
}

TEST_F(FollowerTest, AMessageThatTheSeedMadeIsSentToWhomItSays) {
    ASSERT_TRUE(seed->accepts(mail_a, "/nowhere.json"));
    ASSERT_TRUE(seed->moves(mail_a, "INTAKING", ""));
    ASSERT_TRUE(seed->readies(
        mail_a,
        file("a.EML", "From: a@example.com\r\nTo: b@example.org\r\nSubject: x\r\n\r\ny\r\n")));
    EXPECT_TRUE(follow(mail_a));
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.sender, "a@example.com");
    ASSERT_EQ(mail.recipients.size(), 1u);
    EXPECT_EQ(mail.recipients[0].address, "b@example.org");
    EXPECT_FALSE(mail.message_id.empty());
    EXPECT_EQ(due(send_queue(Stream::transactional)), std::vector<std::string>{mail_a});
}

TEST_F(FollowerTest, WhatCannotBeTakenInBecomesInvalidAndSaysWhy) {
    struct Case {
        const char* name;
        std::string path, want;
    };
    const Case cases[] = {
        {"no JSON", file("1", "Dear all"), "the payload is "},
        {"no object", file("2", "[1]"), "the mail must be an object"},
        {"unknown member", file("3", R"({"form":"a@example.com"})"), "form is not known"},
        {"no body",
         file("4", R"({"from":"a@example.com","to":"b@example.org","subject":"x",)"
                   R"("body_html":"","body_text":""})"),
         "body_text is empty, and so is body_html"},
        {"attachment that is not there", file("5", payload_of_seed(R"("attachments":["/no.pdf"])")),
         "attachments[0].path: "},
        {"outside", "/etc/hostname", "is not below outbox.shared_directory"},
        {"out by dots", (directory / "../x").string(), "is not below outbox.shared_directory"},
        {"no path", "", "the row names no payload"},
        {"a blob that is not there", "payload/x.json", "the payload is gone"},
    };
    int number = 0;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto id = "odd-" + std::to_string(++number);
        ASSERT_TRUE(seed->accepts(id, c.path));
        EXPECT_TRUE(follow(id));
        EXPECT_EQ(take_in_shared(), 1u);
        const auto mail = found(id);
        EXPECT_EQ(mail.state, State::invalid);
        EXPECT_NE(mail.reason.find(c.want), std::string::npos) << mail.reason;
    }
    EXPECT_EQ(counted(State::invalid), number);
}

TEST_F(FollowerTest, AFileThatANetworkDoesNotShowYetIsWaitedForAMoment) {
    file("another.json", payload_of_seed());
    ASSERT_TRUE(seed->accepts(mail_a, (directory / "late.json").string()));
    EXPECT_TRUE(follow(mail_a));
    take_in_shared();
    EXPECT_EQ(found(mail_a).state, State::accepted);
    EXPECT_NE(found(mail_a).reason.find("there is no file"), std::string::npos);
    file("late.json", payload_of_seed());
    clock.advance(60s);
    take_in_shared();
    EXPECT_EQ(found(mail_a).state, State::ready);

    ASSERT_TRUE(seed->accepts(mail_b, (directory / "never.json").string()));
    EXPECT_TRUE(follow(mail_b));
    for (int i = 0; i < 5; ++i) {
        take_in_shared();
        clock.advance(60s);
    }
    EXPECT_EQ(found(mail_b).state, State::invalid);
}

TEST_F(FollowerTest, WhileTheDirectoryIsNotMountedAMailWaitsForIt) {
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_TRUE(follow(mail_a));
    const auto away = directory.string() + "-away";
    std::filesystem::rename(directory, away);
    std::filesystem::create_directory(directory);  // As an empty mount point.
    for (int i = 0; i < 100; ++i) {
        take_in_shared();
        clock.advance(10min);
    }
    EXPECT_EQ(found(mail_a).state, State::accepted);
    EXPECT_NE(found(mail_a).reason.find("is its file system mounted?"), std::string::npos);
    std::filesystem::remove(directory);
    std::filesystem::rename(away, directory);
    EXPECT_EQ(take_in_shared(), 1u);
    EXPECT_EQ(found(mail_a).state, State::ready);
}

TEST_F(FollowerTest, OddRowsAreListedAsInvalidAndStayAsTheyAre) {
    const std::string long_id(600, 'i');
    const Item fine{{"Latest", "ACCEPTED"}, {"CreatedAt", "2025-11-20T10:00:00Z"}};
    const Item rows[] = {
        {{"Id", "1"}},
        {{"Id", "2"}, {"Attributes", "text"}},
        {{"Id", "3"}, {"Attributes", Value::map(Item{{"Latest", "SOMEWHERE"}})}},
        {{"Id", "4"}, {"Attributes", Value::map(Item{{"Latest", Value::null()}})}},
        {{"Id", long_id}, {"Attributes", Value::map(fine)}},
        {{"Id", "6"}, {"Attributes", Value::map(fine)}, {"Recipients", 7}},
    };
    for (auto item : rows) {
        const std::string id(*item.text("Id"));
        SCOPED_TRACE(id.substr(0, 20));
        item.set("Status", Value("_META"));
        ASSERT_TRUE(engine->put(put("EmailOutbox", item)));
        EXPECT_TRUE(follow(id));
        EXPECT_FALSE(follow(id));
        const auto mail = found(id);
        EXPECT_EQ(mail.state, State::invalid);
        EXPECT_FALSE(mail.reason.empty());
        EXPECT_EQ(row(id, "_META")->find("Attributes"), item.find("Attributes"));
        EXPECT_FALSE(row(id, "_META")->has("TTL"));
    }
    EXPECT_EQ(counted(State::invalid), 6);
    EXPECT_EQ(listed(State::invalid), 6u);
    EXPECT_TRUE(due(fetching_queue).empty());
    // It is mended by whoever wrote it.
    auto mended = rows[2];
    mended.set("Status", Value("_META")).set("Attributes", Value::map(fine));
    auto update = table::write::Update("EmailOutbox", {{"Id", "3"}, {"Status", "_META"}});
    update.set("Attributes", Value::map(fine));
    ASSERT_TRUE(engine->update(update));
    EXPECT_TRUE(follow("3"));
    EXPECT_EQ(counted(State::invalid), 5);
    EXPECT_EQ(due(fetching_queue), std::vector<std::string>{"3"});
}

TEST_F(FollowerTest, ARowWhoseTimeNoTableHeedsIsCountedAsItStays) {
    for (const std::int64_t ttl : {5, 0, -5}) {
        const auto id = "sent " + std::to_string(ttl);
        const Item attributes{{"Latest", "SENT"}, {"CreatedAt", "2025-11-20T10:00:00Z"}};
        ASSERT_TRUE(engine->put(put("EmailOutbox", {{"Id", id},
                                                    {"Status", "_META"},
                                                    {"Attributes", Value::map(attributes)},
                                                    {"TTL", ttl}})));
        EXPECT_TRUE(follow(id));
    }
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(listed(State::sent), 3u);
    EXPECT_EQ(counted(State::sent), 3);
    clock.advance(std::chrono::days(60));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(static_cast<std::size_t>(counted(State::sent)), listed(State::sent));
}

TEST_F(FollowerTest, AHugeRowNeitherStopsTheOthersNorIsLost) {
    Item attributes{{"Latest", "ACCEPTED"}, {"Reason", std::string(409'470, 'x')}};
    ASSERT_TRUE(engine->put(
        put("EmailOutbox",
            {{"Id", "huge"}, {"Status", "_META"}, {"Attributes", Value::map(attributes)}})));
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_TRUE(follower().look([] { return false; }));
    EXPECT_EQ(due(fetching_queue), std::vector<std::string>{mail_a});
    EXPECT_EQ(found("huge").state, State::accepted);
}

TEST_F(FollowerTest, MailsOfOthersAreOnlyListedIfTheyAreToBeLeft) {
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_TRUE(follow(mail_a, {.sends = false}));
    EXPECT_FALSE(follow(mail_a, {.sends = false}));
    EXPECT_TRUE(due(fetching_queue).empty());
    EXPECT_EQ(listed(State::accepted), 1u);
    EXPECT_TRUE(follow(mail_a)) << "and they are sent when that is wanted";
    EXPECT_EQ(due(fetching_queue), std::vector<std::string>{mail_a});
}

TEST_F(FollowerTest, WhatIsOutOfReachForLackOfASettingIsLeftToOthersAndSaysSo) {
    const auto path = file("a.json", payload_of_seed());
    ASSERT_TRUE(seed->accepts(mail_a, path));
    EXPECT_TRUE(follow(mail_a, {}));
    EXPECT_FALSE(follow(mail_a, {}));
    EXPECT_TRUE(due(fetching_queue).empty());
    EXPECT_EQ(found(mail_a).state, State::accepted);
    EXPECT_EQ(found(mail_a).reason,
              "left to others: " + path +
                  " is a file of another program, and outbox.shared_directory is not set");
    EXPECT_EQ(listed(State::accepted), 1u);
    // Their own processor goes on.
    ASSERT_TRUE(seed->moves(mail_a, "INTAKING", ""));
    ASSERT_TRUE(seed->readies(mail_a));
    EXPECT_TRUE(follow(mail_a, {}));
    EXPECT_TRUE(due(send_queue(Stream::transactional)).empty());
    EXPECT_TRUE(follow(mail_a)) << "the setting is made";
    EXPECT_EQ(due(send_queue(Stream::transactional)), std::vector<std::string>{mail_a});
    EXPECT_EQ(found(mail_a).reason, "");
}

TEST_F(FollowerTest, ALookFindsWhatNobodyTold) {
    ASSERT_TRUE(seed->accepts(mail_a, file("a.json", payload_of_seed())));
    ASSERT_TRUE(seed->accepts(mail_b, file("b.json", payload_of_seed())));
    ASSERT_TRUE(accept(minimal("33333333-2222-4333-8444-555555555555")));
    const auto never = [] { return false; };
    EXPECT_EQ(*follower().look(never), 2u);
    EXPECT_EQ(*follower().look(never), 0u);
}

TEST_F(FollowerTest, OurOwnMailThatTheSeedRequeuesIsSentAgainThoughItsJobIsOver) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    // It was sent, by a worker that ended its job.
    auto mail = found(mail_a);
    schedule::Transaction together;
    schedule->cancel(together, *mail.job);
    ledger->move(together, mail, State::processing, {});
    ASSERT_TRUE(schedule->commit(together));
    ASSERT_TRUE(seed->requeues(mail_a, "PROCESSING", "READY"));
    EXPECT_TRUE(follow(mail_a));
    EXPECT_EQ(due(send_queue(Stream::transactional)), std::vector<std::string>{mail_a});
    EXPECT_EQ(counted(State::ready), 1);
    EXPECT_EQ(counted(State::processing), 0);
}

TEST_F(FollowerTest, WhatWasSettledJustNowIsToldIfThereIsAUrlAndWhatIsOldIsNot) {
    ASSERT_TRUE(seed->accepts(mail_a, "/x"));
    ASSERT_TRUE(seed->moves(mail_a, "FAILED", "SMTP error 550: x"));
    ASSERT_TRUE(seed->accepts(mail_b, "/x"));
    ASSERT_TRUE(seed->moves(mail_b, "SENT", ""));
    clock.set(*parse_rfc3339("2025-11-20T10:01:00Z"));
    EXPECT_TRUE(follow(mail_a, {.calls_back = true}));
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
    clock.advance(48h);
    EXPECT_TRUE(follow(mail_b, {.calls_back = true}));
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
}

// Through the door that strangers use.
class FollowedWritesTest : public FollowerTest {
protected:
    void start() {
        followed.reset();
        plain.emplace(follower());
        followed = std::make_unique<FollowedWrites>(
            *plain, *ledger, *engine,
            FollowedWritesOptions{.quiet = 1ms, .again = 1ms, .between_recounts = 1ms});
        watch = followed.get();
        strangers.emplace(*engine, table::TableGuard(own, nullptr), table::WriteWatches(&watch, 1));
        outside.emplace(*strangers);
    }
    void TearDown() override {
        followed.reset();
        FollowerTest::TearDown();
    }
    template <class Condition>
    static bool eventually(Condition condition) {
        for (int i = 0; i < 20'000'000; ++i) {
            if (condition()) return true;
            std::this_thread::yield();
        }
        return false;
    }
    std::string mark() { return ledger->mark("Followed")->value_or("none"); }

    const table::OwnTables own;
    std::optional<Follower> plain;
    std::unique_ptr<FollowedWrites> followed;
    table::WriteWatch* watch = nullptr;
    std::optional<table::GuardedStore> strangers;
    std::optional<SeedPrograms> outside;
};

TEST_F(FollowedWritesTest, WhatIsWrittenIsFollowedAtOnceAndThenTheMarkSaysSo) {
    start();
    followed->start();
    ASSERT_TRUE(outside->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_TRUE(eventually([&] { return found(mail_a).job.has_value(); }));
    ASSERT_TRUE(engine->put(put("Other", {})).error().message.size() > 0);
    EXPECT_TRUE(eventually([&] { return mark() == "all"; }));
}

TEST_F(FollowedWritesTest, WhatWasWrittenBeforeACrashIsFoundAtTheNextStart) {
    start();
    followed->start();
    EXPECT_TRUE(eventually([&] { return mark() == "all"; }));
    followed->stop();
    // Nobody follows any more, as when the process is killed right after the write.
    ASSERT_TRUE(outside->accepts(mail_a, file("a.json", payload_of_seed())));
    EXPECT_EQ(mark(), "some");
    EXPECT_FALSE(found(mail_a).job);
    start();
    followed->start();
    EXPECT_TRUE(eventually([&] { return found(mail_a).job.has_value(); }));
    EXPECT_TRUE(eventually([&] { return mark() == "all"; }));
}

TEST_F(FollowedWritesTest, RowsThatAreDeletedOrReplacedAreNotCountedForEver) {
    start();
    followed->start();
    ASSERT_TRUE(outside->accepts(mail_a, file("a.json", payload_of_seed())));
    ASSERT_TRUE(outside->accepts(mail_b, file("b.json", payload_of_seed())));
    EXPECT_TRUE(eventually([&] { return counted(State::accepted) == 2; }));
    ASSERT_TRUE(strangers->erase(
        table::write::Erase("EmailOutbox", {{"Id", mail_a}, {"Status", "_META"}})));
    EXPECT_TRUE(eventually([&] { return counted(State::accepted) == 1; }));
    const Item attributes{{"Latest", "SENT"}, {"UpdatedAt", "2025-11-20T10:00:00Z"}};
    ASSERT_TRUE(strangers->put(
        put("EmailOutbox",
            {{"Id", mail_b}, {"Status", "_META"}, {"Attributes", Value::map(attributes)}})));
    EXPECT_TRUE(
        eventually([&] { return counted(State::accepted) == 0 && counted(State::sent) == 1; }));
}

TEST_F(FollowedWritesTest, AStoreThatFailsForAWhileLosesNothing) {
    start();
    ASSERT_TRUE(outside->accepts(mail_a, file("a.json", payload_of_seed())));
    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    followed->start();
    EXPECT_TRUE(eventually([&] { return found(mail_a).job.has_value(); }));
}

}  // namespace
}  // namespace mailroom::outbox
