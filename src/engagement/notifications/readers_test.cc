#include "engagement/notifications/mailgun.h"
#include "engagement/notifications/postmark.h"
#include "engagement/notifications/sendgrid.h"
#include "engagement/notifications/ses.h"
#include "engagement/notifications/vectors_for_tests.h"

#include <gtest/gtest.h>

#include <cassert>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace mailroom::engagement::notifications {

std::string vector_file(const std::string& name) {
    std::ifstream file(std::string(NOTIFICATION_CORPUS) + "/" + name, std::ios::binary);
    assert(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

namespace {

// "bounce hard mailbox-unknown", "open machine", "complaint abuse", "ignored".
std::string summary(const Telling& telling) {
    std::string text;
    for (const auto& told : telling.told) {
        if (!text.empty()) text += ", ";
        const auto& happening = told.happening;
        text += name_of(happening.type);
        if (happening.bounce) {
            text += " " + std::string(name_of(happening.bounce->severity)) + " " +
                    happening.bounce->subclass;
        }
        if (happening.is_machine) text += " machine";
        if (!happening.feedback_type.empty()) text += " " + happening.feedback_type;
    }
    if (telling.ignored > 0) text += (text.empty() ? "" : ", ") + std::string("ignored");
    return text;
}

struct Case {
    std::string file, want;
};
void expect_all(const std::vector<Case>& cases,
                const std::function<Result<Telling>(std::string_view)>& read) {
    for (const auto& c : cases) {
        const auto telling = read(vector_file(c.file));
        ASSERT_TRUE(telling) << c.file << ": " << telling.error().message;
        EXPECT_EQ(summary(*telling), c.want) << c.file;
        for (const auto& told : telling->told) {
            EXPECT_FALSE(told.happening.id.empty());
            EXPECT_LE(told.happening.id.size(), 200U);
            EXPECT_EQ(told.happening.mail_id, "");
        }
    }
}

TEST(Ses, TellsWhatHappenedInBothSpellings) {
    expect_all(
        {{"ses-click.json", "click"},
         {"ses-open.json", "open"},
         {"ses-delivery.json", "delivery"},
         {"ses-complaint.json", "complaint abuse"},
         {"ses-bounce-event.json", "bounce hard mailbox-unknown, bounce hard mailbox-unknown"},
         {"ses-bounce-full.json", "bounce soft mailbox-full"},
         {"ses-bounce-unauthenticated.json", "bounce authentication authentication"},
         {"ses-bounce-unknown.json", "bounce hard mailbox-unknown"},
         {"ses-send.json", "ignored"}},
        read_ses);
}

TEST(Ses, SaysOfTheMailWhatItsHeadersSay) {
    const auto told = read_ses(vector_file("ses-click.json"))->told.at(0);
    const auto& happening = told.happening;
    EXPECT_EQ(happening.at, *parse_rfc3339("2026-01-15T10:00:00Z"));
    EXPECT_EQ(happening.email, "user@example.com");
    EXPECT_EQ(happening.template_key, "onboarding/welcome");
    EXPECT_EQ(happening.sequence_id, "onboarding");
    EXPECT_EQ(happening.subject, "Welcome!");
    EXPECT_EQ(happening.link_url, "https://example.com/promo");
    EXPECT_EQ(happening.user_agent, "Mozilla/5.0 (X11)");
    EXPECT_EQ(happening.message_id, "0102019bc0de-5a5a-4b4b-8c8c-000000000001-000000");
    EXPECT_EQ(told.our_message_id, "m-01J0ABC@mail.example.com");
}

TEST(Ses, KeepsTheWordsOfABounce) {
    const auto telling = *read_ses(vector_file("ses-bounce-full.json"));
    const auto& bounce = *telling.told.at(0).happening.bounce;
    EXPECT_EQ(bounce.type, "Transient");
    EXPECT_EQ(bounce.notification_id, "f1");
    EXPECT_EQ(bounce.provider, "ses");
    EXPECT_EQ(bounce.diagnostic,
              "smtp; 452 4.2.2 The email account that you tried to reach is over quota");
}

TEST(Ses, GivesABounceOneIdHoweverItIsTold) {
    const auto text = vector_file("ses-bounce-event.json");
    const auto event = read_ses(text)->told;
    const auto notification =
        read_ses(replaced(text, "\"eventType\"", "\"notificationType\""))->told;
    EXPECT_EQ(event.at(0).happening.id, notification.at(0).happening.id);
    EXPECT_NE(event.at(0).happening.id, event.at(1).happening.id);
    // A genuine second click in the same millisecond is on another link, or it is the same one.
    const auto click = vector_file("ses-click.json");
    EXPECT_NE(read_ses(click)->told.at(0).happening.id,
              read_ses(replaced(click, "/promo", "/other"))->told.at(0).happening.id);
}

TEST(Ses, BelievesAmazonThatABounceIsForNow) {
    const auto text = vector_file("ses-bounce-unknown.json");
    EXPECT_EQ(summary(*read_ses(replaced(text, "Permanent", "Transient"))),
              "bounce soft mailbox-unavailable");
    EXPECT_EQ(summary(*read_ses(replaced(text, "Permanent", "Undetermined"))),
              "bounce unclear unclear");
}

TEST(Ses, RefusesWhatIsToldWithoutWhomOrWhen) {
    const auto bounce = vector_file("ses-bounce-unknown.json");
    const auto click = vector_file("ses-click.json");
    for (const auto& bad :
         {std::string(), std::string("[]"), std::string(R"({"eventType":"Bounce"})"),
          replaced(bounce, "\"timestamp\": \"2026-01-15T10:00:02", "\"timestamp\": \"nonsense"),
          replaced(bounce, "bouncedRecipients", "recipients"),
          replaced(click, "\"messageId\"", "\"id\""), replaced(click, "\"click\"", "\"clicked\""),
          replaced(click, "2026-01-15T10:00:00", "1926-01-15T10:00:00")}) {
        EXPECT_FALSE(read_ses(bad)) << bad;
    }
    EXPECT_EQ(summary(*read_ses(R"({"eventType":"Rendering Failure"})")), "ignored");
    EXPECT_EQ(summary(*read_ses("{}")), "ignored");
}

TEST(Mailgun, TellsWhatHappened) {
    expect_all({{"mailgun-delivered.json", "delivery"},
                {"mailgun-opened.json", "open machine"},
                {"mailgun-clicked.json", "click"},
                {"mailgun-failed-permanent.json", "bounce hard mailbox-unknown"},
                {"mailgun-failed-spf.json", "bounce authentication authentication"},
                {"mailgun-failed-temporary.json", "ignored"},
                {"mailgun-failed-suppressed.json", "bounce hard mailbox-unknown"},
                {"mailgun-failed-unsubscribed.json", "ignored"},
                {"mailgun-complained.json", "complaint"},
                {"mailgun-unsubscribed.json", "unsubscribe"},
                {"mailgun-accepted.json", "ignored"}},
               read_mailgun);
}

TEST(Mailgun, SaysWhomAndWhenAndOfWhichMail) {
    const auto told = read_mailgun(vector_file("mailgun-clicked.json"))->told.at(0);
    EXPECT_EQ(told.happening.at, *parse_rfc3339("2026-01-15T10:00:02.250Z"));
    EXPECT_EQ(told.happening.email, "user@example.com");
    EXPECT_EQ(told.our_message_id, "m-01J0ABC@mail.example.com");
    EXPECT_EQ(told.happening.link_url, "https://example.com/promo");
    const auto text = vector_file("mailgun-clicked.json");
    for (const auto& bad :
         {std::string("{}"), replaced(text, "event-data", "event"),
          replaced(text, "\"id\"", "\"no\""), replaced(text, "1768471202.25", "\"now\""),
          replaced(text, "1768471202.25", "1e300")}) {
        EXPECT_FALSE(read_mailgun(bad)) << bad;
    }
}

TEST(Postmark, TellsWhatHappened) {
    expect_all({{"postmark-delivery.json", "delivery"},
                {"postmark-open.json", "open"},
                {"postmark-click.json", "click"},
                {"postmark-bounce-hard.json", "bounce hard mailbox-unknown"},
                {"postmark-bounce-hard-dmarc.json", "bounce authentication authentication"},
                {"postmark-bounce-soft.json", "bounce soft mailbox-full"},
                {"postmark-bounce-blocked.json", "bounce policy policy"},
                {"postmark-bounce-transient.json", "ignored"},
                {"postmark-bounce-autoresponder.json", "ignored"},
                {"postmark-complaint.json", "complaint abuse"},
                {"postmark-unsubscribe.json", "unsubscribe"},
                {"postmark-reactivation.json", "ignored"}},
               read_postmark);
}

TEST(Postmark, ReadsTimesWithSevenDigitsAndRefusesWithoutThem) {
    const auto text = vector_file("postmark-bounce-hard.json");
    const auto told = read_postmark(text)->told.at(0);
    EXPECT_EQ(told.happening.at, *parse_rfc3339("2026-01-15T10:00:02.907Z"));
    EXPECT_EQ(told.happening.bounce->notification_id, "4323372036854775807");
    EXPECT_FALSE(read_postmark(replaced(text, "BouncedAt", "At")));
    EXPECT_FALSE(read_postmark(replaced(text, "RecordType", "Record")));
    EXPECT_FALSE(read_postmark("7"));
}

TEST(SendGrid, TellsWhatHappenedAndPassesOverWhatItCannotRead) {
    const auto telling = *read_sendgrid(vector_file("sendgrid-events.json"));
    EXPECT_EQ(summary(telling),
              "delivery, open machine, click, bounce hard mailbox-unknown, "
              "bounce policy blocklisted, bounce policy policy, bounce hard mailbox-unknown, "
              "complaint abuse, unsubscribe, unsubscribe, ignored");
    EXPECT_EQ(telling.ignored, 5U);
    std::set<std::string> ids;
    for (const auto& told : telling.told) {
        EXPECT_EQ(told.our_message_id, "m-01J0ABC@mail.example.com");
        ids.insert(told.happening.id);
    }
    EXPECT_EQ(ids.size(), telling.told.size());
}

TEST(SendGrid, RefusesWhatIsNoListOrTooLong) {
    EXPECT_FALSE(read_sendgrid("{}"));
    EXPECT_FALSE(read_sendgrid("nonsense"));
    std::string many = "[";
    for (std::size_t i = 0; i <= told_max; ++i) many += i == 0 ? "1" : ",1";
    EXPECT_FALSE(read_sendgrid(many + "]"));
    EXPECT_TRUE(read_sendgrid("[]"));
}

TEST(ToldId, IsOfItsPartsAndOfNoOthers) {
    EXPECT_EQ(told_id("x", {"ab", "c"}), told_id("x", {"ab", "c"}));
    EXPECT_NE(told_id("x", {"ab", "c"}), told_id("x", {"a", "bc"}));
    EXPECT_NE(told_id("x", {"a"}), told_id("y", {"a"}));
    EXPECT_LE(told_id("sendgrid", {std::string(100'000, 'x')}).size(), 60U);
}

}  // namespace
}  // namespace mailroom::engagement::notifications
