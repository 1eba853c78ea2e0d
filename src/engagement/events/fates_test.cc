#include "engagement/events/fates.h"

#include "engagement/engagement_fixture.h"

namespace mailroom::engagement {
namespace {

using namespace std::chrono_literals;
using outbox::FakeTransport;

class FatesTest : public EngagementTest {
protected:
    static smtp::Verdict full() { return FakeTransport::refused(452, "4.2.2 mailbox full"); }
    // Tried until it is given up.
    void give_up(const smtp::Verdict& verdict, int tries = 2) {
        for (int i = 0; i < tries; ++i) {
            transport.say({verdict});
            run();
            clock.advance(73h);
        }
    }
};

TEST_F(FatesTest, AMailThatArrivesIsInTheSendLogAndDelivered) {
    const auto id = add_followed({"Jane@Example.org"});
    run();
    const auto log = send_log("jane@example.org");
    ASSERT_EQ(log.size(), 1u);
    EXPECT_EQ(log[0].text("SK"), "SENT#" + format_rfc3339(clock.now()));
    EXPECT_EQ(log[0].text("templateKey"), "welcome");
    EXPECT_EQ(log[0].text("sequenceId"), "onboarding");
    EXPECT_EQ(log[0].text("subject"), "Welcome!");
    EXPECT_EQ(log[0].text("sesMessageId"), id + "@example.com");
    EXPECT_EQ(types("jane@example.org"), "delivery");
    EXPECT_EQ(counted("onboarding", "deliveryCount"), 1);
    const auto mail = taken(office->account.find_by_message_id("<" + id + "@example.com>"));
    ASSERT_TRUE(mail);
    EXPECT_EQ(mail->id, id);
    EXPECT_EQ(mail->email, "jane@example.org");
}

TEST_F(FatesTest, AMailIsKnownBeforeItLeaves) {
    const auto id = add_followed({"jane@example.org"});
    const auto mail = taken(office->account.find_mail(id));
    ASSERT_TRUE(mail);
    EXPECT_EQ(mail->template_key, "welcome");
    EXPECT_EQ(mail->stream, outbox::Stream::bulk);
    EXPECT_FALSE(taken(office->account.find_mail("nothing")));
    EXPECT_FALSE(taken(office->account.find_by_message_id("nothing@example.com")));
}

TEST_F(FatesTest, TheNameThatAProviderGaveItLeadsToTheMail) {
    const std::string name = "0100018f7d3c2b1a-11112222-3333-4444-5555-666677778888-000000";
    const auto id = add_followed({"jane@example.org"});
    auto taken_by = FakeTransport::taken();
    taken_by.text = "Ok " + name;
    transport.say({taken_by});
    run();
    for (const auto& asked : {name, "<" + name + "@eu-west-1.amazonses.com>"}) {
        const auto mail = taken(office->account.find_by_message_id(asked));
        ASSERT_TRUE(mail) << asked;
        EXPECT_EQ(mail->id, id);
    }
}

TEST_F(FatesTest, EachRecipientHasAFateOfTheirOwn) {
    permission.refused["no@example.org"] = "unsubscribed";
    add_followed({"a@example.org", "b@example.org", "no@example.org"});
    transport.say({FakeTransport::taken(), FakeTransport::refused(550, "5.1.1 user unknown")});
    run();
    EXPECT_EQ(types("a@example.org"), "delivery");
    EXPECT_EQ(types("b@example.org"), "bounce");
    EXPECT_EQ(types("no@example.org"), "skipped");
    EXPECT_EQ(events("no@example.org").at(0).text("reason"), "unsubscribed");
    EXPECT_TRUE(send_log("b@example.org").empty());
    EXPECT_TRUE(send_log("no@example.org").empty());
    EXPECT_EQ(counted("onboarding", "bounceCount"), 1);
    EXPECT_EQ(counted("onboarding", "skippedCount"), 1);
}

// Scenario 17 of the seed.
TEST_F(FatesTest, WhoDoesNotExistIsNotWrittenToAgain) {
    add_followed({"gone@example.org"});
    transport.say({FakeTransport::refused(550, "5.1.1 user unknown")});
    run();
    EXPECT_TRUE(is_suppressed("gone@example.org"));
    const auto row = this->row("Audience", "SUB#gone@example.org", "SUPPRESSION");
    ASSERT_TRUE(row);
    EXPECT_EQ(row->text("reason"), "bounce");
    EXPECT_EQ(row->text("bounceType"), "Permanent");
    EXPECT_TRUE(
        taken(office->suppressions.refusal(outbox::Stream::transactional, "Gone@example.org")));
    EXPECT_EQ(events("gone@example.org").at(0).text("bounceSeverity"), "hard");
}

TEST_F(FatesTest, OfAMailThatNobodyFollowsOnlyWhatMattersForThePersonIsNoted) {
    add_mail({.to = {"jane@example.org"}});
    run();
    EXPECT_EQ(types("jane@example.org"), "");
    add_mail({.to = {"gone@example.org"}});
    transport.say({FakeTransport::refused(550, "5.1.1 user unknown")});
    run();
    EXPECT_EQ(types("gone@example.org"), "bounce");
    EXPECT_TRUE(is_suppressed("gone@example.org"));
}

TEST_F(FatesTest, FiveInARowThatDoNotArriveAreEnough) {
    for (int mail = 1; mail <= 5; ++mail) {
        EXPECT_FALSE(is_suppressed("full@example.org")) << mail;
        add_followed({"full@example.org"});
        give_up(full());
    }
    EXPECT_EQ(types("full@example.org"), "bounce bounce bounce bounce bounce");
    EXPECT_TRUE(is_suppressed("full@example.org"));
}

TEST_F(FatesTest, OneThatArrivesInBetweenBeginsAnewEvenIfNobodyFollowsIt) {
    for (int mail = 1; mail <= 4; ++mail) {
        add_followed({"full@example.org"});
        give_up(full());
    }
    add_mail({.to = {"Full@example.org"}});
    run();
    EXPECT_EQ(types("full@example.org"), "bounce bounce bounce bounce delivery");
    for (int mail = 1; mail <= 4; ++mail) {
        add_followed({"full@example.org"});
        give_up(full());
        EXPECT_FALSE(is_suppressed("full@example.org")) << mail;
    }
    add_followed({"full@example.org"});
    give_up(full());
    EXPECT_TRUE(is_suppressed("full@example.org"));
}

TEST_F(FatesTest, AnotherStartForgetsNobodyWhoCouldNotBeReached) {
    for (int mail = 1; mail <= 5; ++mail) {
        add_followed({"full@example.org"});
        give_up(full());
        reopen();
    }
    EXPECT_TRUE(is_suppressed("full@example.org"));
}

TEST_F(FatesTest, FaultsOfOursBlameNobodyAndPauseTheStreamOnce) {
    settings.policy_faults_max = 3;
    reopen();
    const auto spam = FakeTransport::refused(550, "5.7.1 message rejected as spam");
    const auto one_is_refused = [&](const std::string& to) {
        add_followed({to});
        transport.say({spam});
        run();
    };
    one_is_refused("a@example.org");
    one_is_refused("b@example.org");
    EXPECT_TRUE(office->pauses->now().empty());
    one_is_refused("c@example.org");
    ASSERT_EQ(office->pauses->now().size(), 1u);
    const auto pause = office->pauses->now().front();
    EXPECT_EQ(pause.scope.text(), "stream:bulk");
    EXPECT_EQ(pause.by, "engagement");
    EXPECT_FALSE(is_suppressed("a@example.org"));

    // Somebody has looked; what was before that does not count any more.
    clock.advance(1min);
    taken(office->pauses->resume(pause.scope, "ann", ""));
    taken(office->pauses->release(node->ledger, *node->schedule));
    one_is_refused("d@example.org");
    EXPECT_TRUE(office->pauses->now().empty());
}

TEST_F(FatesTest, FaultsOfDifferentHoursDoNotAddUp) {
    settings.policy_faults_max = 2;
    reopen();
    for (int i = 0; i < 4; ++i) {
        add_followed({"a@example.org"});
        transport.say({FakeTransport::refused(550, "5.7.1 message rejected as spam")});
        run();
        clock.advance(61min);
    }
    EXPECT_TRUE(office->pauses->now().empty());
}

TEST_F(FatesTest, WhatIsToldAfterACrashIsNotedOnce) {
    const auto id = add_followed({"jane@example.org"});
    node->run_due();
    // What was noted before the job ended is noted by the next holder again.
    const auto mail = *taken(node->ledger.find(id));
    const auto told = happenings_of(
        mail, {.key = "", .mail_id = id, .state = mail.state, .at = mail.updated, .reason = ""});
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(taken(office->account.note(told)).added, 2u);
    reopen();
    office->crew.run_due();
    EXPECT_EQ(counted("onboarding", "deliveryCount"), 1);
    EXPECT_EQ(send_log("jane@example.org").size(), 1u);
}

}  // namespace
}  // namespace mailroom::engagement
