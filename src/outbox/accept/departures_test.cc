// Mails that leave while they are being accepted.
#include "mime/dkim/keys_for_tests.h"
#include "outbox/sending/sending_for_tests.h"

#include <atomic>
#include <future>
#include <set>
#include <thread>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class DeparturesTest : public SendingTest {
protected:
    using T = FakeTransport;

    // `told`: "stays", "leaves" or "fails". One that stays is the test's to queue.
    struct Offer {
        std::string id, told;
    };
    std::shared_ptr<Departure> departure_of(const Wish& wish) {
        auto departure = std::make_shared<Departure>();
        departure->mail = ready_mail(wish);
        departure->message = *wish.message;
        departure->also = also;
        if (id) departure->mail.id = *id;
        departure->has_new_id = !id;
        add_blobs(departure->together, departure->mail, wish);
        departure->write_rows = [this](Departure& leaving, Mail& mail) {
            constexpr State entered[] = {State::accepted, State::intaking, State::ready,
                                         State::processing};
            node->ledger.insert(leaving.together, mail, entered);
            if (leaving.has_new_id) leaving.together.puts_are_new();
            if (leaving.also) leaving.also(leaving.together, mail);
        };
        return departure;
    }
    Offer offer(const Wish& wish) {
        auto departure = departure_of(wish);
        std::promise<std::string> told;
        departure->stays = [&told, blobs = departure->together.size()](Departure& staying) {
            EXPECT_EQ(staying.mail.state, State::ready);
            EXPECT_FALSE(staying.mail.job);
            EXPECT_EQ(staying.together.size(), blobs);
            told.set_value("stays");
        };
        departure->leaves = [&told](const Departure&, const auto& committed) {
            told.set_value(committed ? "leaves" : "fails");
        };
        node->sender.offer(departure);
        return {departure->mail.id, told.get_future().get()};
    }
    std::optional<std::string> id;  // Of mails that are offered; none: each has a new one.
    std::function<void(schedule::Transaction&, const Mail&)> also;
    bool is_stored(const std::string& id) {
        const auto found = node->ledger.find(id);
        EXPECT_TRUE(found);
        return found->has_value();
    }
};

TEST_F(DeparturesTest, AnOfferedMailIsWrittenOnceAndSent) {
    const auto mail_offered = offer({.to = {"b@example.org", "c@example.org"}});
    EXPECT_EQ(mail_offered.told, "leaves");
    EXPECT_EQ(node->run_due(), 0U) << "no job is handed out for it";
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_EQ(transport.mails()[0].message, *Wish{}.message);
    EXPECT_EQ(states(mail_offered.id), "ACCEPTED INTAKING READY PROCESSING SENT");
    EXPECT_EQ(brief(mail_offered.id), "SENT delivered delivered");
    EXPECT_EQ(mail(mail_offered.id).attempts, 1);
    EXPECT_FALSE(mail(mail_offered.id).job);
    clock.advance(24h);
    EXPECT_EQ(node->run_due(), 0U);
    EXPECT_EQ(node->ledger.counts()->by_state[static_cast<std::size_t>(State::sent)], 1);
    EXPECT_EQ(node->ledger.counts()->waiting(), 0);
}

TEST_F(DeparturesTest, ItIsProcessingAndDurableBeforeAnythingLeaves) {
    transport.patient = true;
    const auto one = offer({});
    EXPECT_EQ(one.told, "leaves");
    EXPECT_TRUE(transport.mails().empty()) << "not on the store's thread";
    EXPECT_EQ(brief(one.id), "PROCESSING waiting");
    EXPECT_TRUE(mail(one.id).job);
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1U);

    kv.fail_commit(1, {Errc::corrupt, "the disk is broken"});
    const auto lost = offer({});
    EXPECT_EQ(lost.told, "fails");
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1U);
    EXPECT_FALSE(is_stored(lost.id));
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(brief(one.id), "SENT delivered");
}

TEST_F(DeparturesTest, AMailThatIsThereAlreadyDoesNotLeaveAgain) {
    const auto first = offer({});
    ASSERT_EQ(first.told, "leaves");
    node->run_due();
    ASSERT_EQ(brief(first.id), "SENT delivered");
    id = first.id;
    EXPECT_EQ(offer({}).told, "fails");
    node->run_due();
    EXPECT_EQ(transport.mails().size(), 1U);
    EXPECT_EQ(brief(first.id), "SENT delivered");
}

TEST_F(DeparturesTest, WhatIsWrittenWithItKnowsItAsProcessingAndMayRefuseIt) {
    also = [](schedule::Transaction& together, const Mail& mail) {
        EXPECT_EQ(mail.state, State::processing);
        together.check("EmailOutbox", {{"Id", "other"}, {"Status", "_META"}}).if_present("Id");
    };
    const auto refused = offer({});
    EXPECT_EQ(refused.told, "fails");
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_FALSE(is_stored(refused.id));
    EXPECT_EQ(node->crew->in_hand(), 0U);
    also = nullptr;
    EXPECT_EQ(offer({}).told, "leaves");
}

TEST_F(DeparturesTest, WhatComesOfItIsAsForAnyOtherMail) {
    transport.say({T::refused(451, "later")});
    const auto put_off = offer({});
    transport.say({T::refused(550, "no such user")});
    const auto refused = offer({});
    transport.say({T::nobody_knows()});
    const auto unknown = offer({});
    node->run_due();
    EXPECT_EQ(brief(put_off.id), "READY waiting");
    EXPECT_EQ(brief(refused.id), "FAILED failed");
    EXPECT_EQ(brief(unknown.id), "HELD unknown");
    clock.advance(1min);
    node->run_due();
    EXPECT_EQ(brief(put_off.id), "SENT delivered");
    EXPECT_EQ(mail(put_off.id).attempts, 2);
}

TEST_F(DeparturesTest, AfterACrashItIsHeldAndNotSentAgain) {
    transport.patient = true;
    const auto one = offer({});
    node->run_due();
    restart();
    transport.patient = false;
    node->run_due();
    EXPECT_EQ(brief(one.id), "HELD unknown");
    EXPECT_EQ(transport.mails().size(), 1U);
}

TEST_F(DeparturesTest, WithACallbackItsJobBecomesThatOfTheCallback) {
    const auto one = offer({.callback = true});
    node->run_due();
    EXPECT_EQ(brief(one.id), "SENT delivered");
    ASSERT_TRUE(mail(one.id).job);
    EXPECT_EQ(mail(one.id).job->queue(), callback_queue);
}

TEST_F(DeparturesTest, AMailThatMayNotGoToAnAddressIsQueued) {
    permission.refused = {{"c@example.org", "unsubscribed"}};
    const auto one = offer({.to = {"b@example.org", "c@example.org"}});
    EXPECT_EQ(one.told, "stays");
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_FALSE(is_stored(one.id));
}

TEST_F(DeparturesTest, AMailBeyondTheRateIsQueued) {
    node = make_node({.rates = {.per_domain_at_once = 1}});
    transport.patient = true;
    EXPECT_EQ(offer({}).told, "leaves");
    EXPECT_EQ(offer({}).told, "stays");
    node->run_due();
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(offer({}).told, "leaves") << "the place was given back";
    node->run_due();
    transport.answer_all();
}

TEST_F(DeparturesTest, AMailBeyondTheWindowIsQueued) {
    node = make_node({.sender = {.connections = 1, .on_their_way_max = 2}});
    transport.patient = true;
    EXPECT_EQ(offer({}).told, "leaves");
    EXPECT_EQ(offer({}).told, "leaves");
    EXPECT_EQ(offer({}).told, "stays");
}

TEST_F(DeparturesTest, AMailIsSignedBeforeItLeaves) {
    auto key = mime::dkim::PrivateKey::from_pem(mime::dkim::ed25519_pem);
    ASSERT_TRUE(signatures.add("example.com", "m1", *std::move(key)));
    node = make_node({});
    const auto one = offer({});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_TRUE(transport.mails()[0].message.starts_with("DKIM-Signature:"));
}

TEST_F(DeparturesTest, AMailThatCannotBeSignedIsQueuedAndGivesBackWhatItTook) {
    auto key = mime::dkim::PrivateKey::from_pem(mime::dkim::ed25519_pem);
    ASSERT_TRUE(signatures.add("example.com", "m1", *std::move(key)));
    node = make_node(
        {.sender = {.connections = 1, .on_their_way_max = 2}, .rates = {.per_domain_at_once = 1}});
    for (int i = 0; i < 5; ++i) {
        const auto two = offer({.message = "From: a@example.com\r\nFrom: e@example.com\r\n\r\nx"});
        EXPECT_EQ(two.told, "stays");
    }
    EXPECT_EQ(offer({}).told, "leaves");
}

TEST_F(DeparturesTest, AfterTheStopMailsAreQueued) {
    node->crew->stop(0ms);
    EXPECT_EQ(offer({}).told, "stays");
}

TEST_F(DeparturesTest, ManyThreadsOfferAndEachMailIsSentOnceOrStays) {
    node = make_node({.sender = {.connections = 2, .on_their_way_max = 8}, .threads = 3});
    std::atomic<int> left = 0, stayed = 0;
    std::vector<std::shared_ptr<Departure>> mails;
    constexpr int count = 300;
    for (int i = 0; i < count; ++i) {
        auto departure = departure_of({});
        departure->stays = [&](Departure&) { ++stayed; };
        departure->leaves = [&](const Departure&, const auto& committed) {
            EXPECT_TRUE(committed);
            ++left;
        };
        mails.push_back(std::move(departure));
    }
    {
        std::vector<std::jthread> clients;
        for (int thread = 0; thread < 3; ++thread) {
            clients.emplace_back([&, thread] {
                for (std::size_t i = static_cast<std::size_t>(thread); i < mails.size(); i += 3) {
                    node->sender.offer(mails[i]);
                }
            });
        }
    }
    while (left + stayed < count) std::this_thread::yield();
    while (node->crew->in_hand() > 0) std::this_thread::yield();
    EXPECT_GT(left, 0);
    EXPECT_EQ(transport.mails().size(), static_cast<std::size_t>(left));
    std::set<std::string> once;
    for (const auto& sent : transport.mails()) EXPECT_TRUE(once.insert(sent.id).second);
    for (const auto& sent : transport.mails()) EXPECT_EQ(brief(sent.id), "SENT delivered");
    EXPECT_EQ(node->ledger.counts()->by_state[static_cast<std::size_t>(State::sent)], left);
}

}  // namespace
}  // namespace mailroom::outbox
