#include "outbox/mail/ledger.h"

#include "outbox/mail/ledger_fixture.h"
#include "schedule/places.h"

#include <atomic>
#include <thread>

namespace mailroom::outbox {
namespace {

using table::Item;
using table::Value;

TEST_F(LedgerTest, AnAcceptedMailHasTheRowsOfTheSeed) {
    ASSERT_TRUE(insert(new_mail(mail_a), {State::accepted}));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED _META");
    const Item attributes{
        {"Latest", "ACCEPTED"},
        {"CreatedAt", "2026-11-15T12:00:00Z"},
        {"UpdatedAt", "2026-11-15T12:00:00Z"},
        {"PayloadFilePath", std::string("payload/2026/November/") + mail_a + ".json"}};
    const Item recipient{{"Address", "b@example.org"}, {"State", "waiting"}};
    const Item want{{"Id", mail_a},
                    {"Status", "_META"},
                    {"Attributes", Value::map(attributes)},
                    {"KeepUntil", 1'797'336'000},
                    {"Latest", "ACCEPTED"},
                    {"UpdatedAt", "2026-11-15T12:00:00.123Z"},
                    {"Stream", "transactional"},
                    {"Sender", "a@example.com"},
                    {"Recipients", Value::list({Value::map(recipient)})},
                    {"FirstDue", 1'794'744'000'123}};
    EXPECT_EQ(row(mail_a, "_META"), want);
    const Item state{{"Id", mail_a},
                     {"Status", "ACCEPTED"},
                     {"Attributes", Value::map(Item())},
                     {"TTL", 1'797'336'000},
                     {"At", 1'794'744'000'123}};
    EXPECT_EQ(row(mail_a, "ACCEPTED"), state);
}

TEST_F(LedgerTest, AMailThatIsReadyAtOnceHasEveryRowInBetween) {
    ASSERT_TRUE(
        insert(new_mail(mail_a, State::ready), {State::accepted, State::intaking, State::ready}));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    const auto meta = row(mail_a, "_META");
    const auto attributes = meta->find("Attributes")->map();
    EXPECT_EQ(attributes.text("Latest"), "READY");
    EXPECT_EQ(attributes.text("Reason"), "") << "a step was made, and had nothing to say";
    EXPECT_EQ(attributes.text("EMLFilePath"), std::string("eml/2026/November/") + mail_a + ".EML");
}

TEST_F(LedgerTest, AMoveChangesMetaAndInsertsTheRowOfTheState) {
    auto mail = mail_in(State::ready);
    clock.advance(std::chrono::milliseconds(61'002));
    const auto job = schedule::position_of("outbox.send.bulk", mail_a, clock.now());
    ASSERT_TRUE(move(mail, State::processing, {.attempts = 1, .job = job}));
    const auto meta = row(mail_a, "_META");
    const auto attributes = meta->find("Attributes")->map();
    EXPECT_EQ(attributes.text("Latest"), "PROCESSING");
    EXPECT_EQ(attributes.text("UpdatedAt"), "2026-11-15T12:01:01Z");
    EXPECT_EQ(attributes.text("CreatedAt"), "2026-11-15T12:00:00Z");
    EXPECT_EQ(attributes.text("Reason"), "");
    EXPECT_EQ(meta->text("Latest"), "PROCESSING");
    EXPECT_EQ(meta->text("UpdatedAt"), "2026-11-15T12:01:01.125Z");
    EXPECT_EQ(meta->integer("Attempts"), 1);
    EXPECT_EQ(meta->text("Job"), job.text());

    ASSERT_TRUE(move(mail, State::failed,
                     {.reason = "SMTP error 550: no such user",
                      .recipients = std::vector<Recipient>{{.address = "b@example.org",
                                                            .state = Recipient::State::failed,
                                                            .code = 550,
                                                            .text = "no such user"}},
                      .job = std::optional<schedule::Position>(),
                      .peer = "192.0.2.1:25",
                      .tls = "TLSv1.3",
                      .transcript = "> RCPT"}));
    EXPECT_FALSE(row(mail_a, "_META")->has("Job"));
    const Item want{{"Id", mail_a},
                    {"Status", "FAILED"},
                    {"Attributes", Value::map(Item())},
                    {"TTL", 1'797'336'000},
                    {"At", 1'794'744'061'125},
                    {"Reason", "SMTP error 550: no such user"},
                    {"Peer", "192.0.2.1:25"},
                    {"Tls", "TLSv1.3"},
                    {"Transcript", "> RCPT"}};
    EXPECT_EQ(row(mail_a, "FAILED"), want);
    const auto again = found(mail_a);
    EXPECT_EQ(again.reason, mail.reason);
    EXPECT_EQ(again.recipients, mail.recipients);
    EXPECT_EQ(again.updated, mail.updated);
    EXPECT_EQ(again.attempts, 1);
    EXPECT_EQ(again.job, std::nullopt);
}

TEST_F(LedgerTest, EveryLegalStepCanBeMadeOnceAndOnlyFromItsState) {
    for (const auto from : all_states) {
        for (const auto to : all_states) {
            if (!may_follow(from, to)) continue;
            SCOPED_TRACE(std::string(name_of(from)) + " " + std::string(name_of(to)));
            const auto id = std::string(name_of(from)) + std::string(name_of(to));
            auto mail = mail_in(from, id);
            auto late = mail;
            EXPECT_TRUE(move(mail, to));
            EXPECT_EQ(found(id).state, to);
            const auto before = row(id, "_META");
            const auto refused = move(late, to);
            ASSERT_FALSE(refused);
            EXPECT_EQ(Error(refused.error()).code, Errc::conflict);
            EXPECT_EQ(row(id, "_META"), before);
        }
    }
}

TEST_F(LedgerTest, AStepFromAStateThatTheMailIsNotInIsRefused) {
    // The caller believes `from`; the mail is in every other state.
    for (const auto from : all_states) {
        for (const auto to : all_states) {
            if (!may_follow(from, to)) continue;
            for (const auto actual : all_states) {
                if (actual == from) continue;
                SCOPED_TRACE(std::string(name_of(from)) + " " + std::string(name_of(to)) + " in " +
                             std::string(name_of(actual)));
                const auto id = std::string(name_of(from)) + "/" + std::string(name_of(to)) + "/" +
                                std::string(name_of(actual));
                auto mail = mail_in(actual, id);
                const auto before = statuses(id);
                mail.state = from;
                EXPECT_FALSE(move(mail, to));
                EXPECT_EQ(found(id).state, actual);
                EXPECT_EQ(statuses(id), before);
            }
        }
    }
}

TEST_F(LedgerTest, AStateCannotBeEnteredTwiceThoughMetaWasSetBack) {
    auto mail = mail_in(State::processing);
    // As a careless program may do: the row of PROCESSING stays.
    ASSERT_TRUE(engine->update(update("EmailOutbox", {{"Id", mail_a}, {"Status", "_META"}},
                                      "SET Attributes.Latest = :r", {{":r", "READY"}})));
    mail.state = State::ready;
    const auto refused = move(mail, State::processing);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reasons.at(1).code, "ConditionalCheckFailed");
    EXPECT_EQ(found(mail_a).state, State::ready);
}

TEST_F(LedgerTest, AStepBackDeletesTheRowsOfTheStatesLeft) {
    struct Case {
        State from, to;
        const char* want;
    };
    const Case cases[] = {
        {State::intaking, State::accepted, "ACCEPTED _META"},
        {State::invalid, State::accepted, "ACCEPTED _META"},
        {State::processing, State::ready, "ACCEPTED INTAKING READY _META"},
        {State::failed, State::ready, "ACCEPTED INTAKING READY _META"},
        {State::failed_acknowledged, State::ready, "ACCEPTED INTAKING READY _META"},
    };
    for (const auto& c : cases) {
        const std::string id(name_of(c.from));
        SCOPED_TRACE(id);
        auto mail = mail_in(c.from, id);
        ASSERT_TRUE(step_back(mail, c.to, {.reason = "451 later"}));
        EXPECT_EQ(statuses(id), c.want);
        EXPECT_EQ(found(id).state, c.to);
        EXPECT_EQ(found(id).reason, "451 later");
        // The way is free again.
        ASSERT_TRUE(move(mail, c.to == State::ready ? State::processing : State::intaking));
        EXPECT_EQ(found(id).reason, "") << "as the seed: work begins without a reason";
    }
}

TEST_F(LedgerTest, ReasonsAreKeptOrClearedAsTheSeedDoes) {
    auto mail = mail_in(State::processing);
    ASSERT_TRUE(move(mail, State::failed, {.reason = "SMTP error 550: x"}));
    ASSERT_TRUE(move(mail, State::calling_failed_callback));
    EXPECT_EQ(found(mail_a).reason, "SMTP error 550: x");
    ASSERT_TRUE(move(mail, State::failed_acknowledged));
    EXPECT_EQ(found(mail_a).reason, "SMTP error 550: x");
    EXPECT_FALSE(row(mail_a, "FAILED-ACKNOWLEDGED")->has("Reason"));
}

TEST_F(LedgerTest, AHeldMailIsLeftAloneByThoseWhoDoNotKnowIt) {
    auto mail = mail_in(State::processing);
    auto unaware = mail;
    ASSERT_TRUE(apply(mail, {.reason = "unknown: no answer", .held = true}));
    EXPECT_TRUE(mail.held);
    const auto meta = row(mail_a, "_META");
    EXPECT_EQ(meta->text("Latest"), "HELD");
    EXPECT_EQ(meta->find("Attributes")->map().text("Latest"), "PROCESSING");
    EXPECT_TRUE(found(mail_a).held);

    EXPECT_FALSE(move(unaware, State::sent));
    unaware = found(mail_a);
    ASSERT_TRUE(step_back(mail, State::ready));
    EXPECT_FALSE(mail.held);
    EXPECT_FALSE(move(unaware, State::sent)) << "it is held no more";
    ASSERT_TRUE(move(mail, State::processing));
    EXPECT_FALSE(found(mail_a).held);
    EXPECT_FALSE(move(unaware, State::sent)) << "PROCESSING again, but not held";
}

TEST_F(LedgerTest, OneOfManyWhoMoveAMailAtOnceSucceeds) {
    for (int round = 0; round < 20; ++round) {
        const auto id = "mail-" + std::to_string(round);
        const auto mail = mail_in(State::ready, id);
        std::atomic<int> winners = 0;
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&, i] {
                auto mine = mail;
                schedule::Transaction transaction;
                ledger->move(transaction, mine, i % 2 == 0 ? State::processing : State::cancelled,
                             {});
                if (engine->transact(transaction)) ++winners;
            });
        }
        threads.clear();
        EXPECT_EQ(winners, 1);
    }
    const auto counts = ledger->counts();
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->by_state[static_cast<std::size_t>(State::ready)], 0);
    EXPECT_EQ(counts->by_state[static_cast<std::size_t>(State::processing)] +
                  counts->by_state[static_cast<std::size_t>(State::cancelled)],
              20);
}

TEST_F(LedgerTest, AHistoryIsThatOfOneMomentWhileTheMailIsTried) {
    constexpr int attempts = 150;
    auto mail = mail_in(State::ready);
    std::atomic<int> looks = 0;
    const auto try_often = [&] {
        // One step for each look, so that it falls anywhere in one.
        auto wait_for_a_look = [&, seen = 0]() mutable {
            while (looks == seen) std::this_thread::yield();
            seen = looks;
        };
        for (int i = 1; i <= attempts; ++i) {
            wait_for_a_look();
            ASSERT_TRUE(move(mail, State::processing, {.attempts = i}));
            wait_for_a_look();
            schedule::Transaction together;
            ledger->step_back(together, mail, State::ready, {});
            ledger->log(together, mail, {.at = clock.now(), .what = "attempt", .text = "later"});
            ASSERT_TRUE(commit(together));
        }
    };
    std::thread trying([&] {
        try_often();
        looks = -1;
    });
    while (looks >= 0) {
        const auto history = *ledger->history(mail_a);
        const auto ended = history->mail.attempts - (history->mail.state == State::processing);
        EXPECT_EQ(history->log.size(), static_cast<std::size_t>(ended));
        EXPECT_EQ(history->states.back().state, history->mail.state);
        auto seen = looks.load();
        while (seen >= 0 && !looks.compare_exchange_weak(seen, seen + 1)) {
        }
    }
    trying.join();
}

TEST_F(LedgerTest, ACommitThatFailsChangesNothing) {
    auto mail = mail_in(State::ready);
    const auto meta = row(mail_a, "_META");
    const auto counted = ledger->counts()->by_state;
    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    auto tried = mail;
    schedule::Transaction transaction;
    ledger->move(transaction, tried, State::processing, {.attempts = 1});
    ledger->log(transaction, tried, {.at = clock.now(), .what = "attempt", .text = "x"});
    EXPECT_FALSE(commit(transaction));
    EXPECT_EQ(row(mail_a, "_META"), meta);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    EXPECT_EQ(ledger->counts()->by_state, counted);
    EXPECT_TRUE((*ledger->history(mail_a))->log.empty());
    EXPECT_TRUE(move(mail, State::processing));

    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    EXPECT_FALSE(insert(new_mail(mail_b), {State::accepted}));
    EXPECT_EQ(*ledger->find(mail_b), std::nullopt);
    EXPECT_EQ(statuses(mail_b), "");
    kv.crash();
    kv.restart();
    reopen();
    open_ledger();
    EXPECT_EQ(found(mail_a).state, State::processing);
    EXPECT_EQ(statuses(mail_b), "");
}

TEST_F(LedgerTest, ASecondMailWithTheSameIdIsRefusedAndTheFirstStays) {
    ASSERT_TRUE(insert(new_mail(mail_a), {State::accepted}));
    auto other = new_mail(mail_a);
    other.sender = "other@example.com";
    const auto refused = insert(other, {State::accepted});
    ASSERT_FALSE(refused);
    EXPECT_EQ(Error(refused.error()).code, Errc::conflict);
    EXPECT_EQ(found(mail_a).sender, "a@example.com");
    EXPECT_EQ(ledger->counts()->waiting(), 1);
}

TEST_F(LedgerTest, WhatTwoNodesLogInOneMillisecondIsAllKept) {
    auto one = Ledger::open(*engine, clock, {}, "0123456789abcdef");
    auto two = Ledger::open(*engine, clock, {}, "fedcba9876543210");
    ASSERT_TRUE(one && two);
    const auto mail = new_mail(mail_a);
    ASSERT_TRUE(insert(mail, {State::accepted}));
    for (auto* node : {&*one, &*two}) {
        for (const auto* text : {"first", "second"}) {
            schedule::Transaction together;
            node->log(together, mail, {.at = clock.now(), .what = "attempt", .text = text});
            ASSERT_TRUE(commit(together));
        }
    }
    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    std::vector<std::string> texts;
    for (const auto& entry : (*history)->log) texts.push_back(entry.text);
    EXPECT_EQ(texts, (std::vector<std::string>{"first", "first", "second", "second"}));
    EXPECT_TRUE(
        get("MailroomOutboxLog",
            {{"Id", mail_a}, {"Entry", "2026-11-15T12:00:00.123Z#000000#0123456789abcdef"}}));
}

TEST_F(LedgerTest, TextsOfOthersFitIntoRowsWhateverTheyAre) {
    auto mail = new_mail(mail_a);
    mail.recipients.clear();
    for (int i = 0; i < 1000; ++i) {
        mail.recipients.push_back(
            {.address = std::to_string(i) + std::string(240, 'a') + "@example.org"});
    }
    ASSERT_TRUE(insert(mail, {State::accepted}));
    mail = found(mail_a);
    ASSERT_TRUE(move(mail, State::intaking));
    auto recipients = mail.recipients;
    for (auto& recipient : recipients) recipient.text = "550 " + std::string(3000, 'x');
    ASSERT_TRUE(move(mail, State::invalid,
                     {.reason = "caf\xe9 " + std::string(100'000, 'r'),
                      .recipients = recipients,
                      .transcript = std::string(1'000'000, 't')}));
    const auto again = found(mail_a);
    EXPECT_EQ(again.recipients.size(), 1000u);
    EXPECT_EQ(again.recipients[999].text.substr(0, 5), "550 x");
    EXPECT_EQ(again.reason, mail.reason);
    EXPECT_EQ(again.reason.substr(0, 6), "caf? r");
    EXPECT_EQ(again.reason.size(), 4096u);

    // With all that can be known of each there is no room left for words, but for the rest.
    for (auto& recipient : recipients) {
        recipient.state = Recipient::State::failed;
        recipient.code = 550;
        recipient.no_such_address = true;
        recipient.refuser = Recipient::Refuser::permission;
        recipient.status = "5.111.222";
        recipient.doubtful_since = clock.now();
    }
    mail = new_mail(mail_b);
    mail.recipients = recipients;
    ASSERT_TRUE(insert(mail, {State::accepted}));
    const auto full = found(mail_b).recipients.at(999);
    EXPECT_EQ(full.status, "5.111.222");
    EXPECT_EQ(full.refuser, Recipient::Refuser::permission);
    EXPECT_EQ(full.doubtful_since, clock.now());
}

TEST_F(LedgerTest, AForeignTableOfThatNameIsRefusedWithAReason) {
    create(simple_table("Mine"));
    const auto refused = Ledger::open(*engine, clock, {.outbox = "Mine"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::invalid);
    EXPECT_NE(refused.error().message.find("Mine"), std::string::npos);
}

TEST_F(LedgerTest, ATableThatTheSeedMadeGetsTheMissingIndex) {
    table::CreateTable request;
    request.name = "Outbox";
    request.attributes = {{"Id", table::Kind::string}, {"Status", table::Kind::string}};
    request.keys = {"Id", "Status"};
    request.global_indexes = {
        {"StatusIndex", {"Status", "Id"}, {table::ProjectionKind::all, {}}, {}}};
    create(request);
    auto opened = Ledger::open(*engine, clock, {.outbox = "Outbox"});
    ASSERT_TRUE(opened) << opened.error().message;
    engine->finish_jobs();
    ledger.emplace(*std::move(opened));
    ASSERT_TRUE(insert(new_mail(mail_a), {State::accepted}));
    EXPECT_EQ(ledger->list({}, 10, std::nullopt)->mails.size(), 1u);
    const auto expiry = engine->time_to_live("Outbox");
    EXPECT_TRUE(expiry->enabled);
    EXPECT_EQ(expiry->attribute, "TTL");
}

}  // namespace
}  // namespace mailroom::outbox
