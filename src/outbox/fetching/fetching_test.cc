#include "outbox/fetching/fetching.h"

#include "base/scratch_directory.h"
#include "mime/read/parse.h"
#include "net/scripted_server.h"
#include "outbox/accept/outbox_fixture.h"

#include <gtest/gtest.h>

#include <fstream>

namespace mailroom::outbox {
namespace {

class FetchingTest : public OutboxTest {
protected:
    void SetUp() override {
        OutboxTest::SetUp();
        std::filesystem::create_directory(scratch / "d");
        std::ofstream(scratch / "d/n.txt") << "MailCulator";
        fetching_options.attachments_directory = scratch.path();
    }
    std::size_t take_in() { return OutboxTest::take_in(fetching_options); }

    static std::string by_url(const std::string& url) {
        return R"(,"attachments":[{"url":")" + url + R"("}])";
    }

    static inline const std::string by_path = R"(,"attachments":[{"path":"/d/n.txt"}])";
    ScratchDirectory scratch;
    FetchingOptions fetching_options;
};

// Scenarios 6, 9 and 11, from the request to the message.
TEST_F(FetchingTest, DuplicateMustNotHarmTheOriginal) {
    const auto text = minimal(mail_a, by_path);
    ASSERT_TRUE(accept(text));
    auto other = text;
    other.replace(other.find("Ciao"), 4, "Other");
    ASSERT_FALSE(accept(other));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_NE(message_of(mail_a).find("Subject: Ciao"), std::string::npos);
}

TEST_F(FetchingTest, TwoBodiesAndAnAttachment) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"html":"<p>H</p>")" + by_path)));
    EXPECT_EQ(take_in(), 1u);
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready);
    EXPECT_EQ(mail.reason, "");
    EXPECT_EQ(mail.eml_path, std::string("eml/2025/November/") + mail_a + ".EML");
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    const auto bytes = message_of(mail_a);
    EXPECT_NE(bytes.find("Message-ID: " + mail.message_id), std::string::npos);
    EXPECT_NE(bytes.find("TWFpbEN1bGF0b3I="), std::string::npos);
    EXPECT_EQ(mime::parse(bytes).attachments.size(), 1u);
    EXPECT_TRUE(due(fetching_queue).empty());
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
    ASSERT_TRUE(outbox->cancel(mail_a)) << "the mail knows its new job";
    EXPECT_TRUE(due("outbox.send.transactional").empty());
}

TEST_F(FetchingTest, MissingAttachment) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"attachments":[{"path":"/d/none.pdf"}])")));
    EXPECT_EQ(take_in(), 1u);
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::invalid);
    EXPECT_EQ(mail.reason, "attachments[0].path: no such file");
    EXPECT_FALSE(mail.job);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING INVALID _META");
    const auto page = ledger->list({.state = State::invalid}, 10, std::nullopt);
    ASSERT_TRUE(page);
    ASSERT_EQ(page->mails.size(), 1u);
    EXPECT_EQ(page->mails[0].reason, mail.reason);
    for (const auto queue : {send_queue(Stream::transactional), fetching_queue, callback_queue}) {
        EXPECT_TRUE(due(queue).empty());
    }
}

TEST_F(FetchingTest, AnInvalidMailIsToldToWhoAskedForIt) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"attachments":[{"path":"/d/none.pdf"}],)"
                                       R"("callback_url":"https://example.com/hook")")));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::invalid);
    EXPECT_TRUE(found(mail_a).job);
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
}

TEST_F(FetchingTest, ALaterMailIsTakenInAtOnceAndSentThen) {
    ASSERT_TRUE(accept(minimal(mail_a, by_path + R"(,"send_at":"2025-11-21T10:00:00Z")")));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_TRUE(due("outbox.send.transactional").empty());
    clock.advance(std::chrono::hours(24));
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
}

TEST_F(FetchingTest, WhatMayPassIsTriedAgain) {
    net::ScriptedServer server(
        {net::ScriptedServer::answer(503, ""), net::ScriptedServer::answer(200, "web")});
    ASSERT_TRUE(accept(minimal(mail_a, by_url(server.url() + "/n.txt"))));
    EXPECT_EQ(take_in(), 1u);
    const auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::accepted);
    EXPECT_EQ(mail.reason, "attachments[0].url: the server answered 503");
    EXPECT_EQ(statuses(mail_a), "ACCEPTED _META");
    EXPECT_EQ(take_in(), 0u);
    clock.advance(std::chrono::seconds(15));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_EQ(found(mail_a).reason, "");
    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    ASSERT_EQ((*history)->log.size(), 1u);
    EXPECT_EQ((*history)->log[0].what, "fetching");
}

TEST_F(FetchingTest, WhatDoesNotPassForAnHourIsInvalid) {
    ASSERT_TRUE(accept(minimal(mail_a, by_url("http://none.example/n.txt"))));
    const auto begin = clock.now();
    std::size_t tries = 0;
    while (found(mail_a).state != State::invalid && clock.now() - begin < std::chrono::hours(3)) {
        tries += take_in();
        clock.advance(std::chrono::minutes(1));
    }
    EXPECT_EQ(found(mail_a).state, State::invalid);
    EXPECT_GE(clock.now() - begin, std::chrono::hours(1));
    EXPECT_LT(clock.now() - begin, std::chrono::hours(2));
    EXPECT_GE(tries, 8u);
    EXPECT_LE(tries, 20u);
    // A person's retry begins the hour anew.
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::accepted);
}

TEST_F(FetchingTest, AUrlThatTheGuardRefusesIsInvalidAtOnce) {
    ASSERT_TRUE(accept(minimal(mail_a, by_url("http://10.0.0.1/secret"))));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::invalid);
}

TEST_F(FetchingTest, ACrashAtAnyCommitLosesNothing) {
    for (std::uint64_t nth = 1; nth <= 3; ++nth) {
        SCOPED_TRACE(nth);
        auto id = std::string(mail_a);
        id.replace(0, 1, std::to_string(nth));
        ASSERT_TRUE(accept(minimal(id, by_path)));
        kv.fail_commit(nth, {Errc::unavailable, "the disk is gone"});
        take_in();
        kv.heal();
        restart();
        clock.advance(std::chrono::minutes(5));
        take_in();
        EXPECT_EQ(found(id).state, State::ready);
        EXPECT_EQ(statuses(id), "ACCEPTED INTAKING READY _META");
    }
    EXPECT_EQ(due("outbox.send.transactional").size(), 3u);
}

TEST_F(FetchingTest, AJobWhoseMailHasMovedOnIsDropped) {
    schedule::Transaction transaction;
    mail_in(State::sent);
    for (const auto* id : {mail_a, mail_b}) {
        schedule->add(transaction,
                      {.queue = std::string(fetching_queue), .key = id, .due = clock.now()});
    }
    ASSERT_TRUE(schedule->commit(transaction));
    EXPECT_EQ(take_in(), 2u);
    EXPECT_TRUE(due(fetching_queue).empty());
    EXPECT_EQ(found(mail_a).state, State::sent);
}

TEST_F(FetchingTest, AMailThatIsCancelledMeanwhileStaysCancelled) {
    // ACCEPTED by the seed's own program, which knows no jobs.
    auto mail = mail_in(State::accepted);
    schedule::Transaction transaction;
    schedule->add(transaction,
                  {.queue = std::string(fetching_queue), .key = mail_a, .due = clock.now()});
    ASSERT_TRUE(schedule->commit(transaction));
    ASSERT_TRUE(outbox->cancel(mail_a));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::cancelled);
}

TEST_F(FetchingTest, AMailWithoutItsPayloadIsInvalid) {
    mail_in(State::accepted);
    schedule::Transaction transaction;
    schedule->add(transaction,
                  {.queue = std::string(fetching_queue), .key = mail_a, .due = clock.now()});
    ASSERT_TRUE(schedule->commit(transaction));
    EXPECT_EQ(take_in(), 1u);
    EXPECT_EQ(found(mail_a).state, State::invalid);
    EXPECT_EQ(found(mail_a).reason, "the payload is gone");
}

}  // namespace
}  // namespace mailroom::outbox
