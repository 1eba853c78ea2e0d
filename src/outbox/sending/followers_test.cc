#include "outbox/mail/followers.h"

#include "outbox/accept/outbox.h"
#include "outbox/others/follower.h"
#include "outbox/others/seed_for_tests.h"
#include "outbox/sending/sending_for_tests.h"

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* queue = "test.followed";

class FollowersTest : public SendingTest {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        open();
    }
    void open() {
        outbox.emplace(node->ledger, node->blobs, *node->schedule, clock, random, OutboxOptions{});
    }

    static Request wish(const std::string& to = "b@example.org") {
        Request request;
        request.from = *mime::parse_address("a@example.com");
        request.to = {*mime::parse_address(to)};
        request.subject = "Ciao";
        request.text = "x";
        return request;
    }
    std::string add(const Request& request, const std::string& key,
                    const Follow& follow = {.queue = queue, .key = "42", .data = {{"n", 7}}}) {
        schedule::Transaction together;
        const auto id = outbox->add_to(together, request, {key}, follow);
        EXPECT_TRUE(id) << id.error().message;
        EXPECT_TRUE(node->schedule->commit(together));
        return *id;
    }

    // Those that are told now; each ends its job.
    std::vector<Settled> told() {
        std::vector<Settled> all;
        schedule::Crew crew(*node->schedule, clock, {.queues = {queue}, .threads = 0},
                            [&](schedule::JobInHand job) {
                                const auto settled = read_settled(*job);
                                EXPECT_TRUE(settled);
                                if (settled) all.push_back(*settled);
                                schedule::Transaction together;
                                job->finish(together);
                                EXPECT_TRUE(node->schedule->commit(together));
                            });
        crew.run_due();
        return all;
    }
    // "SENT 1, FAILED 2".
    std::string told_briefly() {
        std::string text;
        for (const auto& settled : told()) {
            if (!text.empty()) text += ", ";
            text += std::string(name_of(settled.state)) + " " + std::to_string(settled.number);
        }
        return text;
    }

    std::optional<Outbox> outbox;
};

TEST_F(FollowersTest, AJobOfTheFollowersQueueTellsWhatBecameOfTheMail) {
    const auto id = add(wish(), "program:1");
    EXPECT_TRUE(told().empty());
    transport.say({FakeTransport::refused(550, "no such user")});
    node->run_due();
    const auto all = told();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].key, "42");
    EXPECT_EQ(all[0].data, (table::Item{{"n", 7}}));
    EXPECT_EQ(all[0].mail_id, id);
    EXPECT_EQ(all[0].state, State::failed);
    EXPECT_EQ(all[0].at, clock.now());
    EXPECT_EQ(all[0].reason, "SMTP error 550: no such user");
    EXPECT_TRUE(told().empty());
}

TEST_F(FollowersTest, EveryWayToTheEndOfAMailIsToldOnce) {
    const auto taken = add(wish(), "taken");
    node->run_due();
    EXPECT_EQ(told_briefly(), "SENT 1");

    const auto cancelled = add(wish(), "cancelled");
    ASSERT_TRUE(outbox->cancel(cancelled));
    EXPECT_EQ(told_briefly(), "CANCELLED 1");

    permission.refused["no@example.org"] = "suppressed: bounce";
    add(wish("no@example.org"), "suppressed");
    node->run_due();
    EXPECT_EQ(told_briefly(), "FAILED 1");

    transport.say({FakeTransport::nobody_knows()});
    const auto held = add(wish(), "held");
    node->run_due();
    EXPECT_EQ(brief(held), "HELD unknown");
    EXPECT_EQ(told_briefly(), "");
    ASSERT_TRUE(outbox->resolve_as_sent(held));
    EXPECT_EQ(told_briefly(), "SENT 1");

    transport.say({FakeTransport::refused(451, "later")});
    add(wish(), "given up");
    node->run_due();
    EXPECT_EQ(told_briefly(), "");
    transport.say({FakeTransport::refused(451, "later")});
    clock.advance(73h);
    node->run_due();
    EXPECT_EQ(told_briefly(), "FAILED 1");
    node->run_due();
    EXPECT_EQ(told_briefly(), "");
}

TEST_F(FollowersTest, AMailThatIsSentAgainIsSettledAgainAndThatIsToldToo) {
    transport.say({FakeTransport::refused(550, "no such user")});
    transport.say({FakeTransport::refused(550, "no such user")});
    const auto id = add(wish(), "program:1");
    node->run_due();
    ASSERT_TRUE(outbox->retry(id));
    node->run_due();
    ASSERT_TRUE(outbox->retry(id));
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
    // All in one moment, and before anybody heard of the first.
    EXPECT_EQ(told_briefly(), "FAILED 1, FAILED 2, SENT 3");
}

TEST_F(FollowersTest, MailsOfOneKeyThatAreSettledInTheSameMomentAreAllTold) {
    for (const char* key : {"1", "2", "3"}) add(wish(), key);
    node->run_due();
    EXPECT_EQ(told_briefly(), "SENT 1, SENT 1, SENT 1");
}

TEST_F(FollowersTest, ACallbackIsMadeBesideIt) {
    auto request = wish();
    request.callback_url = "https://example.com/called";
    const auto id = add(request, "program:1");
    node->run_due();
    ASSERT_TRUE(mail(id).job);
    EXPECT_EQ(mail(id).job->queue(), callback_queue);
    EXPECT_EQ(told_briefly(), "SENT 1");
    EXPECT_TRUE(*node->schedule->has(*mail(id).job));
}

TEST_F(FollowersTest, WhatAnotherProgramMadeOfTheMailIsToldOnceByWhicheverNodeSeesIt) {
    SeedPrograms seed(*engine);
    const auto sent = add(wish(), "sent"), failed = add(wish(), "failed");
    const auto open = add(wish(), "open"), acknowledged = add(wish(), "acknowledged");
    const auto mangled = add(wish(), "mangled");
    ASSERT_TRUE(seed.moves(sent, "PROCESSING", ""));
    ASSERT_TRUE(seed.moves(sent, "SENT", ""));
    ASSERT_TRUE(seed.moves(failed, "FAILED", "their server was down"));
    ASSERT_TRUE(seed.moves(open, "PROCESSING", ""));
    for (const char* state : {"PROCESSING", "SENT", "CALLING-SENT-CALLBACK", "SENT-ACKNOWLEDGED"}) {
        ASSERT_TRUE(seed.moves(acknowledged, state, ""));
    }
    ASSERT_TRUE(seed.moves(mangled, "WHATEVER", ""));
    Follower here(node->ledger, node->blobs, *node->schedule, clock, random, {});
    const auto other = make_node({.ownership = schedule::Ownership::shared});
    Follower there(other->ledger, other->blobs, *other->schedule, clock, random, {.sends = false});
    for (const auto& id : {sent, failed, open, acknowledged, mangled}) {
        EXPECT_TRUE(*there.follow(id)) << id;
        EXPECT_FALSE(*here.follow(id) && id != open) << id;
    }
    std::map<std::string, std::string> by_mail;
    for (const auto& settled : told()) {
        by_mail[settled.mail_id] += name_of(settled.state);
        by_mail[settled.mail_id] += " " + settled.reason;
    }
    EXPECT_EQ(by_mail.size(), 4u);
    EXPECT_EQ(by_mail[sent], "SENT ");
    EXPECT_EQ(by_mail[failed], "FAILED their server was down");
    EXPECT_EQ(by_mail[acknowledged], "SENT ");
    EXPECT_TRUE(by_mail[mangled].starts_with("INVALID the row is in a state that is not known"));
    node->run_due();
    EXPECT_EQ(told_briefly(), "");
}

TEST_F(FollowersTest, AnotherProgramCannotMakeJobsOfOurOwnQueues) {
    for (const char* name : {"outbox.send.bulk", "No Queue", ""}) {
        const auto id = add(wish(), std::string("program:") + name, {});
        const table::Item follow{
            {"Queue", name}, {"Key", "x"}, {"Data", table::Value::map(table::Item())}};
        ASSERT_TRUE(
            engine->update(table::write::Update("EmailOutbox", {{"Id", id}, {"Status", "_META"}})
                               .set("Follow", table::Value::map(follow))));
        EXPECT_FALSE(mail(id).follow) << name;
        node->run_due();
        EXPECT_EQ(brief(id), "SENT delivered");
    }
}

TEST_F(FollowersTest, AnEndThatCannotBeWrittenIsToldByNobodyAndOneThatIsWrittenLaterOnce) {
    const auto id = add(wish(), "program:1");
    transport.patient = true;
    node->run_due();
    restart({.sender = {.unknown = UnknownPolicy::retry}});  // Before the answer came.
    open();
    EXPECT_EQ(told_briefly(), "");
    transport.patient = false;
    for (int i = 0; i < 3; ++i) {
        node->run_due();
        clock.advance(1h);
    }
    EXPECT_EQ(brief(id), "SENT delivered");
    restart();
    open();
    EXPECT_EQ(told_briefly(), "SENT 1");
}

}  // namespace
}  // namespace mailroom::outbox
