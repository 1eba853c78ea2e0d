#include "engagement/notifications/signatures.h"

#include "engagement/notifications/mailgun.h"
#include "engagement/notifications/postmark.h"
#include "engagement/notifications/sendgrid.h"
#include "engagement/notifications/sns_message.h"
#include "engagement/notifications/vectors_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::engagement::notifications {
namespace {

using namespace std::chrono_literals;

PublicKey certificate_key(const std::string& file) {
    return *PublicKey::of_certificate(vector_file(file), vector_time());
}

bool is_signed(const SnsMessage& message, const PublicKey& key) {
    return key.verifies(message.signed_text(), message.signature, message.digest);
}

TEST(SnsMessage, IsSignedByAmazonInBothVersions) {
    const auto key = certificate_key("sns-certificate.pem");
    for (const auto* name :
         {"sns-click-v1.json", "sns-click-v2.json", "sns-open-subject-v1.json",
          "sns-subscription-v1.json", "sns-farewell-v2.json", "sns-other-topic-v1.json"}) {
        const auto message = SnsMessage::parse(vector_file(name));
        ASSERT_TRUE(message) << name << message.error().message;
        EXPECT_TRUE(is_signed(*message, key)) << name;
        EXPECT_EQ(message->at, vector_time());
        EXPECT_FALSE(is_signed(*message, certificate_key("other-certificate.pem"))) << name;
    }
}

TEST(SnsMessage, IsNotSignedOnceAnythingInItIsChanged) {
    const auto key = certificate_key("sns-certificate.pem");
    const auto text = vector_file("sns-open-subject-v1.json");
    const std::pair<std::string, std::string> changes[] = {
        {"user@example.com", "evil@example.com"},
        {"33b80b92", "33b80b93"},
        {"123456789012", "123456789013"},
        {"Amazon SES", "Amazon SEX"},
        {"10:00:05", "10:00:06"},
        {"\"SignatureVersion\": \"1\"", "\"SignatureVersion\": \"2\""},
        {"\"Notification\"", "\"UnsubscribeConfirmation\""},
    };
    for (const auto& [from, to] : changes) {
        const auto message = SnsMessage::parse(replaced(text, from, to));
        ASSERT_TRUE(message) << from;
        EXPECT_FALSE(is_signed(*message, key)) << from;
    }
    const auto forged = SnsMessage::parse(vector_file("sns-other-key-v1.json"));
    EXPECT_FALSE(is_signed(*forged, key));
}

TEST(SnsMessage, NamesOnlyCertificatesOfAmazon) {
    const std::pair<std::string, bool> cases[] = {
        {"https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01.pem", true},
        {"https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-01.pem", true},
        {"https://sns.eu-west-1.amazonaws.com:443/SimpleNotificationService-01.pem", true},
        {"http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01.pem", false},
        {"https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-01.pem", false},
        {"https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-01.pem",
         false},
        {"https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-01.pem",
         false},
        {"https://bucket.s3.amazonaws.com/SimpleNotificationService-01.pem", false},
        {"https://sns.evil.eu-west-1.amazonaws.com/SimpleNotificationService-01.pem", false},
        {"https://sns.amazonaws.com/SimpleNotificationService-01.pem", false},
        {"https://sns.eu-west-1.amazonaws.com/a/SimpleNotificationService-01.pem", false},
        {"https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01/../x.pem", false},
        {"https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01.pem?x=1", false},
        {"https://sns.eu-west-1.amazonaws.com/Other-01.pem", false},
    };
    const auto text = vector_file("sns-click-v1.json");
    const std::string real =
        "https://sns.eu-west-1.amazonaws.com/"
        "SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";
    for (const auto& [url, good] : cases) {
        EXPECT_EQ(bool(SnsMessage::parse(replaced(text, real, url))), good) << url;
    }
}

TEST(SnsMessage, RefusesWhatIsNone) {
    const auto text = vector_file("sns-click-v1.json");
    EXPECT_FALSE(SnsMessage::parse(""));
    EXPECT_FALSE(SnsMessage::parse("[]"));
    EXPECT_FALSE(SnsMessage::parse(R"({"Type":"Notification"})"));
    EXPECT_FALSE(SnsMessage::parse(replaced(text, "\"Notification\"", "\"Other\"")));
    EXPECT_FALSE(SnsMessage::parse(
        replaced(text, "\"SignatureVersion\": \"1\"", "\"SignatureVersion\": \"3\"")));
    EXPECT_FALSE(SnsMessage::parse(replaced(text, "\"Signature\": \"", "\"Signature\": \"*")));
    EXPECT_FALSE(SnsMessage::parse(replaced(text, "2026-01-15T10:00:05.000Z", "yesterday")));
}

TEST(SnsMessage, IsConfirmedAtAmazonOnly) {
    const auto at = [](const std::string& url) {
        const auto parsed = net::Url::parse(url);
        return parsed && is_confirmation_url(*parsed);
    };
    EXPECT_TRUE(at("https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2"));
    EXPECT_FALSE(at("https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe&Token=2"));
    EXPECT_FALSE(at("https://sns.eu-west-1.amazonaws.com/x?Action=ConfirmSubscription&Token=2"));
    EXPECT_FALSE(at("https://169.254.169.254/?Action=ConfirmSubscription&Token=2"));
    EXPECT_FALSE(at("http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2"));
}

TEST(PublicKey, OfACertificateIsValidNowAndStrong) {
    const auto pem = vector_file("sns-certificate.pem");
    EXPECT_TRUE(PublicKey::of_certificate(pem, vector_time()));
    EXPECT_FALSE(PublicKey::of_certificate(pem, vector_time() - 24h * 1000));
    EXPECT_FALSE(PublicKey::of_certificate(pem, vector_time() + 24h * 365 * 40));
    EXPECT_FALSE(PublicKey::of_certificate(vector_file("weak-certificate.pem"), vector_time()));
    EXPECT_FALSE(PublicKey::of_certificate("", vector_time()));
    EXPECT_FALSE(PublicKey::of_certificate(pem.substr(0, 400), vector_time()));
}

TEST(SendGridSignature, IsOfTheTimestampAndTheBody) {
    const auto body = vector_file("sendgrid-events.json");
    const auto signature = vector_file("sendgrid-signature.txt");
    const auto text = vector_file("sendgrid-key.txt");
    const auto key = *PublicKey::of_base64(text);
    const auto& timestamp = vector_sendgrid_timestamp;
    EXPECT_TRUE(is_signed_by(key, timestamp, body, signature));
    EXPECT_FALSE(is_signed_by(key, "1768471206", body, signature));
    EXPECT_FALSE(is_signed_by(key, timestamp, body + " ", signature));
    EXPECT_FALSE(is_signed_by(key, timestamp, body, ""));
    EXPECT_FALSE(is_signed_by(key, timestamp, body, "MEUCIQ=="));
    EXPECT_EQ(*read_sendgrid_time(timestamp), vector_time());
    for (const auto* bad : {"", "x", "-1", "17684712055", "1768471205 ", "1e9"}) {
        EXPECT_FALSE(read_sendgrid_time(bad)) << bad;
    }
    EXPECT_TRUE(PublicKey::of_base64("-----BEGIN PUBLIC KEY-----\n" + text +
                                     "\n-----END PUBLIC KEY-----\n"));
    EXPECT_FALSE(PublicKey::of_base64(text.substr(4)));
    EXPECT_FALSE(PublicKey::of_base64(""));
}

TEST(MailgunSignature, IsOfTheTimestampAndTheToken) {
    const auto text = vector_file("mailgun-delivered.json");
    const auto signature = *read_mailgun_signature(text);
    EXPECT_EQ(signature.at, vector_time());
    EXPECT_TRUE(is_signed_by(signature, vector_mailgun_key));
    EXPECT_FALSE(is_signed_by(signature, vector_mailgun_key + "0"));
    const auto changed = [&](const std::string& from, const std::string& to) {
        return is_signed_by(*read_mailgun_signature(replaced(text, from, to)), vector_mailgun_key);
    };
    EXPECT_FALSE(changed("1768471205", "1768471206"));
    EXPECT_FALSE(changed("a8f5d4c3", "a8f5d4c4"));
    EXPECT_FALSE(changed("\"signature\": \"", "\"signature\": \"0"));
    EXPECT_FALSE(read_mailgun_signature("{}"));
    EXPECT_FALSE(read_mailgun_signature(replaced(text, "1768471205", "soon")));
    EXPECT_FALSE(read_mailgun_signature(replaced(text, "\"token\"", "\"tok\"")));
}

TEST(PostmarkLogin, IsTheUserAndThePassword) {
    EXPECT_TRUE(is_basic_login("Basic YW5uOnBhc3M=", "ann", "pass"));
    EXPECT_TRUE(is_basic_login("basic  YW5uOnBhc3M=", "ann", "pass"));
    for (const auto* bad : {"", "Basic", "Basic YW5uOnBhc3N=", "Basic YW5uOg==", "Basic !",
                            "Bearer YW5uOnBhc3M=", "YW5uOnBhc3M="}) {
        EXPECT_FALSE(is_basic_login(bad, "ann", "pass")) << bad;
    }
}

TEST(Window, HoldsUntilTheLastMomentAndForgivesClocks) {
    const auto now = vector_time();
    EXPECT_TRUE(is_within(now - 1h, now, 1h));
    EXPECT_FALSE(is_within(now - 1h - 1ms, now, 1h));
    EXPECT_TRUE(is_within(now + 15min, now, 1h));
    EXPECT_FALSE(is_within(now + 15min + 1ms, now, 1h));
}

}  // namespace
}  // namespace mailroom::engagement::notifications
