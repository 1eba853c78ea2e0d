#include "outbox/others/follower.h"
#include "outbox/others/seed_for_tests.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

using namespace std::chrono_literals;
using outbox::FakeTransport;

class DeliveriesTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    Draft approved() { return taken(approve(taken(draft(ReminderType::first)))); }
    // As an earlier version left it: nobody follows the mail, and a job looks at it.
    Draft approved_by_an_earlier_version() {
        auto draft = approved();
        taken(engine->update(
            table::write::Update("EmailOutbox", {{"Id", draft.mail_id}, {"Status", "_META"}})
                .remove("Follow")));
        schedule::Transaction together;
        books->schedule.add(together, {.queue = std::string(delivery_queue),
                                       .key = draft.id,
                                       .due = clock.now(),
                                       .data = {{"Looks", 3}}});
        taken(books->schedule.commit(together));
        return draft;
    }
    DraftStatus status(const Draft& draft) { return taken(drafts->find(draft.id)).status; }
    std::size_t sent_records() { return rows("CUSTOMER#cust_001", "SENT#").size(); }
    // Nothing is left to be told, whenever.
    std::size_t jobs_left() {
        std::size_t left = 0;
        for (int i = 0; i < 20; ++i) {
            clock.advance(1h);
            left += crew->run_due();
        }
        return left;
    }
};

TEST_F(DeliveriesTest, AnOutcomeIsToldOnceWheneverTheServerStops) {
    const auto draft = approved();
    node->run_due();
    EXPECT_EQ(status(draft), DraftStatus::approved);
    restart();
    EXPECT_EQ(crew->run_due(), 1u);
    EXPECT_EQ(status(draft), DraftStatus::sent);
    restart();
    EXPECT_EQ(crew->run_due(), 0u);
    EXPECT_EQ(sent_records(), 1u);
    EXPECT_EQ(counted("2025-09-01", counter::sent), 1);
    EXPECT_EQ(jobs_left(), 0u);
}

TEST_F(DeliveriesTest, NothingAsksAboutAMailThatWaits) {
    transport.say({FakeTransport::refused(451, "later")});
    approved();
    node->run_due();
    EXPECT_EQ(jobs_left(), 0u);
}

TEST_F(DeliveriesTest, WhatAnotherProgramMadeOfTheMailComesToTheDraft) {
    outbox::SeedPrograms seed(*engine);
    outbox::Follower follower(node->ledger, node->blobs, *node->schedule, clock, random, {});
    const auto draft = approved();
    ASSERT_TRUE(seed.moves(draft.mail_id, "PROCESSING", ""));
    ASSERT_TRUE(seed.moves(draft.mail_id, "SENT", ""));
    ASSERT_TRUE(taken(follower.follow(draft.mail_id)));
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(status(draft), DraftStatus::sent);
    EXPECT_EQ(sent_records(), 1u);
    EXPECT_EQ(counted("2025-11-20", counter::sent), 1) << "when that program says";
    EXPECT_EQ(jobs_left(), 0u);
}

TEST_F(DeliveriesTest, ADraftIsCancelledTogetherWithItsMail) {
    const auto draft = approved();
    const auto cancelled = deliveries->cancel(draft.id, "paid by phone", bob);
    ASSERT_EQ(code(cancelled), "ok");
    run();
    const auto now = taken(drafts->find(draft.id));
    EXPECT_EQ(now.status, DraftStatus::cancelled);
    EXPECT_EQ(now.reason, "paid by phone");
    EXPECT_EQ(counted("2025-09-01", counter::cancelled), 1);
    EXPECT_EQ(jobs_left(), 0u);
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(DeliveriesTest, AnAnswerAfterTheMailHasExpiredIsTakenAllTheSame) {
    const auto draft = approved();
    node->run_due();
    for (const auto* row : {"_META", "ACCEPTED", "INTAKING", "READY", "PROCESSING", "SENT"}) {
        taken(engine->erase(
            table::write::Erase("EmailOutbox", {{"Id", draft.mail_id}, {"Status", row}})));
    }
    run();
    EXPECT_EQ(status(draft), DraftStatus::sent);
    EXPECT_EQ(sent_records(), 1u);
}

TEST_F(DeliveriesTest, AReminderOfAnEarlierVersionComesToItsEnd) {
    const auto draft = approved_by_an_earlier_version();
    transport.say({FakeTransport::refused(451, "later")});
    run();
    EXPECT_EQ(status(draft), DraftStatus::approved);
    for (int i = 0; i < 30 && status(draft) != DraftStatus::sent; ++i) {
        clock.advance(5min);
        run();
    }
    EXPECT_EQ(status(draft), DraftStatus::sent);
    EXPECT_EQ(sent_records(), 1u);
    EXPECT_EQ(counted("2025-09-01", counter::sent), 1);
    EXPECT_EQ(jobs_left(), 0u);
}

TEST_F(DeliveriesTest, AReminderOfAnEarlierVersionIsFollowedFromItsNextAttemptOn) {
    struct Case {
        const char* name;
        FakeTransport::Answer answer;
        std::int64_t failed;
    };
    auto refused = FakeTransport::refused(554, "not today");
    refused.stage = smtp::Stage::message;
    const Case cases[] = {{"failed", {refused}, 1}, {"held", {FakeTransport::nobody_knows()}, 0}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        fresh();
        const auto draft = approved_by_an_earlier_version();
        transport.say(c.answer);
        run();
        ASSERT_EQ(code(deliveries->retry(draft.id, std::nullopt, bob)), "ok");
        run();
        EXPECT_EQ(status(draft), DraftStatus::sent);
        EXPECT_EQ(sent_records(), 1u);
        jobs_left();
        EXPECT_EQ(jobs_left(), 0u);
        EXPECT_EQ(counted("2025-09-01", counter::failed), c.failed);
        EXPECT_EQ(counted("2025-09-01", counter::sent), 1);
    }
}

TEST_F(DeliveriesTest, AReminderOfAnEarlierVersionIsCancelledAsOthersAre) {
    const auto draft = approved_by_an_earlier_version();
    ASSERT_EQ(code(deliveries->cancel(draft.id, "paid by phone", bob)), "ok");
    run();
    EXPECT_EQ(taken(drafts->find(draft.id)).reason, "paid by phone");
    EXPECT_EQ(counted("2025-09-01", counter::cancelled), 1);
    EXPECT_EQ(jobs_left(), 0u);
}

}  // namespace
}  // namespace mailroom::reminders
