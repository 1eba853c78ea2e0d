#include "api/submission.h"

#include "api/native_for_tests.h"

#include <thread>
#include <vector>

namespace mailroom::api {
namespace {

constexpr const char* text = "From: a@example.com\r\nTo: b@example.org\r\n\r\nHello\r\n";

// In lines as long as they may be.
const std::string long_text = [] {
    std::string lines;
    for (int i = 0; i < 100; ++i) lines += std::string(998, 'x') + "\r\n";
    return lines;
}();

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
    // The code that MAIL or RCPT with such an address gets; 250 if it may go on.
    int ask(const std::string& address, bool as_sender) {
        std::optional<smtp::Decision> told;
        smtp::Answer answer([&](smtp::Decision decision) { told = std::move(decision); });
        smtp::Envelope envelope;
        const smtp::Path path{"", "", address};
        if (as_sender) {
            envelope.sender = path;
            submission_->sender({}, envelope, std::move(answer));
        } else {
            submission_->recipient({}, envelope, path, std::move(answer));
        }
        return told && told->reply ? told->reply->code : 250;
    }
    smtp::Decision log_in(const std::string& password) {
        std::promise<smtp::Decision> told;
        submission_->authenticate(
            {.address = "192.0.2.1"}, {"anybody", password},
            smtp::Answer([&](smtp::Decision decision) { told.set_value(std::move(decision)); }));
        return told.get_future().get();
    }
    std::int64_t stored() { return taken(ledger_->counts()).waiting(); }

    std::optional<Submission> submission_;
};

TEST_F(SubmissionTest, WhatIsAnsweredWith250IsStored) {
    EXPECT_EQ(submit(text), 250);
    EXPECT_EQ(stored(), 1);
    EXPECT_EQ(submit(text + long_text), 250) << "a large one as well";
    EXPECT_EQ(stored(), 2);
}

TEST_F(SubmissionTest, WhatCannotBeStoredIsRefusedForNowAndWhatIsBadForGood) {
    for (const auto& more : {std::string(), long_text}) {
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

TEST_F(SubmissionTest, RefusesEachAddressThatTheMailWouldBeRefusedFor) {
    struct Case {
        std::string_view name, address;
        bool is_good;
    };
    const Case cases[] = {
        {"plain", "b@example.org", true},        {"address literal", "x@[127.0.0.1]", false},
        {"no domain", "postmaster", false},      {"no dot", "root@localhost", false},
        {"quoted", "\"a b\"@example.org", true}, {"other script", "müller@example.org", true},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const std::string address(c.address);
        EXPECT_EQ(ask(address, false), c.is_good ? 250 : 553);
        EXPECT_EQ(ask(address, true), c.is_good ? 250 : 553);
        auto mail = message(text);
        mail.envelope.recipients = {smtp::Path{"", "", address}};
        std::promise<smtp::Decision> told;
        submission_->take(std::move(mail), smtp::Answer([&](smtp::Decision decision) {
                              told.set_value(std::move(decision));
                          }));
        EXPECT_EQ(told.get_future().get().reply->code, c.is_good ? 250 : 554)
            << "RCPT and DATA agree";
    }
}

TEST_F(SubmissionTest, NoLineOfMoreThan998BytesIsTaken) {
    EXPECT_EQ(submit(text + std::string(998, 'x') + "\r\n"), 250);
    EXPECT_EQ(submit(text + std::string(999, 'x') + "\r\n"), 554);
    EXPECT_EQ(submit("Subject: " + std::string(990, 'x') + "\r\n" + text), 554);
    EXPECT_EQ(submit(text + std::string(100'000, 'x')), 554);
    EXPECT_EQ(stored(), 1);
}

TEST_F(SubmissionTest, FailedLoginsAreCountedAndAnsweredMoreSlowlyEachTime) {
    LoginWatch watch(clock_);
    submission_.reset();
    submission_.emplace(keys_, *outbox_, workers_, &watch);
    std::vector<std::chrono::milliseconds> delays;
    for (int i = 0; i < 4; ++i) {
        const auto decision = log_in("mr_not_a_key_that_anybody_knows");
        EXPECT_EQ(decision.reply->code, 535);
        delays.push_back(decision.delay);
    }
    EXPECT_EQ(delays[0].count(), 0);
    EXPECT_GT(delays[2].count(), 0);
    EXPECT_GT(delays[3], delays[2]);
    EXPECT_EQ(watch.failures(Door::smtp), 4u);
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
