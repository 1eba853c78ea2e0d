#include "outbox/sending/guard.h"

#include "outbox/accept/outbox.h"
#include "outbox/sending/sending_for_tests.h"

namespace mailroom::outbox {
namespace {

// Says what it is told, about every mail that it is asked about.
class FakeGuard final : public Guard {
public:
    Result<std::optional<std::string>> refusal(const Mail& mail,
                                               schedule::Transaction& leaving) override {
        asked.push_back(mail.id);
        if (is_down) return Error{Errc::unavailable, "no answer"};
        if (rests_on_absent) {
            leaving.check("EmailOutbox", {{"Id", "condition"}, {"Status", "x"}}).if_absent("Id");
        }
        return reason;
    }
    Result<std::optional<Time>> not_before(const Mail&) override { return opens; }
    Result<std::optional<std::string>> decided_at(const Mail&, Decision) override { return place; }

    std::optional<std::string> reason, place;
    std::optional<Time> opens;
    bool is_down = false, rests_on_absent = false;
    std::vector<std::string> asked;
};

class GuardTest : public SendingTest {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        outbox.emplace(node->ledger, node->blobs, *node->schedule, clock, random, OutboxOptions{});
        outbox->guard_with(guard);
        node->sender.guard_with(guard);
    }
    // As a program adds it.
    std::string add(const std::string& key) {
        const std::string payload =
            R"({"from":"a@example.com","to":["b@example.org"],"subject":"x","text":"y"})";
        json::Parser parser;
        const auto request = parse_request(*parser.parse(payload), clock.now());
        schedule::Transaction together;
        const auto id = outbox->add_to(together, *request, {key});
        EXPECT_TRUE(id);
        EXPECT_TRUE(node->schedule->commit(together));
        return *id;
    }

    FakeGuard guard;
    std::optional<Outbox> outbox;
};

TEST_F(GuardTest, IsAskedRightBeforeAProgramsMailLeavesAndNotAboutOthers) {
    const auto id = add("program:1");
    const auto other = add_mail({});
    node->run_due();
    EXPECT_EQ(guard.asked, std::vector<std::string>{id});
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_EQ(brief(other), "SENT delivered");
}

TEST_F(GuardTest, AMailThatMayNotLeaveAnyMoreFailsForGoodWithTheReason) {
    guard.reason = "its bill was paid";
    const auto id = add("program:1");
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(brief(id), "FAILED failed");
    EXPECT_EQ(mail(id).reason, "its bill was paid");
}

TEST_F(GuardTest, IsAskedAgainForEachAttempt) {
    transport.say({FakeTransport::refused(451, "later")});
    const auto id = add("program:1");
    node->run_due();
    EXPECT_EQ(brief(id), "READY waiting");
    guard.reason = "too late";
    clock.advance(std::chrono::hours(1));
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(brief(id), "FAILED failed");
}

TEST_F(GuardTest, AMailWaitsUntilItMayLeaveAndThatIsNoAttempt) {
    transport.say({FakeTransport::refused(451, "later")});
    const auto id = add("program:1");
    node->run_due();
    const auto other = add_mail({});
    guard.opens = clock.now() + std::chrono::hours(10);
    clock.advance(std::chrono::hours(1));
    node->run_due();
    EXPECT_EQ(brief(id), "READY waiting");
    EXPECT_EQ(mail(id).attempts, 1);
    EXPECT_EQ(brief(other), "SENT delivered") << "it has no guard";
    clock.set(*guard.opens - std::chrono::milliseconds(1));
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 2u);
    clock.set(*guard.opens);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
}

TEST_F(GuardTest, AMailThatMayNotLeaveAnyMoreDoesNotWaitFirst) {
    guard.reason = "its bill was paid";
    guard.opens = clock.now() + std::chrono::hours(10);
    const auto id = add("program:1");
    node->run_due();
    EXPECT_EQ(brief(id), "FAILED failed");
}

TEST_F(GuardTest, WithoutAnAnswerNothingLeaves) {
    guard.is_down = true;
    const auto id = add("program:1");
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(brief(id), "READY waiting");
    guard.is_down = false;
    clock.advance(std::chrono::minutes(5));
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
}

TEST_F(GuardTest, WhatItRestsOnIsAConditionOfLeaving) {
    guard.rests_on_absent = true;
    const auto id = add("program:1");
    table::PutItem put;
    put.table = "EmailOutbox";
    put.item = {{"Id", "condition"}, {"Status", "x"}};
    ASSERT_TRUE(engine->put(put));
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(brief(id), "READY waiting");
}

TEST_F(GuardTest, AMailIsCancelledWhereThatIsDecided) {
    guard.place = "POST /v1/programs/1/cancel";
    const auto id = add("program:1");
    const auto other = add_mail({});
    const auto refused = outbox->cancel(id);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("POST /v1/programs/1/cancel"), std::string::npos);
    EXPECT_EQ(brief(id), "READY waiting");
    EXPECT_TRUE(outbox->cancel(other)) << "nobody decides about that one";
    ASSERT_TRUE(outbox->withdraw(id));
    EXPECT_EQ(brief(id), "CANCELLED waiting");
}

TEST_F(GuardTest, PeopleAreToldWhereItIsDecided) {
    transport.say({FakeTransport::refused(554, "no")});
    guard.place = "POST /v1/programs/1/retry";
    const auto id = add("program:1");
    node->run_due();
    const auto refused = outbox->retry(id);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("POST /v1/programs/1/retry"), std::string::npos);
    bool added = false;
    ASSERT_TRUE(outbox->send_again(id, [&](schedule::Transaction&, const Mail&) {
        added = true;
        return Result<>(Ok{});
    }));
    EXPECT_TRUE(added);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_FALSE(outbox->send_again(id, {}));
}

}  // namespace
}  // namespace mailroom::outbox
