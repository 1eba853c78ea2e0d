// Many mails in one request.
#include "outbox/accept/outbox_fixture.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

TEST_F(OutboxTest, ManyAreAcceptedInFewCommits) {
    std::vector<Outbox::Item> items;
    for (int i = 0; i < 100; ++i) {
        const std::string text =
            R"({"from":"a@example.com","to":"b@example.org","subject":"s","text":"x"})";
        items.push_back({parsed(text), text});
    }
    const auto commits = kv.commits();
    const auto results = outbox->accept_all(items);
    ASSERT_EQ(results.size(), 100u);
    for (const auto& result : results) {
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(found(result->id).state, State::ready);
    }
    EXPECT_LE(kv.commits() - commits, 9u + 1u);
    const auto counts = ledger->counts();
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->by_state[static_cast<std::size_t>(State::ready)], 100);
    EXPECT_EQ(due("outbox.send.transactional").size(), 100u);
}

TEST_F(OutboxTest, OfABatchEachIsDecidedByItself) {
    const auto a = minimal(mail_a), other_a = minimal(mail_a, R"(,"html":"other")");
    const auto b = minimal(mail_b);
    const auto bad = minimal(mail_b, R"(,"headers":{"Bcc":"x@example.org"})");
    const auto fetched =
        minimal("33333333-2222-4333-8444-555555555555", R"(,"attachments":[{"path":"/d/n.txt"}])");
    const auto results = outbox->accept_all({{parsed(a), a},
                                             {parsed(a), a},
                                             {parsed(other_a), other_a},
                                             {parsed(bad), bad},
                                             {parsed(b), b},
                                             {parsed(fetched), fetched}});
    ASSERT_EQ(results.size(), 6u);
    ASSERT_TRUE(results[0]);
    EXPECT_TRUE(results[0]->is_new);
    ASSERT_TRUE(results[1]);
    EXPECT_FALSE(results[1]->is_new);
    ASSERT_FALSE(results[2]);
    EXPECT_EQ(results[2].error().kind, Refusal::Kind::duplicate);
    ASSERT_FALSE(results[3]);
    EXPECT_EQ(results[3].error().field, "headers.Bcc");
    // The id is taken by nobody, since the one before was refused.
    ASSERT_TRUE(results[4]) << results[4].error().message;
    EXPECT_TRUE(results[4]->is_new);
    ASSERT_TRUE(results[5]);
    EXPECT_EQ(results[5]->state, State::accepted);
    EXPECT_EQ(**outbox->payload(found(mail_a)), a);
}

TEST_F(OutboxTest, ABatchOfLargeMailsIsAccepted) {
    std::vector<Outbox::Item> items;
    for (int i = 0; i < 15; ++i) {
        const auto text = R"({"from":"a@example.com","to":"b@example.org","subject":"s","text":")" +
                          std::string(250'000, 'x') + "\"}";
        items.push_back({parsed(text), text});
    }
    for (const auto& result : outbox->accept_all(items)) {
        ASSERT_TRUE(result) << result.error().message;
    }
}

}  // namespace
}  // namespace mailroom::outbox
