#include "engagement/tracking/mail_tailor.h"

#include "base/base64.h"
#include "mime/build/build.h"

#include <gtest/gtest.h>

#include <regex>

namespace mailroom::engagement {
namespace {

constexpr const char* mail = "0191d6f0-1234-7abc-8def-0123456789ab";
constexpr const char* ann = "ann@example.com";

class MailTailorTest : public ::testing::Test {
protected:
    MailTailorTest() { settings.url = "https://mail.example"; }

    mime::Message fitted(const outbox::Engagement& engagement, std::string html,
                         std::optional<std::string> text = std::nullopt) {
        mime::Message message;
        message.html = std::move(html);
        message.text = std::move(text);
        Links links(settings.url, tokens);
        const auto done = tailor(links).fit(message, engagement, mail, ann);
        problem = done ? "" : done.error().message;
        return message;
    }
    MailTailor tailor(const Links& links) const {
        return {links, settings, [this](const std::string& email) -> Result<bool> {
                    if (email == unreadable) return Error{Errc::unavailable, "no answer"};
                    return email != unwilling;
                }};
    }
    // What the links of a mail lead to in the end.
    std::vector<Token> tokens_in(const std::string& html) {
        std::vector<Token> all;
        const std::regex link("https://mail.example/t/[oc]/([A-Za-z0-9_-]+)");
        for (std::sregex_iterator at(html.begin(), html.end(), link), end; at != end; ++at) {
            const auto token = tokens.read((*at)[1].str());
            EXPECT_TRUE(token);
            if (token) all.push_back(*token);
        }
        return all;
    }
    static std::string field(const mime::Message& message, std::string_view name) {
        for (const auto& one : message.headers) {
            if (one.name == name) return one.value;
        }
        return "";
    }

    Tokens tokens{*TokenKeys::make({{1, "the first of our secrets"}})};
    TrackingSettings settings;
    std::string problem, unwilling, unreadable;
};

TEST_F(MailTailorTest, LinksLeadPastUsAndThePictureStandsAtTheEnd) {
    outbox::Engagement asked;
    asked.track_opens = asked.track_clicks = true;
    const auto message = fitted(
        asked, R"(<body><a href="https://a.example/?x=1&amp;y=2#f">a</a> <a href="#top">b</a>)"
               R"(<a href="mailto:x@a.example">c</a><a href="HTTP://b.example">d</a></body>)");
    EXPECT_EQ(problem, "");
    const std::vector<Token> want = {ClickToken{mail, 0, "https://a.example/?x=1&y=2#f"},
                                     ClickToken{mail, 1, "http://b.example"}, OpenToken{mail}};
    EXPECT_EQ(tokens_in(*message.html), want);
    EXPECT_NE(message.html->find(R"(<a href="#top">)"), std::string::npos);
    EXPECT_NE(message.html->find("mailto:x@a.example"), std::string::npos);
    EXPECT_TRUE(message.html->ends_with("px\"></body>"));
}

TEST_F(MailTailorTest, TheTextThatIsMadeOfTheHtmlShowsWhereLinksLead) {
    outbox::Engagement asked;
    asked.track_clicks = true;
    const auto made = fitted(asked, R"(<a href="https://a.example/x">a</a>)");
    EXPECT_NE(made.text->find("<https://a.example/x>"), std::string::npos);
    const auto given = fitted(asked, R"(<a href="https://a.example/x">a</a>)", "as it was");
    EXPECT_EQ(given.text, "as it was");
}

TEST_F(MailTailorTest, UtmNamesAreAddedWithTrackingAndWithoutIt) {
    outbox::Engagement asked;
    asked.utm.source = "mail";
    const auto plain = fitted(asked, R"(<a href="https://a.example/#f">a</a>)");
    EXPECT_EQ(plain.html, R"(<a href="https://a.example/?utm_source=mail#f">a</a>)");
    asked.track_clicks = true;
    const auto tracked = fitted(asked, R"(<a href="https://a.example/#f">a</a>)");
    const std::vector<Token> want = {ClickToken{mail, 0, "https://a.example/?utm_source=mail#f"}};
    EXPECT_EQ(tokens_in(*tracked.html), want);
    EXPECT_NE(tracked.text->find("https://a.example/?utm_source=mail#f"), std::string::npos);
}

TEST_F(MailTailorTest, NothingIsTrackedThatWasSwitchedOffOrNotAskedFor) {
    const std::string html = R"(<a href="https://a.example">a</a>)";
    EXPECT_EQ(fitted({}, html).html, html);
    outbox::Engagement asked;
    asked.track_opens = asked.track_clicks = true;
    settings.opens = settings.clicks = false;
    EXPECT_EQ(fitted(asked, html).html, html);
    settings.opens = true;
    EXPECT_EQ(tokens_in(*fitted(asked, html).html), std::vector<Token>{OpenToken{mail}});
    EXPECT_EQ(tokens_in(*fitted(asked, R"(<a data-no-track href="https://a.example">a</a>)").html),
              std::vector<Token>{OpenToken{mail}});
}

TEST_F(MailTailorTest, WhoDoesNotWantToBeTrackedGetsNeitherPictureNorOtherLinks) {
    const std::string html = R"(<a href="https://a.example">a</a>)";
    outbox::Engagement asked;
    asked.track_opens = asked.track_clicks = true;
    unwilling = ann;
    EXPECT_EQ(fitted(asked, html).html, html);
    EXPECT_EQ(problem, "");
    asked.unsubscribe = true;
    asked.utm.source = "mail";
    const auto message = fitted(asked, html);
    EXPECT_EQ(message.html, R"(<a href="https://a.example?utm_source=mail">a</a>)");
    EXPECT_NE(field(message, "List-Unsubscribe"), "");
    unwilling = "bo@example.com";
    EXPECT_EQ(tokens_in(*fitted(asked, html).html).size(), 2U);
    unreadable = ann;
    EXPECT_TRUE(tokens_in(*fitted(asked, html).html).empty());
    EXPECT_EQ(problem, "");
}

TEST_F(MailTailorTest, OneClickUnsubscribesByHeadersAndByLinksInTheTexts) {
    outbox::Engagement asked;
    asked.unsubscribe = asked.track_clicks = true;
    asked.topic = "news";
    const auto message = fitted(asked, R"(<a href="%unsubscribe_url%">a</a>)",
                                "Leave: %unsubscribe_url% Choose: %preferences_url%");
    const auto list = field(message, "List-Unsubscribe");
    ASSERT_TRUE(list.starts_with("<https://mail.example/u/") && list.ends_with(">")) << list;
    const auto address = list.substr(1, list.size() - 2);
    EXPECT_EQ(tokens.read_as<PersonToken>(address.substr(address.rfind('/') + 1)),
              (PersonToken{mail, "news", ann}));
    EXPECT_EQ(field(message, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    EXPECT_EQ(message.html, "<a href=\"" + address + "\">a</a>");  // Not past us to us.
    EXPECT_TRUE(
        message.text->starts_with("Leave: " + address + " Choose: https://mail.example/pr"));
}

TEST_F(MailTailorTest, AnAddressThatReadsMailsIsTheOtherWay) {
    settings.unsubscribe_address = "leave@mail.example";
    outbox::Engagement asked;
    asked.unsubscribe = true;
    const auto list = field(fitted(asked, "x"), "List-Unsubscribe");
    const auto at = list.find(", <mailto:leave@mail.example?subject=unsubscribe%20");
    ASSERT_NE(at, std::string::npos) << list;
    const auto token = list.substr(list.rfind("%20") + 3, list.size() - list.rfind("%20") - 4);
    EXPECT_EQ(token_in_subject(unsubscribe_subject(token)), token);
    EXPECT_EQ(token_in_subject("Re: UNSUBSCRIBE " + token + " "), token);
    EXPECT_FALSE(token_in_subject("unsubscribe"));
    EXPECT_FALSE(token_in_subject("hello"));
}

TEST_F(MailTailorTest, AMailsOwnWayOfUnsubscribingStays) {
    Links links(settings.url, tokens);
    mime::Message message;
    message.headers.push_back({"list-unsubscribe", "<https://own.example>"});
    outbox::Engagement asked;
    asked.unsubscribe = true;
    EXPECT_TRUE(tailor(links).fit(message, asked, mail, ann));
    EXPECT_EQ(message.headers.size(), 1U);
}

TEST_F(MailTailorTest, WhatCannotBeMadeIsRefusedWithItsReason) {
    outbox::Engagement asked;
    asked.track_opens = true;
    Links links(settings.url, tokens);
    mime::Message message;
    const auto several = tailor(links).fit(message, asked, mail, "");
    EXPECT_EQ(several.error().message, "it can only be sent to one");
    settings.url = "";
    fitted(asked, "x");
    EXPECT_EQ(problem, "the setting tracking.url does not say where links lead");
    fitted({}, "x");
    EXPECT_EQ(problem, "");
}

// As a relay would get it: whatever the length of a link, no line is too long and no header breaks.
TEST_F(MailTailorTest, LongLinksMakeAGoodMessage) {
    outbox::Engagement asked;
    asked.track_opens = asked.track_clicks = asked.unsubscribe = true;
    const auto far = "https://a.example/" + std::string(tracked_url_bytes_max, 'x');
    auto message =
        fitted(asked, "<a href='" + far + "'>a</a><a href='" + far.substr(0, 1900) + "'>b</a>");
    EXPECT_NE(message.html->find(far), std::string::npos);  // Too long: it leads there directly.
    EXPECT_EQ(tokens_in(*message.html).size(), 2U);
    message.from.push_back({"", "a", "example.com"});
    message.to.push_back({"", "b", "example.com"});
    message.message_id = mime::MessageId{"x@example.com"};
    EXPECT_TRUE(mime::build(message));
}

}  // namespace
}  // namespace mailroom::engagement
