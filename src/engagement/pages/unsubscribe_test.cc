// From the link in a mail to nobody being written to.
#include "engagement/pages/unsubscribe_routes.h"

#include "engagement/engagement_fixture.h"
#include "engagement/tracking/mail_tailor.h"
#include "engagement/tracking/seed_token.h"

namespace mailroom::engagement {
namespace {

using namespace std::chrono_literals;

constexpr const char* secret = "test-secret-key";

class UnsubscribeTest : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        tracking.url = "https://u.example";
        tracking.unsubscribe_secrets = {secret};
        links.emplace(tracking.url, tokens);
        pages.emplace(page_settings);
        topics.emplace(office->store, clock,
                       people::Books::people_table(office->people.books().tables.people));
        leaving.emplace(office->people, *node->schedule, clock, random, office->account);
        crew = std::make_unique<schedule::Crew>(
            *node->schedule, clock,
            schedule::CrewOptions{.queues = {std::string(left_queue)}, .threads = 0},
            [this](schedule::JobInHand job) { leaving->run(std::move(job)); });
        crew->start();
        reception.emplace(office->people, *topics, tokens, tracking, *pages, clock);
        add_unsubscribe_routes(api, *reception, *leaving, *links);
    }
    void TearDown() override {
        crew.reset();
        EngagementTest::TearDown();
    }

    std::string token(std::string topic = "", std::string address = "Ann@Example.com") {
        return *tokens.make(PersonToken{"", std::move(topic), std::move(address)});
    }
    program::Rendered ask(std::string_view method, std::string_view path, const std::string& token,
                          std::string_view body = "", std::string_view language = "") {
        const program::Actor nobody;
        const program::Pairs value = {{"token", token}}, none;
        const program::Pairs headers = {{"Accept-Language", std::string(language)}};
        const bool in_path = path.ends_with("}");
        for (const auto& route : api.routes()) {
            if (route.path != path || route.method != method) continue;
            return route.act({in_path ? value : none, in_path || token.empty() ? none : value, body,
                              nobody, "application/x-www-form-urlencoded", method, "192.0.2.7",
                              &headers});
        }
        ADD_FAILURE() << "no route";
        return {};
    }
    program::Rendered get(const std::string& token, std::string_view language = "") {
        return ask("GET", "/u/{token}", token, "", language);
    }
    program::Rendered post(const std::string& token,
                           std::string_view body = "List-Unsubscribe=One-Click") {
        return ask("POST", "/u/{token}", token, body);
    }
    std::optional<people::Profile> ann() { return taken(office->people.find("ann@example.com")); }
    bool may_write(people::Stream stream, const std::string& topic = "") {
        const people::MailKind kind(stream, topic);
        return taken(office->suppressions.refusals(kind, {"ann@example.com"})).empty();
    }
    std::string events_of_ann() {
        crew->run_due();
        return types("ann@example.com");
    }
    static bool says(const program::Rendered& page, std::string_view text) {
        return page.body.find(text) != std::string::npos;
    }

    Tokens tokens{*TokenKeys::make({{1, "the first of our secrets"}})};
    TrackingSettings tracking;
    PageSettings page_settings;
    std::optional<Links> links;
    std::optional<Pages> pages;
    std::optional<people::TopicCatalog> topics;
    std::optional<Reception> reception;
    std::optional<Leaving> leaving;
    std::unique_ptr<schedule::Crew> crew;
    program::Api api;
};

TEST_F(UnsubscribeTest, AGetAsksAndChangesNothing) {
    const auto page = get(token());
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "<form method=\"post\">"));
    EXPECT_TRUE(says(page, "A•••@Example.com"));
    EXPECT_FALSE(says(page, "Ann@"));
    EXPECT_TRUE(says(get(token(), "fr-CH,fr"), "<html lang=\"fr\">"));
    EXPECT_FALSE(ann());
    EXPECT_TRUE(may_write(people::Stream::bulk));
    EXPECT_EQ(events_of_ann(), "");
}

TEST_F(UnsubscribeTest, OneClickIsEnoughAndTheSameAgainChangesNothing) {
    const auto page = post(token());
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(ann()->unsubscribed);
    EXPECT_FALSE(ann()->suppressed);
    EXPECT_FALSE(may_write(people::Stream::bulk));
    EXPECT_TRUE(may_write(people::Stream::transactional));
    EXPECT_EQ(events_of_ann(), "unsubscribe");
    clock.advance(1h);
    EXPECT_EQ(post(token()).status, 200);
    EXPECT_EQ(post(token(), "act=leave").status, 200);
    EXPECT_EQ(events_of_ann(), "unsubscribe");
}

TEST_F(UnsubscribeTest, WhatSpeaksForItIsKept) {
    post(token(), "act=leave");
    const auto trail = taken(office->people.books().trail.of(
        "ann@example.com", table::PageWish{.limit = 10, .after = {}}));
    ASSERT_EQ(trail.items.size(), 1U);
    EXPECT_EQ(trail.items[0].evidence.source, "form");
    EXPECT_EQ(trail.items[0].evidence.ip, "192.0.2.7");
    EXPECT_NE(trail.items[0].evidence.wording.find("newsletters"), std::string::npos);
}

TEST_F(UnsubscribeTest, OfAMailAboutATopicOnlyTheTopicIsLeft) {
    ASSERT_TRUE(topics->save("news", {.name = "Our news",
                                      .description = "",
                                      .texts = {{"de", "Neues von uns", ""}},
                                      .double_opt_in = false,
                                      .hidden = false}));
    EXPECT_TRUE(says(get(token("news"), "de"), "„Neues von uns“"));
    EXPECT_TRUE(says(post(token("news")), "Our news"));
    EXPECT_FALSE(ann()->unsubscribed);
    EXPECT_FALSE(may_write(people::Stream::bulk, "news"));
    EXPECT_TRUE(may_write(people::Stream::bulk, "other"));
    EXPECT_EQ(events_of_ann(), "unsubscribe");
    EXPECT_TRUE(says(get(token("gone")), "gone"));
}

TEST_F(UnsubscribeTest, WhoLeftByMistakeComesBack) {
    post(token());
    EXPECT_EQ(post(token(), "act=back").status, 200);
    EXPECT_FALSE(ann()->unsubscribed);
    EXPECT_TRUE(may_write(people::Stream::bulk));
    post(token());
    EXPECT_FALSE(may_write(people::Stream::bulk));
    EXPECT_EQ(events_of_ann(), "unsubscribe unsubscribe");
}

TEST_F(UnsubscribeTest, LinksOfAnEarlierSystemWorkUntilTheyExpire) {
    const auto theirs = make_seed_token(secret, "ann@example.com", clock.now());
    EXPECT_EQ(ask("GET", "/unsubscribe", theirs).status, 200);
    EXPECT_FALSE(ann());
    clock.advance(seed_token_holds + 1ms);
    const auto late = ask("POST", "/unsubscribe", theirs);
    EXPECT_EQ(late.status, 400);
    EXPECT_TRUE(says(late, "expired"));
    EXPECT_FALSE(ann());
    const auto fresh = make_seed_token(secret, "ann@example.com", clock.now());
    EXPECT_EQ(ask("POST", "/unsubscribe", fresh).status, 200);
    EXPECT_TRUE(ann()->unsubscribed);
    EXPECT_EQ(ask("POST", "/u/{token}", fresh).status, 200);
}

TEST_F(UnsubscribeTest, WhatIsNoLinkOfOursIsToldAndChangesNothing) {
    const auto none = ask("POST", "/unsubscribe", "");
    EXPECT_EQ(none.status, 400);
    EXPECT_TRUE(says(none, "No unsubscribe token"));
    for (const auto& text :
         {std::string("x"), std::string("not-a-valid-token"), token().substr(1)}) {
        EXPECT_EQ(post(text).status, 400);
        EXPECT_TRUE(says(get(text), "invalid"));
    }
    EXPECT_EQ(post(make_seed_token("another", "ann@example.com", clock.now())).status, 400);
    EXPECT_EQ(post(token("", "no address")).status, 400);
    EXPECT_EQ(post(*tokens.make(OpenToken{"0191d6f0-1234-7abc-8def-0123456789ab"})).status, 400);
    EXPECT_FALSE(ann());
}

TEST_F(UnsubscribeTest, WhoeverFollowsALinkThatIsNoneOfOursIsToldInTheirLanguage) {
    const program::Actor nobody;
    const program::Pairs path = {{"token", "cut"}}, none;
    for (const auto& [language, name] : names_of(Language())) {
        const program::Pairs headers = {{"Accept-Language", std::string(name)}};
        const auto page =
            reception->no_such_link({path, none, "", nobody, "", "GET", "192.0.2.7", &headers});
        EXPECT_EQ(page.status, 404);
        EXPECT_TRUE(says(page, texts_in(language).cut_off)) << name;
        EXPECT_TRUE(says(page, "lang=\"" + std::string(name))) << name;
    }
}

TEST_F(UnsubscribeTest, AMailToTheUnsubscribeAddressIsEnough) {
    EXPECT_TRUE(leaving->leave_by_mail(tokens, "Re: " + unsubscribe_subject(token())));
    EXPECT_TRUE(ann()->unsubscribed);
    const auto none = leaving->leave_by_mail(tokens, "unsubscribe me");
    EXPECT_EQ(none.error().kind, Refusal::Kind::not_found);
}

// The account is told by a job that is durable with it.
TEST_F(UnsubscribeTest, AnUnsubscribeIsAnEventAlsoAfterAKill) {
    const auto mail = add_followed({"ann@example.com"});
    run();
    post(*tokens.make(PersonToken{mail, "", "ann@example.com"}));
    crew.reset();
    reopen();
    leaving.emplace(office->people, *node->schedule, clock, random, office->account);
    crew = std::make_unique<schedule::Crew>(
        *node->schedule, clock,
        schedule::CrewOptions{.queues = {std::string(left_queue)}, .threads = 0},
        [this](schedule::JobInHand job) { leaving->run(std::move(job)); });
    crew->start();
    clock.advance(1h);
    EXPECT_NE(events_of_ann().find("unsubscribe"), std::string::npos);
    EXPECT_EQ(counted("onboarding", "unsubscribeCount"), 1);
}

}  // namespace
}  // namespace mailroom::engagement
