#include "api/submission.h"

#include "api/native_for_tests.h"

#include <thread>
#include <vector>

namespace mailroom::api {
namespace {

constexpr const char* text = "From: a@example.com\r\nTo: b@example.org\r\n\r\nHello\r\n";

class SubmissionTest : public NativeTest {
protected:
    void SetUp() override {
        NativeTest::SetUp();
        submission_.emplace(keys_, *outbox_, workers_);
    }

    static smtp::Message message(std::string data) {
        smtp::Message message;
        message.envelope.sender = smtp::Path{"a", "example.com", "a@example.com"};
        message.envelope.recipients = {smtp::Path{"b", "example.org", "b@example.org"}};
        message.data = std::move(data);
        return message;
    }
    // The answer's code; 250 for words of the server's own.
    int submit(std::string data) {
        std::promise<smtp::Decision> told;
        submission_->take(message(std::move(data)), smtp::Answer([&](smtp::Decision decision) {
                              told.set_value(std::move(decision));
                          }));
        const auto decision = told.get_future().get();
        return decision.reply ? decision.reply->code : 250;
    }
    std::int64_t stored() { return taken(ledger_->counts()).waiting(); }

    std::optional<Submission> submission_;
};

TEST_F(SubmissionTest, WhatIsAnsweredWith250IsStored) {
    EXPECT_EQ(submit(text), 250);
    EXPECT_EQ(stored(), 1);
    EXPECT_EQ(submit(text + std::string(100'000, 'x') + "\r\n"), 250) << "a large one as well";
    EXPECT_EQ(stored(), 2);
}

TEST_F(SubmissionTest, WhatCannotBeStoredIsRefusedForNowAndWhatIsBadForGood) {
    for (const auto& more : {std::string(), std::string(100'000, 'x')}) {
        rows_.fail_commit(1, {Errc::unavailable, "full"});
        EXPECT_EQ(submit(text + more), 451);
        EXPECT_EQ(submit("To: nobody\r\n\r\n" + more), 554);
    }
    EXPECT_EQ(stored(), 0);
    submission_.reset();
    router_.reset();
    schedule_.reset();
    engine_.reset();
    outbox::OutboxOptions options;
    options.waiting_max = 0;
    open(options);
    submission_.emplace(keys_, *outbox_, workers_);
    EXPECT_EQ(submit(text), 452);
}

TEST_F(SubmissionTest, DoesNotGoBeforeWhatIsBeingStored) {
    constexpr int messages = 200;
    std::atomic<int> answered = 0;
    for (int i = 0; i < messages; ++i) {
        submission_->take(message(text), smtp::Answer([&](const auto&) { ++answered; }));
    }
    submission_.reset();
    EXPECT_EQ(answered, messages);
    EXPECT_EQ(stored(), messages);
}

TEST_F(SubmissionTest, TakesFromManyThreads) {
    constexpr int threads = 4, each = 50;
    std::vector<std::thread> submitting;
    for (int i = 0; i < threads; ++i) {
        submitting.emplace_back([&] {
            for (int k = 0; k < each; ++k) EXPECT_EQ(submit(text), 250);
        });
    }
    for (auto& thread : submitting) thread.join();
    EXPECT_EQ(stored(), threads * each);
}

}  // namespace
}  // namespace mailroom::api
