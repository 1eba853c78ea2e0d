#include "outbox/sending/oldest_waiting.h"

#include "outbox/accept/outbox_fixture.h"

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

TEST(OldestWaiting, KnowsTheOldestOfThoseThatWereNotedAndNotForgotten) {
    const auto at = [](int seconds) { return from_unix_ms(seconds * 1000); };
    OldestWaiting waiting(3);
    EXPECT_FALSE(waiting.first());
    waiting.note("b", at(20));
    waiting.note("a", at(10));
    waiting.note("c", at(30));
    EXPECT_EQ(waiting.first()->id, "a");
    waiting.note("d", at(40));
    waiting.forget("a");
    waiting.forget("nobody");
    EXPECT_EQ(waiting.first()->since, at(20));
    waiting.note("b", at(35));
    EXPECT_EQ(waiting.first()->id, "c");
    waiting.note("e", at(5));
    waiting.note("f", at(4));
    EXPECT_EQ(waiting.first()->id, "f") << "the youngest gave way";
    for (const auto* id : {"f", "e", "c", "b"}) waiting.forget(id);
    EXPECT_FALSE(waiting.first()) << "d did not fit, and b gave way";
}

class OldestWaitingMailTest : public OutboxTest {
protected:
    std::optional<Time> oldest() {
        const auto found = ledger->oldest_waiting();
        EXPECT_TRUE(found);
        return found ? *found : std::nullopt;
    }
    // As after an attempt that failed for now.
    void back_off(const std::string& id) {
        auto mail = found(id);
        ASSERT_TRUE(move(mail, State::processing));
        ASSERT_TRUE(step_back(mail, State::ready, {.reason = ""}));
    }
};

TEST_F(OldestWaitingMailTest, CountsFromWhenItWasDueHoweverOftenItIsTried) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto accepted = clock.now();
    clock.advance(10min);
    ASSERT_TRUE(accept(minimal(mail_b)));
    for (int i = 0; i < 3; ++i) {
        back_off(mail_b);
        back_off(mail_a);
        clock.advance(1h);
    }
    EXPECT_EQ(oldest(), accepted);
    auto mail = found(mail_a);
    ASSERT_TRUE(move(mail, State::processing));
    EXPECT_EQ(oldest(), accepted) << "it is on its way, and has not arrived";
    ASSERT_TRUE(move(mail, State::sent));
    EXPECT_EQ(oldest(), accepted + 10min);
    ASSERT_TRUE(outbox->cancel(mail_b));
    EXPECT_EQ(oldest(), std::nullopt);
}

TEST_F(OldestWaitingMailTest, AfterARestartItIsKnownOnceTheMailsThatWaitWereSeenTo) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    const auto accepted = clock.now();
    ASSERT_TRUE(accept(minimal(mail_b, R"(,"send_at":"2025-12-20T10:00:00Z")")));
    clock.advance(1h);
    restart();
    ASSERT_TRUE(outbox->keep_what_waits([] { return false; }));
    EXPECT_EQ(oldest(), accepted) << "the other is not due yet";
}

TEST_F(OldestWaitingMailTest, WhatOthersMovedOrAPersonMustDecideDoesNotWait) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    ASSERT_TRUE(accept(minimal(mail_b)));
    back_off(mail_a);
    back_off(mail_b);
    // Past us.
    auto update = table::write::Update("EmailOutbox", {{"Id", mail_a}, {"Status", "_META"}});
    update.set("Attributes", table::Value::map(table::Item{{"Latest", "SENT"}}));
    ASSERT_TRUE(engine->update(update));
    EXPECT_EQ(oldest(), found(mail_b).first_due);
    auto mail = found(mail_b);
    ASSERT_TRUE(move(mail, State::processing));
    ASSERT_TRUE(apply(mail, {.reason = "unknown: x", .held = true}));
    EXPECT_EQ(oldest(), std::nullopt);
}

}  // namespace
}  // namespace mailroom::outbox
