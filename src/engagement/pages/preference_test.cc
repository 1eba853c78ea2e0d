// What people choose and confirm by themselves.
#include "engagement/pages/preference_routes.h"

#include "engagement/engagement_fixture.h"
#include "engagement/pages/confirmation_mails.h"

namespace mailroom::engagement {
namespace {

class PreferenceTest : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        const auto table = people::Books::people_table(office->people.books().tables.people);
        topics.emplace(office->store, clock, table);
        confirmations.emplace(office->store, clock, random, table);
        preferences.emplace(office->people, *topics, *confirmations, *node->schedule);
        reception.emplace(office->people, *topics, tokens, tracking, pages, clock);
        leaving.emplace(office->people, *node->schedule, clock, random, office->account);
        add_preference_routes(api, *reception, *preferences, *leaving);
        add_confirmation_routes(api, *reception, *preferences);
        save("news", "News", false, false);
        save("offers", "Offers", false, false);
        save("secret", "Secret", false, true);
    }
    void save(const std::string& id, const std::string& name, bool double_opt_in, bool hidden) {
        people::TopicDetails details;
        details.name = name;
        details.double_opt_in = double_opt_in;
        details.hidden = hidden;
        ASSERT_TRUE(topics->save(id, details));
    }
    program::Rendered ask(std::string_view method, std::string_view path, const std::string& token,
                          std::string_view body = "") {
        const program::Actor nobody;
        const program::Pairs value = {{"token", token}}, none;
        for (const auto& route : api.routes()) {
            if (route.path != path || route.method != method) continue;
            return route.act({value, none, body, nobody, "", method, "192.0.2.7", &none});
        }
        ADD_FAILURE() << "no route";
        return {};
    }
    program::Rendered show() { return ask("GET", "/preferences/{token}", ann()); }
    program::Rendered save_form(std::string_view body) {
        return ask("POST", "/preferences/{token}", ann(), body);
    }
    std::string ann() { return *tokens.make(PersonToken{"", "", "ann@example.com"}); }
    bool may_write(const std::string& topic) {
        const people::MailKind kind(people::Stream::bulk, topic);
        return taken(office->suppressions.refusals(kind, {"ann@example.com"})).empty();
    }
    static bool says(const program::Rendered& page, std::string_view text) {
        return page.body.find(text) != std::string::npos;
    }

    Tokens tokens{*TokenKeys::make({{1, "the first of our secrets"}})};
    TrackingSettings tracking;
    PageSettings page_settings;
    Pages pages{page_settings};
    std::optional<people::TopicCatalog> topics;
    std::optional<people::Confirmations> confirmations;
    std::optional<people::Preferences> preferences;
    std::optional<Reception> reception;
    std::optional<Leaving> leaving;
    program::Api api;
};

TEST_F(PreferenceTest, ThePageShowsWhatThereIsAndAGetChangesNothing) {
    const auto page = show();
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "News") && says(page, "Offers"));
    EXPECT_FALSE(says(page, "Secret"));
    EXPECT_FALSE(taken(office->people.find("ann@example.com")));
}

TEST_F(PreferenceTest, WhatIsNotCheckedIsNotSent) {
    EXPECT_EQ(save_form("act=save&topic=news").status, 200);
    EXPECT_TRUE(may_write("news"));
    EXPECT_FALSE(may_write("offers"));
    EXPECT_TRUE(may_write("secret"));
    save_form("act=save&topic=news&topic=offers");
    EXPECT_TRUE(may_write("offers"));
}

TEST_F(PreferenceTest, NothingAtAllAndNoTrackingAreChosenAndTakenBack) {
    save_form("act=save&topic=news&topic=offers&off=1&no_tracking=1");
    auto profile = taken(office->people.find("ann@example.com"));
    EXPECT_TRUE(profile->unsubscribed);
    EXPECT_FALSE(profile->may_track);
    EXPECT_FALSE(may_write("news"));
    save_form("act=save&topic=news&topic=offers");
    profile = taken(office->people.find("ann@example.com"));
    EXPECT_FALSE(profile->unsubscribed);
    EXPECT_TRUE(profile->may_track);
    EXPECT_TRUE(may_write("news"));
}

TEST_F(PreferenceTest, ALinkThatIsNoneShowsAndChangesNothing) {
    EXPECT_EQ(ask("GET", "/preferences/{token}", "x").status, 400);
    EXPECT_EQ(ask("POST", "/preferences/{token}", "x", "off=1").status, 400);
}

TEST_F(PreferenceTest, OnlyAPostConfirmsAndTheSameAgainChangesNothing) {
    save("club", "Club", true, false);
    people::Change change;
    const auto asked = taken(preferences->opt_in(
        "ann@example.com", {"club"}, people::Preferences::Confirm::as_topics_say, change));
    ASSERT_TRUE(asked.token);
    const auto page = ask("GET", "/confirm/{token}", *asked.token);
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "Club"));
    const auto state = [&] {
        return taken(office->people.find("ann@example.com"))->topics.at("club");
    };
    EXPECT_EQ(state(), people::TopicState::pending);
    EXPECT_EQ(ask("POST", "/confirm/{token}", *asked.token, "act=confirm").status, 200);
    EXPECT_EQ(state(), people::TopicState::in);
    EXPECT_EQ(ask("POST", "/confirm/{token}", *asked.token, "act=confirm").status, 200);
    EXPECT_EQ(ask("POST", "/confirm/{token}", "guessed", "act=confirm").status, 400);
}

TEST_F(PreferenceTest, ALinkThatWasNotFollowedInTimeIsNoLongerGood) {
    people::Change change;
    const auto asked = taken(preferences->opt_in("ann@example.com", {},
                                                 people::Preferences::Confirm::everything, change));
    ASSERT_TRUE(asked.token);
    clock.advance(people::Confirmations::valid_for + std::chrono::hours(1));
    const auto late = ask("POST", "/confirm/{token}", *asked.token, "act=confirm");
    EXPECT_EQ(late.status, 400);
    EXPECT_TRUE(says(late, "expired"));
}

TEST_F(PreferenceTest, WhoIsToConfirmGetsAMailInTheirLanguage) {
    outbox::Outbox sending(node->ledger, node->blobs, *node->schedule, clock, random, {});
    tracking.url = "https://u.example";
    page_settings.from = "news@example.com";
    page_settings.company = "Example";
    const Links links(tracking.url, tokens);
    ConfirmationMails mails(sending, links, page_settings);
    preferences->mail_by(mails);
    people::Change change;
    change.language = "de";
    ASSERT_TRUE(preferences->opt_in("ann@example.com", {}, people::Preferences::Confirm::everything,
                                    change));
    run();
    const auto sent = transport.mails();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_NE(sent[0].message.find("https://u.example/confirm/"), std::string::npos);
}

}  // namespace
}  // namespace mailroom::engagement
