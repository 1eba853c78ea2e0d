#include "outbox/accept/personal_mails.h"

#include "outbox/sending/sending_for_tests.h"
#include "people/suppression_rows.h"

namespace mailroom::outbox {
namespace {

const std::string ann = "ann@example.org", bob = "bob@example.org";

class PersonalMailsTest : public SendingTest {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        begin();
    }
    void begin() {
        crew.reset();
        outbox.emplace(node->ledger, node->blobs, *node->schedule, clock, random, OutboxOptions{});
        personal.emplace(*outbox, node->ledger, node->blobs, *node->schedule, clock);
        crew.emplace(*node->schedule, clock,
                     schedule::CrewOptions{.queues = {std::string(forgetting_queue)}, .threads = 0},
                     [this](schedule::JobInHand job) { personal->run(std::move(job)); });
        crew->start();
    }
    std::string add(std::vector<std::string> to) {
        Wish wish;
        wish.to = std::move(to);
        wish.message = "From: a@example.com\r\nTo: " + wish.to.front() + "\r\n\r\nhello\r\n";
        wish.payload = R"({"to":")" + wish.to.front() + "\"}";
        return add_mail(wish);
    }
    std::string sent(std::vector<std::string> to) {
        auto id = add(std::move(to));
        node->run_due();
        EXPECT_EQ(mail(id).state, State::sent);
        return id;
    }
    void erase() {
        front->catch_up();
        ASSERT_TRUE(personal->erase(ann));
        crew->run_due();
    }
    std::string message_of(const std::string& id) {
        const auto text = outbox->message(mail(id));
        EXPECT_TRUE(text);
        return text && *text ? **text : "";
    }
    // Where an address still is, in whatever table.
    std::string tables_with(const std::string& text) {
        std::string found;
        for (const char* table :
             {"EmailOutbox", "MailroomBlobs", "MailroomOutboxLog", "MailroomSchedule"}) {
            table::Scan scan;
            scan.table = table;
            const auto page = engine->scan(scan);
            EXPECT_TRUE(page) << table;
            for (const auto& row : page->items) {
                if (row.bytes().find(text) == std::string::npos) continue;
                found += std::string(table) + " ";
                break;
            }
        }
        return found;
    }
    void later(std::chrono::minutes time) {
        clock.advance(time);
        front->catch_up();
        crew->run_due();
    }

    std::optional<Outbox> outbox;
    std::optional<PersonalMails> personal;
    std::optional<schedule::Crew> crew;
};

TEST_F(PersonalMailsTest, WhatWasSentIsProofWithoutTheAddressAndWithoutTheMessage) {
    transport.say({FakeTransport::refused(550, "5.1.1 <ann@example.org> is unknown")});
    const auto failed = add({ann});
    node->run_due();
    const auto taken = sent({"Ann@Example.org"}), other = sent({bob});
    erase();
    later(std::chrono::minutes(11));
    EXPECT_EQ(tables_with("nn@"), "") << "not even in what the server said";
    EXPECT_EQ(mail(taken).state, State::sent);
    EXPECT_EQ(mail(taken).recipients.at(0).address, people::hashed_address(ann));
    EXPECT_EQ(mail(taken).recipients.at(0).state, Recipient::State::delivered);
    EXPECT_EQ(mail(failed).state, State::failed);
    EXPECT_EQ(mail(failed).recipients.at(0).code, 550);
    EXPECT_EQ(states(taken), "ACCEPTED INTAKING READY PROCESSING SENT");
    EXPECT_EQ(message_of(taken), "");
    EXPECT_NE(message_of(other), "");
    EXPECT_EQ(mail(other).recipients.at(0).address, bob);
}

TEST_F(PersonalMailsTest, WhatStillWaitsIsCancelled) {
    clock.advance(std::chrono::seconds(1));
    const auto waiting = add({ann}), other = add({bob});
    erase();
    EXPECT_EQ(mail(waiting).state, State::cancelled);
    later(std::chrono::minutes(11));
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(mail(other).state, State::sent);
    EXPECT_EQ(tables_with(ann), "");
}

TEST_F(PersonalMailsTest, OfAMailToOthersTooTheMessageStaysForThem) {
    const auto both = sent({ann, bob});
    erase();
    EXPECT_EQ(mail(both).recipients.at(0).address, people::hashed_address(ann));
    EXPECT_EQ(mail(both).recipients.at(1).address, bob);
    EXPECT_NE(message_of(both), "");
}

TEST_F(PersonalMailsTest, WhatIsInMotionIsForgottenWhenItIsSettledAlsoAfterAKill) {
    transport.say({FakeTransport::nobody_knows()});
    const auto held = add({ann});
    node->run_due();
    ASSERT_TRUE(mail(held).held);
    erase();
    EXPECT_EQ(mail(held).recipients.at(0).address, ann) << "somebody must decide about it first";
    crew.reset();
    restart();
    begin();
    ASSERT_TRUE(outbox->resolve_as_sent(held));
    later(std::chrono::minutes(21));
    let_leases_end();
    later(std::chrono::minutes(21));
    EXPECT_EQ(mail(held).recipients.at(0).address, people::hashed_address(ann));
    EXPECT_EQ(tables_with(ann), "");
}

TEST_F(PersonalMailsTest, WhatComesAfterTheErasureIsSomebodyElses) {
    const auto before = sent({ann});
    ASSERT_TRUE(personal->erase_until(ann, clock.now()));
    clock.advance(std::chrono::seconds(2));
    const auto after = sent({ann});
    later(std::chrono::minutes(11));
    EXPECT_EQ(mail(before).recipients.at(0).address, people::hashed_address(ann));
    EXPECT_EQ(mail(after).recipients.at(0).address, ann);
}

TEST_F(PersonalMailsTest, APersonIsGivenTheirMailsAndNobodyElses) {
    const auto mine = sent({"Ann@Example.org"}), both = sent({ann, bob});
    sent({bob});
    front->catch_up();
    std::string text;
    json::Writer writer(text);
    ASSERT_TRUE(personal->show(ann, writer));
    EXPECT_NE(text.find(mine), text.npos) << text;
    EXPECT_NE(text.find(both), text.npos);
    EXPECT_NE(text.find("hello"), text.npos);
    EXPECT_EQ(text.find("bob"), text.npos);
}

}  // namespace
}  // namespace mailroom::outbox
