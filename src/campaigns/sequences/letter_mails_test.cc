#include "campaigns/sequences/letter_mails.h"

#include "campaigns/sequences/sequences_for_tests.h"
#include "engagement/engagement_fixture.h"
#include "people/segments/segments.h"

namespace mailroom::campaigns {
namespace {

// From a definition to a mail that has left, with everything that is real between them.
class SequenceLettersTest : public engagement::EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        clock.set(campaigns::at("2026-01-01T00:00:00Z"));
        auto& store = front->store();
        auto& schedule = *node->schedule;
        outbox.emplace(node->ledger, node->blobs, schedule, clock, random, outbox::OutboxOptions());
        books.emplace(Books{store, schedule, clock, random});
        taken(books->open());
        segments.emplace(office->suppressions.books());
        sequences.emplace(*books, *segments);
        executions.emplace(*books, *sequences, office->people);
        templates.emplace(*books);
        press.emplace(*templates, clock);
        mails.emplace(*templates, *press, *outbox, false);
        runner.emplace(*books, *sequences, *executions, office->people, *mails);
        takers.emplace(schedule, clock,
                       schedule::CrewOptions{.queues = {std::string(sequence_queue)}, .threads = 0},
                       [this](schedule::JobInHand job) { runner->run(*job); });
        takers->start();
    }
    void TearDown() override {
        takers.reset();
        EngagementTest::TearDown();
    }
    void save_template(const std::string& key, const std::string& html) {
        TemplateBody body;
        body.content.texts.html = html;
        const auto saved = templates->save(key, body, program::mailroom_itself());
        ASSERT_TRUE(saved) << saved.error().text();
    }
    void define(std::string_view steps, std::string_view more = "") {
        const auto saved =
            sequences->save(definition_of(sequence_text(steps, more)), program::mailroom_itself());
        ASSERT_TRUE(saved) << saved.error().text();
    }
    void enter(const std::string& email, std::string_view attributes = "{}") {
        const auto entered = executions->enter("onboarding", {email, "Jane", item_of(attributes)});
        ASSERT_TRUE(entered) << entered.error().text();
    }
    void all_that_is_due() {
        for (int i = 0; i < 20; ++i) {
            const auto turns = takers->run_due();
            run();
            if (turns == 0) break;
            clock.advance(std::chrono::milliseconds(1));
        }
    }
    std::string message(const Execution& execution, const std::string& path) {
        const auto id =
            outbox::mail_id_for({"sequence/onboarding/" + execution.id + "/1/" + path + "/0"});
        const auto history = taken(outbox->history(id));
        if (!history) return "";
        return taken(outbox->message(history->mail)).value_or("");
    }

    std::optional<outbox::Outbox> outbox;
    std::optional<Books> books;
    std::optional<people::Segments> segments;
    std::optional<Sequences> sequences;
    std::optional<Executions> executions;
    std::optional<Templates> templates;
    std::optional<Press> press;
    std::optional<LetterMails> mails;
    std::optional<SequenceRunner> runner;
    std::optional<schedule::Crew> takers;
};

constexpr std::string_view greeting =
    R"({"type": "send", "templateKey": "onboarding/welcome", "subject": "Hey {{ firstName }}"})";

TEST_F(SequenceLettersTest, AMailLeavesAndIsInTheSendLog) {
    save_template("onboarding/welcome", "<h1>Hello {{ firstName }}, {{ plan }}</h1>");
    define(greeting);
    enter("user@example.com", R"({"plan": "pro"})");
    const auto execution = *taken(executions->find("user@example.com", "onboarding"));
    all_that_is_due();
    const auto log = send_log("user@example.com");
    ASSERT_EQ(log.size(), 1U);
    EXPECT_EQ(log[0].text("templateKey"), "onboarding/welcome");
    EXPECT_EQ(log[0].text("sequenceId"), "onboarding");
    EXPECT_EQ(log[0].text("subject"), "Hey Jane");
    const auto text = message(execution, "steps[0]");
    for (const auto* part :
         {"From: Example <noreply@example.com>", "To: user@example.com", "Subject: Hey Jane",
          "X-Template-Key: onboarding/welcome", "X-Sequence-Id: onboarding", "Hello Jane, pro"}) {
        EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
    }
    EXPECT_FALSE(taken(executions->find("user@example.com", "onboarding")));
}

TEST_F(SequenceLettersTest, ATemplateThatIsNotThereFailsTheSequenceAfterItsTries) {
    define(greeting);
    enter("user@example.com");
    all_that_is_due();
    for (const auto* time :
         {"2026-01-01T00:01:01Z", "2026-01-01T00:03:02Z", "2026-01-01T00:07:03Z"}) {
        EXPECT_TRUE(taken(executions->find("user@example.com", "onboarding"))) << time;
        clock.set(campaigns::at(time));
        all_that_is_due();
    }
    EXPECT_FALSE(taken(executions->find("user@example.com", "onboarding")));
    const auto past = executions->past("user@example.com", {});
    ASSERT_TRUE(past && past->items.size() == 1);
    EXPECT_EQ(past->items[0].ending, "failed");
    EXPECT_TRUE(send_log("user@example.com").empty());
}

TEST_F(SequenceLettersTest, AConditionSeesTheMailThatHasLeft) {
    save_template("onboarding/welcome", "<p>Hello</p>");
    save_template("onboarding/again", "<p>Again</p>");
    define(std::string(greeting) + R"(, {"type": "wait", "days": 1},
        {"type": "condition", "check": "has_been_sent", "templateKey": "onboarding/welcome",
         "then": [{"type": "send", "templateKey": "onboarding/again", "subject": "Again"}]})");
    enter("user@example.com");
    all_that_is_due();
    clock.set(campaigns::at("2026-01-02T00:00:05Z"));
    all_that_is_due();
    const auto log = send_log("user@example.com");
    ASSERT_EQ(log.size(), 2U);
    EXPECT_EQ(log[1].text("templateKey"), "onboarding/again");
}

TEST_F(SequenceLettersTest, WhoGetsNoMarketingGetsTransactionalMails) {
    save_template("onboarding/welcome", "<p>Hello</p>");
    taken(office->suppressions.add("user@example.com", people::Stream::bulk, "request"));
    define(greeting);
    EXPECT_FALSE(executions->enter("onboarding", {"user@example.com", "Jane", {}}));
    define(greeting, R"("transactional": true, )");
    enter("user@example.com");
    all_that_is_due();
    EXPECT_EQ(send_log("user@example.com").size(), 1U);
}

}  // namespace
}  // namespace mailroom::campaigns
