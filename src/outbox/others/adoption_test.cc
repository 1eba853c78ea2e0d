// Mails of other programs whose message cannot be read when they are taken up.
#include "outbox/others/adoption.h"

#include "outbox/others/follower.h"
#include "outbox/others/seed_for_tests.h"
#include "outbox/sending/sending_for_tests.h"

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

// A disk that comes and goes.
class OddBlobs final : public Blobs {
public:
    explicit OddBlobs(Blobs& below) : below_(below) {}
    Result<> add(table::write::Transaction& transaction, const std::string& path,
                 std::string_view bytes, Time expires) override {
        return below_.add(transaction, path, bytes, expires);
    }
    Result<std::optional<std::string>> read(const std::string& path) override {
        if (problem) return *problem;
        if (path.starts_with('/')) return file;
        return below_.read(path);
    }

    std::optional<Error> problem;
    std::optional<std::string> file;

private:
    Blobs& below_;
};

class AdoptionTest : public SendingTest {
protected:
    void SetUp() override {
        SendingTest::SetUp();
        seed.emplace(*engine);
        odd.emplace(node->blobs);
        sender.emplace(node->ledger, *odd, *node->schedule, transport, permission, node->rates,
                       signatures, clock, random, SenderOptions{},
                       SenderCrew{.post = [this](auto work) { node->crew->post(std::move(work)); },
                                  .hold = [](auto&, auto) { return nullptr; }});
        crew.emplace(*node->schedule, clock,
                     schedule::CrewOptions{
                         .queues = {std::string(send_queue(Stream::transactional))}, .threads = 0},
                     [this](schedule::JobInHand job) { sender->run(std::move(job)); });
        engine->finish_jobs();
    }
    void TearDown() override {
        crew.reset();
        sender.reset();
    }

    void written(const std::string& state) {
        ASSERT_TRUE(seed->accepts(id));
        ASSERT_TRUE(seed->readies(id, "/efs/eml/x.EML"));
        if (state != "READY") {
            ASSERT_TRUE(seed->moves(id, state, ""));
        }
        Follower follower(node->ledger, *odd, *node->schedule, clock, random,
                          {.reads_shared = true});
        const auto followed = follower.follow(id);
        ASSERT_TRUE(followed && *followed);
    }
    void run_after(std::chrono::seconds time) {
        clock.advance(time);
        // What follows an answer runs on the node's threads.
        while (crew->run_due() + node->run_due() > 0) {
        }
    }

    const std::string id = "11111111-2222-4333-8444-555555555555";
    const std::string message =
        "From: a@example.com\r\nTo: b@example.org\r\nSubject: x\r\n\r\ny\r\n";
    std::optional<SeedPrograms> seed;
    std::optional<OddBlobs> odd;
    std::optional<Sender> sender;
    std::optional<schedule::Crew> crew;
};

TEST_F(AdoptionTest, AMessageThatCannotBeReadForNowIsWaitedForHoweverLong) {
    odd->problem = Error{Errc::unavailable, "Stale file handle"};
    written("READY");
    for (int hour = 0; hour < 5; ++hour) {
        run_after(3600s);
        EXPECT_EQ(brief(id), "READY");
        EXPECT_NE(mail(id).reason.find("Stale file handle"), std::string::npos) << mail(id).reason;
    }
    odd->problem.reset();
    odd->file = message;
    run_after(3600s);
    EXPECT_EQ(brief(id), "SENT delivered");
    EXPECT_EQ(mail(id).sender, "a@example.com");
    ASSERT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(transport.mails()[0].recipients, std::vector<std::string>{"b@example.org"});
    EXPECT_NE(transport.mails()[0].message.find("Message-ID: "), std::string::npos);
}

TEST_F(AdoptionTest, AFileThatIsNotThereIsWaitedForAMoment) {
    written("READY");
    run_after(0s);
    EXPECT_EQ(brief(id), "READY");
    EXPECT_EQ(mail(id).reason, "there is no file /efs/eml/x.EML");
    odd->file = message;
    run_after(60s);
    EXPECT_EQ(brief(id), "SENT delivered");
}

TEST_F(AdoptionTest, AFileThatNeverComesIsSaid) {
    written("READY");
    run_after(0s);
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(brief(id), "READY") << i;
        run_after(15s);
    }
    EXPECT_EQ(brief(id), "FAILED");
    EXPECT_EQ(mail(id).reason, "there is no file /efs/eml/x.EML");
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(AdoptionTest, AMessageOfWhichNoMailCanBeMadeFailsAndSaysWhy) {
    odd->file = "Subject: nobody\r\n\r\nx\r\n";
    written("READY");
    run_after(0s);
    EXPECT_EQ(brief(id), "FAILED");
    EXPECT_NE(mail(id).reason.find("its message cannot be read: "), std::string::npos)
        << mail(id).reason;
}

TEST_F(AdoptionTest, WhatAnotherProgramWasSendingIsHeldThoughItsFileIsNotThere) {
    written("PROCESSING");
    run_after(0s);
    EXPECT_EQ(brief(id), "PROCESSING") << "it may be sending still";
    run_after(31min);
    EXPECT_EQ(brief(id), "HELD");
    EXPECT_TRUE(mail(id).reason.starts_with("unknown: another program")) << mail(id).reason;
    EXPECT_FALSE(mail(id).job);
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(AdoptionTest, WhatAnotherProgramWasSendingIsHeldThoughItsFileCannotBeRead) {
    odd->problem = Error{Errc::unavailable, "Stale file handle"};
    written("PROCESSING");
    run_after(0s);
    run_after(31min);
    EXPECT_EQ(brief(id), "HELD");
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(AdoptionTest, WhatAnotherProgramWasSendingIsHeldWithItsRecipientsIfTheyCanBeRead) {
    odd->problem = Error{Errc::unavailable, "Stale file handle"};
    written("PROCESSING");
    odd->problem.reset();
    odd->file = message;
    run_after(0s);
    run_after(31min);
    EXPECT_EQ(brief(id), "HELD unknown");
    EXPECT_EQ(mail(id).sender, "a@example.com");
    EXPECT_EQ(mail(id).eml_path, "/efs/eml/x.EML") << "as it was when somebody sent it";
}

}  // namespace
}  // namespace mailroom::outbox
