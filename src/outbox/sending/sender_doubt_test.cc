// What becomes of mails that were being handed over when the program ended.
#include "base/scratch_directory.h"
#include "outbox/sending/doubt.h"
#include "outbox/sending/sending_for_tests.h"
#include "outbox/sending/slate.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

// Asks whether the end may leave, and stands still.
class Sleeper final : public Transport {
public:
    void send(Outgoing mail, Done done) override {
        done_ = std::move(done);
        mail_ = std::move(mail);
        mail_.before_end({0}, [this](const smtp::Leave& leave) { leave_ = leave; });
    }
    void stop(std::chrono::milliseconds) override {}
    bool wake() { return leave_ && leave_(); }
    void forget() { done_ = nullptr, leave_ = nullptr, mail_ = {}; }

private:
    Outgoing mail_;
    Done done_;
    smtp::Leave leave_;
};

class SenderDoubtTest : public SendingTest {
protected:
    using T = FakeTransport;

    static Node::Options shared() { return {.ownership = schedule::Ownership::shared}; }
    std::vector<std::string> log(const std::string& id) {
        std::vector<std::string> lines;
        for (const auto& entry : history(id).log) lines.push_back(entry.what + ": " + entry.text);
        return lines;
    }
    std::string first_log(const std::string& id) {
        const auto lines = log(id);
        return lines.empty() ? "" : lines.front();
    }
};

TEST_F(SenderDoubtTest, AMailWhoseEndHadNotLeftGoesOnByItself) {
    transport.silent = true;
    const auto id = add_mail({.to = {"b@example.org", "c@example.org"}});
    node->run_due();
    ASSERT_EQ(transport.mails().size(), 1U);
    EXPECT_EQ(brief(id), "PROCESSING waiting waiting");

    transport.silent = false;
    restart();
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered delivered");
    EXPECT_EQ(mail(id).attempts, 1) << "the one that was interrupted was none";
    EXPECT_EQ(transport.ended(), std::vector<std::string>{id});
    EXPECT_EQ(first_log(id), "interrupted: " + std::string(not_offered_text));
    EXPECT_EQ(states(id), "ACCEPTED INTAKING READY PROCESSING SENT");
}

TEST_F(SenderDoubtTest, AMailWhoseEndMayHaveLeftIsHeld) {
    transport.patient = true;
    const auto id = add_mail({});
    const auto left_at = clock.now();
    node->run_due();
    ASSERT_EQ(transport.ended(), std::vector<std::string>{id});
    clock.advance(5s);
    restart();
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_EQ(mail(id).recipients[0].doubtful_since, left_at);
    EXPECT_EQ(mail(id).reason.substr(0, 28), "unknown: the server stopped ");
    EXPECT_EQ(transport.mails().size(), 1U);
}

TEST_F(SenderDoubtTest, WhoWasRefusedBeforeTheMessageIsNotInDoubt) {
    transport.patient = true;
    transport.say({T::refused(451, "later"), T::taken(), T::refused(550, "no such user")});
    const auto id = add_mail({.to = {"a@example.org", "b@example.org", "c@example.org"}});
    node->run_due();
    transport.patient = false;
    restart();
    node->run_due();
    EXPECT_EQ(brief(id), "READY waiting unknown waiting") << "the others go on";
    transport.say({T::taken(), T::refused(550, "no such user")});
    clock.set(mail(id).job->due());
    node->run_due();
    EXPECT_EQ(brief(id), "HELD delivered unknown failed") << "and then a person is asked";
    ASSERT_EQ(transport.mails().size(), 2U);
    EXPECT_EQ(transport.mails()[1].recipients,
              (std::vector<std::string>{"a@example.org", "c@example.org"}));
}

TEST_F(SenderDoubtTest, AMailThatStopsTheServerEachTimeIsTriedEverLater) {
    transport.silent = true;
    const auto id = add_mail({});
    std::vector<std::chrono::milliseconds> pauses;
    for (int life = 0; life < 12; ++life) {
        node->run_due();
        ASSERT_EQ(brief(id), "PROCESSING waiting");
        restart();
        node->run_due();
        if (mail(id).state != State::ready) continue;
        pauses.push_back(mail(id).job->due() - clock.now());
        clock.set(mail(id).job->due());
    }
    ASSERT_EQ(pauses.size(), 11U) << "at once after the first time only";
    EXPECT_GE(*std::ranges::max_element(pauses), 1h);
    transport.silent = false;
    restart();
    clock.advance(5h);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_EQ(mail(id).attempts, 1);
}

// A program of before the marks, or one that was told otherwise.
TEST_F(SenderDoubtTest, AClaimThatDoesNotSayThatItMarksLeavesAllInDoubt) {
    transport.silent = true;
    const auto id = add_mail({});
    node->run_due();
    const auto position = *mail(id).job;
    table::UpdateItem old;
    old.table = "MailroomSchedule";
    old.key = {{"Queue", position.partition}, {"Position", position.place}};
    old.update = "REMOVE #data";
    old.bind.names = {{"#data", "Data"}};
    restart();
    ASSERT_TRUE(engine->update(old));
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_TRUE(mail(id).recipients[0].doubtful_since);
}

TEST_F(SenderDoubtTest, AMarkThatNobodyUnderstandsLeavesAllInDoubt) {
    transport.silent = true;
    const auto id = add_mail({});
    node->run_due();
    const auto position = *mail(id).job;
    restart();
    ASSERT_TRUE(
        engine->update(table::write::Update("MailroomSchedule", {{"Queue", position.partition},
                                                                 {"Position", position.place}})
                           .add("Marks", table::Value::string_set({"of another kind"}))));
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
}

TEST_F(SenderDoubtTest, WithoutTheMarkOnDiskTheEndDoesNotLeave) {
    transport.silent = true;
    const auto id = add_mail({});
    node->run_due();
    kv.fail_commit(1, {Errc::corrupt, "the disk is broken"});
    transport.greet_all();
    node->run_due();
    EXPECT_TRUE(transport.ended().empty());
    EXPECT_EQ(brief(id), "READY waiting");
    EXPECT_EQ(mail(id).attempts, 0);
    transport.silent = false;
    clock.advance(1s);
    node->run_due();
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_EQ(transport.ended().size(), 1U);
}

// The window in which a mail could be doubled: the first one wakes up and would send its end.
TEST_F(SenderDoubtTest, WhoStoodStillPastTheLeaseDoesNotSendTheEnd) {
    for (const auto policy : {UnknownPolicy::hold, UnknownPolicy::retry}) {
        SCOPED_TRACE(policy == UnknownPolicy::hold ? "hold" : "retry");
        transport.silent = true;
        auto options = shared();
        options.sender.unknown = policy;
        node = make_node(options);
        const auto id = add_mail({});
        node->run_due();
        const auto before = transport.ended().size();
        clock.advance(1h);
        {
            FakeTransport other;
            used = &other;
            auto second = make_node(options);
            used = nullptr;
            second->run_due();
            EXPECT_EQ(brief(id), "PROCESSING waiting") << "its clock may be an hour ahead";
            clock.advance(60s);
            second->run_due();
            EXPECT_EQ(brief(id), "SENT delivered");
            EXPECT_EQ(other.ended(), std::vector<std::string>{id});
        }
        transport.greet_all();
        node->run_due();
        EXPECT_EQ(transport.ended().size(), before) << "one mail, one copy";
        EXPECT_EQ(brief(id), "SENT delivered");
    }
}

// The same between the mark and the end, while nobody has taken the job yet.
TEST_F(SenderDoubtTest, AMarkIsNotEnoughForWhoStoodStillAfterIt) {
    Sleeper sleeper;
    used = &sleeper;
    for (const auto pause : {1s, 3600s}) {
        node = make_node(shared());
        add_mail({});
        node->run_due();
        clock.advance(pause);
        EXPECT_EQ(sleeper.wake(), pause == 1s);
        sleeper.forget();
        node->run_due();
    }
    node.reset();
    used = nullptr;
}

TEST_F(SenderDoubtTest, AMarkWhoseEndHadNotLeftWhenTheProcessWasKilledIsNoDoubt) {
    const ScratchDirectory scratch;
    const auto open_slate = [&](const std::string& of) {
        return *Slate::open(scratch / "ends", of, "boot");
    };
    // Marked; of the first the end left too.
    transport.patient = true;
    const auto left = add_mail({}), stayed = add_mail({});
    node->run_due();
    ASSERT_EQ(transport.ended().size(), 2U);
    const auto lease_of = [&](const std::string& id) {
        table::GetItem get;
        get.table = "MailroomSchedule";
        const auto position = *mail(id).job;
        get.key = {{"Queue", position.partition}, {"Position", position.place}};
        return std::string(*engine->get(get)->item->text("Lease"));
    };
    const auto killed = open_slate(node->schedule->node());
    ASSERT_TRUE(killed->note(lease_of(left), 0));

    transport.patient = false;
    const auto next = open_slate("next");
    restart({.sender = {.slate = next.get()}});
    node->run_due();
    EXPECT_EQ(brief(left), "HELD unknown");
    EXPECT_EQ(brief(stayed), "SENT delivered");
    restart();
}

TEST_F(SenderDoubtTest, WhatHasLeftIsOnTheSlateUntilItIsSettled) {
    const ScratchDirectory scratch;
    const auto slate = *Slate::open(scratch / "ends", "now", "boot");
    transport.patient = true;
    restart({.sender = {.slate = slate.get()}});
    add_mail({});
    node->run_due();
    ASSERT_EQ(transport.ended().size(), 1U);
    const auto bytes = [&] {
        std::ifstream file(scratch / "ends" / "now", std::ios::binary);
        const std::string all(std::istreambuf_iterator<char>(file), {});
        return std::ranges::count_if(all.substr(64), [](char c) { return c != '\0'; });
    };
    EXPECT_GT(bytes(), 0);
    transport.answer_all();
    node->run_due();
    EXPECT_EQ(bytes(), 0);
    restart();
}

// Who has the tables alone writes down on the slate only which ends may leave.
class SenderAloneTest : public SenderDoubtTest {
protected:
    void start(const std::string& boot = "boot") {
        slate = *Slate::open(directory, "now", boot, SlateSync::Mode::immediate);
        node = make_node({.sender = {.slate = slate.get(), .is_alone = true}});
    }
    // What is on the slate is as it was at that moment, under the name that begins its claims.
    void kill() {
        const auto name = node->schedule->node();
        std::filesystem::copy_file(directory / "now", directory / name);
        transport.forget_all();
        sleeper.forget();
        node.reset();
        slate.reset();
        std::filesystem::remove(directory / "now");
        used = nullptr;
        transport.patient = false;
    }
    void TearDown() override {
        transport.forget_all();
        sleeper.forget();
        node.reset();
        used = nullptr;
    }

    const ScratchDirectory scratch;
    const std::filesystem::path directory = scratch / "ends";
    std::unique_ptr<Slate> slate;
    Sleeper sleeper;
};

TEST_F(SenderAloneTest, AnEndThatWasMeantToLeaveAndDidNotIsNoDoubtUnlessTheMachineStartedAgain) {
    for (const std::string boot : {"boot", "another"}) {
        used = &sleeper;
        start();
        const auto id = add_mail({});
        node->run_due();
        EXPECT_EQ(brief(id), "PROCESSING waiting");
        kill();
        start(boot);
        node->run_due();
        EXPECT_EQ(brief(id), boot == "boot" ? "SENT delivered" : "HELD unknown");
        kill();
    }
}

TEST_F(SenderAloneTest, AnEndThatLeftWithoutAnAnswerIsHeld) {
    start();
    transport.patient = true;
    const auto id = add_mail({});
    node->run_due();
    ASSERT_EQ(transport.ended().size(), 1U);
    kill();
    start();
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_EQ(transport.ended().size(), 1U);
}

TEST_F(SenderAloneTest, WhatTheServerSaidSurvivesAKillThatComesBeforeItIsWrittenDown) {
    start();
    transport.patient = true;
    const auto hand_over = [&](const Wish& wish, Answer answer) {
        transport.say(std::move(answer));
        auto id = add_mail(wish);
        node->run_due();
        return id;
    };
    const auto taken = hand_over({}, {T::taken()});
    const auto refused = hand_over({}, {T::refused(451, "later")});
    const auto both = hand_over({.to = {"a@example.org", "b@example.org"}},
                                {T::taken(), T::refused(550, "no such user")});
    transport.answer_all();
    EXPECT_EQ(brief(taken), "PROCESSING waiting");
    const auto sent = transport.ended().size();
    kv.fail_commits({Errc::corrupt, "the disk is broken"});
    kill();
    kv.heal();
    start();
    node->run_due();
    EXPECT_EQ(brief(taken), "SENT delivered");
    EXPECT_EQ(mail(taken).recipients[0].code, 250);
    EXPECT_EQ(mail(taken).recipients[0].text, taken_text);
    EXPECT_EQ(brief(refused), "SENT delivered") << "it goes again by itself";
    EXPECT_EQ(brief(both), "READY delivered waiting") << "only the other goes again";
    EXPECT_EQ(transport.ended().size(), sent + 1);
}

TEST_F(SenderAloneTest, AClaimWhoseSlateIsGoneIsInDoubt) {
    used = &sleeper;
    start();
    const auto id = add_mail({});
    node->run_due();
    kill();
    std::filesystem::remove_all(directory);
    start();
    node->run_due();
    EXPECT_EQ(brief(id), "HELD unknown");
}

TEST_F(SenderAloneTest, AMailThatTheSlateHasNoRoomForIsMarked) {
    start();
    const std::vector<std::size_t> places(16'384, 0);
    ASSERT_TRUE(slate->mean("now:1000000", places));
    transport.patient = true;
    const auto left = add_mail({});
    node->run_due();
    ASSERT_EQ(transport.ended().size(), 1U);
    transport.silent = true;
    const auto stayed = add_mail({});
    node->run_due();
    kill();
    transport.silent = false;
    start();
    node->run_due();
    EXPECT_EQ(brief(left), "HELD unknown");
    EXPECT_EQ(brief(stayed), "SENT delivered");
}

TEST(Doubt, AnOlderProgramReadsThatAllMayHaveLeftWhereOnlyTheSlateTells) {
    EXPECT_FALSE(claim_data(0, OffersIn::slate).find("Marks"));
    EXPECT_TRUE(claim_data(0, OffersIn::marks).find("Marks"));
}

TEST(Doubt, MarksAreReadAsTheyAreWritten) {
    const auto at = from_unix_ms(1'763'632'800'123);
    EXPECT_EQ(mark_of({at, {0, 2, 999}}), "1763632800123 0,2,999");
    EXPECT_EQ(read_offer("1763632800123 0,2,999"), (Offer{at, {0, 2, 999}}));
    for (const auto* wrong : {"", "x", "1763632800123", "1763632800123 ", "1 x", "1 0,", "1 0 1",
                              "1,0", " 1 0", "1 -1", "1 0,99999999999999999999999"}) {
        EXPECT_FALSE(read_offer(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace mailroom::outbox
