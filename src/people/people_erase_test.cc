#include "base/time_format.h"
#include "people/people_fixture.h"

#include "people/activity.h"
#include "schedule/watched_store.h"

namespace mailroom::people {
namespace {

const auto bulk = MailKind(Stream::bulk), transactional = MailKind(Stream::transactional);

TEST_F(PeopleTest, WhoIsErasedLeavesNothingButAHashThatRefuses) {
    Change said = tagged({"a", "b"});
    said.first_name = "Jane";
    said.unsubscribed = true;
    taken(people->change("jane@example.com", said));
    taken(people->change("other@example.com", tagged({"a"})));
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "SENT#2026-03-17T10:30:00.000Z"}});
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "EXEC#onboarding"}});
    others_put({{"PK", "EXEC#onboarding"}, {"SK", "SUB#jane@example.com"}});
    ASSERT_TRUE(people->erase("Jane@Example.com", {.source = "erasure"}));
    for (const auto* table : {"Audience", "MailroomPeople", "MailroomSuppressions"}) {
        for (const auto& item : all_rows(table)) {
            for (const auto field : item.view()) {
                if (field.value.kind() != table::Kind::string) continue;
                EXPECT_EQ(field.value.text().find("jane"), std::string::npos) << table;
            }
        }
    }
    EXPECT_EQ(tag_rows(), (std::set<std::string>{"a other@example.com"}));
    EXPECT_EQ(refusal(transactional, "JANE@example.com"), "suppressed: erased");
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "suppressed: erased");
    EXPECT_EQ(code(people->erase("jane@example.com", {})), "person_not_found");
    EXPECT_EQ(code(people->erase("never@example.com", {})), "person_not_found");
}

TEST_F(PeopleTest, WhoComesBackAfterErasureIsStillRefusedAlsoAfterARestart) {
    taken(people->change("jane@example.com", tagged({"a"})));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    begin(front->store());
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "suppressed: erased");
    const auto again = taken(people->change("jane@example.com", tagged({"a"})));
    EXPECT_TRUE(again.suppressed) << "as other programs see it, too";
    EXPECT_TRUE(row("Audience", suppression_key("jane@example.com")));
    EXPECT_EQ(refusal(transactional, "jane@example.com"), "suppressed: erased");
    Change yes;
    yes.unsubscribed = false;
    taken(people->change("jane@example.com", yes));
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "suppressed: erased");
    EXPECT_TRUE(taken(suppressions->remove("jane@example.com")));
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "") << "somebody may decide so";
    EXPECT_TRUE(all_rows("MailroomSuppressions").empty());
}

TEST_F(PeopleTest, ALateBounceDoesNotBringBackWhoWasErased) {
    taken(people->change("jane@example.com", {}));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    taken(suppressions->add("jane@example.com", Extent::every(), "bounce", {.source = "mail"}));
    taken(suppressions->add("jane@example.com", Stream::bulk, "link", {.source = "link"}));
    EXPECT_TRUE(all_rows("Audience").empty());
    EXPECT_TRUE(partition("MailroomPeople", "CONSENT#jane@example.com").empty());
    EXPECT_NE(refusal(transactional, "jane@example.com"), "");
}

TEST_F(PeopleTest, SomebodyWithManyTagsIsErasedWithAllOfThem) {
    taken(people->change("jane@example.com", tagged(numbered("tag", 130))));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    EXPECT_TRUE(all_rows("Audience").empty());
}

TEST_F(PeopleTest, WhatWasLeftWhenTheProcessEndedIsForgottenLater) {
    taken(people->change("jane@example.com", {}));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    // A row that came late: another program was just about to write it.
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "SENT#2026-03-17T10:30:00.000Z"}});
    clock.advance(std::chrono::minutes(1));
    while (crew->run_due() > 0) {
    }
    EXPECT_TRUE(all_rows("Audience").empty());
}

TEST_F(PeopleTest, WhoComesBackSoonAfterErasureKeepsAllThatIsTheirs) {
    taken(people->change("jane@example.com", {}));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    taken(people->change("jane@example.com", tagged({"a"})));
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "SENT#2026-03-17T10:30:00.000Z"}});
    const auto rows = all_rows("Audience"), people_rows = all_rows("MailroomPeople");
    ASSERT_TRUE(row("Audience", suppression_key("jane@example.com")));
    ASSERT_FALSE(people_rows.empty()) << "what they agreed to";
    clock.advance(std::chrono::minutes(1));
    while (crew->run_due() > 0) {
    }
    EXPECT_EQ(all_rows("Audience"), rows);
    EXPECT_EQ(all_rows("MailroomPeople"), people_rows);
}

// Somebody may have got mails, and be no person of ours.
TEST_F(PeopleTest, WhoIsKnownToAProgramAloneIsErasedToo) {
    PersonalRows notes(*engine, "notes", "MailroomPeople", "NOTES#");
    people->keep(notes);
    EXPECT_EQ(code(people->erase("jane@example.com", {})), "person_not_found");
    ASSERT_TRUE(
        engine->put(put("MailroomPeople", {{"PK", "NOTES#jane@example.com"}, {"SK", "1"}})));
    ASSERT_TRUE(people->erase("Jane@example.com", {.source = "erasure"}));
    EXPECT_TRUE(all_rows("MailroomPeople").empty());
    EXPECT_EQ(refusal(transactional, "jane@example.com"), "suppressed: erased");
}

// Remembers until when it was asked to forget, and may fail.
class FailingPart final : public PersonalData {
public:
    std::string_view name() const override { return "failing"; }
    Result<> show(const std::string&, json::Writer& writer) override {
        writer.null();
        return Ok{};
    }
    Result<> move(const std::string&, const std::string&) override { return Ok{}; }
    Result<> erase(const std::string&) override { return Ok{}; }
    Result<> erase_until(const std::string&, Time until) override {
        asked.push_back(until);
        if (fails) return Error{Errc::unavailable, "the process ends here"};
        return Ok{};
    }
    bool fails = true;
    std::vector<Time> asked;
};

TEST_F(PeopleTest, WhoComesBackBeforeAnErasureIsDoneKeepsWhatTheyAgreeTo) {
    FailingPart part;
    people->keep(part);
    Change no;
    no.unsubscribed = true;
    taken(people->change("jane@example.com", no));
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "SENT#" + format_rfc3339(clock.now())}});
    const auto erased_at = clock.now();
    EXPECT_FALSE(people->erase("jane@example.com", {.source = "erasure"}));
    ASSERT_FALSE(consents("jane@example.com").empty()) << "half of it is left";
    clock.advance(std::chrono::seconds(1));
    Change yes;
    yes.evidence = {.source = "form"};
    yes.topics["news"] = TopicState::in;
    taken(people->change("jane@example.com", yes));
    others_put({{"PK", "SUB#jane@example.com"}, {"SK", "SENT#" + format_rfc3339(clock.now())}});
    part.fails = false;
    clock.advance(std::chrono::minutes(1));
    while (crew->run_due() > 0) {
    }
    EXPECT_EQ(part.asked.back(), erased_at);
    const auto all = partition("MailroomPeople", "CONSENT#jane@example.com");
    ASSERT_EQ(all.size(), 3u) << "mail, all and the topic";
    for (const auto& entry : all) EXPECT_EQ(entry.text("source"), "form");
    const auto rows = partition("Audience", "SUB#jane@example.com");
    EXPECT_EQ(rows.size(), 3u) << "profile, suppression, and one mail";
    EXPECT_EQ(taken(people->require("jane@example.com")).topics.at("news"), TopicState::in);
}

// Something else happens just before the next transaction.
class PeopleMeanwhileTest : public PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        watched = std::make_unique<schedule::WatchedStore>(*engine);
        begin(*watched);
    }
    void TearDown() override {
        crew.reset();
        PeopleTest::TearDown();
    }
    void meanwhile(std::function<void()> act) {
        watched->refuse = [this, act = std::move(act)](const table::TransactWrite&) {
            const auto once = std::exchange(watched->refuse, nullptr);
            act();
            return std::optional<table::Failure>();
        };
    }

    std::unique_ptr<schedule::WatchedStore> watched;
};

TEST_F(PeopleMeanwhileTest, WhoBecomesKnownWhileTheyAreForgottenIsForgottenToo) {
    // Of a time before there were profiles.
    ASSERT_TRUE(engine->put(
        put("MailroomSuppressions",
            {{"Address", "jane@example.com"}, {"Stream", "bulk"}, {"At", table::Value(1)}})));
    begin(*watched);
    Change no;
    no.unsubscribed = true;
    meanwhile([&] { taken(people->change("jane@example.com", no)); });
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    EXPECT_TRUE(all_rows("Audience").empty());
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "suppressed: erased");
}

TEST_F(PeopleMeanwhileTest, WhoComesBackWhileTheirRefusalIsTakenBackMayBeWrittenTo) {
    taken(people->change("jane@example.com", {}));
    ASSERT_TRUE(people->erase("jane@example.com", {.source = "erasure"}));
    meanwhile([&] { taken(people->change("jane@example.com", tagged({"a"}))); });
    EXPECT_TRUE(taken(suppressions->remove("jane@example.com")));
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "");
    EXPECT_FALSE(taken(people->require("jane@example.com")).suppressed);
    EXPECT_TRUE(all_rows("MailroomSuppressions").empty());
}

}  // namespace
}  // namespace mailroom::people
