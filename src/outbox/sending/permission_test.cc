// Nobody is written to who was suppressed before it was durable that the mail is on its way,
// whoever suppressed them.
#include "outbox/accept/outbox.h"
#include "outbox/others/follower.h"
#include "outbox/others/seed_for_tests.h"
#include "outbox/sending/sending_for_tests.h"
#include "outbox/transports/captured.h"
#include "people/suppressions.h"

#include <future>
#include <set>

namespace mailroom::outbox {
namespace {

using people::Suppressions;
using Addresses = std::vector<std::string>;

// Lets something happen between a look and what rests on it.
class Meddled final : public people::Permission {
public:
    explicit Meddled(Suppressions& list) : list_(list) {}

    Result<people::Refusals> refusals(const people::MailKind& kind,
                                      const Addresses& addresses) override {
        return list_.refusals(kind, addresses);
    }
    Result<people::Refusals> known_refusals(const people::MailKind& kind,
                                            const Addresses& addresses) override {
        auto found = list_.known_refusals(kind, addresses);
        if (meanwhile) std::exchange(meanwhile, {})();
        return found;
    }
    people::Sure require(table::write::Transaction& transaction, const people::MailKind& kind,
                         const Addresses& addresses) override {
        const auto sure = list_.require(transaction, kind, addresses);
        if (last_moment) std::exchange(last_moment, {})();
        return sure;
    }
    std::function<void()> meanwhile = {}, last_moment = {};

private:
    Suppressions& list_;
};

struct Case {
    const char* name;
    Suppressions::Writers writers;
    schedule::Ownership ownership;
};

class PermissionTest : public SendingTest, public ::testing::WithParamInterface<Case> {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        list.emplace(*Suppressions::open(*engine, clock, random, GetParam().writers));
        if (GetParam().writers == Suppressions::Writers::others_too) {
            elsewhere.emplace(*Suppressions::open(*engine, clock, random));
        }
        engine->finish_jobs();
        begin(transport);
    }
    void begin(Transport& by) {
        outbox.reset();
        node = std::make_unique<Node>(*engine, clock, random, by, meddled(), signatures,
                                      Node::Options{.ownership = GetParam().ownership});
        engine->finish_jobs();
        outbox.emplace(node->ledger, node->blobs, *node->schedule, clock, random, OutboxOptions{});
    }
    Meddled& meddled() {
        if (!meddled_) meddled_.emplace(*list);
        return *meddled_;
    }
    // By another node if there can be one; acknowledged when it returns.
    void suppress(const std::string& address) {
        EXPECT_TRUE(
            (elsewhere ? *elsewhere : *list).add(address, people::Extent::every(), "complaint"));
    }
    // Both moments, one after the other.
    void between(const std::function<void()>& then, const std::function<void()>& check) {
        for (auto* moment : {&meddled().meanwhile, &meddled().last_moment}) {
            *moment = then;
            check();
            EXPECT_FALSE(*moment) << "nobody came by";
            ASSERT_TRUE(list->remove("b@example.org"));
        }
    }
    std::set<std::string> written_to() const {
        std::set<std::string> all;
        for (const auto& mail : transport.mails()) {
            all.insert(mail.recipients.begin(), mail.recipients.end());
        }
        return all;
    }

    std::optional<Suppressions> list, elsewhere;
    std::optional<Meddled> meddled_;
    std::optional<Outbox> outbox;
};

INSTANTIATE_TEST_SUITE_P(, PermissionTest,
                         ::testing::Values(Case{"Alone", Suppressions::Writers::only_this,
                                                schedule::Ownership::sole},
                                           Case{"WithOthers", Suppressions::Writers::others_too,
                                                schedule::Ownership::shared}),
                         [](const auto& info) { return info.param.name; });

TEST_P(PermissionTest, WhoIsSuppressedBeforeTheMailIsClaimedDoesNotGetIt) {
    for (const auto stream : {Stream::transactional, Stream::bulk}) {
        between([&] { suppress("B@Example.org"); },
                [&] {
                    const auto id = add_mail({.stream = stream});
                    node->run_due();
                    EXPECT_EQ(brief(id), "FAILED failed");
                    EXPECT_EQ(mail(id).reason, "suppressed: complaint");
                });
    }
    EXPECT_TRUE(transport.mails().empty());
}

TEST_P(PermissionTest, TheOthersOfItsRecipientsGetTheMail) {
    between([&] { suppress("b@example.org"); },
            [&] {
                const auto id = add_mail(
                    {.to = {"a@example.org", "b@example.org", "B@example.org", "c@x.org"}});
                node->run_due();
                EXPECT_EQ(brief(id), "SENT delivered failed failed delivered");
            });
    EXPECT_EQ(written_to(), (std::set<std::string>{"a@example.org", "c@x.org"}));
}

TEST_P(PermissionTest, SoItIsWithMoreRecipientsThanATransactionHasRoomFor) {
    Wish wish{.to = {"b@example.org"}};
    for (int i = 0; i < 300; ++i) wish.to.push_back("r" + std::to_string(i) + "@example.org");
    between([&] { suppress("b@example.org"); },
            [&] {
                const auto id = add_mail(wish);
                node->run_due();
                EXPECT_EQ(brief(id).substr(0, 22), "SENT failed delivered ");
            });
    EXPECT_EQ(written_to().size(), 300u);
    EXPECT_FALSE(written_to().contains("b@example.org"));
}

TEST_P(PermissionTest, SoItIsWithAMailThatIsSentAgain) {
    between([&] { suppress("b@example.org"); },
            [&] {
                transport.say({FakeTransport::refused(550, "no")});
                const auto id = add_mail({});
                const auto meanwhile = std::exchange(meddled().meanwhile, {});
                const auto last = std::exchange(meddled().last_moment, {});
                node->run_due();
                EXPECT_EQ(transport.mails().size(), 1u);
                meddled().meanwhile = meanwhile, meddled().last_moment = last;
                ASSERT_TRUE(outbox->send_again(id, {}));
                node->run_due();
                EXPECT_EQ(transport.mails().size(), 1u);
                EXPECT_EQ(brief(id), "FAILED failed");
                transport.forget_mails();
            });
}

TEST_P(PermissionTest, SoItIsWithAMailOfAnotherProgram) {
    SeedPrograms seed(*engine);
    Follower follower(node->ledger, node->blobs, *node->schedule, clock, random, {});
    int number = 0;
    between([&] { suppress("b@example.org"); },
            [&] {
                const auto id = "22222222-2222-4333-8444-55555555555" + std::to_string(++number);
                schedule::Transaction together;
                const auto path = "eml/2025/November/" + id + ".EML";
                ASSERT_TRUE(node->blobs.add(together, path, *Wish{}.message,
                                            clock.now() + std::chrono::hours(1)));
                ASSERT_TRUE(node->schedule->commit(together));
                ASSERT_TRUE(seed.accepts(id, "payload/2025/November/" + id + ".json"));
                ASSERT_TRUE(seed.readies(id, path));
                clock.advance(std::chrono::minutes(1));  // Its times are the other's.
                ASSERT_TRUE(*follower.follow(id));
                node->run_due();
                EXPECT_EQ(brief(id), "FAILED failed");
            });
    EXPECT_TRUE(transport.mails().empty());
}

TEST_P(PermissionTest, SoItIsWithAMailThatLeavesWhileItIsAccepted) {
    outbox->leave_through(node->sender);
    Request request;
    request.from = *mime::parse_address("a@example.com");
    request.to = {*mime::parse_address("b@example.org")};
    request.subject = request.text.emplace("Ciao");
    between([&] { suppress("b@example.org"); },
            [&] {
                std::optional<Result<Accepted, Refusal>> accepted;
                outbox->accept(request, payload_of(request),
                               [&](auto done) { accepted.emplace(std::move(done)); });
                node->run_due();
                ASSERT_TRUE(accepted);
                // Where it was refused, who asks again is served.
                const bool is_in = accepted->operator bool();
                EXPECT_TRUE(is_in || accepted->error().kind == Refusal::Kind::condition);
                const auto again = outbox->accept(request, payload_of(request));
                ASSERT_TRUE(again);
                node->run_due();
                EXPECT_EQ(brief(again->id), "FAILED failed");
                EXPECT_EQ(is_in ? brief((*accepted)->id) : "FAILED failed", "FAILED failed");
            });
    EXPECT_TRUE(transport.mails().empty());
}

TEST_P(PermissionTest, SoItIsWithMailsThatAreCaptured) {
    const auto captured = Captured::open(*engine, clock);
    ASSERT_TRUE(captured);
    begin(**captured);
    between([&] { suppress("b@example.org"); },
            [&] {
                const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
                node->run_due();
                EXPECT_EQ(brief(id), "SENT failed delivered");
            });
    const auto page = (*captured)->list(10, std::nullopt);
    ASSERT_TRUE(page);
    for (const auto& mail : page->mails) {
        EXPECT_EQ(mail.recipients, std::vector<std::string>{"c@example.org"});
    }
    EXPECT_EQ(page->mails.size(), 2u);
    node->crew->stop(std::chrono::milliseconds(0));
    node.reset();
}

TEST_P(PermissionTest, WhoMayBeWrittenToAgainGetsTheNextMail) {
    suppress("b@example.org");
    const auto refused = add_mail({});
    node->run_due();
    EXPECT_EQ(brief(refused), "FAILED failed");
    ASSERT_TRUE(*(elsewhere ? *elsewhere : *list).remove("b@example.org"));
    const auto allowed = add_mail({});
    node->run_due();
    EXPECT_EQ(brief(allowed), "SENT delivered");
}

}  // namespace
}  // namespace mailroom::outbox
