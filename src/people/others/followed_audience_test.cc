#include "people/others/followed_audience.h"

#include "people/people_fixture.h"

namespace mailroom::people {
namespace {

const auto bulk = MailKind(Stream::bulk), transactional = MailKind(Stream::transactional);

class FollowedAudienceTest : public PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        restart();
    }
    void restart() {
        followed.reset();
        begin(front->store());
        followed.emplace(*suppressions);
        taken(followed->open());
    }
    // As the table endpoint tells of it.
    void others_write(const std::string& address, const std::function<void()>& write) {
        const table::WriteWatch::Rows rows{.keys = {partition_of_person(address)}};
        followed->begin(rows);
        write();
        followed->end(rows);
    }
    void others_flag(const std::string& address, std::string_view flag, bool value) {
        others_write(address, [&] { others_set(address, flag, value); });
    }
    void others_put_row(table::Item item) {
        const auto address = std::string(*person_of_partition(*item.text("PK")));
        others_write(address, [&] { others_put(std::move(item)); });
    }
    static table::Item suppression_of(const std::string& address) {
        auto item = suppression_key(address);
        item.set("reason", table::Value("bounce"));
        item.set("bounceType", table::Value("Permanent"));
        item.set("sesNotificationId", table::Value("f1"));
        return item;
    }
    std::size_t follow() { return taken(followed->follow_all()); }
    bool is_listed(const std::string& address, const Extent& extent) {
        return row("MailroomSuppressions", suppression_row_key(address, extent)).has_value();
    }

    std::optional<FollowedAudience> followed;
};

TEST_F(FollowedAudienceTest, TheNextMailAsksAFlagThatAnotherProgramSet) {
    taken(people->change("a@example.com", {}));
    taken(people->change("b@example.com", {}));
    others_flag("a@example.com", "unsubscribed", true);
    others_flag("b@example.com", "suppressed", true);
    // Before anything was followed.
    EXPECT_EQ(refusal(bulk, "a@example.com"), "unsubscribed");
    EXPECT_EQ(refusal(transactional, "a@example.com"), "");
    EXPECT_EQ(refusal(transactional, "b@example.com"), "suppressed");
    EXPECT_FALSE(is_listed("a@example.com", Stream::bulk));
    EXPECT_EQ(follow(), 2u);
    EXPECT_TRUE(is_listed("a@example.com", Stream::bulk));
    EXPECT_TRUE(is_listed("b@example.com", Extent::every()));
    EXPECT_TRUE(row("Audience", suppression_key("b@example.com")));
    EXPECT_EQ(follow(), 0u);
    const std::vector<std::string> want = {"mail:  > subscribed"};
    EXPECT_EQ(consents("a@example.com").front(), want.front());
}

TEST_F(FollowedAudienceTest, ARowThatSuppressesIsHeededWithoutAFlagOrAProfile) {
    others_put_row(suppression_of("ghost@example.com"));
    EXPECT_EQ(refusal(transactional, "Ghost@example.com"), "suppressed: bounce");
    EXPECT_EQ(follow(), 1u);
    const auto person = taken(people->require("ghost@example.com"));
    EXPECT_TRUE(person.suppressed);
    const auto kept = row("Audience", suppression_key("ghost@example.com"));
    EXPECT_EQ(kept->text("sesNotificationId"), "f1");
    EXPECT_EQ(kept->text("bounceType"), "Permanent");
    EXPECT_EQ(refusal(transactional, "ghost@example.com"), "suppressed: bounce");
}

TEST_F(FollowedAudienceTest, WhatAnotherProgramTakesBackIsTakenBack) {
    Change no;
    no.unsubscribed = no.suppressed = true;
    taken(people->change("a@example.com", no));
    others_flag("a@example.com", "unsubscribed", false);
    follow();
    EXPECT_EQ(refusal(bulk, "a@example.com"), "suppressed: request");
    // As such programs do it: the row first, then the flag.
    others_write("a@example.com", [&] {
        table::DeleteItem gone;
        gone.table = "Audience";
        gone.key = suppression_key("a@example.com");
        ASSERT_TRUE(engine->erase(gone));
    });
    follow();
    EXPECT_EQ(refusal(transactional, "a@example.com"), "suppressed: request");
    EXPECT_FALSE(row("Audience", suppression_key("a@example.com"))) << "nobody is in their way";
    others_flag("a@example.com", "suppressed", false);
    EXPECT_NE(refusal(transactional, "a@example.com"), "") << "not yet followed";
    follow();
    EXPECT_EQ(refusal(bulk, "a@example.com"), "");
    EXPECT_TRUE(all_rows("MailroomSuppressions").empty());
}

TEST_F(FollowedAudienceTest, AProfileThatAnotherProgramMakesAnewDoesNotMakeAnybodyAgree) {
    Change no;
    no.unsubscribed = no.suppressed = true;
    taken(people->change("a@example.com", no));
    // It deletes what it knows of, and begins again.
    others_write("a@example.com", [&] {
        for (auto key : {profile_key("a@example.com"), suppression_key("a@example.com")}) {
            table::DeleteItem gone;
            gone.table = "Audience";
            gone.key = std::move(key);
            ASSERT_TRUE(engine->erase(gone));
        }
    });
    follow();
    EXPECT_FALSE(profile_row("a@example.com"));
    EXPECT_NE(refusal(transactional, "a@example.com"), "");
    others_put_row({{"PK", "SUB#a@example.com"},
                    {"SK", "PROFILE"},
                    {"email", "a@example.com"},
                    {"unsubscribed", false},
                    {"suppressed", false}});
    EXPECT_NE(refusal(bulk, "a@example.com"), "");
    follow();
    const auto person = taken(people->require("a@example.com"));
    EXPECT_TRUE(person.unsubscribed);
    EXPECT_TRUE(person.suppressed);
    // One that was erased here stays so as well.
    taken(people->change("e@example.com", {}));
    ASSERT_TRUE(people->erase("e@example.com", {}));
    others_put_row({{"PK", "SUB#e@example.com"}, {"SK", "PROFILE"}, {"suppressed", false}});
    follow();
    EXPECT_TRUE(taken(people->require("e@example.com")).suppressed);
}

TEST_F(FollowedAudienceTest, AProgramThatKnowsNoCanonicalFormIsUnderstood) {
    others_put_row({{"PK", "SUB#Ann@Example.com"},
                    {"SK", "PROFILE"},
                    {"email", "Ann@Example.com"},
                    {"unsubscribed", true}});
    EXPECT_EQ(follow(), 1u);
    EXPECT_NE(refusal(bulk, "ann@example.com"), "");
    EXPECT_TRUE(taken(people->require("ann@example.com")).unsubscribed);
    others_put_row({{"PK", "SUB#"}, {"SK", "PROFILE"}, {"unsubscribed", true}});
    others_put_row({{"PK", "SUB#no address"}, {"SK", "PROFILE"}, {"unsubscribed", true}});
    EXPECT_EQ(follow(), 0u);
}

TEST_F(FollowedAudienceTest, ANoUnderAKeyWithCapitalLettersCountsAtOnceAndIsHeardOnce) {
    taken(people->change("ann@example.com", {.first_name = "Ann"}));
    const table::Item spelled{{"PK", "SUB#Ann@Example.com"},
                              {"SK", "PROFILE"},
                              {"updatedAt", "2026-01-01T00:00:00.000Z"},
                              {"unsubscribed", true}};
    others_put_row(spelled);
    EXPECT_EQ(refusal(bulk, "ann@example.com"), "unsubscribed") << "before it is followed";
    EXPECT_EQ(follow(), 1u);
    EXPECT_TRUE(taken(people->require("ann@example.com")).unsubscribed);
    Change yes;
    yes.unsubscribed = false;
    taken(people->change("ann@example.com", yes));
    EXPECT_EQ(refusal(bulk, "ann@example.com"), "");
    restart();
    EXPECT_EQ(taken(AudienceFollower(*suppressions).look([] { return false; })), 0u)
        << "who is asked again here has the last word";
    auto again = spelled;
    again.set("updatedAt", table::Value("2026-02-01T00:00:00.000Z"));
    others_put_row(again);
    EXPECT_EQ(follow(), 1u);
    EXPECT_NE(refusal(bulk, "ann@example.com"), "");

    auto row = suppression_of("Bob@Example.com");
    others_put_row(row);
    EXPECT_EQ(refusal(transactional, "bob@example.com"), "suppressed: bounce");
    restart();
    EXPECT_EQ(refusal(transactional, "bob@example.com"), "suppressed: bounce")
        << "also from the start";
}

TEST_F(FollowedAudienceTest, AProfileThatWasReadBeforeTheNoAndPutBackIsNoYes) {
    taken(people->change("a@example.com", {.first_name = "Ann"}));
    const auto stale = *profile_row("a@example.com");
    Change no;
    no.unsubscribed = true;
    taken(people->change("a@example.com", no));
    clock.advance(std::chrono::minutes(1));
    auto fresh = stale;
    fresh.set("updatedAt", table::Value("2099-01-01T00:00:00.000Z")).set("plan", "pro");
    for (const auto& row : {stale, fresh}) {
        others_put_row(row);
        EXPECT_EQ(follow(), 1u);
        EXPECT_TRUE(taken(people->require("a@example.com")).unsubscribed);
        EXPECT_EQ(refusal(bulk, "a@example.com"), "unsubscribed: request");
    }
    EXPECT_EQ(taken(people->require("a@example.com")).attributes.text("plan"), "pro");
    // Read after it: that is somebody's decision, by the row or by the flag alone.
    auto aware = *profile_row("a@example.com");
    aware.set("unsubscribed", table::Value(false));
    others_put_row(aware);
    EXPECT_EQ(follow(), 1u);
    EXPECT_EQ(refusal(bulk, "a@example.com"), "");
    taken(people->change("a@example.com", no));
    others_put_row(aware);
    EXPECT_EQ(follow(), 1u);
    EXPECT_EQ(refusal(bulk, "a@example.com"), "unsubscribed: request") << "of the no before";
    others_flag("a@example.com", "unsubscribed", false);
    EXPECT_EQ(follow(), 1u);
    EXPECT_EQ(refusal(bulk, "a@example.com"), "");
}

TEST_F(FollowedAudienceTest, ANoWithoutAMarkIsTakenBackByARowThatIsNewer) {
    taken(people->change("a@example.com", {}));
    Change no;
    no.unsubscribed = true;
    taken(people->change("a@example.com", no));
    ASSERT_TRUE(
        engine->update(table::write::Update("MailroomSuppressions",
                                            suppression_row_key("a@example.com", Stream::bulk))
                           .remove("Mark")));
    others_flag("a@example.com", "unsubscribed", false);
    EXPECT_EQ(follow(), 1u);
    EXPECT_NE(refusal(bulk, "a@example.com"), "") << "nothing tells that it was later";
    ASSERT_TRUE(
        engine->update(table::write::Update("MailroomSuppressions",
                                            suppression_row_key("a@example.com", Stream::bulk))
                           .remove("Mark")));
    others_write("a@example.com", [&] {
        others_set("a@example.com", "updatedAt", table::Value("2099-01-01T00:00:00.000Z"));
        others_set("a@example.com", "unsubscribed", table::Value(false));
    });
    EXPECT_EQ(follow(), 1u);
    EXPECT_EQ(refusal(bulk, "a@example.com"), "");
}

TEST_F(FollowedAudienceTest, WhatWasNotFollowedBeforeTheEndIsHeededFromTheStart) {
    taken(people->change("a@example.com", {}));
    others_flag("a@example.com", "suppressed", true);
    restart();
    EXPECT_EQ(refusal(transactional, "a@example.com"), "suppressed") << "before it is followed";
    EXPECT_EQ(taken(AudienceFollower(*suppressions).look([] { return false; })), 1u);
    EXPECT_TRUE(is_listed("a@example.com", Extent::every()));
}

TEST_F(FollowedAudienceTest, AListThatIsOlderThanProfilesIsSaidInProfilesToo) {
    for (const auto* stream : {"*", "bulk"}) {
        ASSERT_TRUE(engine->put(put("MailroomSuppressions", {{"Address", "old@example.com"},
                                                             {"Stream", stream},
                                                             {"Reason", "complaint"},
                                                             {"At", 1'700'000'000'000},
                                                             {"Given", "Old@Example.com"}})));
    }
    restart();
    EXPECT_EQ(refusal(transactional, "old@example.com"), "suppressed: complaint");
    const AudienceFollower follower(*suppressions);
    EXPECT_EQ(taken(follower.look([] { return false; })), 1u);
    const auto person = taken(people->require("old@example.com"));
    EXPECT_EQ(person.email, "Old@Example.com");
    EXPECT_TRUE(person.suppressed);
    EXPECT_TRUE(person.unsubscribed);
    EXPECT_EQ(refusal(transactional, "old@example.com"), "suppressed: complaint");
    EXPECT_EQ(taken(follower.look([] { return false; })), 0u);
}

TEST_F(FollowedAudienceTest, OnceAllIsFollowedTheNextStartLooksAtNobody) {
    followed.emplace(*suppressions, FollowedAudienceOptions{.quiet = std::chrono::milliseconds(1)});
    taken(followed->open());
    const auto state = [&] {
        const auto mark = row("MailroomPeople", {{"PK", "FOLLOWED"}, {"SK", "AUDIENCE"}});
        return mark ? std::string(mark->text("state").value_or("")) : "";
    };
    EXPECT_EQ(state(), "");
    taken(people->change("a@example.com", {}));
    followed->start();
    others_flag("a@example.com", "unsubscribed", true);
    for (int i = 0; i < 1'000'000 && state() != "all"; ++i) {
        std::this_thread::yield();
    }
    EXPECT_EQ(state(), "all");
    EXPECT_TRUE(is_listed("a@example.com", Stream::bulk));
    followed->stop();
    others_flag("a@example.com", "unsubscribed", false);
    EXPECT_EQ(state(), "some") << "taken back before the write";
}

}  // namespace
}  // namespace mailroom::people
