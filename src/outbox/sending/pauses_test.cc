#include "outbox/sending/pauses.h"

#include "outbox/sending/sending_for_tests.h"
#include "schedule/watched_store.h"

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class PausesTest : public SendingTest {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        open();
    }
    // As after a restart of the process, or as another node does.
    void open() {
        auto opened = Pauses::open(*engine, clock, random);
        ASSERT_TRUE(opened) << opened.error().message;
        pauses = *std::move(opened);
        Node::Options options;
        options.sender.pauses = pauses.get();
        restart(options);
    }
    void pause(const std::string& scope) {
        const auto paused = pauses->pause(*PauseScope::parse(scope), "ann", "the relay is ill");
        ASSERT_TRUE(paused) << paused.error().message;
    }
    void resume(const std::string& scope) {
        ASSERT_TRUE(pauses->resume(*PauseScope::parse(scope), "bob", "it is well"));
        resume_again();
    }
    // Once to move what waited, once to see that nothing does.
    void resume_again() {
        ASSERT_TRUE(pauses->release(node->ledger, *node->schedule));
        ASSERT_TRUE(pauses->release(node->ledger, *node->schedule));
    }

    std::unique_ptr<Pauses> pauses;
};

TEST_F(PausesTest, AScopeIsAllAStreamOrADomain) {
    for (const auto* good : {"all", "stream:bulk", "stream:transactional", "domain:example.org"}) {
        const auto scope = PauseScope::parse(good);
        ASSERT_TRUE(scope) << good;
        EXPECT_EQ(scope->text(), good);
    }
    EXPECT_EQ(PauseScope::parse("domain:B\xc3\x9c"
                                "CHER.example")
                  ->text(),
              "domain:xn--bcher-kva.example");
    for (const auto* bad : {"", "ALL", "stream:", "stream:slow", "domain:", "domain:a b", "x"}) {
        EXPECT_FALSE(PauseScope::parse(bad)) << bad;
    }
}

TEST_F(PausesTest, WhatIsCoveredWaitsAndTheRestIsSentAndNothingIsLostOrDoubled) {
    struct Case {
        const char* scope;
        std::string address;
        Stream stream;
        bool waits;
    };
    const Case cases[] = {
        {"all", "b@example.org", Stream::transactional, true},
        {"stream:bulk", "b@example.org", Stream::bulk, true},
        {"stream:bulk", "b@example.org", Stream::transactional, false},
        {"domain:example.org", "b@EXAMPLE.org", Stream::transactional, true},
        {"domain:example.org", "b@sub.example.org", Stream::transactional, false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.scope) + " " + c.address);
        const auto sent_before = transport.mails().size();
        pause(c.scope);
        const auto id = add_mail({.to = {c.address}, .stream = c.stream});
        node->run_due();
        EXPECT_EQ(mail(id).state, c.waits ? State::ready : State::sent);
        EXPECT_EQ(Pauses::waits(mail(id)), c.waits);
        clock.advance(24h * 40);
        node->run_due();
        EXPECT_EQ(mail(id).state, c.waits ? State::ready : State::sent)
            << "it waits, and does not fail";
        resume(c.scope);
        EXPECT_TRUE(pauses->now().empty());
        node->run_due();
        EXPECT_EQ(mail(id).state, State::sent);
        EXPECT_EQ(transport.mails().size(), sent_before + 1);
    }
}

TEST_F(PausesTest, TheTimeOfAPauseDoesNotCountTowardsGivingUp) {
    transport.say({FakeTransport::refused(451, "later")});
    const auto id = add_mail({});
    node->run_due();
    ASSERT_EQ(mail(id).state, State::ready);
    const auto first_due = mail(id).first_due;
    pause("all");
    clock.advance(1h);
    node->run_due();
    EXPECT_TRUE(Pauses::waits(mail(id)));
    clock.advance(24h * 30);
    resume("all");
    EXPECT_EQ(mail(id).first_due, first_due + 24h * 30);
    transport.say({FakeTransport::refused(451, "later")});
    node->run_due();
    EXPECT_EQ(mail(id).state, State::ready) << "it has most of its 72 hours left";
}

TEST_F(PausesTest, APauseOutlivesARestartAndAnotherNodeSeesIt) {
    pause("domain:example.org");
    const auto id = add_mail({});
    open();
    ASSERT_EQ(pauses->now().size(), 1u);
    EXPECT_EQ(pauses->now()[0].by, "ann");
    EXPECT_EQ(pauses->now()[0].reason, "the relay is ill");
    node->run_due();
    EXPECT_TRUE(Pauses::waits(mail(id)));
    // It is ended elsewhere, and the server is killed before the mail was moved back.
    auto elsewhere = Pauses::open(*engine, clock, random);
    ASSERT_TRUE(elsewhere);
    ASSERT_TRUE((*elsewhere)->resume(*PauseScope::parse("domain:example.org"), "bob", ""));
    open();
    ASSERT_TRUE(pauses->release(node->ledger, *node->schedule));
    ASSERT_TRUE(pauses->release(node->ledger, *node->schedule));
    node->run_due();
    EXPECT_EQ(mail(id).state, State::sent);
    EXPECT_TRUE(pauses->now().empty());
}

TEST_F(PausesTest, OfTwoPausesTheMailWaitsForBoth) {
    pause("all");
    pause("domain:example.org");
    const auto id = add_mail({});
    node->run_due();
    resume("all");
    node->run_due();
    EXPECT_TRUE(Pauses::waits(mail(id)));
    resume("domain:example.org");
    node->run_due();
    EXPECT_EQ(mail(id).state, State::sent);
}

TEST_F(PausesTest, ANodeThatDoesNotKnowOfTheEndLeavesNothingBehind) {
    pause("all");
    const auto id = add_mail({});
    auto elsewhere = Pauses::open(*engine, clock, random);
    ASSERT_TRUE(elsewhere);
    ASSERT_TRUE((*elsewhere)->resume(PauseScope{}, "bob", ""));
    ASSERT_TRUE((*elsewhere)->release(node->ledger, *node->schedule));
    node->run_due();  // It still believes in the pause.
    EXPECT_FALSE(Pauses::waits(mail(id)));
    ASSERT_TRUE(pauses->refresh());
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(mail(id).state, State::sent);
}

TEST_F(PausesTest, TheEndFindsAllThatWaitsAlsoByAClockThatIsBehind) {
    pause("all");
    const auto id = add_mail({});
    clock.advance(1min);  // The node that takes the mail is ahead.
    node->run_due();
    ASSERT_TRUE(Pauses::waits(mail(id)));
    clock.advance(-1min);
    resume("all");
    EXPECT_TRUE(pauses->now().empty());
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(mail(id).state, State::sent);
}

TEST_F(PausesTest, APauseIsNotOverWhileNobodyCanSayWhatStillWaits) {
    pause("all");
    const auto id = add_mail({});
    node->run_due();
    ASSERT_TRUE(Pauses::waits(mail(id)));
    ASSERT_TRUE(pauses->resume(PauseScope{}, "bob", "it is well"));
    schedule::WatchedStore watched(*engine);
    const auto elsewhere = schedule::Schedule::open(watched, clock, random);
    ASSERT_TRUE(elsewhere);
    watched.queries_fail = true;
    ASSERT_TRUE(pauses->release(node->ledger, **elsewhere));
    ASSERT_EQ(pauses->now().size(), 1u) << "the store did not answer";
    resume_again();
    node->run_due();
    EXPECT_EQ(mail(id).state, State::sent);
    EXPECT_TRUE(pauses->now().empty());
}

// As rows that were written by a clock which was far ahead, or jobs in another node's hands.
TEST_F(PausesTest, APauseLastsUntilWhatIsNotYetDueHasGoneOn) {
    pause("all");
    auto waiting = ready_mail({});
    schedule::Transaction together;
    waiting.job = node->schedule->add(
        together, {.queue = PauseScope{}.queue(), .key = waiting.id, .due = clock.now() + 20s});
    constexpr State entered[] = {State::accepted, State::intaking, State::ready};
    node->ledger.insert(together, waiting, entered);
    add_blobs(together, waiting, {});
    ASSERT_TRUE(node->schedule->commit(together));
    resume("all");
    ASSERT_EQ(pauses->now().size(), 1u);
    clock.advance(20s);
    resume_again();
    EXPECT_TRUE(pauses->now().empty());
    node->run_due();
    EXPECT_EQ(mail(waiting.id).state, State::sent);
}

TEST_F(PausesTest, WhoPausedAndWhyIsKept) {
    pause("all");
    EXPECT_EQ(pauses->pause(PauseScope{}, "eve", "x").error().code, Errc::conflict);
    clock.advance(1min);
    resume("all");
    EXPECT_EQ(pauses->resume(PauseScope{}, "eve", "x").error().code, Errc::not_found);
    const auto past = pauses->past(10);
    ASSERT_TRUE(past);
    ASSERT_EQ(past->size(), 2u);
    EXPECT_EQ((*past)[0].what, "resumed");
    EXPECT_EQ((*past)[0].by, "bob");
    EXPECT_EQ((*past)[1].what, "paused");
    EXPECT_EQ((*past)[1].by, "ann");
    EXPECT_EQ((*past)[1].reason, "the relay is ill");

    pause("all");
    clock.advance(std::chrono::days(365));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(pauses->past(10)->size(), 3u);
    clock.advance(std::chrono::days(2));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_TRUE(pauses->past(10)->empty());
    EXPECT_EQ(pauses->now().size(), 1u) << "one that lasts is no past";
}

}  // namespace
}  // namespace mailroom::outbox
