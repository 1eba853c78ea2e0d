#include "engagement/numbers/sequence_counts.h"

#include "engagement/engagement_fixture.h"
#include "engagement/numbers/counts.h"

#include <atomic>
#include <thread>

namespace mailroom::engagement {
namespace {

class SequenceCountsTest : public EngagementTest {
protected:
    SequenceCounts counts_of(schedule::Ownership ownership) {
        return {front->store(), clock, random, ownership, "Audience", "MailroomEngagement"};
    }
    void add(const SequenceCounts& counts, const std::string& sequence) {
        schedule::Transaction transaction;
        counts.add_to(transaction, sequence, {count::open, count::unique_open});
        ASSERT_TRUE(node->schedule->commit(transaction));
    }
    std::int64_t opens(const std::string& sequence) {
        const auto row = this->row("Audience", "STATS#" + sequence, "COUNTERS");
        return row ? row->integer("openCount").value_or(0) : 0;
    }
};

TEST_F(SequenceCountsTest, WhatNodesAddApartComesTogether) {
    const auto ours = counts_of(schedule::Ownership::shared);
    const auto theirs = counts_of(schedule::Ownership::shared);
    for (int i = 0; i < 50; ++i)
        add(i % 2 == 0 ? ours : theirs, i % 5 == 0 ? "april" : "onboarding");
    ASSERT_TRUE(ours.fold());
    EXPECT_EQ(opens("april"), 10);
    EXPECT_EQ(opens("onboarding"), 40);
    // Again, by another one, or by an earlier answer that got lost: nothing is counted twice.
    ASSERT_TRUE(theirs.fold());
    EXPECT_EQ(opens("onboarding"), 40);
    add(ours, "april");
    ASSERT_TRUE(theirs.fold());
    EXPECT_EQ(opens("april"), 11);
}

TEST_F(SequenceCountsTest, WhereNobodyElseWritesTheyAreThereAtOnce) {
    add(counts_of(schedule::Ownership::sole), "april");
    EXPECT_EQ(opens("april"), 1);
    EXPECT_EQ(row("Audience", "STATS#april", "COUNTERS")->text("updatedAt"),
              format_rfc3339(clock.now()));
}

TEST_F(SequenceCountsTest, WhatIsAddedWhileItIsFoldedIsNotLost) {
    const auto counts = counts_of(schedule::Ownership::shared);
    std::atomic<bool> is_over = false;
    std::thread folding([&] {
        while (!is_over) EXPECT_TRUE(counts.fold());
    });
    for (int i = 0; i < 100; ++i) add(counts, "april");
    is_over = true;
    folding.join();
    ASSERT_TRUE(counts.fold());
    EXPECT_EQ(opens("april"), 100);
}

}  // namespace
}  // namespace mailroom::engagement
