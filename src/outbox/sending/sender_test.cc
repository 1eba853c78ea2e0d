#include "outbox/sending/sender.h"

#include "mime/build/seven_bit.h"
#include "mime/dkim/keys_for_tests.h"
#include "outbox/sending/sending_for_tests.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class SenderTest : public SendingTest {
protected:
    using T = FakeTransport;

    // The reason of each entry of the log: "attempt 451 later".
    std::vector<std::string> log(const std::string& id) {
        std::vector<std::string> lines;
        for (const auto& entry : history(id).log) {
            lines.push_back(entry.what + " " + std::to_string(entry.code) + " " + entry.text);
        }
        return lines;
    }
};

TEST_F(SenderTest, AMailIsHandedOverOnceAndItsStepsTellHow) {
    const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
    EXPECT_EQ(node->run_due(), 1U);
    ASSERT_EQ(transport.mails().size(), 1U);
    const auto sent = transport.mails()[0];
    EXPECT_EQ(sent.id, id);
    EXPECT_EQ(sent.sender, "a@example.com");
    EXPECT_EQ(sent.recipients, (std::vector<std::string>{"b@example.org", "c@example.org"}));
    EXPECT_EQ(sent.message, *Wish{}.message);
    EXPECT_FALSE(sent.utf8_header);

    EXPECT_EQ(states(id), "ACCEPTED INTAKING READY PROCESSING SENT");
    EXPECT_EQ(brief(id), "SENT delivered delivered");
    const auto after = mail(id);
    EXPECT_EQ(after.reason, "");
    EXPECT_EQ(after.attempts, 1);
    EXPECT_FALSE(after.job);
    EXPECT_EQ(after.recipients[0].code, 250);
    EXPECT_EQ(history(id).states.back().peer, "192.0.2.1:25");
    EXPECT_EQ(history(id).states.back().transcript, "C: EHLO\nS: 250 hi\n");
    clock.advance(24h);
    EXPECT_EQ(node->run_due(), 0U);
}

TEST_F(SenderTest, ProcessingIsDurableBeforeAnythingLeaves) {
    transport.patient = true;
    const auto id = add_mail({});
    kv.fail_commit(1, {Errc::corrupt, "the disk is broken"});
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(brief(id), "READY waiting");
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1U);
    EXPECT_EQ(brief(id), "PROCESSING waiting");
}

TEST_F(SenderTest, MixedAnswersAreKeptPerRecipientAndOnlyThoseThatWaitAreTriedAgain) {
    transport.say({T::taken(), T::refused(550, "no such user"), T::refused(451, "later")});
    const auto id = add_mail({.to = {"b@example.org", "c@example.org", "d@example.org"}});
    node->run_due();
    EXPECT_EQ(brief(id), "READY delivered failed waiting");
    EXPECT_EQ(mail(id).reason, "");
    EXPECT_EQ(log(id), std::vector<std::string>{"attempt 451 later"});
    EXPECT_EQ(history(id).log[0].peer, "192.0.2.1:25");
    EXPECT_EQ(history(id).log[0].transcript, "C: EHLO\nS: 250 hi\n");
    const auto due = mail(id).job->due();
    EXPECT_GT(due, clock.now());
    EXPECT_LE(due, clock.now() + 1min);

    clock.set(due);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered failed delivered");
    EXPECT_EQ(mail(id).reason, "1 of 3 recipients failed: c@example.org: 550 no such user");
    ASSERT_EQ(transport.mails().size(), 2U);
    EXPECT_EQ(transport.mails()[1].recipients, std::vector<std::string>{"d@example.org"});
    EXPECT_EQ(mail(id).attempts, 2);
}

TEST_F(SenderTest, TemporaryRefusalsAreTriedAtGrowingPausesAndGivenUpAfterThreeDays) {
    for (int i = 0; i < 200; ++i) transport.say({T::refused(451, "later")});
    const auto id = add_mail({});
    const auto start = clock.now();
    std::vector<std::chrono::milliseconds> pauses;
    node->run_due();
    while (mail(id).state == State::ready) {
        ASSERT_TRUE(mail(id).job);
        pauses.push_back(mail(id).job->due() - clock.now());
        clock.set(mail(id).job->due());
        node->run_due();
    }
    EXPECT_EQ(brief(id), "FAILED failed");
    EXPECT_EQ(mail(id).reason, "gave up after 3 days: SMTP error 451: later");
    EXPECT_GE(clock.now() - start, 72h);
    EXPECT_LE(clock.now() - start, 76h);
    ASSERT_GT(pauses.size(), 10U);
    EXPECT_LT(pauses.size(), 60U);
    EXPECT_LE(pauses.front(), 1min);
    EXPECT_GE(pauses.back(), 3h);
    EXPECT_LE(*std::ranges::max_element(pauses), 4h);
    EXPECT_EQ(log(id).size(), pauses.size());
}

TEST_F(SenderTest, AMailOfUnknownFateIsHeldAndVisible) {
    transport.say({T::taken(), T::nobody_knows(), T::refused(451, "later")});
    const auto id = add_mail({.to = {"b@example.org", "c@example.org", "d@example.org"}});
    node->run_due();
    EXPECT_EQ(brief(id), "READY delivered unknown waiting") << "nobody waits for a decision";
    EXPECT_EQ(mail(id).recipients[1].doubtful_since, clock.now());
    clock.set(mail(id).job->due());
    node->run_due();
    EXPECT_EQ(brief(id), "HELD delivered unknown delivered");
    EXPECT_EQ(mail(id).reason, "unknown: no answer came; it may have arrived");
    EXPECT_FALSE(mail(id).job);
    EXPECT_EQ(log(id), (std::vector<std::string>{"attempt 0 no answer came; it may have arrived",
                                                 "hold 0 no answer came; it may have arrived"}));
    clock.advance(240h);
    EXPECT_EQ(node->run_due(), 0U);
    ASSERT_EQ(transport.mails().size(), 2U);
    EXPECT_EQ(transport.mails()[1].recipients, std::vector<std::string>{"d@example.org"});
    const auto held = node->ledger.list({.held = true}, 10, std::nullopt);
    ASSERT_TRUE(held);
    ASSERT_EQ(held->mails.size(), 1U);
    EXPECT_EQ(held->mails[0].id, id);
}

TEST_F(SenderTest, WithThePolicyRetryItIsSentAgainWithTheSameMessage) {
    restart({.sender = {.unknown = UnknownPolicy::retry}});
    transport.say({T::nobody_knows()});
    const auto id = add_mail({});
    node->run_due();
    EXPECT_EQ(brief(id), "READY waiting");
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
    ASSERT_EQ(transport.mails().size(), 2U);
    EXPECT_EQ(transport.mails()[0].message, transport.mails()[1].message);
}

TEST_F(SenderTest, ACopyThatMayHaveArrivedStaysOnRecordWhateverIsSaidLater) {
    restart({.sender = {.unknown = UnknownPolicy::retry}});
    transport.say({T::nobody_knows(), T::refused(451, "later")});
    const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
    node->run_due();
    const auto doubtful = clock.now();
    clock.advance(1min);
    transport.say({T::refused(550, "no such user"), T::refused(550, "no such user")});
    node->run_due();
    EXPECT_EQ(brief(id), "FAILED failed failed");
    EXPECT_EQ(mail(id).recipients[0].doubtful_since, doubtful);
    EXPECT_FALSE(mail(id).recipients[1].doubtful_since);
    EXPECT_EQ(mail(id).reason,
              "all 2 recipients failed: b@example.org: may have arrived at 2025-11-20T10:00:00Z; "
              "later refused: 550 no such user; c@example.org: 550 no such user");
    EXPECT_EQ(history(id).states.back().reason, mail(id).reason);

    transport.say({T::nobody_knows()});
    transport.say({T::refused(550, "no such user")});
    const auto single = add_mail({});
    node->run_due();
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(mail(single).reason,
              "may have arrived at 2025-11-20T10:01:00Z; later refused: "
              "SMTP error 550: no such user");
}

TEST_F(SenderTest, WhoMustNotBeWrittenToFailsAndTheOthersGetTheMail) {
    permission.refused["c@example.org"] = "suppressed: complaint";
    const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
    const auto alone = add_mail({.to = {"c@example.org"}});
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered failed");
    EXPECT_EQ(mail(id).reason, "1 of 2 recipients failed: c@example.org: suppressed: complaint");
    EXPECT_EQ(brief(alone), "FAILED failed");
    EXPECT_EQ(mail(alone).reason, "suppressed: complaint");
    EXPECT_EQ(states(alone), "ACCEPTED INTAKING READY PROCESSING FAILED");
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_EQ(transport.mails()[0].recipients, std::vector<std::string>{"b@example.org"});
}

TEST_F(SenderTest, AMessageThatIsGoneOrCannotBeSignedFails) {
    auto key = mime::dkim::PrivateKey::from_pem(mime::dkim::ed25519_pem);
    ASSERT_TRUE(signatures.add("example.com", "m1", *std::move(key)));
    const auto good = add_mail({});
    const auto gone = add_mail({.message = std::nullopt});
    const auto two =
        add_mail({.message = "From: a@example.com\r\nFrom: e@example.com\r\n\r\nx\r\n"});
    node->run_due();
    EXPECT_EQ(brief(good), "SENT delivered");
    EXPECT_EQ(brief(gone), "FAILED failed");
    EXPECT_EQ(mail(gone).reason, "the message is gone");
    EXPECT_EQ(brief(two), "FAILED failed");
    EXPECT_TRUE(mail(two).reason.starts_with("the message cannot be signed: ")) << mail(two).reason;
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_TRUE(transport.mails()[0].message.starts_with("DKIM-Signature:"));
}

TEST_F(SenderTest, WhatIsIn8BitsIsConvertedAndSignedAfterThat) {
    auto key = mime::dkim::PrivateKey::from_pem(mime::dkim::ed25519_pem);
    ASSERT_TRUE(signatures.add("example.com", "m1", *std::move(key)));
    add_mail({.message = "From: a@example.com\r\nSubject: ü\r\n\r\nGrüße to all of you, and a fine "
                         "day to everybody\r\n"});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    const auto sent = transport.mails()[0];
    EXPECT_FALSE(sent.utf8_header);
    EXPECT_TRUE(mime::is_seven_bit(sent.message)) << sent.message;
    EXPECT_TRUE(sent.message.starts_with("DKIM-Signature:")) << sent.message;
    EXPECT_NE(sent.message.find("Gr=C3=BC=C3=9Fe"), std::string::npos) << sent.message;
}

TEST_F(SenderTest, AnAddressInUtf8IsAnnounced) {
    add_mail({.message = "From: jörg@example.com\r\nSubject: u\r\n\r\nx\r\n"});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_TRUE(transport.mails()[0].utf8_header);
}

TEST_F(SenderTest, TheRateSpreadsMailsOverTimeAndEachLeavesOnce) {
    restart({.rates = {.per_domain_per_second = 1}});
    for (int i = 0; i < 10; ++i) add_mail({});
    const auto other = add_mail({.to = {"x@elsewhere.example"}});
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 2U);
    EXPECT_EQ(brief(other), "SENT delivered");
    for (int second = 1; second <= 10; ++second) {
        clock.advance(1s);
        node->run_due();
        EXPECT_EQ(transport.mails().size(), static_cast<std::size_t>(std::min(second, 9) + 2));
    }
}

TEST_F(SenderTest, AMailThatWaitsForItsTurnCanStillBeCancelledByItsJob) {
    restart({.rates = {.per_second = 1}});
    const auto one = add_mail({}), other = add_mail({});
    node->run_due();
    auto late = mail(mail(one).state == State::ready ? one : other);
    ASSERT_EQ(late.state, State::ready);
    schedule::Transaction together;
    node->schedule->cancel(together, *late.job);
    node->ledger.move(together, late, State::cancelled,
                      {.job = std::optional<schedule::Position>()});
    EXPECT_TRUE(node->schedule->commit(together));
    clock.advance(1min);
    EXPECT_EQ(node->run_due(), 0U);
    EXPECT_EQ(transport.mails().size(), 1U);
}

TEST_F(SenderTest, JobsOfMailsThatNeedNothingEnd) {
    const auto id = add_mail({});
    auto cancelled = mail(id);
    schedule::Transaction together;
    node->ledger.move(together, cancelled, State::cancelled, {});
    ASSERT_TRUE(node->schedule->commit(together));
    schedule::Transaction stray;
    node->schedule->add(stray, {.queue = std::string(send_queue(Stream::bulk)),
                                .key = "00000000-0000-4000-8000-000000000000",
                                .due = clock.now()});
    ASSERT_TRUE(node->schedule->commit(stray));
    EXPECT_EQ(node->run_due(), 2U);
    clock.advance(24h);
    EXPECT_EQ(node->run_due(), 0U);
    EXPECT_EQ(brief(id), "CANCELLED waiting");
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(SenderTest, NoMoreMailsAreMarkedThanTheConnectionsCanTake) {
    restart({.sender = {.connections = 2, .on_their_way_max = 100}, .jobs_max = 50});
    transport.patient = true;
    std::vector<std::string> ids;
    for (int i = 0; i < 10; ++i) ids.push_back(add_mail({}));
    const auto marked = [&] {
        return std::ranges::count_if(
            ids, [&](const auto& id) { return mail(id).state == State::processing; });
    };
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 4U);
    EXPECT_EQ(marked(), 4) << "the others are not in doubt";
    for (int i = 0; i < 10; ++i) {
        transport.answer_all();
        node->run_due();
    }
    EXPECT_EQ(transport.mails().size(), 10U);
    for (const auto& id : ids) EXPECT_EQ(brief(id), "SENT delivered");
}

TEST_F(SenderTest, TransactionalMailsGoBeforeBulk) {
    restart({.jobs_max = 1});
    for (int i = 0; i < 3; ++i) add_mail({.to = {"bulk@example.org"}, .stream = Stream::bulk});
    for (int i = 0; i < 3; ++i) add_mail({.to = {"now@example.org"}});
    node->run_due();
    std::string order;
    for (const auto& sent : transport.mails()) order += sent.recipients[0].substr(0, 1);
    EXPECT_EQ(order, "nnnbbb");
}

TEST_F(SenderTest, WhoLostTheLeaseWritesNothing) {
    transport.patient = true;
    node = make_node({.ownership = schedule::Ownership::shared});
    const auto id = add_mail({.callback = true});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    // The first stands still for an hour; the second finds the claim run out.
    clock.advance(1h);
    auto second = make_node({.ownership = schedule::Ownership::shared});
    second->run_due();
    EXPECT_EQ(brief(id), "PROCESSING waiting") << "its clock may be an hour ahead";
    clock.advance(60s);
    second->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    const auto before = history(id);
    transport.say({});
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_EQ(history(id).states.size(), before.states.size());
    EXPECT_EQ(history(id).log.size(), before.log.size());
    EXPECT_EQ(mail(id).updated, before.mail.updated);
}

TEST_F(SenderTest, AnAnswerThatCannotBeWrittenIsKeptUntilItCan) {
    transport.patient = true;
    const auto id = add_mail({});
    node->run_due();
    kv.fail_commits({Errc::corrupt, "the disk is broken"});
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(brief(id), "PROCESSING waiting");
    EXPECT_EQ(node->crew->in_hand(), 1U);
    kv.heal();
    while (node->crew->in_hand() > 0) std::this_thread::yield();
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_EQ(transport.mails().size(), 1U);
}

TEST_F(SenderTest, AMailThatAnotherProgramTookIsLeftToItForHalfAnHour) {
    const auto id = add_mail({});
    auto taken = mail(id);
    schedule::Transaction together;
    node->ledger.move(together, taken, State::processing, {});
    ASSERT_TRUE(node->schedule->commit(together));
    node->run_due();
    clock.advance(29min);
    node->run_due();
    EXPECT_EQ(brief(id), "PROCESSING waiting");
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_TRUE(mail(id).reason.starts_with("unknown: another program")) << mail(id).reason;
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(SenderTest, ManyThreadsSendEachMailOnce) {
    restart({.rates = {.per_domain_at_once = 3}, .threads = 4, .jobs_max = 8});
    // Turned away mails come back by the clock, which stands still but for this thread.
    std::vector<std::string> ids;
    for (int i = 0; i < 60; ++i) {
        ids.push_back(add_mail({.to = {"b@" + std::to_string(i % 3) + ".example"}}));
    }
    for (int i = 0; i < 100'000 && transport.mails().size() < ids.size(); ++i) {
        clock.advance(5ms);
        std::this_thread::yield();
    }
    EXPECT_EQ(node->crew->stop(10s), 0U);
    std::map<std::string, int> sent;
    for (const auto& outgoing : transport.mails()) ++sent[outgoing.id];
    for (const auto& id : ids) {
        EXPECT_EQ(sent[id], 1);
        EXPECT_EQ(brief(id), "SENT delivered");
    }
}

}  // namespace
}  // namespace mailroom::outbox
