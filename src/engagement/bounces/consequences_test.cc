#include "engagement/bounces/consequences.h"

#include "engagement/engagement_fixture.h"

namespace mailroom::engagement::bounces {
namespace {

class ConsequencesTest : public EngagementTest {
protected:
    Happening complaint(std::string_view id, std::string_view feedback = "abuse") {
        auto one = happening(EventType::complaint, id, "a@example.org");
        one.feedback_type = feedback;
        one.bounce.emplace();
        one.bounce->notification_id = "f1";
        return one;
    }
    Happening bounce(std::string_view id, std::string_view email, Severity severity) {
        auto one = happening(EventType::bounce, id, email);
        one.bounce = {.severity = severity,
                      .type = std::string(bounce_type(severity)),
                      .subclass = {},
                      .diagnostic = "550 5.1.1",
                      .provider = "ses",
                      .notification_id = "f1"};
        return one;
    }
    std::optional<table::Item> suppression(const std::string& email) {
        return row("Audience", "SUB#" + email, "SUPPRESSION");
    }
    bool may_write(const std::string& email) {
        return !taken(office->suppressions.refusal(outbox::Stream::transactional, email));
    }
};

// Scenario 17 of the seed.
TEST_F(ConsequencesTest, AHardBounceOrAComplaintSuppresses) {
    for (const std::string email : {"a@example.org", "b@example.org"}) {
        note(bounce("bounce of " + email, email, Severity::hard));
        ASSERT_TRUE(suppression(email));
        EXPECT_EQ(suppression(email)->text("reason"), "bounce");
        EXPECT_EQ(suppression(email)->text("bounceType"), "Permanent");
        EXPECT_EQ(suppression(email)->text("sesNotificationId"), "f1");
        EXPECT_TRUE(is_suppressed(email));
        EXPECT_FALSE(may_write(email));
    }
    auto other = complaint("c1");
    other.email = "c@example.org";
    note(other);
    EXPECT_EQ(suppression("c@example.org")->text("reason"), "complaint");
    EXPECT_FALSE(suppression("c@example.org")->has("bounceType"));
    EXPECT_EQ(suppression("c@example.org")->text("sesNotificationId"), "f1");
    EXPECT_FALSE(may_write("c@example.org"));
}

TEST_F(ConsequencesTest, ATransientBounceIsCountedAndSuppressesNobody) {
    note(bounce("b1", "a@example.org", Severity::soft));
    EXPECT_FALSE(suppression("a@example.org"));
    EXPECT_TRUE(may_write("a@example.org"));
    EXPECT_EQ(types("a@example.org"), "bounce");
    EXPECT_EQ(counted("fire_and_forget", "bounceCount"), 1);
}

TEST_F(ConsequencesTest, AComplaintThatIsTakenBackIsUndone) {
    note(complaint("c1"));
    ASSERT_FALSE(may_write("a@example.org"));
    note(complaint("c2", "not-spam"));
    EXPECT_TRUE(may_write("a@example.org"));
    EXPECT_FALSE(is_suppressed("a@example.org"));
    EXPECT_FALSE(suppression("a@example.org"));
    EXPECT_EQ(counted("fire_and_forget", "complaintCount"), 1);
    EXPECT_EQ(counted("fire_and_forget", "notSpamCount"), 1);
}

TEST_F(ConsequencesTest, NotSpamUndoesNoBounceAndNobodysOwnWish) {
    note(bounce("b1", "a@example.org", Severity::hard));
    note(complaint("c2", "not-spam"));
    EXPECT_FALSE(may_write("a@example.org"));
    EXPECT_EQ(suppression("a@example.org")->text("reason"), "bounce");
}

TEST_F(ConsequencesTest, ABounceThatIsToldAgainAfterItWasLiftedChangesNothing) {
    note(bounce("b1", "a@example.org", Severity::hard));
    people::Change change;
    change.suppressed = false;
    ASSERT_TRUE(office->people.change("a@example.org", change));
    EXPECT_EQ(note(bounce("b1", "a@example.org", Severity::hard)).known, 1u);
    EXPECT_TRUE(may_write("a@example.org"));
}

// A relay takes a mail before the server behind it turns it away.
TEST_F(ConsequencesTest, AMailThatARelayTookAndLostDidNotArrive) {
    for (int mail = 1; mail <= 5; ++mail) {
        EXPECT_FALSE(is_suppressed("a@example.org")) << mail;
        const auto number = std::to_string(mail);
        auto taken_first = happening(EventType::delivery, "d" + number, "a@example.org");
        taken_first.mail_id = "mail " + number;
        note(taken_first);
        auto turned_away = bounce("b" + number, "a@example.org", Severity::soft);
        turned_away.mail_id = "mail " + number;
        note(turned_away);
    }
    EXPECT_TRUE(is_suppressed("a@example.org"));
}

TEST_F(ConsequencesTest, WhoIsWrittenToAgainHasAsManyMailsAsBefore) {
    for (int mail = 1; mail <= 5; ++mail) {
        note(bounce("b" + std::to_string(mail), "a@example.org", Severity::soft));
    }
    ASSERT_TRUE(is_suppressed("a@example.org"));
    people::Change change;
    change.suppressed = false;
    ASSERT_TRUE(office->people.change("a@example.org", change));
    note(bounce("b6", "a@example.org", Severity::soft));
    EXPECT_FALSE(is_suppressed("a@example.org"));
}

TEST(Streak, OnlyMailsInARowCount) {
    struct Case {
        std::string_view name, fates;  // A letter each: d(elivered), t(urned away).
        bool is_full, is_clean;
    };
    const Case cases[] = {{"nothing", "", false, true},
                          {"too few", "tt", false, false},
                          {"enough", "ttt", true, false},
                          {"one that arrived before", "dttt", true, false},
                          {"one in between", "ttdt", false, false},
                          {"all arrived since", "tttddd", false, true}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Streak streak(3);
        int mail = 0;
        for (const char fate : c.fates) {
            streak.note(std::to_string(++mail),
                        fate == 'd' ? Streak::Fate::delivered : Streak::Fate::turned_away);
        }
        EXPECT_EQ(streak.is_full(), c.is_full);
        EXPECT_EQ(streak.is_clean(), c.is_clean);
    }
}

}  // namespace
}  // namespace mailroom::engagement::bounces
