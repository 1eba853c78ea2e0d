#include "engagement/notifications/notifications.h"

#include "engagement/notifications/notification_routes.h"
#include "engagement/notifications/vectors_for_tests.h"
#include "engagement/tracking/account_for_tests.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"
#include "table/records/ensure_table.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::engagement::notifications {
namespace {

using namespace std::chrono_literals;

constexpr const char* table_name = "MailroomEngagement";
constexpr const char* our_mail = "0191d6f0-1234-7abc-8def-0123456789ab";

// Knows one mail, by the Message-ID of the vectors.
class Accounts final : public Account {
public:
    Answer<Noted> note(std::span<const Happening> told) override {
        for (const auto& happening : told) {
            if (happening.email.find('@') == std::string::npos) {
                return Refusal::bad_field("email", "is no e-mail address");
            }
            const auto noted = inner.note({&happening, 1});
            if (!noted) return noted.error();
        }
        return last_counts(told);
    }
    Result<std::optional<FollowedMail>> find_mail(const std::string& id) override {
        return inner.find_mail(id);
    }
    Result<std::optional<FollowedMail>> find_by_message_id(std::string_view id) override {
        if (!knows_mail || id != "m-01J0ABC@mail.example.com") {
            return std::optional<FollowedMail>();
        }
        FollowedMail mail;
        mail.id = our_mail;
        return std::optional(mail);
    }
    void tell(Witness&) override {}

    AccountForTests inner;
    bool knows_mail = true;

private:
    Answer<Noted> last_counts(std::span<const Happening> told) {
        const auto all = inner.happenings.size();
        Noted noted{.added = all - before_, .known = told.size() - (all - before_)};
        before_ = all;
        return noted;
    }
    std::size_t before_ = 0;
};

class NotificationsTest : public ::testing::Test {
protected:
    void SetUp() override {
        engine = *table::Engine::open(kv, clock, random);
        ASSERT_TRUE(table::ensure_table(
            *engine, table::own_table(table_name,
                                      {{"PK", table::Kind::string}, {"SK", table::Kind::string}})));
        settings.ses_topics = {vector_topic};
        settings.mailgun_key = vector_mailgun_key;
        settings.postmark_password = "a long enough password";
        settings.sendgrid_key = vector_file("sendgrid-key.txt");
        ASSERT_TRUE(settings.check());
        start();
    }
    void start() {
        api.emplace();
        desk.emplace(settings, account, *engine, clock, table_name,
                     [this](const net::Url& url) { return fetch(url); });
        add_notification_routes(*api, *desk);
    }
    Result<std::string> fetch(const net::Url& url) {
        fetched.push_back(url.text());
        if (!is_amazon_up) return Error{Errc::unavailable, "no answer"};
        return vector_file(certificate);
    }

    program::Rendered post(const std::string& provider, const std::string& body,
                           const program::Pairs& headers = {}) {
        const program::Actor nobody;
        const program::Pairs none;
        for (const auto& route : api->routes()) {
            if (route.path != "/v1/notifications/" + provider) continue;
            EXPECT_EQ(route.about.scope, "");
            EXPECT_EQ(route.about.pace, program::Pace::may_wait);
            const program::Asked asked{none, none, body, nobody, "", "POST", "", &headers};
            return route.act(asked);
        }
        ADD_FAILURE() << provider;
        return {};
    }
    static std::string counts(int added, int known, int ignored) {
        return R"({"added":)" + std::to_string(added) + R"(,"known":)" + std::to_string(known) +
               R"(,"ignored":)" + std::to_string(ignored) + "}";
    }
    const program::Pairs sendgrid_headers = {
        {"x-twilio-email-event-webhook-timestamp", vector_sendgrid_timestamp},
        {"x-twilio-email-event-webhook-signature", vector_file("sendgrid-signature.txt")}};
    const program::Pairs postmark_headers = {
        {"authorization", "Basic cG9zdG1hcms6YSBsb25nIGVub3VnaCBwYXNzd29yZA=="}};

    kv::MemoryStore kv;
    ManualClock clock{vector_time()};
    SeededRandom random{1};
    std::unique_ptr<table::Engine> engine;
    Accounts account;
    NotificationSettings settings;
    std::optional<Notifications> desk;
    std::optional<program::Api> api;
    std::vector<std::string> fetched;
    std::string certificate = "sns-certificate.pem";
    bool is_amazon_up = true;
};

TEST_F(NotificationsTest, SesTellsOfAMailOfOursOnceHoweverOftenItTells) {
    const auto body = vector_file("sns-click-v1.json");
    EXPECT_EQ(post("ses", body).body, counts(1, 0, 0));
    EXPECT_EQ(post("ses", body).body, counts(0, 1, 0));
    // The same, signed in the other way.
    EXPECT_EQ(post("ses", vector_file("sns-click-v2.json")).body, counts(0, 1, 0));
    const auto& happening = account.inner.happenings.at(0);
    EXPECT_EQ(happening.mail_id, our_mail);
    EXPECT_EQ(happening.link_url, "https://example.com/promo");
    EXPECT_EQ(fetched.size(), 1U);
}

TEST_F(NotificationsTest, SesTellsABounceOfEachPersonInBothSpellings) {
    EXPECT_EQ(post("ses", vector_file("sns-bounce-event-v1.json")).body, counts(2, 0, 0));
    EXPECT_EQ(post("ses", vector_file("sns-bounce-notification-v1.json")).body, counts(0, 2, 0));
    const auto& bounce = *account.inner.happenings.at(1).bounce;
    EXPECT_EQ(bounce.type, "Permanent");
    EXPECT_EQ(bounce.notification_id, "f1");
    EXPECT_EQ(bounce.severity, bounces::Severity::hard);
}

TEST_F(NotificationsTest, AMailThatIsNotOursIsKnownByTheIdThatTheProviderSays) {
    account.knows_mail = false;
    EXPECT_EQ(post("mailgun", vector_file("mailgun-clicked.json")).status, 200);
    const auto& happening = account.inner.happenings.at(0);
    EXPECT_EQ(happening.mail_id, "");
    EXPECT_EQ(happening.message_id, "m-01J0ABC@mail.example.com");
}

TEST_F(NotificationsTest, RefusesWhatIsForgedOrOfSomebodyElsesTopic) {
    EXPECT_EQ(post("ses", vector_file("sns-other-key-v1.json")).status, 403);
    const auto others = post("ses", vector_file("sns-other-topic-v1.json"));
    EXPECT_EQ(others.status, 403);
    const auto click = vector_file("sns-click-v1.json");
    EXPECT_EQ(post("ses", replaced(click, "/promo", "/other")).status, 403);
    EXPECT_EQ(post("ses", replaced(click, "https://sns.eu-west-1.amazonaws.com/Simple",
                                   "https://evil.example/Simple"))
                  .status,
              400);
    EXPECT_EQ(post("ses", "{}").status, 400);
    EXPECT_TRUE(account.inner.happenings.empty());
    // Nothing was asked of Amazon for those that are refused at sight.
    EXPECT_EQ(fetched.size(), 1U);
    EXPECT_EQ(desk->refused(), 5U);
}

TEST_F(NotificationsTest, RefusesACertificateThatIsWeakOrOutOfDate) {
    certificate = "weak-certificate.pem";
    EXPECT_EQ(post("ses", vector_file("sns-click-v1.json")).status, 403);
    certificate = "other-certificate.pem";
    EXPECT_EQ(post("ses", vector_file("sns-click-v1.json")).status, 403);
    EXPECT_TRUE(account.inner.happenings.empty());
}

TEST_F(NotificationsTest, RefusesAReplayOfWhatIsOld) {
    const auto body = vector_file("sns-complaint-v1.json");
    clock.advance(6h);
    EXPECT_EQ(post("ses", body).status, 200);
    clock.advance(1s);
    EXPECT_EQ(post("ses", body).status, 403);
    clock.set(vector_time() - 16min);
    EXPECT_EQ(post("ses", body).status, 403);
}

TEST_F(NotificationsTest, AsksAgainForACertificateAfterADayAndNotTooOften) {
    EXPECT_EQ(post("ses", vector_file("sns-click-v1.json")).status, 200);
    is_amazon_up = false;
    EXPECT_EQ(post("ses", vector_file("sns-click-v1.json")).status, 200);
    const auto text = vector_file("sns-click-v1.json");
    int unavailable = 0;
    for (int i = 10; i < 40; ++i) {
        const auto name = "Service-" + std::to_string(i);
        unavailable += post("ses", replaced(text, "Service-01", name)).status == 503;
    }
    EXPECT_EQ(unavailable, 30);
    EXPECT_EQ(fetched.size(), 10U);
    clock.advance(1min);
    post("ses", replaced(text, "Service-01", "Service-99"));
    EXPECT_EQ(fetched.size(), 11U);
}

TEST_F(NotificationsTest, SubscribesToATopicOfOursWhenAmazonAsks) {
    const auto body = vector_file("sns-subscription-v1.json");
    EXPECT_EQ(post("ses", body).body, counts(0, 0, 1));
    ASSERT_EQ(fetched.size(), 2U);
    EXPECT_EQ(fetched.at(1),
              "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=" +
                  vector_topic + "&Token=2336412f37f");
    is_amazon_up = false;
    EXPECT_EQ(post("ses", body).status, 503);
    EXPECT_EQ(post("ses", replaced(body, "Token=2336412f37f", "Token=2336412f37e")).status, 403);
    EXPECT_EQ(post("ses", vector_file("sns-farewell-v2.json")).body, counts(0, 0, 1));
}

TEST_F(NotificationsTest, MailgunsTokenIsGoodOnce) {
    const auto body = vector_file("mailgun-failed-permanent.json");
    EXPECT_EQ(post("mailgun", body).body, counts(1, 0, 0));
    EXPECT_EQ(post("mailgun", body).status, 406);
    // Not with another event, nor after a restart.
    start();
    EXPECT_EQ(post("mailgun", vector_file("mailgun-complained.json")).status, 406);
    EXPECT_EQ(account.inner.happenings.size(), 1U);
}

TEST_F(NotificationsTest, MailgunMayTellAgainWhatIsNotDurable) {
    account.inner.broken = true;
    const auto body = vector_file("mailgun-failed-permanent.json");
    EXPECT_EQ(post("mailgun", body).status, 503);
    account.inner.broken = false;
    EXPECT_EQ(post("mailgun", body).body, counts(1, 0, 0));
}

TEST_F(NotificationsTest, MailgunsSignatureIsItsOwnAndFresh) {
    const auto body = vector_file("mailgun-delivered.json");
    EXPECT_EQ(post("mailgun", replaced(body, "a8f5d4c3", "b8f5d4c3")).status, 403);
    EXPECT_EQ(post("mailgun", replaced(body, "1768471205", "1768471206")).status, 403);
    EXPECT_EQ(post("mailgun", "{}").status, 400);
    clock.advance(12h + 1s);
    EXPECT_EQ(post("mailgun", body).status, 406);
    EXPECT_TRUE(account.inner.happenings.empty());
}

TEST_F(NotificationsTest, PostmarkKnowsThePassword) {
    const auto body = vector_file("postmark-bounce-hard.json");
    EXPECT_EQ(post("postmark", body).status, 403);
    EXPECT_EQ(post("postmark", body, {{"Authorization", "Basic cG9zdG1hcms6eA=="}}).status, 403);
    EXPECT_EQ(post("postmark", body, postmark_headers).body, counts(1, 0, 0));
    EXPECT_EQ(post("postmark", body, postmark_headers).body, counts(0, 1, 0));
    EXPECT_EQ(post("postmark", "{}", postmark_headers).status, 400);
}

TEST_F(NotificationsTest, SendGridSignsAllOfItsEvents) {
    const auto body = vector_file("sendgrid-events.json");
    EXPECT_EQ(post("sendgrid", body).status, 403);
    EXPECT_EQ(post("sendgrid", replaced(body, "user@", "evil@"), sendgrid_headers).status, 403);
    EXPECT_EQ(post("sendgrid", body, sendgrid_headers).body, counts(10, 0, 5));
    EXPECT_EQ(post("sendgrid", body, sendgrid_headers).body, counts(0, 10, 5));
    clock.advance(26h + 1s);
    EXPECT_EQ(post("sendgrid", body, sendgrid_headers).status, 403);
}

TEST_F(NotificationsTest, OneThatIsNoEventHoldsUpNoOther) {
    settings.postmark_password = "a long enough password";
    const auto body = replaced(vector_file("postmark-bounce-hard.json"), "user@example.com", "x");
    EXPECT_EQ(post("postmark", body, postmark_headers).body, counts(0, 0, 1));
}

TEST_F(NotificationsTest, TakesNothingOfAProviderThatIsNotSetUp) {
    settings = {};
    start();
    EXPECT_EQ(post("ses", vector_file("sns-click-v1.json")).status, 404);
    EXPECT_EQ(post("mailgun", vector_file("mailgun-delivered.json")).status, 404);
    EXPECT_EQ(post("postmark", vector_file("postmark-open.json"), postmark_headers).status, 404);
    EXPECT_EQ(post("sendgrid", vector_file("sendgrid-events.json"), sendgrid_headers).status, 404);
}

TEST(NotificationSettings, RefusesAPasswordThatCanBeGuessedAndAKeyThatIsNone) {
    NotificationSettings settings;
    EXPECT_TRUE(settings.check());
    settings.postmark_password = "short";
    EXPECT_FALSE(settings.check());
    settings.postmark_password = "a long enough password";
    settings.sendgrid_key = "none";
    EXPECT_FALSE(settings.check());
}

}  // namespace
}  // namespace mailroom::engagement::notifications
