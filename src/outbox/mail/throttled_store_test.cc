// A store that is too busy for a while takes nothing away: an answer outlives throttling.
#include "outbox/sending/sending_for_tests.h"
#include "schedule/watched_store.h"

#include <atomic>
#include <thread>

namespace mailroom::outbox {
namespace {

using table::Fault;

// In turns, all the ways in which a store says: not now.
class Throttle {
public:
    std::optional<table::Failure> operator()() {
        if (!on) return std::nullopt;
        const auto turn = ++refusals % 5;
        if (turn == 0) return table::Failure{Fault::throttling, "slow down"};
        if (turn == 1) return table::Failure{Fault::transaction_in_progress, "wait"};
        const char* codes[] = {"ThrottlingError", "TransactionConflict",
                               "ProvisionedThroughputExceeded"};
        table::Failure cancelled{Fault::transaction_canceled, "cancelled"};
        cancelled.reasons.push_back({});
        cancelled.reasons.push_back({codes[turn - 2], "not now", std::nullopt});
        return cancelled;
    }

    std::atomic<bool> on = false;
    std::atomic<int> refusals = 0;
};

class ThrottledStoreTest : public SendingTest {
protected:
    using T = FakeTransport;

    ~ThrottledStoreTest() override {
        node->crew->stop(std::chrono::milliseconds(0));
        transport.forget_all();
        node.reset();
    }
    // On a store that refuses all transactions while `throttle` is on.
    void begin(schedule::Ownership ownership) {
        watched = std::make_unique<schedule::WatchedStore>(*engine);
        watched->refuse = [this](const table::TransactWrite&) { return throttle(); };
        transport.patient = true;
        node.reset();
        node = std::make_unique<Node>(*watched, clock, random, transport, permission, signatures,
                                      Node::Options{.ownership = ownership});
        engine->finish_jobs();
    }
    void expect_sent_once(const std::vector<std::string>& ids) {
        throttle.on = true;
        transport.answer_all();
        node->run_due();
        for (const auto& id : ids) EXPECT_EQ(brief(id), "PROCESSING waiting");
        EXPECT_GE(throttle.refusals, static_cast<int>(ids.size()));
        EXPECT_EQ(node->crew->in_hand(), ids.size()) << "nobody else may take them meanwhile";
        throttle.on = false;
        while (node->crew->in_hand() > 0) std::this_thread::yield();
        for (const auto& id : ids) EXPECT_EQ(brief(id), "SENT delivered");
        EXPECT_EQ(transport.mails().size(), ids.size());
    }

    Throttle throttle;
    std::unique_ptr<schedule::WatchedStore> watched;
};

TEST_F(ThrottledStoreTest, TheAnswerOfAServerOutlivesThrottling) {
    begin(schedule::Ownership::sole);
    std::vector<std::string> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(add_mail({}));
    node->run_due();
    ASSERT_EQ(transport.mails().size(), ids.size());
    expect_sent_once(ids);
}

TEST_F(ThrottledStoreTest, TheAnswerOfAServerOutlivesThrottlingOnASharedStore) {
    begin(schedule::Ownership::shared);
    const auto id = add_mail({});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    expect_sent_once({id});
}

TEST_F(ThrottledStoreTest, AMailThatCannotBeMarkedIsNotHandedOverAndLeavesLater) {
    begin(schedule::Ownership::sole);
    const auto id = add_mail({});
    throttle.on = true;
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    throttle.on = false;
    for (int seconds = 0; seconds < 600 && transport.mails().empty(); ++seconds) {
        clock.advance(std::chrono::seconds(1));
        node->run_due();
    }
    ASSERT_EQ(transport.mails().size(), 1U);
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
}

TEST_F(ThrottledStoreTest, AnAnswerWhoseWriteIsNotConfirmedIsNoDoubt) {
    begin(schedule::Ownership::shared);
    const auto id = add_mail({});
    node->run_due();
    watched->lose_answer = true;
    transport.answer_all();
    node->run_due();
    while (node->crew->in_hand() > 0) std::this_thread::yield();
    EXPECT_FALSE(watched->lose_answer);
    EXPECT_EQ(brief(id), "SENT delivered");
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1U);
}

// The store lets nothing of ours through, and everything of the other node's, for longer than a
// lease: the mail is taken from us, and held because nobody there knows the answer.
TEST_F(ThrottledStoreTest, AnAnswerEndsTheDoubtOfANodeThatFoundTheMailWithoutIt) {
    struct Case {
        FakeTransport::Answer answer;
        const char* after;
    };
    const auto after_the_end = [](int code) {
        auto verdict = T::refused(code, "no");
        verdict.stage = smtp::Stage::message;
        return FakeTransport::Answer{verdict, verdict};
    };
    const Case cases[] = {{{T::taken(), T::taken()}, "SENT delivered delivered"},
                          {after_the_end(550), "FAILED failed failed"},
                          {after_the_end(451), "READY waiting waiting"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.after);
        begin(schedule::Ownership::shared);
        const auto other = make_node({.ownership = schedule::Ownership::shared});
        transport.say(c.answer);
        const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
        node->run_due();
        throttle.on = true;
        for (int i = 0; i < 100 && !mail(id).held; ++i) {
            clock.advance(std::chrono::seconds(20));
            other->run_due();
        }
        ASSERT_TRUE(mail(id).held) << brief(id);
        throttle.on = false;
        transport.answer_all();
        node->run_due();
        while (node->crew->in_hand() > 0 || mail(id).held) std::this_thread::yield();
        EXPECT_EQ(brief(id), c.after);
        if (!mail(id).job) continue;
        clock.advance(std::chrono::hours(1));
        node->run_due();
        transport.answer_all();
        node->run_due();
        EXPECT_EQ(brief(id), "SENT delivered delivered");
    }
}

}  // namespace
}  // namespace mailroom::outbox
