#include "people/consent/confirmations.h"

#include "table/engine/engine_fixture.h"
#include "table/records/table_of.h"

namespace mailroom::people {
namespace {

class ConfirmationsTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        const table::CreateTable made = table::TableOf("MailroomPeople", "PK", "SK");
        create(made);
        confirmations.emplace(*engine, clock, random, made);
    }
    Answer<std::string> ask(std::vector<std::string> topics = {"news"}) {
        schedule::Transaction together;
        PendingOptIn wanted;
        wanted.email = "ann@example.com";
        wanted.topics = std::move(topics);
        wanted.asked.ip = "192.0.2.1";
        auto token = confirmations->add_to(together, wanted);
        EXPECT_TRUE(!token || engine->transact(together));
        return token;
    }
    bool confirm(std::string_view token) {
        schedule::Transaction together;
        confirmations->confirm(together, token);
        return bool(engine->transact(together));
    }

    std::optional<Confirmations> confirmations;
};

TEST_F(ConfirmationsTest, OnlyTheTokenOfTheMailFindsWhatWasAskedFor) {
    const auto token = ask({"news", "beta"});
    ASSERT_TRUE(token) << token.error().message;
    const auto found = *confirmations->find(*token);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->email, "ann@example.com");
    EXPECT_EQ(found->topics, (std::vector<std::string>{"news", "beta"}));
    EXPECT_EQ(found->asked.ip, "192.0.2.1");
    auto other = *token;
    other.back() = other.back() == 'A' ? 'B' : 'A';
    for (const auto& wrong : {std::string(), std::string("x"), other, *token + "A"}) {
        EXPECT_FALSE(*confirmations->find(wrong)) << wrong;
        EXPECT_FALSE(confirm(wrong)) << wrong;
    }
    table::Scan scan;
    scan.table = "MailroomPeople";
    const auto rows = engine->scan(scan);
    ASSERT_TRUE(rows);
    for (const auto& row : rows->items) {
        EXPECT_EQ(std::string(row.view().bytes()).find(*token), std::string::npos)
            << "who reads the table cannot confirm";
    }
}

TEST_F(ConfirmationsTest, OneConfirmationCountsAndASecondIsKnown) {
    const auto token = ask();
    ASSERT_TRUE(confirm(*token));
    EXPECT_FALSE(confirm(*token));
    EXPECT_EQ((*confirmations->find(*token))->confirmed, clock.now());
}

TEST_F(ConfirmationsTest, AfterTwoWeeksTheLinkIsNothing) {
    const auto token = ask();
    clock.advance(Confirmations::valid_for - std::chrono::milliseconds(1000));
    EXPECT_TRUE(*confirmations->find(*token));
    clock.advance(std::chrono::milliseconds(1000));
    EXPECT_FALSE(*confirmations->find(*token)) << "whether the store has erased the row or not";
}

TEST_F(ConfirmationsTest, AStrangersAddressIsNotFlooded) {
    std::string first;
    for (std::size_t i = 0; i < Confirmations::pending_max; ++i) {
        auto token = ask();
        ASSERT_TRUE(token);
        if (i == 0) first = *token;
    }
    EXPECT_EQ(ask().error().kind, Refusal::Kind::too_many);
    ASSERT_TRUE(confirm(first));
    EXPECT_TRUE(ask()) << "who answers may ask for more";
    EXPECT_FALSE(ask());
    clock.advance(Confirmations::valid_for);
    EXPECT_TRUE(ask());
}

TEST_F(ConfirmationsTest, AllRowsOfAnAddressAreFound) {
    ASSERT_TRUE(ask());
    ASSERT_TRUE(ask());
    EXPECT_EQ(confirmations->of("ann@example.com")->size(), 2u);
    EXPECT_EQ(confirmations->keys_of("ann@example.com")->size(), 4u);
    EXPECT_TRUE(confirmations->of("bob@example.com")->empty());
}

}  // namespace
}  // namespace mailroom::people
