#include "people/consent/preferences.h"

#include "people/people_fixture.h"

namespace mailroom::people {
namespace {

// Notes what it was to write.
class NotingMails final : public ConfirmationMails {
public:
    Answer<> add_to(schedule::Transaction&, const ToConfirm& to_confirm) override {
        mails.push_back(to_confirm.profile.email + " " + std::to_string(to_confirm.topics.size()));
        token = to_confirm.token;
        return Ok{};
    }
    std::vector<std::string> mails;
    std::string token;
};

class PreferencesTest : public PeopleTest {
protected:
    void SetUp() override {
        PeopleTest::SetUp();
        const auto made = Books::people_table("MailroomPeople");
        topics.emplace(front->store(), clock, made);
        confirmations.emplace(front->store(), clock, random, made);
        preferences.emplace(*people, *topics, *confirmations, *schedule);
        TopicDetails news, secret;
        news.name = "News";
        secret.name = "Secret";
        secret.double_opt_in = true;
        taken(topics->save("news", news));
        taken(topics->save("secret", secret));
    }
    static Evidence by_form() { return {.source = "form", .ip = "192.0.2.7", .form = "/signup"}; }
    Preferences::Asked opt_in(const std::string& email, std::vector<std::string> wanted,
                              Preferences::Confirm confirm = Preferences::Confirm::as_topics_say) {
        Change besides;
        besides.evidence = by_form();
        return taken(preferences->opt_in(email, wanted, confirm, besides));
    }
    std::string state(const std::string& email, const std::string& topic) {
        const auto person = taken(people->find(email));
        if (!person) return "nobody";
        const auto found = person->topics.find(topic);
        if (found == person->topics.end()) return "nothing";
        return std::string(mailroom::name_of(found->second));
    }
    std::string about(const std::string& topic, const std::string& email) {
        return refusal(MailKind(Stream::bulk, topic), email);
    }

    std::optional<TopicCatalog> topics;
    std::optional<Confirmations> confirmations;
    std::optional<Preferences> preferences;
    using Confirm = Preferences::Confirm;
};

TEST_F(PreferencesTest, ATopicIsLeftAndWantedAgain) {
    taken(preferences->set_topic("Ann@x.com", "news", TopicState::out, by_form()));
    EXPECT_NE(about("news", "ann@x.com"), "");
    EXPECT_EQ(about("secret", "ann@x.com"), "");
    EXPECT_EQ(refusal(MailKind(Stream::transactional, "news"), "ann@x.com"), "");
    taken(preferences->set_topic("ann@x.com", "news", TopicState::in, by_form()));
    EXPECT_EQ(about("news", "ann@x.com"), "");
    taken(preferences->set_topic("ann@x.com", "news", std::nullopt, by_form()));
    EXPECT_EQ(state("ann@x.com", "news"), "nothing");
    const auto trail = consents("ann@x.com");
    for (const auto* entry : {"topic:news:  > out", "topic:news: out > in", "topic:news: in > "}) {
        EXPECT_NE(std::ranges::find(trail, entry), trail.end()) << entry;
    }
    EXPECT_FALSE(preferences->set_topic("ann@x.com", "none", TopicState::in, by_form()));
    EXPECT_FALSE(preferences->set_topic("nobody", "news", TopicState::in, by_form()));
}

TEST_F(PreferencesTest, WhatIsToBeConfirmedCountsByTheLinkOnly) {
    taken(people->change("ann@x.com", Change{.first_name = "Ann"}));
    const auto asked = opt_in("ann@x.com", {"news", "secret", "secret"});
    EXPECT_EQ(asked.in, (std::vector<std::string>{"news"}));
    EXPECT_EQ(asked.pending, (std::vector<std::string>{"secret"}));
    ASSERT_TRUE(asked.token);
    EXPECT_EQ(state("ann@x.com", "secret"), "pending");
    EXPECT_NE(about("secret", "ann@x.com"), "");
    EXPECT_EQ(taken(preferences->asked_by(*asked.token)).topics.size(), 1u) << "to look is no yes";
    EXPECT_EQ(state("ann@x.com", "secret"), "pending");
    const auto confirmed = taken(preferences->confirm(*asked.token, {.source = "link"}));
    EXPECT_EQ(confirmed.confirmed, clock.now());
    EXPECT_EQ(state("ann@x.com", "secret"), "in");
    EXPECT_EQ(about("secret", "ann@x.com"), "");
    taken(preferences->set_topic("ann@x.com", "secret", TopicState::out, by_form()));
    taken(preferences->confirm(*asked.token, {.source = "link"}));
    EXPECT_EQ(state("ann@x.com", "secret"), "out") << "an old link changes nothing any more";
}

TEST_F(PreferencesTest, WhoseAddressNobodyConfirmedGetsNothing) {
    const auto asked = opt_in("New@x.com", {}, Confirm::everything);
    ASSERT_TRUE(asked.token);
    EXPECT_NE(refusal(Stream::bulk, "new@x.com"), "");
    EXPECT_EQ(refusal(Stream::transactional, "new@x.com"), "") << "the mail that asks must go";
    taken(preferences->confirm(*asked.token, {.source = "link"}));
    EXPECT_EQ(refusal(Stream::bulk, "new@x.com"), "");
    EXPECT_EQ(taken(people->find("new@x.com"))->email, "New@x.com");
}

TEST_F(PreferencesTest, WhoUnsubscribedIsAskedAndStaysSoUntilTheyConfirm) {
    taken(people->change("ann@x.com", Change{.unsubscribed = true}));
    const auto asked = opt_in("ann@x.com", {"secret"});
    EXPECT_NE(refusal(Stream::bulk, "ann@x.com"), "");
    taken(preferences->confirm(*asked.token, {.source = "link"}));
    EXPECT_EQ(refusal(Stream::bulk, "ann@x.com"), "");
}

TEST_F(PreferencesTest, ALinkIsNothingAfterTwoWeeks) {
    const auto asked = opt_in("ann@x.com", {"secret"});
    clock.advance(Confirmations::valid_for);
    const auto late = preferences->confirm(*asked.token, {.source = "link"});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind, Refusal::Kind::gone);
    EXPECT_EQ(preferences->confirm("guessed", {}).error().kind, Refusal::Kind::gone);
    EXPECT_EQ(state("ann@x.com", "secret"), "pending");
}

TEST_F(PreferencesTest, TheMailIsPartOfTheTransactionAndComesOnce) {
    NotingMails mails;
    preferences->mail_by(mails);
    const auto asked = opt_in("ann@x.com", {"secret"});
    EXPECT_EQ(mails.mails, (std::vector<std::string>{"ann@x.com 1"}));
    EXPECT_EQ(mails.token, *asked.token);
    opt_in("ann@x.com", {"news"});
    EXPECT_EQ(mails.mails.size(), 1u) << "there is nothing to confirm";
}

TEST_F(PreferencesTest, TopicsThatAreNoneAreNamed) {
    const auto refused =
        preferences->opt_in("ann@x.com", {"news", "none", "other"}, Confirm::as_topics_say, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text(), "topics[1] is no topic; topics[2] is no topic");
    EXPECT_EQ(state("ann@x.com", "news"), "nobody");
}

TEST_F(PreferencesTest, PeopleChooseFromWhatTheySee) {
    TopicDetails hidden;
    hidden.name = "Hidden";
    hidden.hidden = true;
    taken(topics->save("inner", hidden));
    const auto before = taken(preferences->of("Ann@x.com"));
    EXPECT_FALSE(before.is_known);
    ASSERT_EQ(before.topics.size(), 2u);
    EXPECT_TRUE(before.topics[0].is_wanted());
    EXPECT_FALSE(before.topics[1].is_wanted()) << "who never confirmed it";
    Wishes wishes;
    wishes.topics = {{"news", false}, {"secret", true}, {"inner", false}};
    wishes.may_track = false;
    wishes.language = "de";
    const auto to_confirm =
        taken(preferences->choose("ann@x.com", wishes, {.source = "preferences"}));
    EXPECT_EQ(to_confirm, (std::vector<std::string>{"secret"}));
    EXPECT_EQ(state("ann@x.com", "news"), "out");
    EXPECT_EQ(state("ann@x.com", "secret"), "pending");
    EXPECT_EQ(state("ann@x.com", "inner"), "nothing") << "nobody chooses what they do not see";
    const auto ann = *taken(people->find("ann@x.com"));
    EXPECT_FALSE(ann.may_track);
    EXPECT_EQ(ann.language, "de");
    EXPECT_FALSE(ann.unsubscribed);
}

}  // namespace
}  // namespace mailroom::people
