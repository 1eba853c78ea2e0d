#include "outbox/callbacks/webhook.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

TEST(Webhook, ASignatureIsTheOneOfTheStandard) {
    // The example that the libraries of Standard Webhooks share.
    const auto secret = parse_webhook_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    ASSERT_TRUE(secret);
    EXPECT_EQ(webhook_signature(*secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330",
                                R"({"test": 2432232314})"),
              "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(Webhook, IsSignedWithEachKeyAndNotAtAllWithoutOne) {
    const auto now = from_unix_ms(1'614'265'330'000);
    const std::string key(24, 'k'), other(24, 'o');
    const auto signature = [&](const std::vector<std::string>& keys) {
        for (const auto& [name, value] : webhook_headers(keys, "id", now, "{}")) {
            if (name == "webhook-signature") return value;
        }
        return std::string();
    };
    EXPECT_EQ(signature({key, other}), webhook_signature(key, "id", "1614265330", "{}") + " " +
                                           webhook_signature(other, "id", "1614265330", "{}"));
    EXPECT_EQ(signature({}), "");
}

TEST(Webhook, ASecretIsBase64AfterItsPrefixOrTheTextItself) {
    const std::string key(24, 'k');
    struct Case {
        std::string_view name;
        std::string text;
        std::string want;  // Empty: refused.
    };
    const Case cases[] = {
        {"base64", "whsec_" + base64_encode(key), key},
        {"text", "correct horse battery staple", "correct horse battery staple"},
        {"bytes that are no text", "whsec_" + base64_encode(std::string(32, '\xff')),
         std::string(32, '\xff')},
        {"no base64", "whsec_correct horse battery staple", ""},
        {"without padding", "whsec_" + std::string(35, 'A'), ""},
        {"short", "whsec_" + base64_encode("too short"), ""},
        {"short text", "too short", ""},
        {"nothing", "", ""},
        {"only the prefix", "whsec_", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = parse_webhook_secret(c.text);
        EXPECT_EQ(got ? *got : "", c.want);
    }
}

TEST(Webhook, TheBodyTellsAllOfAMail) {
    Mail mail;
    mail.id = "11111111-2222-4333-8444-555555555555";
    mail.state = State::calling_sent_callback;
    mail.reason = "1 of 2 recipients failed: c@\"x\"";
    mail.recipients = {{"b@example.org", Recipient::State::delivered, 250, "ok"},
                       {.address = "c@example.org",
                        .state = Recipient::State::failed,
                        .code = 550,
                        .text = "no \"such\" user",
                        .doubtful_since = from_unix_ms(1'763'632'800'500)}};
    mail.message_id = "<1@example.com>";
    mail.created = from_unix_ms(1'763'632'800'000);
    const auto wishes =
        read_callback_wishes(R"({"to":"b@example.org","callback_url":"https://c.example/x",)"
                             R"("tags":["a","b\n"],"metadata":{"n":[1,2.5,null,true],"s":"ü"}})");
    ASSERT_TRUE(wishes);
    EXPECT_EQ(wishes->url, "https://c.example/x");
    EXPECT_EQ(
        webhook_body(mail, from_unix_ms(1'763'632'801'234), *wishes),
        R"({"type":"email.sent","timestamp":"2025-11-20T10:00:01.234Z",)"
        R"("id":"11111111-2222-4333-8444-555555555555","state":"SENT",)"
        R"("reason":"1 of 2 recipients failed: c@\"x\"",)"
        R"("recipients":[{"address":"b@example.org","state":"delivered","code":250,"text":"ok"},)"
        R"({"address":"c@example.org","state":"failed","code":550,"text":"no \"such\" user",)"
        R"("may_have_arrived_at":"2025-11-20T10:00:00.500Z"}],)"
        R"("message_id":"<1@example.com>","created_at":"2025-11-20T10:00:00Z",)"
        R"("reached_at":"2025-11-20T10:00:01Z","tags":["a","b\n"],)"
        R"("metadata":{"n":[1,2.5,null,true],"s":"ü"},"code":"TRAVELING",)"
        R"("message_ids":["11111111-2222-4333-8444-555555555555"]})");
}

TEST(Webhook, EachStateThatThereIsACallbackAboutHasItsWords) {
    struct Case {
        State state;
        std::string_view start;  // Of the body; empty: there is no callback about it.
    };
    const Case cases[] = {
        {State::sent, R"({"type":"email.sent",)"},
        {State::calling_sent_callback, R"({"type":"email.sent",)"},
        {State::failed, R"({"type":"email.failed",)"},
        {State::calling_failed_callback, R"({"type":"email.failed",)"},
        {State::invalid, R"({"type":"email.invalid",)"},
        {State::accepted, ""},
        {State::intaking, ""},
        {State::ready, ""},
        {State::processing, ""},
        {State::sent_acknowledged, ""},
        {State::failed_acknowledged, ""},
        {State::cancelled, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(name_of(c.state));
        Mail mail;
        mail.state = c.state;
        ASSERT_EQ(told_state(c.state).has_value(), !c.start.empty());
        if (!told_state(c.state)) continue;
        const auto body = webhook_body(mail, from_unix_ms(0), {});
        EXPECT_TRUE(body.starts_with(c.start)) << body;
        const bool sent = told_state(c.state) == State::sent;
        EXPECT_EQ(body.find("TRAVELING") != body.npos, sent);
        EXPECT_EQ(body.find("DISPATCH-ERROR") != body.npos, !sent);
    }
}

TEST(Webhook, PayloadsThatSayNothingOrNonsenseAreReadAsFarAsTheyMakeSense) {
    const auto raw = read_callback_wishes(R"({"raw":true})");
    ASSERT_TRUE(raw);
    EXPECT_FALSE(raw->url);
    EXPECT_EQ(raw->tags, "[]");
    EXPECT_EQ(raw->metadata, "{}");
    const auto odd = read_callback_wishes(R"({"callback_url":5,"tags":"a","metadata":[1]})");
    ASSERT_TRUE(odd);
    EXPECT_FALSE(odd->url);
    EXPECT_EQ(odd->tags, "[]");
    EXPECT_EQ(odd->metadata, "{}");
    for (const char* text : {"", "[]", "{", "5"}) EXPECT_FALSE(read_callback_wishes(text)) << text;
}

}  // namespace
}  // namespace mailroom::outbox
