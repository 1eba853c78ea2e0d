#include "campaigns/sequences/runner.h"

#include "campaigns/sequences/execution_parts.h"
#include "campaigns/sequences/sequences_fixture.h"
#include "people/lifecycle/own_parts.h"

#include <algorithm>
#include <thread>

namespace mailroom::campaigns {
namespace {

// Mails are rows; two of one key are refused.
class MailRows final : public SequenceMails {
public:
    explicit MailRows(table::Store& store) : store_(store) {}

    Answer<> add_to(schedule::Transaction& together, const Mail& mail) override {
        if (fails) return Refusal(Refusal::Kind::unprocessable, "no_template", "no such template");
        together
            .put("Audience", {{"PK", "MAILS"},
                              {"SK", mail.step.send_key},
                              {"to", mail.journey.address},
                              {"key", mail.step.template_key}})
            .if_absent("PK");
        return Ok{};
    }
    Result<bool> has(const std::string& send_key) override {
        table::GetItem request;
        request.table = "Audience";
        request.key = {{"PK", "MAILS"}, {"SK", send_key}};
        request.consistent = true;
        return TRY(store_.get(request)).item.has_value();
    }
    bool fails = false;

private:
    table::Store& store_;
};

class RunnerTest : public SequencesTest {
protected:
    void SetUp() override {
        SequencesTest::SetUp();
        clock.set(at("2026-01-01T00:00:00Z"));
        mails.emplace(front->store());
        runner.emplace(*books, *sequences, *executions, *people, *mails);
        start_crew();
    }
    void TearDown() override {
        takers.reset();
        runner.reset();
        SequencesTest::TearDown();
    }
    void start_crew() {
        takers.emplace(*schedule, clock,
                       schedule::CrewOptions{.queues = {std::string(sequence_queue)}, .threads = 0},
                       [this](schedule::JobInHand job) { runner->run(*job); });
        takers->start();
    }
    // Time passes, and what is due is done.
    void until(std::string_view time) {
        for (int i = 0; i < 200; ++i) {
            run_all();
            const auto due = taken(schedule->first_due(sequence_queue));
            if (!due || *due > at(time)) break;
            clock.set(std::max(*due, clock.now() + std::chrono::milliseconds(1)));
        }
        clock.set(at(time));
        run_all();
    }
    void run_all() {
        for (int i = 0; i < 50 && takers->run_due() > 0; ++i) {
            clock.advance(std::chrono::milliseconds(1));
        }
    }
    void define(std::string_view steps, std::string_view more = "") {
        const auto put = put_one("onboarding", sequence_text(steps, more));
        ASSERT_EQ(put.status, 200) << put.body;
    }
    Answer<Execution> enter(std::string_view attributes = "{}",
                            const std::string& email = "user@example.com") {
        return executions->enter("onboarding", {email, "Jane", item_of(attributes)});
    }
    // The templates of the mails that went out, in the order of their keys.
    std::string mailed() {
        std::string all;
        for (const auto& mail : partition("Audience", "MAILS")) {
            all += std::string(*mail.text("key")) + " ";
        }
        return all;
    }
    std::string past(const std::string& email = "user@example.com") {
        std::string all;
        for (const auto& one : partition("MailroomCampaigns", "PAST#" + email)) {
            all += std::string(one.text("ending").value_or("")) + ": " +
                   std::string(one.text("reason").value_or("")) + "\n";
        }
        return all;
    }
    std::size_t jobs() {
        std::size_t count = 0;
        for (const auto& row : all_rows("MailroomSchedule")) {
            count += row.text("Queue").value_or("").starts_with(sequence_queue);
        }
        return count;
    }
    bool is_inside(const std::string& email = "user@example.com") {
        const bool persons = row("Audience", persons_row_key(email, "onboarding")).has_value();
        EXPECT_EQ(row("Audience", sequences_row_key(email, "onboarding")).has_value(), persons);
        return persons;
    }

    std::optional<MailRows> mails;
    std::optional<SequenceRunner> runner;
    std::optional<schedule::Crew> takers;
};

constexpr std::string_view two_mails = R"(
    {"type": "send", "templateKey": "a", "subject": "A"},
    {"type": "wait", "days": 1, "hours": 2, "minutes": 3},
    {"type": "send", "templateKey": "b", "subject": "B"})";

TEST_F(RunnerTest, WhoEntersHasTheRowsThatOtherProgramsKnow) {
    define(two_mails);
    const auto entered = enter(R"({"platform": "web", "plan": "pro", "email_extra": 1,
                                   "unsubscribed": true, "PK": "y"})");
    ASSERT_TRUE(entered) << entered.error().text();
    const auto profile = *profile_row("user@example.com");
    EXPECT_EQ(profile.text("firstName"), "Jane");
    EXPECT_EQ(profile.text("plan"), "pro");
    EXPECT_EQ(profile.integer("email_extra"), 1);
    EXPECT_NE(profile.boolean("unsubscribed"), true);
    const auto persons = *row("Audience", persons_row_key("user@example.com", "onboarding"));
    const auto others = *row("Audience", sequences_row_key("user@example.com", "onboarding"));
    EXPECT_EQ(persons.text("executionArn"), entered->id);
    EXPECT_EQ(others.text("executionArn"), entered->id);
    EXPECT_EQ(persons.text("startedAt"), "2026-01-01T00:00:00.000Z");
    EXPECT_EQ(others.text("startedAt"), persons.text("startedAt"));
    EXPECT_EQ(persons.boolean("transactional"), false);
    EXPECT_EQ(persons.text("sequenceId"), "onboarding");
    EXPECT_EQ(others.text("email"), "user@example.com");
    EXPECT_FALSE(others.has("sequenceId"));
}

TEST_F(RunnerTest, TakesSomebodyThroughAndLeavesNothingBehind) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    EXPECT_EQ(mailed(), "a ");
    EXPECT_EQ(jobs(), 1U);
    until("2026-01-02T02:02:59Z");
    EXPECT_EQ(mailed(), "a ");
    until("2026-01-02T02:03:02Z");
    EXPECT_EQ(mailed(), "a b ");
    EXPECT_FALSE(is_inside());
    EXPECT_EQ(past(), "completed: \n");
    EXPECT_EQ(jobs(), 0U);
    EXPECT_TRUE(partition("MailroomCampaigns", "INSIDE#user@example.com").empty());
}

TEST_F(RunnerTest, WhoMayNotBeWrittenToDoesNotEnterButIsKnown) {
    define(two_mails);
    others_put(
        {{"PK", "SUB#user@example.com"}, {"SK", "PROFILE"}, {"unsubscribed", table::Value(true)}});
    auto refused = enter(R"({"plan": "free"})");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "Cannot register sequence for unsubscribed subscriber: user@example.com");
    EXPECT_FALSE(is_inside());
    EXPECT_EQ(profile_row("user@example.com")->text("plan"), "free");
    define(two_mails, R"("transactional": true, )");
    ASSERT_TRUE(enter());
    EXPECT_EQ(row("Audience", persons_row_key("user@example.com", "onboarding"))
                  ->boolean("transactional"),
              true);
    others_set("user@example.com", "suppressed", table::Value(true));
    refused = enter();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "Cannot register sequence for suppressed subscriber: user@example.com");
}

TEST_F(RunnerTest, WhoEntersAgainBeginsAnew) {
    define(two_mails);
    const auto first = enter();
    ASSERT_TRUE(first);
    until("2026-01-01T12:00:00Z");
    const auto second = enter();
    ASSERT_TRUE(second);
    EXPECT_NE(first->id, second->id);
    EXPECT_EQ(past(), "replaced: Replaced by new execution\n");
    until("2026-01-01T12:00:02Z");
    EXPECT_EQ(mailed(), "a a ");  // Each execution has its own mails.
    until("2026-01-02T02:05:00Z");
    EXPECT_EQ(mailed(), "a a ");  // The first one's wait is over, and of no use.
    EXPECT_EQ(jobs(), 1U);
    until("2026-01-02T14:05:00Z");
    EXPECT_EQ(mailed(), "a a b ");
    EXPECT_FALSE(is_inside());
}

TEST_F(RunnerTest, OfManyWhoEnterAtOnceOneIsInside) {
    define(two_mails);
    ASSERT_TRUE(people->change("user@example.com", {}));
    std::vector<std::jthread> doors;
    for (int i = 0; i < 4; ++i) {
        doors.emplace_back([&] { EXPECT_TRUE(enter()); });
    }
    doors.clear();
    EXPECT_TRUE(is_inside());
    const auto persons = *row("Audience", persons_row_key("user@example.com", "onboarding"));
    const auto others = *row("Audience", sequences_row_key("user@example.com", "onboarding"));
    EXPECT_EQ(persons.text("executionArn"), others.text("executionArn"));
    until("2026-01-03T00:00:00Z");
    EXPECT_FALSE(is_inside());
    EXPECT_EQ(past().find("completed"), past().rfind("completed"));
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, PeopleFinishTheVersionThatTheyBegan) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    define(R"({"type": "send", "templateKey": "new", "subject": "N"})");
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "a b ");
}

TEST_F(RunnerTest, AMailThatCannotBeMadeIsTriedFourTimesAndThenItHasFailed) {
    define(two_mails);
    mails->fails = true;
    ASSERT_TRUE(enter());
    until("2026-01-01T00:06:59Z");
    EXPECT_TRUE(is_inside());
    until("2026-01-01T00:07:05Z");
    EXPECT_FALSE(is_inside());
    EXPECT_EQ(past(), "failed: no such template\n");
    EXPECT_EQ(mailed(), "");
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, WhoUnsubscribesMeanwhileGetsNoMoreAndGoesOn) {
    define(std::string(two_mails) + R"(, {"type": "end", "reason": "the end"})");
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    ASSERT_TRUE(suppressions->add("user@example.com", people::Stream::bulk, "request"));
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "a ");
    EXPECT_EQ(past(), "ended: the end\n");
}

TEST_F(RunnerTest, WhoIsStoppedByAnotherProgramGetsNothingMore) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    for (const auto& key : {persons_row_key("user@example.com", "onboarding"),
                            sequences_row_key("user@example.com", "onboarding")}) {
        ASSERT_TRUE(engine->erase(table::write::Erase("Audience", key)));
    }
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "a ");
    EXPECT_EQ(past(), "stopped: its row was taken away by another program\n");
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, WhoeverIsInsideCanBeStopped) {
    define(two_mails);
    ASSERT_TRUE(enter());
    others_enter("onboarding", "ann@example.com");
    auto listed = ask("GET", "/v1/sequences/{id}/people", "", {{"id", "onboarding"}});
    EXPECT_TRUE(has(listed, R"("email":"ann@example.com","execution":"arn:aws)")) << listed.body;
    EXPECT_TRUE(has(listed, R"("state":"running","step":"steps[0]")")) << listed.body;
    const auto stop = [&](const std::string& email) {
        return ask("POST", "/v1/sequences/{id}/people/{email}/stop", R"({"reason": "asked us"})",
                   {{"id", "onboarding"}, {"email", email}})
            .status;
    };
    EXPECT_EQ(stop("ANN@example.com"), 204);
    EXPECT_EQ(stop("user@example.com"), 204);
    EXPECT_EQ(stop("user@example.com"), 404);
    EXPECT_EQ(past("ann@example.com"), "stopped: asked us\n");
    EXPECT_FALSE(is_inside());
    EXPECT_FALSE(is_inside("ann@example.com"));
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "");
    EXPECT_EQ(jobs(), 0U);
    EXPECT_EQ(remove_one("onboarding").status, 204);
}

TEST_F(RunnerTest, WhoIsPausedGetsNothingUntilTheyGoOn) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    ASSERT_TRUE(executions->pause("onboarding", "user@example.com"));
    until("2026-01-05T00:00:00Z");
    EXPECT_EQ(mailed(), "a ");
    EXPECT_EQ(jobs(), 0U);
    ASSERT_TRUE(executions->resume("onboarding", "user@example.com"));
    ASSERT_TRUE(executions->resume("onboarding", "user@example.com"));
    EXPECT_EQ(jobs(), 1U);
    until("2026-01-05T00:00:02Z");
    EXPECT_EQ(mailed(), "a b ");
    EXPECT_FALSE(is_inside());
    others_enter("onboarding", "ann@example.com");
    EXPECT_EQ(code(executions->pause("onboarding", "ann@example.com")), "not_ours");
    EXPECT_EQ(code(executions->pause("onboarding", "bob@example.com")), "not_found");
}

TEST_F(RunnerTest, PauseAndResumeBeforeTheWaitIsOverLeaveOneJobThatCounts) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(executions->pause("onboarding", "user@example.com"));
        ASSERT_TRUE(executions->resume("onboarding", "user@example.com"));
        until("2026-01-01T0" + std::to_string(i + 1) + ":00:00Z");
    }
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "a b ");
    EXPECT_EQ(past(), "completed: \n");
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, ATimeOutIsRecordedAndCleanedUp) {
    define(R"({"type": "wait", "days": 30})", R"("timeoutMinutes": 60, )");
    ASSERT_TRUE(enter());
    until("2026-01-01T01:00:01Z");
    EXPECT_FALSE(is_inside());
    EXPECT_EQ(past(), "timed_out: after 60 minutes\n");
}

TEST_F(RunnerTest, WhoGetsAnotherAddressGoesOnWhereTheyWere) {
    define(two_mails);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    ExecutionParts parts(*books, *executions);
    people::SequenceParts known_rows(suppressions->books());
    ASSERT_TRUE(known_rows.move("user@example.com", "new@example.com"));
    // Between the two a look finds that something is missing, and waits.
    clock.set(at("2026-01-02T02:03:01Z"));
    run_all();
    EXPECT_EQ(past(), "");
    ASSERT_TRUE(parts.move("user@example.com", "new@example.com"));
    until("2026-01-02T03:00:00Z");
    EXPECT_EQ(mailed(), "a b ");
    EXPECT_FALSE(is_inside("new@example.com"));
    EXPECT_EQ(past("new@example.com"), "completed: \n");
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, WhoIsForgottenIsNotInAnySequence) {
    define(two_mails);
    ExecutionParts parts(*books, *executions);
    people->keep(parts);
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    ASSERT_TRUE(executions->enter("onboarding", {"user@example.com", "Jane", {}}));
    EXPECT_NE(past(), "");
    std::string shown;
    json::Writer writer(shown);
    ASSERT_TRUE(parts.show("user@example.com", writer));
    EXPECT_NE(shown.find("replaced"), shown.npos);
    ASSERT_TRUE(people->erase("user@example.com", {.source = "api"}));
    EXPECT_FALSE(is_inside());
    until("2026-01-03T00:00:00Z");
    EXPECT_EQ(mailed(), "a ");
    EXPECT_EQ(past(), "");
    EXPECT_EQ(jobs(), 0U);
}

TEST_F(RunnerTest, AMailOfThisSequenceCountsAsSentAtOnce) {
    define(R"({"type": "send", "templateKey": "a", "subject": "A"},
              {"type": "condition", "check": "has_been_sent", "templateKey": "a",
               "then": [{"type": "end", "reason": "sent"}]})");
    ASSERT_TRUE(enter());
    until("2026-01-01T00:00:01Z");
    EXPECT_EQ(past(), "ended: sent\n");
}

}  // namespace
}  // namespace mailroom::campaigns
