#include "base/base64.h"
#include "outbox/mail/ledger_fixture.h"

#include <random>

namespace mailroom::outbox {
namespace {

class LedgerListTest : public LedgerTest {
protected:
    // Ids of all pages, "|" between pages.
    std::string pages(const Ledger::Filter& filter, std::size_t limit) {
        std::string text;
        std::optional<std::string> after;
        for (int page_number = 0; page_number < 100; ++page_number) {
            const auto page = ledger->list(filter, limit, after);
            EXPECT_TRUE(page) << page.error().message;
            if (!page) return text;
            EXPECT_LE(page->mails.size(), limit);
            for (const auto& mail : page->mails) text += mail.id;
            if (!page->next) return text;
            text += "|";
            after = page->next;
        }
        return text + " and so on";
    }

    Mail mail_later(State state, const std::string& id) {
        clock.advance(std::chrono::milliseconds(1));
        return mail_in(state, id);
    }

    // The counts as the rows themselves tell them.
    Counts recount() {
        Counts counts;
        table::Scan request;
        request.table = "EmailOutbox";
        const auto rows = engine->scan(request);
        EXPECT_TRUE(rows && !rows->last_key);
        for (const auto& item : rows->items) {
            if (item.text("Status") != "_META") continue;
            const auto mail = found(std::string(*item.text("Id")));
            ++counts.by_state[static_cast<std::size_t>(mail.state)];
            if (mail.held) ++counts.held;
        }
        return counts;
    }
};

TEST_F(LedgerListTest, ListsComeInPagesTheLastChangedFirst) {
    for (const auto* id : {"a", "b", "c", "d", "e"}) mail_later(State::ready, id);
    mail_later(State::sent, "s");
    EXPECT_EQ(pages({.state = State::ready}, 10), "edcba");
    EXPECT_EQ(pages({.state = State::ready}, 5), "edcba") << "there is no empty last page";
    EXPECT_EQ(pages({.state = State::ready}, 2), "ed|cb|a");
    EXPECT_EQ(pages({.state = State::ready}, 1), "e|d|c|b|a");
    EXPECT_EQ(pages({.state = State::failed}, 2), "");
    auto moved = found("c");
    clock.advance(std::chrono::milliseconds(1));
    ASSERT_TRUE(apply(moved, {.attempts = 7}));
    EXPECT_EQ(pages({.state = State::ready}, 10), "cedba");
}

TEST_F(LedgerListTest, WithoutAFilterAllAreThereAndSettledOnesLast) {
    mail_later(State::sent, "1");
    mail_later(State::accepted, "2");
    mail_later(State::cancelled, "3");
    mail_later(State::processing, "4");
    mail_later(State::calling_sent_callback, "5");
    auto held = mail_later(State::processing, "6");
    ASSERT_TRUE(apply(held, {.held = true}));
    EXPECT_EQ(pages({}, 10), "246513");
    EXPECT_EQ(pages({}, 1), "2|4|6|5|1|3");
    EXPECT_EQ(pages({}, 4), "2465|13");
    EXPECT_EQ(pages({.held = true}, 10), "6");
    EXPECT_EQ(pages({.state = State::processing}, 10), "46");
    EXPECT_EQ(pages({.state = State::processing, .held = true}, 10), "6");
    EXPECT_EQ(pages({.state = State::ready, .held = true}, 10), "");
}

TEST_F(LedgerListTest, ManyMailsOfOneMillisecondAreListedOnceEach) {
    for (int i = 0; i < 250; ++i) {
        ASSERT_TRUE(insert(new_mail(std::to_string(1000 + i)), {State::accepted}));
    }
    const auto text = pages({.state = State::accepted}, 120);
    EXPECT_EQ(text.size(), 250u * 4 + 2);
    for (int i = 0; i < 250; ++i) {
        EXPECT_NE(text.find(std::to_string(1000 + i)), std::string::npos) << i;
    }
}

TEST_F(LedgerListTest, AMailThatOthersMovedIsNotShownInAStateItHasLeft) {
    for (const auto* id : {"a", "b", "c"}) mail_later(State::ready, id);
    for (const auto* id : {"a", "b"}) {
        ASSERT_TRUE(engine->update(update("EmailOutbox", {{"Id", id}, {"Status", "_META"}},
                                          "SET Attributes.Latest = :s", {{":s", "SENT"}})));
    }
    EXPECT_EQ(pages({.state = State::ready}, 1), "c|") << "entries follow that are out of date";
    EXPECT_EQ(pages({}, 10), "cba");
}

TEST_F(LedgerListTest, ABadRowDoesNotHideTheOthers) {
    for (const auto* id : {"a", "b", "c"}) mail_later(State::ready, id);
    ASSERT_TRUE(engine->update(update("EmailOutbox", {{"Id", "b"}, {"Status", "_META"}},
                                      "SET Attributes.Latest = :s", {{":s", "?"}})));
    EXPECT_EQ(pages({.state = State::ready}, 10), "ca");
}

TEST_F(LedgerListTest, ACursorThatNoPageSaidIsInvalid) {
    mail_later(State::ready, "a");
    const char* cursors[] = {"",
                             "READY",
                             " ",
                             "READY ",
                             "READY x a",
                             "READY 2026-11-15T12:00:00.123Z ",
                             "SENT 2026-11-15T12:00:00.123Z a",
                             "LOST 2026-11-15T12:00:00.123Z a"};
    for (const auto* cursor : cursors) {
        SCOPED_TRACE(cursor);
        const auto coded = base64url_encode(cursor);
        for (const auto& after : {std::string(cursor), coded}) {
            if (after == base64url_encode("READY")) continue;
            const auto page = ledger->list({.state = State::ready}, 10, after);
            ASSERT_FALSE(page) << after;
            EXPECT_EQ(page.error().code, Errc::invalid);
        }
    }
}

TEST_F(LedgerListTest, TheOldestOfAStateIsFoundByKey) {
    EXPECT_EQ(*ledger->oldest(State::ready), std::nullopt);
    mail_later(State::ready, "a");
    const auto first = clock.now();
    mail_later(State::ready, "b");
    EXPECT_EQ(*ledger->oldest(State::ready), first);
}

TEST_F(LedgerListTest, CountsEqualARecountAfterRandomHistories) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 dice(seed);
        std::vector<std::string> ids;
        for (int step = 0; step < 250; ++step) {
            if (ids.empty() || dice() % 4 == 0) {
                // Several in one transaction, of which some share a shard.
                schedule::Transaction together;
                for (unsigned i = 0; i < 1 + dice() % 12; ++i) {
                    ids.push_back(std::to_string(seed) + "-" + std::to_string(ids.size()));
                    const State ready[] = {State::accepted, State::intaking, State::ready};
                    auto mail = new_mail(ids.back(), State::ready);
                    ledger->insert(together, mail, ready);
                }
                ASSERT_TRUE(commit(together));
                continue;
            }
            auto mail = found(ids[dice() % ids.size()]);
            const auto to = all_states[dice() % all_states.size()];
            if (mail.state == State::processing && dice() % 3 == 0) {
                ASSERT_TRUE(apply(mail, {.held = !mail.held}));
            } else if (may_follow(mail.state, to)) {
                ASSERT_TRUE(move(mail, to));
            } else if (may_step_back(mail.state, to)) {
                ASSERT_TRUE(step_back(mail, to));
            }
        }
    }
    const auto counts = ledger->counts();
    ASSERT_TRUE(counts);
    const auto want = recount();
    EXPECT_EQ(counts->by_state, want.by_state);
    EXPECT_EQ(counts->held, want.held);
    EXPECT_EQ(counts->waiting(), want.waiting());
    EXPECT_GT(counts->waiting(), 0);
}

TEST_F(LedgerListTest, AHistoryHasItsStatesInOrderAndItsLog) {
    auto mail = mail_in(State::ready);
    schedule::Transaction transaction;
    clock.advance(std::chrono::seconds(1));
    ledger->move(transaction, mail, State::processing, {});
    for (const auto* text : {"first", "second"}) {
        ledger->log(transaction, mail,
                    {.at = clock.now(),
                     .what = "attempt",
                     .text = text,
                     .code = 451,
                     .peer = "192.0.2.1:25",
                     .transcript = "> EHLO"});
    }
    ASSERT_TRUE(commit(transaction));
    clock.advance(std::chrono::seconds(1));
    ASSERT_TRUE(move(mail, State::sent, {.peer = "192.0.2.1:25"}));
    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    const auto& states = (*history)->states;
    ASSERT_EQ(states.size(), 5u);
    EXPECT_EQ(states[3].state, State::processing);
    EXPECT_EQ(states[4].state, State::sent);
    EXPECT_EQ(states[4].at, clock.now());
    EXPECT_EQ(states[4].peer, "192.0.2.1:25");
    const auto& log = (*history)->log;
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0].text, "first");
    EXPECT_EQ(log[1].text, "second");
    EXPECT_EQ(log[1].what, "attempt");
    EXPECT_EQ(log[1].code, 451);
    EXPECT_EQ(log[1].peer, "192.0.2.1:25");
    EXPECT_EQ(log[1].transcript, "> EHLO");
    EXPECT_EQ(*ledger->history(mail_b), std::nullopt);
    EXPECT_EQ(*ledger->history(""), std::nullopt);
    EXPECT_EQ(*ledger->find(std::string(5000, 'x')), std::nullopt);
}

TEST_F(LedgerListTest, ALongLogIsCutAtItsBeginningAndSaysSo) {
    const auto mail = mail_in(State::ready);
    for (int i = 0; i < 510; ++i) {
        schedule::Transaction transaction;
        clock.advance(std::chrono::milliseconds(1));
        ledger->log(transaction, mail,
                    {.at = clock.now(), .what = "callback", .text = std::to_string(i)});
        ASSERT_TRUE(commit(transaction));
    }
    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    const auto& log = (*history)->log;
    ASSERT_EQ(log.size(), 501u);
    EXPECT_EQ(log[0].what, "cut");
    EXPECT_EQ(log[1].text, "10");
    EXPECT_EQ(log[500].text, "509");
}

}  // namespace
}  // namespace mailroom::outbox
