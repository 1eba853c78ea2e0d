// A store that is too busy for a while takes nothing away: an answer outlives throttling.
#include "outbox/sending_for_tests.h"
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

}  // namespace
}  // namespace mailroom::outbox
