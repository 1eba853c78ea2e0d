// From what a provider posts to the rows that other programs know.
#include "engagement/engagement_fixture.h"
#include "engagement/notifications/notifications.h"
#include "engagement/notifications/vectors_for_tests.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mailroom::engagement::notifications {
namespace {

class NotificationScenario : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        clock.set(vector_time());
        known.ses_topics = {vector_topic};
        desk.emplace(known, office->account, office->store, clock, "MailroomEngagement",
                     [](const net::Url&) -> Result<std::string> {
                         return vector_file("sns-certificate.pem");
                     });
    }
    NotificationCounts tell(const std::string& file) {
        return taken(desk->take_ses(vector_file(file)));
    }

    NotificationSettings known;
    std::optional<Notifications> desk;
};

TEST_F(NotificationScenario, AClickAtSesIsARowAndACountOnce) {
    EXPECT_EQ(tell("sns-click-v1.json").added, 1);
    EXPECT_EQ(tell("sns-click-v2.json").known, 1);
    const auto rows = events("user@example.com");
    ASSERT_EQ(rows.size(), 1U);
    const auto& click = rows.front();
    EXPECT_EQ(click.text("SK"), "EVT#2026-01-15T10:00:00.000Z#click");
    EXPECT_EQ(click.text("templateKey"), "onboarding/welcome");
    EXPECT_EQ(click.text("sequenceId"), "onboarding");
    EXPECT_EQ(click.text("subject"), "Welcome!");
    EXPECT_EQ(click.text("linkUrl"), "https://example.com/promo");
    EXPECT_EQ(click.text("userAgent"), "Mozilla/5.0 (X11)");
    EXPECT_EQ(click.text("sesMessageId"), "0102019bc0de-5a5a-4b4b-8c8c-000000000001-000000");
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
}

TEST_F(NotificationScenario, ABounceInBothSpellingsIsOneOfEachPerson) {
    EXPECT_EQ(tell("sns-bounce-event-v1.json").added, 2);
    EXPECT_EQ(tell("sns-bounce-notification-v1.json").known, 2);
    for (const std::string email : {"a@example.com", "b@example.com"}) {
        const auto rows = events(email);
        ASSERT_EQ(rows.size(), 1U) << email;
        EXPECT_EQ(rows.front().text("eventType"), "bounce");
        EXPECT_EQ(rows.front().text("bounceType"), "Permanent");
        EXPECT_EQ(rows.front().text("bounceSeverity"), "hard");
        EXPECT_EQ(rows.front().text("notificationId"), "f1");
    }
    EXPECT_EQ(counted("onboarding", "bounceCount"), 2);
}

}  // namespace
}  // namespace mailroom::engagement::notifications
