#include "people/people_fixture.h"

#include "base/time_format.h"
#include "people/checks.h"
#include "schedule/watched_store.h"

#include <thread>

namespace mailroom::people {
namespace {

const auto bulk = MailKind(Stream::bulk), transactional = MailKind(Stream::transactional);

TEST_F(PeopleTest, APersonIsARowAsOtherProgramsKnowIt) {
    const auto now = format_rfc3339(clock.now());
    Change said;
    said.email = "Jane@Example.com";
    said.first_name = "Jane";
    said.attributes = {{"platform", "web"}, {"plan", "pro"}, {"email_extra", 1}};
    const auto made = taken(people->change(" Jane@Example.com", said));
    EXPECT_EQ(made.email, "Jane@Example.com");
    EXPECT_EQ(made.canonical, "jane@example.com");
    const table::Item want{{"PK", "SUB#jane@example.com"},
                           {"SK", "PROFILE"},
                           {"email", "Jane@Example.com"},
                           {"firstName", "Jane"},
                           {"platform", "web"},
                           {"plan", "pro"},
                           {"email_extra", 1},
                           {"unsubscribed", false},
                           {"suppressed", false},
                           {"createdAt", now},
                           {"updatedAt", now},
                           {"mailroomVersion", 1}};
    EXPECT_EQ(profile_row("jane@example.com"), want);
}

TEST_F(PeopleTest, WhatIsSaidIsMergedAndNothingIsDeleted) {
    Change first, then;
    first.first_name = "Jane";
    first.attributes = {{"plan", "pro"}, {"country", "ZA"}};
    then.attributes = {{"plan", "free"}};
    taken(people->change("jane@example.com", first));
    const std::string created_at(*profile_row("jane@example.com")->text("createdAt"));
    clock.advance(std::chrono::hours(24 * 400));
    const auto made = taken(people->change("JANE@example.com", then));
    EXPECT_EQ(made.attributes, (table::Item{{"plan", "free"}, {"country", "ZA"}}));
    EXPECT_EQ(made.first_name, "Jane");
    EXPECT_EQ(profile_row("jane@example.com")->text("createdAt"), created_at);
    EXPECT_EQ(profile_row("jane@example.com")->text("updatedAt"), format_rfc3339(clock.now()));
    then = {};
    then.dropped_attributes = {"plan", "never there"};
    EXPECT_EQ(taken(people->change("jane@example.com", then)).attributes,
              (table::Item{{"country", "ZA"}}));
}

TEST_F(PeopleTest, NoAttributeTouchesAColumnOfTheSystem) {
    taken(people->change("jane@example.com", {}));
    const auto before = profile_row("jane@example.com");
    for (const auto* name :
         {"PK", "SK", "email", "firstName", "unsubscribed", "suppressed", "createdAt", "updatedAt",
          "tags", "ttl", "mailroomVersion", "mailroomTopics", "mailroomWhatever", ""}) {
        SCOPED_TRACE(name);
        Change said;
        said.attributes.set(name, table::Value("x"));
        const auto refused = people->change("jane@example.com", said);
        ASSERT_FALSE(refused);
        ASSERT_EQ(refused.error().fields.size(), 1u);
        EXPECT_EQ(refused.error().fields[0].field, "attributes." + std::string(name));
        said = {};
        said.dropped_attributes = {name};
        EXPECT_FALSE(people->change("jane@example.com", said));
    }
    EXPECT_EQ(profile_row("jane@example.com"), before);
    Change odd;  // Names that expressions would stumble over.
    odd.attributes = {{"first-name", "x"}, {"a.b", 1}, {"x y", true}, {"#n0", "y"}, {"size", 2}};
    EXPECT_EQ(taken(people->change("jane@example.com", odd)).attributes, odd.attributes);
}

TEST_F(PeopleTest, EverythingThatIsWrongIsSaidAtOnce) {
    Change said;
    said.first_name = std::string(501, 'x');
    said.tags = {"good", "", std::string(257, 't'), "two\nlines"};
    said.zone = "Mars/Olympus";
    said.language = "klingonese-xx-yy";
    const auto refused = people->change("jane@example.com", said);
    ASSERT_FALSE(refused);
    std::set<std::string> fields;
    for (const auto& bad : refused.error().fields) fields.insert(bad.field);
    EXPECT_EQ(fields, (std::set<std::string>{"firstName", "tags[1]", "tags[2]", "tags[3]",
                                             "time_zone", "language"}));
    EXPECT_TRUE(all_rows("Audience").empty());
    Change large;
    large.attributes.set("all", table::Value(std::string(400'000, 'x')));
    EXPECT_FALSE(people->change("jane@example.com", large));
    EXPECT_EQ(code(people->change("nobody", {})), "invalid");
    EXPECT_EQ(code(people->change_known("nobody@example.com", {})), "person_not_found");
}

TEST_F(PeopleTest, AllSpellingsOfAnAddressAreOnePerson) {
    Change said;
    said.email = "Jörg@EXAMPLE.com";
    taken(people->change("Ann@EXAMPLE.com", {}));
    taken(people->change("ann@example.com", tagged({"a"})));
    taken(people->change(" \"ann\"@Example.com ", tagged({"a", "b"})));
    EXPECT_EQ(all_rows("Audience").size(), 3u);
    EXPECT_EQ(taken(people->require("ANN@example.com")).tags.size(), 2u);
}

TEST_F(PeopleTest, TagsAreAListOfTheProfileAndARowEach) {
    taken(people->change("user@example.com", tagged({"product-updates", "beta", "beta"})));
    EXPECT_EQ(tag_rows(),
              (std::set<std::string>{"product-updates user@example.com", "beta user@example.com"}));
    const auto first = format_rfc3339(clock.now());
    const table::Item want{{"PK", "TAG#beta"},
                           {"SK", "SUB#user@example.com"},
                           {"email", "user@example.com"},
                           {"taggedAt", first}};
    EXPECT_EQ(row("Audience", tag_key("beta", "user@example.com")), want);
    clock.advance(std::chrono::hours(1));
    taken(people->change("user@example.com", tagged({"beta", "new"})));
    EXPECT_EQ(tag_rows(), (std::set<std::string>{"beta user@example.com", "new user@example.com"}));
    EXPECT_EQ(row("Audience", tag_key("beta", "user@example.com")), want) << "its time stays";
    EXPECT_EQ(taken(people->tag("user@example.com", "third")).tags,
              (std::vector<std::string>{"beta", "new", "third"}));
    EXPECT_EQ(taken(people->untag("user@example.com", "beta")).tags,
              (std::vector<std::string>{"new", "third"}));
    taken(people->change("user@example.com", tagged({})));
    EXPECT_TRUE(tag_rows().empty());
    EXPECT_FALSE(profile_row("user@example.com")->has("tags"));
    EXPECT_EQ(code(people->tag("other@example.com", "x")), "person_not_found");
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(PeopleTest, ATagThatAnotherProgramLeftHalfDoneIsMadeWhole) {
    taken(people->change("user@example.com", {}));
    others_put({{"PK", "TAG#stale"}, {"SK", "SUB#user@example.com"}, {"taggedAt", "then"}});
    others_set("user@example.com", "tags", table::Value::list({table::Value("alone")}));
    taken(people->tag("user@example.com", "alone"));
    taken(people->untag("user@example.com", "stale"));
    EXPECT_EQ(tag_rows(), (std::set<std::string>{"alone user@example.com"}));
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(PeopleTest, AnyNumberOfTagsComesAndGoes) {
    const auto many = numbered("tag", 300), others = numbered("other", 200);
    EXPECT_EQ(taken(people->change("user@example.com", tagged(many))).tags, many);
    EXPECT_EQ(tag_rows().size(), 300u);
    EXPECT_EQ(taken(people->change("user@example.com", tagged(others))).tags, others);
    EXPECT_EQ(tag_rows().size(), 200u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
    EXPECT_FALSE(profile_row("user@example.com")->has("mailroomTagsToCome"));
    EXPECT_TRUE(taken(people->change("user@example.com", tagged({}))).tags.empty());
    EXPECT_TRUE(tag_rows().empty());
}

TEST_F(PeopleTest, TagsThatAProcessLeftHalfChangedAreInStepAndFinishedLater) {
    schedule::WatchedStore store(front->store());
    const auto before = numbered("old", 100), wanted = numbered("new", 120);
    for (int done = 0; done < 7; ++done) {
        SCOPED_TRACE(done);
        const auto address = "user" + std::to_string(done) + "@example.com";
        begin(store);
        store.refuse = nullptr;
        taken(people->change(address, tagged(before)));
        int left = done;
        store.refuse = [&](const auto&) {
            return left-- > 0 ? std::nullopt : std::optional(table::invalid("the process ended"));
        };
        const bool is_done = bool(people->change(address, tagged(wanted)));
        EXPECT_EQ(is_done, done == 5 || done == 6);
        store.refuse = nullptr;
        EXPECT_EQ(tag_rows(), tags_of_profiles()) << "at every moment";
        begin(store);
        clock.advance(std::chrono::minutes(1));
        while (crew->run_due() > 0) {
        }
        EXPECT_EQ(taken(people->require(address)).tags, done == 0 ? before : wanted);
        EXPECT_EQ(tag_rows(), tags_of_profiles());
    }
    begin(front->store());
}

TEST_F(PeopleTest, WhatIsSaidOfTagsWhileOthersAreToComeIsSaidAfterThem) {
    schedule::WatchedStore store(front->store());
    begin(store);
    int left = 2;
    store.refuse = [&](const auto&) {
        return left-- > 0 ? std::nullopt : std::optional(table::invalid("the process ended"));
    };
    EXPECT_FALSE(people->change("user@example.com", tagged(numbered("tag", 200))));
    store.refuse = nullptr;
    EXPECT_EQ(taken(people->untag("user@example.com", "tag150")).tags.size(), 199u);
    clock.advance(std::chrono::minutes(1));
    while (crew->run_due() > 0) {
    }
    EXPECT_EQ(taken(people->require("user@example.com")).tags.size(), 199u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
    begin(front->store());
}

TEST_F(PeopleTest, WhoeverTagsAtTheSameTimeLosesNothing) {
    taken(people->change("user@example.com", {}));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this, t] {
            for (int i = 0; i < 5; ++i) {
                taken(people->tag("user@example.com",
                                  "t" + std::to_string(t) + "-" + std::to_string(i)));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(taken(people->require("user@example.com")).tags.size(), 20u);
    EXPECT_EQ(tag_rows().size(), 20u);
    EXPECT_EQ(tag_rows(), tags_of_profiles());
}

TEST_F(PeopleTest, ANoIsSaidInAllPlacesAtOnceAndAYesTakesItBack) {
    taken(people->change("jane@example.com", {}));
    Change no;
    no.unsubscribed = true;
    no.evidence = {.source = "link", .ip = "192.0.2.1", .wording = "No more"};
    EXPECT_TRUE(taken(people->change("jane@example.com", no)).unsubscribed);
    EXPECT_EQ(refusal(bulk, "Jane@example.com"), "unsubscribed: request");
    EXPECT_EQ(refusal(transactional, "jane@example.com"), "");
    EXPECT_TRUE(row("MailroomSuppressions", suppression_row_key("jane@example.com", Stream::bulk)));
    EXPECT_FALSE(row("Audience", suppression_key("jane@example.com")));
    Change bounce;
    bounce.suppressed = true;
    bounce.reason = "bounce";
    bounce.bounce_type = "Permanent";
    bounce.notification_id = "f1";
    taken(people->change("jane@example.com", bounce));
    const auto suppression = row("Audience", suppression_key("jane@example.com"));
    ASSERT_TRUE(suppression);
    EXPECT_EQ(suppression->text("reason"), "bounce");
    EXPECT_EQ(suppression->text("bounceType"), "Permanent");
    EXPECT_EQ(suppression->text("type"), "Permanent");
    EXPECT_EQ(suppression->text("sesNotificationId"), "f1");
    EXPECT_EQ(suppression->text("recordedAt"), format_rfc3339(clock.now()));
    EXPECT_EQ(refusal(transactional, "jane@example.com"), "suppressed: bounce");
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "unsubscribed: request") << "the seed's order";
    Change yes;
    yes.unsubscribed = false;
    const auto after = taken(people->change("jane@example.com", yes));
    EXPECT_FALSE(after.unsubscribed);
    EXPECT_TRUE(after.suppressed) << "that is not theirs to take back";
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "suppressed: bounce");
    EXPECT_TRUE(taken(suppressions->remove("jane@example.com")));
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "");
    EXPECT_FALSE(taken(people->require("jane@example.com")).suppressed);
    EXPECT_FALSE(row("Audience", suppression_key("jane@example.com")));
    const std::vector<std::string> want = {"mail:  > subscribed", "mail: subscribed > unsubscribed",
                                           "all: allowed > suppressed: bounce",
                                           "mail: unsubscribed > subscribed",
                                           "all: suppressed > allowed"};
    EXPECT_EQ(consents("jane@example.com"), want);
}

TEST_F(PeopleTest, WhoIsNotKnownIsRememberedForTheirNo) {
    schedule::Transaction together;
    taken(suppressions->add_to(together, "New@example.com", Extent::every(), "complaint",
                               {.source = "mail"}));
    ASSERT_TRUE(schedule->commit(together));
    const auto person = taken(people->require("new@example.com"));
    EXPECT_TRUE(person.suppressed);
    EXPECT_FALSE(person.unsubscribed);
    EXPECT_EQ(person.email, "New@example.com");
    EXPECT_EQ(row("Audience", suppression_key("new@example.com"))->text("type"), "Complaint");
    Change said;
    said.first_name = "New";
    EXPECT_TRUE(taken(people->change("new@example.com", said)).suppressed) << "a merge keeps it";
}

TEST_F(PeopleTest, TopicsAreOptedOutOfOneByOne) {
    Change said;
    said.topics = {
        {"news", TopicState::out}, {"tips", TopicState::pending}, {"offers", TopicState::in}};
    said.evidence.source = "preferences";
    const auto person = taken(people->change("jane@example.com", said));
    EXPECT_EQ(person.topics.size(), 3u);
    EXPECT_EQ(refusal({Stream::bulk, "news"}, "jane@example.com"), "topic news: request");
    EXPECT_EQ(refusal({Stream::bulk, "tips"}, "jane@example.com"), "topic tips: not confirmed yet");
    EXPECT_EQ(refusal({Stream::bulk, "offers"}, "jane@example.com"), "");
    EXPECT_EQ(refusal({Stream::transactional, "news"}, "jane@example.com"), "");
    EXPECT_EQ(refusal(bulk, "jane@example.com"), "");
    EXPECT_EQ(word_of("topic news: request"), "topic");
    EXPECT_EQ(word_of("unsubscribed"), "unsubscribed");
    EXPECT_EQ(word_of("suppressed: bounce"), "suppressed");
    EXPECT_EQ(word_of("not an address that mail can go to: x"), "address");
    Change yes;
    yes.topics = {{"news", TopicState::in}, {"tips", std::nullopt}};
    EXPECT_EQ(taken(people->change("jane@example.com", yes)).topics,
              (Topics{{"news", TopicState::in}, {"offers", TopicState::in}}));
    EXPECT_EQ(refusal({Stream::bulk, "news"}, "jane@example.com"), "");
    EXPECT_EQ(refusal({Stream::bulk, "tips"}, "jane@example.com"), "");
}

TEST_F(PeopleTest, WhatOthersWroteIsReadAndCompleted) {
    others_put({{"PK", "SUB#ghost@example.com"},
                {"SK", "PROFILE"},
                {"unsubscribed", true},
                {"updatedAt", "2026-03-01T00:00:00.000Z"}});
    const auto ghost = taken(people->require("Ghost@example.com"));
    EXPECT_EQ(ghost.email, "ghost@example.com");
    EXPECT_TRUE(ghost.unsubscribed);
    EXPECT_FALSE(ghost.created);
    Change said;
    said.first_name = "G";
    const auto whole = taken(people->change("ghost@example.com", said));
    EXPECT_TRUE(whole.unsubscribed);
    EXPECT_TRUE(whole.created);
    others_put({{"PK", "SUB#odd@example.com"},
                {"SK", "PROFILE"},
                {"email", 7},
                {"tags", table::Value::string_set({"b", "a"})},
                {"suppressed", "true"},
                {"unsubscribed", 0},
                {"mailroomVersion", "many"},
                {"mailroomTopics", "none"},
                {"createdAt", "yesterday"},
                {"deep", table::Value::map(table::Item{{"x", table::Value::null()}})}});
    const auto odd = taken(people->require("odd@example.com"));
    EXPECT_EQ(odd.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(odd.suppressed);
    EXPECT_FALSE(odd.unsubscribed);
    EXPECT_EQ(taken(people->tag("odd@example.com", "c")).tags.size(), 3u);
    EXPECT_EQ(taken(people->require("odd@example.com")).version, 1);
}

TEST_F(PeopleTest, AChangeRestsOnThePersonAsTheyWereRead) {
    const auto before = std::optional(taken(people->change("jane@example.com", tagged({"a"}))));
    const auto commit = [&](const Change& change) {
        schedule::Transaction together;
        taken(people->add_to(together, "jane@example.com", before, change));
        return bool(schedule->commit(together));
    };
    others_set("jane@example.com", "tags", table::Value::list({table::Value("theirs")}));
    EXPECT_FALSE(commit(tagged({"a", "b"}))) << "another program was faster";
    Change said;
    said.first_name = "Jane";
    EXPECT_TRUE(commit(said));
    said.first_name = "Janet";
    EXPECT_FALSE(commit(said)) << "one of ours was faster";
    Change no;
    no.suppressed = true;
    EXPECT_TRUE(commit(no)) << "a no needs to know nothing";
    Change many = tagged(numbered("t", 60));
    schedule::Transaction together;
    EXPECT_FALSE(people->add_to(together, "jane@example.com", before, many));
}

TEST_F(PeopleTest, WhoSaysNoAgainHasSaidItAgain) {
    Change no;
    no.unsubscribed = true;
    no.topics["news"] = TopicState::out;
    taken(people->change("a@example.com", no));
    taken(people->change("a@example.com", no));
    const std::vector<std::string> want = {"mail:  > unsubscribed", "topic:news:  > out",
                                           "mail: unsubscribed > unsubscribed",
                                           "topic:news: out > out"};
    EXPECT_EQ(consents("a@example.com"), want);
}

}  // namespace
}  // namespace mailroom::people
