// Tracking on the account as it is kept.
#include "engagement/tracking/tracking.h"

#include "engagement/engagement_fixture.h"

namespace mailroom::engagement {
namespace {

class TrackingAccountTest : public EngagementTest {
protected:
    void start() {
        crew.reset();
        tracking.reset();
        const program::Ground ground{office->store, *node->schedule, schedule::Ownership::sole,
                                     clock,         random,          ""};
        tracking = taken(Tracking::open(ground, tracking_settings, settings, office->account,
                                        [](const std::string&) -> Result<bool> { return true; }));
        auto work = tracking->job();
        work.crew.threads = 0;
        crew = std::make_unique<schedule::Crew>(*node->schedule, clock, work.crew, work.run);
        crew->start();
        api.emplace();
        tracking->add_routes(*api, nullptr);
    }
    void SetUp() override {
        EngagementTest::SetUp();
        tracking_settings.url = "https://mail.example";
        start();
    }
    void TearDown() override {
        crew.reset();
        tracking.reset();
        EngagementTest::TearDown();
    }

    // As one who may wait, so it is durable when it returns.
    program::Rendered get(const std::string& address, std::string_view agent = "Firefox/128.0") {
        const auto path = address.substr(tracking->links().base().size());
        const auto slash = path.rfind('/');
        const program::Pairs token = {{"token", path.substr(slash + 1)}}, none;
        const program::Pairs headers = {{"User-Agent", std::string(agent)}};
        for (const auto& route : api->routes()) {
            if (route.path != path.substr(0, slash) + "/{token}") continue;
            return route.act({token, none, "", program::Actor(), "", "GET", "", &headers});
        }
        ADD_FAILURE() << "no route";
        return {};
    }
    void digest() {
        clock.advance(digest_pause);
        crew->run_due();
    }

    TrackingSettings tracking_settings;
    std::unique_ptr<Tracking> tracking;
    std::unique_ptr<schedule::Crew> crew;
    std::optional<program::Api> api;
};

TEST_F(TrackingAccountTest, WhatIsOpenedAndFollowedIsRowsAndCountsOfTheMailsSequence) {
    const auto mail = add_followed({"ann@example.com"});
    run();
    clock.advance(std::chrono::minutes(5));
    EXPECT_EQ(get(*tracking->links().open(mail)).status, 200);
    EXPECT_EQ(get(*tracking->links().click({mail, 0, "https://example.com/promo"})).status, 302);
    EXPECT_EQ(get(*tracking->links().open(mail), "Mozilla/5.0").status, 200);
    digest();
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
    EXPECT_EQ(counted("onboarding", "uniqueOpenCount"), 1);
    EXPECT_EQ(counted("onboarding", "machineOpenCount"), 1);
    bool has_click = false;
    for (const auto& event : events("ann@example.com")) {
        if (event.text("eventType") != "click") continue;
        has_click = true;
        EXPECT_EQ(event.text("linkUrl"), "https://example.com/promo");
        EXPECT_EQ(event.text("templateKey"), "welcome");
        EXPECT_EQ(event.text("subject"), "Welcome!");
        EXPECT_EQ(event.text("userAgent"), "Firefox/128.0");
    }
    EXPECT_TRUE(has_click);
}

TEST_F(TrackingAccountTest, LinksAreCountedEachByItself) {
    const auto first = add_followed({"ann@example.com"}), second = add_followed({"bo@example.com"});
    run();
    const auto far = "https://example.com/" + std::string(1500, 'x');
    const auto follow = [&](const std::string& mail, std::uint16_t link, const std::string& url,
                            std::string_view agent = "Firefox/128.0") {
        clock.advance(std::chrono::minutes(1));
        EXPECT_EQ(get(*tracking->links().click({mail, link, url}), agent).status, 302);
    };
    follow(first, 0, "https://example.com/a");
    follow(first, 0, "https://example.com/a");
    follow(second, 0, "https://example.com/a");
    follow(second, 0, "https://example.com/a", "curl/8.5.0");
    follow(first, 1, far);
    digest();
    const table::PageWish wish{.limit = 10, .after = {}};
    const LinkCounts counts(office->store, clock, settings);
    const auto page = taken(counts.page(LinkCounts::Of::sequences, "onboarding", wish));
    ASSERT_EQ(page.items.size(), 2U);
    EXPECT_EQ(page.items[0], (LinkFigures{"https://example.com/a", 3, 2, 1}));
    EXPECT_TRUE(page.items[1].url.starts_with("https://example.com/xxx"));
    EXPECT_EQ(page.items[1].unique_clicks, 1);
    EXPECT_EQ(taken(counts.page(LinkCounts::Of::templates, "welcome", wish)).items, page.items);
    EXPECT_TRUE(taken(counts.page(LinkCounts::Of::templates, "other", wish)).items.empty());
}

TEST_F(TrackingAccountTest, TheSecretThatTheServerMadeUpIsTheSameAfterItsNextStart) {
    const auto before = *tracking->links().open("0191d6f0-1234-7abc-8def-0123456789ab");
    crew.reset();
    tracking.reset();
    reopen();
    start();
    EXPECT_EQ(*tracking->links().open("0191d6f0-1234-7abc-8def-0123456789ab"), before);
    EXPECT_EQ(get(before).status, 200);
}

TEST_F(TrackingAccountTest, LinksFromBeforeASecretWasGivenStillLeadOn) {
    const auto before = *tracking->links().click(
        {"0191d6f0-1234-7abc-8def-0123456789ab", 0, "https://example.com"});
    tracking_settings.secrets = {"2:the second of our secrets", "1:the first of our secrets"};
    crew.reset();
    tracking.reset();
    reopen();
    start();
    const auto now = *tracking->links().click(
        {"0191d6f0-1234-7abc-8def-0123456789ab", 0, "https://example.com"});
    EXPECT_NE(now, before);
    EXPECT_EQ(get(before).status, 302);
    EXPECT_EQ(get(now).status, 302);
}

TEST_F(TrackingAccountTest, TwoSecretsOfOneIdAreToldWithTheSettingsName) {
    tracking_settings.secrets = {"1:the second of our secrets", "1:the first of our secrets"};
    const program::Ground ground{office->store, *node->schedule, schedule::Ownership::sole,
                                 clock,         random,          ""};
    const auto opened = Tracking::open(ground, tracking_settings, settings, office->account,
                                       [](const std::string&) -> Result<bool> { return true; });
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message, "tracking.secrets: two secrets have the id 1");
}

}  // namespace
}  // namespace mailroom::engagement
