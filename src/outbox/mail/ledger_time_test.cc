// What becomes of mails and counts as time goes by.
#include "outbox/accept/outbox_fixture.h"

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using table::Item;
using table::Value;

class LedgerTimeTest : public OutboxTest {
protected:
    void pass(std::chrono::hours time) {
        // As a server that runs: what waits is seen to each day, and what is over goes.
        for (auto left = time; left > 0h; left -= std::min<std::chrono::hours>(left, 24h)) {
            clock.advance(std::min<std::chrono::hours>(left, 24h));
            ASSERT_TRUE(outbox->keep_what_waits([] { return false; }));
            ASSERT_TRUE(engine->sweep_expired(1'000'000));
        }
    }
    void expect_counts_as_in_table() {
        Counts want;
        table::Scan scan;
        scan.table = "EmailOutbox";
        const auto rows = engine->scan(scan);
        ASSERT_TRUE(rows && !rows->last_key);
        for (const auto& item : rows->items) {
            if (item.text("Status") != "_META") continue;
            const auto mail = found(std::string(*item.text("Id")));
            ++want.by_state[static_cast<std::size_t>(mail.state)];
            if (mail.held) ++want.held;
        }
        const auto counts = ledger->counts();
        ASSERT_TRUE(counts);
        EXPECT_EQ(counts->by_state, want.by_state);
        EXPECT_EQ(counts->held, want.held);
    }
    std::string id_of(int number) {
        return std::string("00000000-0000-4000-8000-00000000000") + std::to_string(number);
    }
    // One mail in each of these, and a held one.
    void fill() {
        int number = 0;
        for (const auto state : {State::accepted, State::ready, State::sent, State::failed,
                                 State::invalid, State::cancelled, State::sent_acknowledged}) {
            mail_in(state, id_of(number++));
        }
        ASSERT_TRUE(accept(minimal(mail_a)));
        auto mail = found(mail_a);
        ASSERT_TRUE(move(mail, State::processing));
        ASSERT_TRUE(apply(mail, {.reason = "unknown: x", .held = true}));
    }
};

TEST_F(LedgerTimeTest, WhatWaitsStaysAndWhatIsSettledGoesAndTheCountsAreThoseOfTheTable) {
    fill();
    expect_counts_as_in_table();
    for (const auto time : {24h, 24 * 6h, 24 * 22h, 24 * 2h, 24 * 365h}) {
        SCOPED_TRACE(time.count());
        pass(time);
        expect_counts_as_in_table();
        EXPECT_EQ(ledger->counts()->held, 1);
        EXPECT_EQ(ledger->counts()->waiting(), 3);
    }
    EXPECT_EQ(*ledger->find(id_of(2)), std::nullopt) << "SENT, a year ago";
    EXPECT_EQ(ledger->counts()->sent_total, 2) << "totals are for ever";
    // The held one can still be sent again, and its history is whole.
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING PROCESSING READY _META");
    EXPECT_TRUE(outbox->payload(found(mail_a))->has_value());
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_FALSE(message_of(mail_a).empty());
    expect_counts_as_in_table();
}

TEST_F(LedgerTimeTest, WhatAHeldMailHasGoneThroughStaysAsLongAsTheMail) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    auto mail = found(mail_a);
    ASSERT_TRUE(move(mail, State::processing));
    schedule::Transaction together;
    ledger->change(together, mail, {.reason = "unknown: x", .held = true});
    ledger->log(together, mail,
                {.at = clock.now(), .what = "hold", .text = "x", .transcript = "S: 220 hi\n"});
    ASSERT_TRUE(schedule->commit(together));
    // More than one transaction takes.
    for (int i = 0; i < 130; ++i) {
        schedule::Transaction one;
        ledger->log(one, mail, {.at = clock.now(), .what = "attempt", .text = std::to_string(i)});
        ASSERT_TRUE(schedule->commit(one));
    }
    for (const auto time : {24 * 60h, 24 * 340h}) {
        pass(time);
        const auto history = ledger->history(mail_a);
        ASSERT_TRUE(history && *history);
        ASSERT_EQ((*history)->log.size(), 131u);
        EXPECT_EQ((*history)->log[0].transcript, "S: 220 hi\n");
        EXPECT_EQ((*history)->states.size(), 4u);
    }
}

// The mail was sent; whoever was to be told of it did not answer for a day.
TEST_F(LedgerTimeTest, AMailWhoseCallbackWasGivenUpGoesInItsTime) {
    mail_in(State::calling_sent_callback);
    pass(24 * 29h);
    EXPECT_EQ(found(mail_a).state, State::calling_sent_callback);
    pass(24 * 2h);
    EXPECT_EQ(*ledger->find(mail_a), std::nullopt);
    expect_counts_as_in_table();
}

TEST_F(LedgerTimeTest, ACallbackThatWasGivenUpIsForgottenWithItsMailOrWhenItIsMadeAgain) {
    for (const auto& id : {mail_a, mail_b}) {
        auto mail = mail_in(State::calling_sent_callback, id);
        schedule::Transaction added;
        schedule->add(added, {.queue = std::string(callback_queue), .key = id, .due = clock.now()});
        ASSERT_TRUE(schedule->commit(added));
    }
    schedule::Crew crew(*schedule, clock, {.queues = {std::string(callback_queue)}, .threads = 0},
                        [&](const schedule::JobInHand& job) {
                            schedule::Transaction together;
                            job->bury(together, "given up after 1 day: nobody answers");
                            ASSERT_TRUE(schedule->commit(together));
                        });
    crew.start();
    ASSERT_EQ(crew.run_due(), 2u);
    const auto given_up = [&] {
        std::string ids;
        const auto page = schedule->dead(callback_queue, 10, std::nullopt);
        for (const auto& job : page->jobs) ids += job.key == mail_a ? "a" : "b";
        return ids;
    };
    pass(24 * 20h);
    EXPECT_EQ(given_up(), "ab");
    ASSERT_TRUE(outbox->retry(mail_b));
    pass(24h);
    EXPECT_EQ(given_up(), "a") << "the other is being made again";
    pass(24 * 12h);
    EXPECT_EQ(given_up(), "") << "nobody can be told of a mail that is gone";
}

TEST_F(LedgerTimeTest, ASettledMailGoesInTheHourThatItsTimeIsOver) {
    auto mail = mail_in(State::ready);
    pass(24 * 3h);
    mail = found(mail_a);
    ASSERT_TRUE(move(mail, State::processing));
    ASSERT_TRUE(move(mail, State::sent));
    EXPECT_FALSE(row(mail_a, "_META")->has("KeepUntil"));
    EXPECT_EQ(row(mail_a, "_META")->integer("TTL"), mail.expires_seconds);
    clock.set(from_unix_ms((mail.expires_seconds - 1) * 1000));
    ASSERT_TRUE(engine->sweep_expired(1000));
    expect_counts_as_in_table();
    EXPECT_EQ(found(mail_a).state, State::sent);
    clock.advance(1h + 1s);
    ASSERT_TRUE(engine->sweep_expired(1000));
    expect_counts_as_in_table();
    EXPECT_EQ(*ledger->find(mail_a), std::nullopt);
}

TEST_F(LedgerTimeTest, AServerThatWasOffForMonthsStillHasWhatWaited) {
    fill();
    clock.advance(24 * 100h);
    restart();
    EXPECT_TRUE(*outbox->is_keeping_overdue());
    ASSERT_TRUE(outbox->keep_what_waits([] { return false; }));
    EXPECT_FALSE(*outbox->is_keeping_overdue());
    ASSERT_TRUE(engine->sweep_expired(1'000'000));
    EXPECT_EQ(ledger->counts()->waiting(), 3);
    EXPECT_EQ(ledger->counts()->held, 1);
    expect_counts_as_in_table();
    ASSERT_TRUE(outbox->retry(mail_a));
}

TEST_F(LedgerTimeTest, KeepingLongerIsNoStepAndDoesNotMakeAMailYounger) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto before = found(mail_a);
    pass(24 * 25h);
    const auto after = found(mail_a);
    EXPECT_EQ(after.updated, before.updated);
    EXPECT_GT(after.expires_seconds, before.expires_seconds);
    EXPECT_EQ(row(mail_a, "READY")->integer("TTL"), after.expires_seconds);
}

// Rows and counts as earlier versions wrote them.
TEST_F(LedgerTimeTest, YesterdaysRowsAreMendedBeforeTheyExpire) {
    fill();
    const auto ttl = to_unix_seconds(clock.now() + 24 * 30h);
    for (const auto& id : {std::string(mail_a), id_of(1)}) {
        ASSERT_TRUE(
            engine->update(table::write::Update("EmailOutbox", {{"Id", id}, {"Status", "_META"}})
                               .set("TTL", ttl)
                               .remove("KeepUntil")));
    }
    // Counts of all there ever were, and no mark.
    for (const auto* name : {"MailroomOutboxCounts", "MailroomOutboxExpiring"}) {
        ASSERT_TRUE(engine->delete_table(name));
    }
    engine->finish_jobs();
    table::CreateTable wanted;
    wanted.name = "MailroomOutboxCounts";
    wanted.attributes = {{"Shard", table::Kind::string}};
    wanted.keys = {"Shard", ""};
    ASSERT_TRUE(engine->create_table(wanted));
    table::write::Transaction old;
    old.add("MailroomOutboxCounts", {{"Shard", "3"}}, "SENT", 1000);
    old.add("MailroomOutboxCounts", {{"Shard", "3"}}, "READY", 1);
    old.add("MailroomOutboxCounts", {{"Shard", "5"}}, "PROCESSING", 1);
    old.add("MailroomOutboxCounts", {{"Shard", "5"}}, "HELD", 1);
    ASSERT_TRUE(engine->transact(old));
    restart();
    expect_counts_as_in_table();
    EXPECT_EQ(ledger->counts()->sent_total, 1000);
    EXPECT_EQ(ledger->counts()->accepted_total, 1002);
    clock.advance(24 * 31h);
    ASSERT_TRUE(outbox->keep_what_waits([] { return false; }));
    ASSERT_TRUE(engine->sweep_expired(1'000'000));
    EXPECT_TRUE(found(mail_a).held);
    EXPECT_EQ(found(id_of(1)).state, State::ready);
    expect_counts_as_in_table();
}

}  // namespace
}  // namespace mailroom::outbox
