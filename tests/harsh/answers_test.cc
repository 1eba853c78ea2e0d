// A store on a bad day takes no answer of a mail server away, holds no mail for it, and has none
// sent twice.
#include "harsh/harsh_store.h"
#include "outbox/accept/outbox.h"
#include "outbox/sending/sending_for_tests.h"

#include <algorithm>
#include <set>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5};
constexpr int mails = 12;

class AtOnce final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds) override { return true; }
};

class AnswersTest : public SendingTest {
protected:
    ~AnswersTest() override {
        transport.forget_all();
        if (node) node->crew->stop(0ms);
        node.reset();
    }
    void begin(std::uint64_t seed) {
        if (node) node->crew->stop(0ms);
        node.reset();
        transport.forget_mails();
        store = std::make_unique<table::HarshStore>(*engine, clock, seed, table::Harshness{});
        Node::Options options;
        options.sender.upkeep = Upkeep::by_calls;
        options.ownership = schedule::Ownership::shared;
        options.sleeper = &at_once;
        node = std::make_unique<Node>(*store, clock, random, transport, permission, signatures,
                                      options);
        ids.clear();
        for (int i = 0; i < mails; ++i) ids.push_back(add_mail({}));
    }
    void expect_all_sent_once() {
        store->set({});
        std::multiset<std::string> left;
        for (const auto& id : transport.ended()) left.insert(id);
        for (const auto& id : ids) {
            EXPECT_EQ(brief(id), "SENT delivered");
            EXPECT_EQ(left.count(id), 1u);
            for (const auto& entry : history(id).log) EXPECT_NE(entry.what, "hold");
        }
    }

    AtOnce at_once;
    std::unique_ptr<table::HarshStore> store;
    std::vector<std::string> ids;
};

TEST_F(AnswersTest, AnAnswerOutlivesThrottlingConflictsAndLostConfirmations) {
    for (const auto seed : seeds) {
        SCOPED_TRACE(seed);
        transport.patient = true;
        begin(seed);
        node->run_due();
        ASSERT_EQ(transport.mails().size(), ids.size());
        store->set({.throttled = 600, .conflicts = 400, .lost = 300});
        transport.answer_all();
        for (int i = 0; i < 10'000 && node->crew->in_hand() > 0; ++i) {
            node->run_due();
            node->sender.look();
        }
        EXPECT_EQ(node->crew->in_hand(), 0u);
        EXPECT_GT(store->counts().throttled, 0u);
        EXPECT_GT(store->counts().lost, 0u);
        expect_all_sent_once();
        EXPECT_EQ(transport.mails().size(), ids.size());
    }
}

TEST_F(AnswersTest, OnAStoreThatIsBadAllDayEveryMailLeavesOnce) {
    for (const auto seed : seeds) {
        SCOPED_TRACE(seed);
        transport.patient = false;
        begin(seed);
        store->set({.throttled = 150, .conflicts = 150, .lost = 80, .stale = 300, .lag = 3s});
        auto seen = Ledger::open(*engine, clock);
        ASSERT_TRUE(seen);
        const auto is_sent = [&](const std::string& id) {
            return (*seen->find(id))->state == State::sent;
        };
        const auto all_sent = [&] {
            return node->crew->in_hand() == 0 && std::ranges::all_of(ids, is_sent);
        };
        for (int i = 0; i < 2000 && !all_sent(); ++i) {
            clock.advance(10s);
            node->run_due();
            node->sender.look();
        }
        expect_all_sent_once();
    }
}

}  // namespace
}  // namespace mailroom::outbox
