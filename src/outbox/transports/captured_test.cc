#include "outbox/transports/captured.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "table/engine/engine_fixture.h"

namespace mailroom::outbox {
namespace {

class CapturedTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        clock.set(*parse_rfc3339("2026-11-15T12:00:00.123Z"));
        auto opened = Captured::open(*engine, clock);
        ASSERT_TRUE(opened) << opened.error().message;
        captured = *std::move(opened);
        engine->finish_jobs();  // A commit that is made to fail is the test's own.
    }

    smtp::Delivery send(const std::string& id) {
        smtp::Delivery result;
        int answers = 0;
        captured->send({.id = id,
                        .sender = "a@example.com",
                        .recipients = {"b@example.org", "c@example.org"},
                        .message = "From: a@example.com\r\nSubject: =?utf-8?q?Caff=C3=A8?=\r\n"
                                   " alle tre\r\n\r\nSubject: not this\r\n"},
                       [&](smtp::Delivery delivery) {
                           ++answers;
                           result = std::move(delivery);
                       });
        EXPECT_EQ(answers, 1);
        return result;
    }

    std::string pages(std::size_t limit) {
        std::string text;
        std::optional<std::string> after;
        do {
            const auto page = captured->list(limit, after);
            EXPECT_TRUE(page) << page.error().message;
            if (!page) return text;
            if (after) text += "|";
            for (const auto& mail : page->mails) text += mail.id;
            after = page->next;
        } while (after && text.size() < 1000);
        return text;
    }

    std::unique_ptr<Captured> captured;
};

TEST_F(CapturedTest, AMailIsAcceptedAndListed) {
    const auto delivery = send("m");
    ASSERT_EQ(delivery.recipients.size(), 2u);
    for (const auto& result : delivery.recipients) {
        EXPECT_EQ(result.verdict.outcome, smtp::Outcome::accepted);
        EXPECT_EQ(result.verdict.text, "captured");
    }
    EXPECT_EQ(delivery.recipients[1].recipient, "c@example.org");
    const auto page = captured->list(10, std::nullopt);
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_EQ(page->mails.size(), 1u);
    EXPECT_EQ(page->next, std::nullopt);
    const auto& mail = page->mails[0];
    EXPECT_EQ(mail.id, "m");
    EXPECT_EQ(mail.sender, "a@example.com");
    EXPECT_EQ(mail.recipients, (std::vector<std::string>{"b@example.org", "c@example.org"}));
    EXPECT_EQ(mail.subject, "Caff\xc3\xa8 alle tre");
    EXPECT_EQ(mail.at, clock.now());
}

TEST_F(CapturedTest, TheRowIsAsTheHeaderSays) {
    send("m");
    const table::Item want{{"Day", "2026-11-15"},
                           {"Entry", "2026-11-15T12:00:00.123Z m"},
                           {"Id", "m"},
                           {"Sender", "a@example.com"},
                           {"Recipients", table::Value::list({"b@example.org", "c@example.org"})},
                           {"Subject", "Caff\xc3\xa8 alle tre"},
                           {"At", to_unix_ms(clock.now())},
                           {"TTL", to_unix_seconds(clock.now()) + 7 * 24 * 3600}};
    EXPECT_EQ(get("MailroomCaptured", {{"Day", "2026-11-15"}, {"Entry", *want.text("Entry")}}),
              want);
}

TEST_F(CapturedTest, AMailThatComesTwiceIsThereOnce) {
    send("m");
    clock.advance(std::chrono::hours(30));
    const auto again = send("m");
    EXPECT_EQ(again.recipients.at(0).verdict.outcome, smtp::Outcome::accepted);
    EXPECT_EQ(pages(10), "m");
}

TEST_F(CapturedTest, PagesGoBackOverDaysNewestFirst) {
    for (const auto* id : {"a", "b", "c", "d", "e", "f"}) {
        send(id);
        clock.advance(std::chrono::hours(11));
    }
    EXPECT_EQ(pages(10), "fedcba");
    EXPECT_EQ(pages(6), "fedcba");
    EXPECT_EQ(pages(4), "fedc|ba");
    EXPECT_EQ(pages(1), "f|e|d|c|b|a");
    clock.advance(std::chrono::days(8));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(pages(10), "");
}

TEST_F(CapturedTest, ASearchGoesOnWhereItsPageEnded) {
    for (const auto* id : {"a", "b", "c", "d"}) send(id);
    std::string found;
    std::optional<std::string> after;
    do {
        const auto page = captured->list(1, after, "CAFF");
        ASSERT_TRUE(page) << page.error().message;
        for (const auto& mail : page->mails) found += mail.id;
        after = page->next;
    } while (after);
    EXPECT_EQ(found, "dcba");
    const auto none = captured->list(10, std::nullopt, "tea");
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->mails.empty());
    EXPECT_EQ(none->next, std::nullopt);
}

TEST_F(CapturedTest, ACursorThatNoPageSaidIsInvalid) {
    for (const auto* text : {"", "x", "2026-11-15", "yesterday m"}) {
        const auto page = captured->list(10, base64url_encode(text));
        ASSERT_FALSE(page) << text;
        EXPECT_EQ(page.error().code, Errc::invalid);
    }
    EXPECT_FALSE(captured->list(10, "!"));
}

TEST_F(CapturedTest, AStoreThatFailsRefusesForNow) {
    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    const auto delivery = send("m");
    EXPECT_EQ(delivery.recipients.at(0).verdict.outcome, smtp::Outcome::refused_for_now);
    EXPECT_EQ(pages(10), "");
    EXPECT_EQ(send("m").recipients.at(0).verdict.outcome, smtp::Outcome::accepted);
    captured->stop(std::chrono::milliseconds(0));
    EXPECT_EQ(send("n").recipients.at(0).verdict.outcome, smtp::Outcome::refused_for_now);
    EXPECT_EQ(pages(10), "m");
}

}  // namespace
}  // namespace mailroom::outbox
