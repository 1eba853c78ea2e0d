#include "outbox/accept/outbox_fixture.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace mailroom::outbox {
namespace {

class OutboxActionsTest : public OutboxTest {
protected:
    // The mail goes on from READY with no job left, as after its sender.
    Mail settled(State state, const Change& change = {}, const std::string& more = "",
                 const std::string& id = mail_a) {
        EXPECT_TRUE(accept(minimal(id, more)));
        auto mail = found(id);
        schedule::Transaction first;
        schedule->cancel(first, *mail.job);
        Change begun;
        begun.attempts = 1;
        begun.job = std::optional<schedule::Position>();
        ledger->move(first, mail, State::processing, begun);
        EXPECT_TRUE(schedule->commit(first));
        for (const auto step : way_to(state)) {
            if (!may_follow(mail.state, step)) continue;
            EXPECT_TRUE(move(mail, step, step == state ? change : Change{}));
        }
        EXPECT_EQ(mail.state, state);
        return mail;
    }

    Mail held(std::vector<Recipient> recipients, const std::string& more = "") {
        auto mail = settled(State::processing, {}, more);
        Change change;
        change.reason = "unknown: the connection was lost";
        change.recipients = std::move(recipients);
        change.held = true;
        EXPECT_TRUE(apply(mail, change));
        return mail;
    }

    std::string logged(const std::string& id) {
        const auto history = ledger->history(id);
        EXPECT_TRUE(history && *history);
        std::string text;
        for (const auto& entry : (*history)->log) text += (text.empty() ? "" : ", ") + entry.what;
        return text;
    }

    static std::string states_of(const std::vector<Recipient>& recipients) {
        std::string text;
        for (const auto& recipient : recipients) {
            text += (text.empty() ? "" : " ") + std::string(name_of(recipient.state));
        }
        return text;
    }
};

TEST_F(OutboxActionsTest, CancelTakesTheMailAndItsJobAway) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    ASSERT_TRUE(accept(minimal(mail_b, R"(,"attachments":[{"path":"/x"}])")));
    for (const auto* id : {mail_a, mail_b}) {
        const auto cancelled = outbox->cancel(id);
        ASSERT_TRUE(cancelled) << cancelled.error().message;
        EXPECT_EQ(cancelled->state, State::cancelled);
        EXPECT_EQ(found(id).state, State::cancelled);
        EXPECT_FALSE(found(id).job);
        EXPECT_EQ(logged(id), "cancel");
    }
    EXPECT_TRUE(due("outbox.send.transactional").empty());
    EXPECT_TRUE(due("outbox.intake").empty());
    const auto again = outbox->cancel(mail_a);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::conflict);
    EXPECT_NE(again.error().message.find("CANCELLED"), std::string::npos);
    EXPECT_EQ(outbox->cancel("33333333-2222-4333-8444-555555555555").error().code, Errc::not_found);
}

TEST_F(OutboxActionsTest, AMailWhoseJobIsClaimedCannotBeCancelled) {
    ASSERT_TRUE(accept(minimal(mail_a)));
    std::optional<Result<Mail>> cancelled;
    schedule::Crew crew(*schedule, clock, {.queues = {"outbox.send.transactional"}, .threads = 0},
                        [&](schedule::JobInHand job) {
                            schedule::Transaction transaction;
                            job->claim(transaction);
                            ASSERT_TRUE(schedule->commit(transaction));
                            cancelled = outbox->cancel(mail_a);
                            schedule::Transaction end;
                            job->finish(end);
                            ASSERT_TRUE(schedule->commit(end));
                        });
    ASSERT_EQ(crew.run_due(), 1u);
    ASSERT_TRUE(cancelled);
    ASSERT_FALSE(*cancelled);
    EXPECT_EQ((*cancelled).error().code, Errc::conflict);
    EXPECT_EQ(found(mail_a).state, State::ready);
}

TEST_F(OutboxActionsTest, RetryOfAHeldMailSendsToThoseWhoDoNotHaveIt) {
    using enum Recipient::State;
    held({{.address = "a@example.org", .state = delivered},
          {.address = "b@example.org", .state = unknown},
          {.address = "c@example.org", .state = failed},
          {.address = "d@example.org", .state = waiting}});
    clock.advance(std::chrono::hours(100));
    const auto mail = outbox->retry(mail_a);
    ASSERT_TRUE(mail) << mail.error().message;
    EXPECT_EQ(mail->state, State::ready);
    EXPECT_FALSE(mail->held);
    EXPECT_EQ(states_of(found(mail_a).recipients), "delivered waiting waiting waiting");
    EXPECT_EQ(found(mail_a).first_due, clock.now());
    EXPECT_EQ(found(mail_a).attempts, 0);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
    EXPECT_EQ(logged(mail_a), "state PROCESSING, retry");
    EXPECT_FALSE(outbox->retry(mail_a));
}

// Its rows are gone, so that it can go the same way again; what they told is not.
TEST_F(OutboxActionsTest, RetryKeepsTheStepsOfEarlierAttempts) {
    Change change;
    change.reason = "SMTP error 550: no such user";
    change.recipients = {{.address = "b@example.org", .state = Recipient::State::failed}};
    change.peer = "192.0.2.1:25";
    change.transcript = "> RCPT TO\n< 550 no such user\n";
    const auto failed_at = clock.now();
    settled(State::failed, change);
    for (int retries = 1; retries <= 3; ++retries) {
        SCOPED_TRACE(retries);
        clock.advance(std::chrono::hours(1));
        ASSERT_TRUE(outbox->retry(mail_a));
        const auto log = (*ledger->history(mail_a))->log;
        ASSERT_EQ(log.size(), static_cast<std::size_t>(3 * retries));
        EXPECT_EQ(log[0].what, "state PROCESSING");
        EXPECT_EQ(log[1].what, "state FAILED");
        EXPECT_EQ(log[1].at, failed_at);
        EXPECT_EQ(log[1].text, change.reason);
        EXPECT_EQ(log[1].peer, change.peer);
        EXPECT_EQ(log[1].transcript, change.transcript);
        EXPECT_EQ(log[2].what, "retry");
        EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
        auto mail = found(mail_a);
        Change begun;
        begun.job = std::optional<schedule::Position>();
        ASSERT_TRUE(move(mail, State::processing, begun));
        ASSERT_TRUE(move(mail, State::failed, change));
    }
}

TEST_F(OutboxActionsTest, RetryKeepsWhyAMailWasInvalidAndThatItsFailureWasTold) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"attachments":[{"path":"/x"}])")));
    EXPECT_EQ(take_in({}), 1u);
    const auto reason = found(mail_a).reason;
    ASSERT_TRUE(outbox->retry(mail_a));
    const auto log = (*ledger->history(mail_a))->log;
    ASSERT_EQ(log.size(), 3U);
    EXPECT_EQ(log[1].what, "state INVALID");
    EXPECT_EQ(log[1].text, reason);

    settled(State::failed_acknowledged, {}, "", mail_b);
    ASSERT_TRUE(outbox->retry(mail_b));
    EXPECT_EQ(logged(mail_b),
              "state PROCESSING, state FAILED, state CALLING-FAILED-CALLBACK, "
              "state FAILED-ACKNOWLEDGED, retry");
}

TEST_F(OutboxActionsTest, RetryOfAFailedMailSendsItAgain) {
    for (const auto& [state, id] :
         {std::pair(State::failed, mail_a), std::pair(State::failed_acknowledged, mail_b)}) {
        SCOPED_TRACE(name_of(state));
        Change change;
        change.reason = "SMTP error 550: no such user";
        change.recipients = {{.address = "b@example.org", .state = Recipient::State::failed}};
        settled(state, change, "", id);
        const auto mail = outbox->retry(id);
        ASSERT_TRUE(mail) << mail.error().message;
        EXPECT_EQ(found(id).state, State::ready);
        EXPECT_EQ(found(id).reason, "");
        EXPECT_EQ(states_of(found(id).recipients), "waiting");
        EXPECT_EQ(statuses(id), "ACCEPTED INTAKING READY _META");
    }
    EXPECT_EQ(due("outbox.send.transactional").size(), 2u);
}

TEST_F(OutboxActionsTest, AMailWhoseMessageIsGoneCannotBeSentAgain) {
    settled(State::failed);
    table::write::Transaction lost;
    lost.erase("MailroomBlobs", {{"Path", found(mail_a).eml_path}, {"Part", 0}});
    ASSERT_TRUE(engine->transact(lost));
    const auto refused = outbox->retry(mail_a);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("its message is gone"), std::string::npos);
    EXPECT_EQ(found(mail_a).state, State::failed);
}

TEST_F(OutboxActionsTest, RetryOfAFailedMailTakesItsWaitingCallbackAway) {
    auto mail = settled(State::failed, {}, R"(,"callback_url":"https://example.com/hook")");
    schedule::Transaction transaction;
    Change change;
    change.job = schedule->add(
        transaction, {.queue = std::string(callback_queue), .key = mail.id, .due = clock.now()});
    ledger->change(transaction, mail, change);
    ASSERT_TRUE(schedule->commit(transaction));
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_TRUE(due(callback_queue).empty());
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
}

TEST_F(OutboxActionsTest, RetryOfAnInvalidMailTakesItInAgain) {
    ASSERT_TRUE(accept(minimal(mail_a, R"(,"attachments":[{"path":"/x"}])")));
    EXPECT_EQ(take_in({}), 1u);
    ASSERT_EQ(found(mail_a).state, State::invalid);
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_EQ(found(mail_a).state, State::accepted);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED _META");
    EXPECT_EQ(due(fetching_queue), std::vector<std::string>{mail_a});
}

TEST_F(OutboxActionsTest, RetryOfACallbackThatWasGivenUpMakesItAgain) {
    const auto mail = settled(State::calling_sent_callback);
    const auto before = statuses(mail_a);
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_EQ(found(mail_a).state, State::calling_sent_callback);
    EXPECT_EQ(statuses(mail_a), before);
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
    EXPECT_EQ(logged(mail_a), "retry");
    EXPECT_FALSE(outbox->retry(mail_a)) << "it has a job now";
}

TEST_F(OutboxActionsTest, RetryOfACallbackThatWasGivenUpBeforeTheFirstCallMakesIt) {
    settled(State::sent, {}, R"(,"callback_url":"https://example.com/hook")");
    ASSERT_TRUE(outbox->retry(mail_a));
    EXPECT_EQ(found(mail_a).state, State::sent);
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
}

TEST_F(OutboxActionsTest, RetryOfAMailThatWaitsAfterAFailureTriesItNow) {
    struct Case {
        std::string_view name;
        State state;
        std::string queue;
        std::int64_t attempts;
        std::string reason;
        bool is_tried;
    };
    const std::string sending = "outbox.send.transactional";
    const Case cases[] = {
        {"refused for now", State::ready, sending, 1, "", true},
        {"to be sent later", State::ready, sending, 0, "", false},
        {"an attachment is not there yet", State::accepted, std::string(fetching_queue), 0,
         "the server does not answer", true},
        {"to be taken in", State::accepted, std::string(fetching_queue), 0, "", false},
        {"a callback that failed", State::calling_sent_callback, std::string(callback_queue), 1, "",
         true},
        {"a callback that failed", State::calling_failed_callback, std::string(callback_queue), 1,
         "SMTP error 550", true},
    };
    int number = 10;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto id = std::string(mail_a);
        id.replace(0, 2, std::to_string(number++));
        auto mail = mail_in(c.state, id);
        schedule::Transaction transaction;
        auto job = schedule->add(
            transaction, {.queue = c.queue, .key = id, .due = clock.now() + std::chrono::hours(4)});
        ledger->change(transaction, mail,
                       {.reason = c.reason, .attempts = c.attempts, .job = std::move(job)});
        ASSERT_TRUE(schedule->commit(transaction));

        const auto tried = outbox->retry(id);
        EXPECT_EQ(bool(tried), c.is_tried);
        EXPECT_EQ(found(id).state, c.state);
        EXPECT_EQ(found(id).reason, c.reason) << "a callback tells it";
        EXPECT_EQ(due(c.queue),
                  c.is_tried ? std::vector<std::string>{id} : std::vector<std::string>{});
        if (c.is_tried) {
            EXPECT_FALSE(outbox->retry(id)) << "it is due";
            schedule::Transaction gone;
            schedule->cancel(gone, *found(id).job);
            ASSERT_TRUE(schedule->commit(gone));
        }
    }
}

TEST_F(OutboxActionsTest, WhatAPersonTakesUpAgainIsKeptAsLongAsIfItWereNew) {
    const std::string large(TableBlobs::small_bytes_max + 1, 'x');
    for (const auto& [id, text] : {std::pair(std::string(mail_a), std::string("short")),
                                   std::pair(std::string(mail_b), large)}) {
        SCOPED_TRACE(text.size());
        settled(State::failed, {}, R"(,"html":")" + text + "\"", id);
        const auto before = found(id).expires_seconds;
        clock.advance(std::chrono::hours(24 * 29));
        ASSERT_TRUE(outbox->retry(id));
        EXPECT_EQ(found(id).expires_seconds, before + 29 * 86400);
        clock.advance(std::chrono::hours(24 * 29));
        ASSERT_TRUE(engine->sweep_expired(1000));
        const auto mail = found(id);
        EXPECT_EQ(mail.state, State::ready);
        const auto message = outbox->message(mail);
        ASSERT_TRUE(message && *message);
        EXPECT_NE((*message)->find("Subject: Ciao"), std::string::npos);
        const auto payload = outbox->payload(mail);
        ASSERT_TRUE(payload && *payload);
        EXPECT_NE((*payload)->find(text), std::string::npos);
    }
}

TEST_F(OutboxActionsTest, AHeldMailThatArrivedBecomesSent) {
    using enum Recipient::State;
    held({{.address = "a@example.org", .state = unknown},
          {.address = "b@example.org", .state = failed}},
         R"(,"callback_url":"https://example.com/hook")");
    const auto mail = outbox->resolve_as_sent(mail_a);
    ASSERT_TRUE(mail) << mail.error().message;
    EXPECT_EQ(found(mail_a).state, State::sent);
    EXPECT_FALSE(found(mail_a).held);
    EXPECT_EQ(states_of(found(mail_a).recipients), "delivered failed");
    EXPECT_EQ(due(callback_queue), std::vector<std::string>{mail_a});
    EXPECT_EQ(logged(mail_a), "resolve");
    EXPECT_EQ(outbox->resolve_as_sent(mail_a).error().code, Errc::conflict);
    EXPECT_EQ(outbox->resolve_as_sent(mail_b).error().code, Errc::not_found);
}

TEST_F(OutboxActionsTest, AHeldMailThatArrivedGoesOnToThoseWhoWait) {
    using enum Recipient::State;
    held({{.address = "a@example.org", .state = unknown},
          {.address = "b@example.org", .state = waiting}});
    ASSERT_TRUE(outbox->resolve_as_sent(mail_a));
    EXPECT_EQ(found(mail_a).state, State::ready);
    EXPECT_EQ(states_of(found(mail_a).recipients), "delivered waiting");
    EXPECT_EQ(due("outbox.send.transactional"), std::vector<std::string>{mail_a});
}

// Scenario 20: a mail that needs no help is refused, and nothing changes.
TEST_F(OutboxActionsTest, RequeueRefusals) {
    int number = 10;
    using enum State;
    for (const auto state :
         {accepted, intaking, ready, processing, sent, sent_acknowledged, cancelled}) {
        SCOPED_TRACE(name_of(state));
        auto id = std::string(mail_a);
        id.replace(0, 2, std::to_string(number++));
        mail_in(state, id);
        const auto meta = row(id, "_META");
        const auto before = statuses(id);
        const auto refused = outbox->retry(id);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::conflict);
        EXPECT_NE(refused.error().message.find(name_of(state)), std::string::npos);
        EXPECT_EQ(row(id, "_META"), meta);
        EXPECT_EQ(statuses(id), before);
    }
    EXPECT_EQ(outbox->retry(mail_b).error().code, Errc::not_found);
    EXPECT_EQ(outbox->retry("").error().code, Errc::not_found);
}

TEST_F(OutboxActionsTest, WhatAMailHasGoneThroughStaysAsLongAsItIsTriedAgain) {
    using namespace std::chrono_literals;
    auto mail = settled(State::failed, {.reason = "SMTP error 550: no", .transcript = "S: 550 no"});
    schedule::Transaction together;
    ledger->log(together, mail, {.at = clock.now(), .what = "attempt", .text = "greylisted"});
    ASSERT_TRUE(schedule->commit(together));
    clock.advance(24h * 29);
    ASSERT_TRUE(outbox->retry(mail_a));
    clock.advance(24h * 16);
    ASSERT_TRUE(outbox->keep_what_waits([] { return false; }));
    ASSERT_TRUE(engine->sweep_expired(1'000'000));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    EXPECT_EQ(logged(mail_a), "attempt, state PROCESSING, state FAILED, retry");
    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    EXPECT_EQ((*history)->log[2].transcript, "S: 550 no");
}

// Does something when it is asked for the time.
class MeddlingClock final : public Clock {
public:
    MeddlingClock(const Clock& clock, std::function<void()> meddle)
        : clock_(clock), meddle_(std::move(meddle)) {}
    Time now() const override {
        if (meddle_) std::exchange(meddle_, nullptr)();
        return clock_.now();
    }

private:
    const Clock& clock_;
    mutable std::function<void()> meddle_;
};

// Scenario 21: the mail becomes SENT between the reading and the writing of a retry.
TEST_F(OutboxActionsTest, RequeueRace) {
    held({{.address = "b@example.org", .state = Recipient::State::unknown}});
    const MeddlingClock meddling(clock, [&] { ASSERT_TRUE(outbox->resolve_as_sent(mail_a)); });
    Outbox late(*ledger, *blobs, *schedule, meddling, random, {});
    const auto refused = late.retry(mail_a);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("SENT"), std::string::npos) << refused.error().message;
    EXPECT_EQ(found(mail_a).state, State::sent);
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING PROCESSING READY SENT _META");
    EXPECT_TRUE(due("outbox.send.transactional").empty());
}

}  // namespace
}  // namespace mailroom::outbox
