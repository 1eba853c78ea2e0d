#include "engagement/tracking/machines.h"

#include <gtest/gtest.h>

namespace mailroom::engagement {
namespace {

constexpr const char* mail = "0191d6f0-1234-7abc-8def-0123456789ab";
constexpr const char* firefox =
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

Hit hit(Hit::Kind kind, std::int64_t at_ms = 100'000, std::uint16_t link = 0) {
    Hit made;
    made.kind = kind;
    made.at = from_unix_ms(at_ms);
    made.mail_id = mail;
    made.link = link;
    made.url = kind == Hit::Kind::click ? "https://a.example" : "";
    made.user_agent = firefox;
    return made;
}
Hit open_by(std::string agent) {
    auto made = hit(Hit::Kind::open);
    made.user_agent = std::move(agent);
    return made;
}
std::string_view reason(const Hit& one) { return machine_reason(one, {}, std::nullopt); }

TEST(Machines, PeopleAreNotTakenForMachines) {
    for (const char* agent : {
             firefox,
             "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
             "like Gecko) Mobile/15E148",
             // Gmail's and Yahoo's proxies fetch when the mail is opened.
             "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com "
             "GoogleImageProxy)",
             "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
             "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; ms-office; MSOffice 16)",
         }) {
        EXPECT_EQ(reason(open_by(agent)), "") << agent;
    }
}

TEST(Machines, MachinesThatSayWhatTheyAreAreKnown) {
    struct Case {
        const char *agent, *want;
    };
    // clang-format off
    const Case cases[] = {
        {"Mozilla/5.0", "prefetch"}, {"", "program"}, {"  ", "program"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0", "prefetch"},
        {"BarracudaCentral/1.0", "scanner"},
        {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36", "scanner"},
        {"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "preview"},
        {"python-requests/2.31.0", "program"}, {"curl/8.5.0", "program"},
        {"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "program"},
    };
    // clang-format on
    for (const auto& [agent, want] : cases) EXPECT_EQ(reason(open_by(agent)), want) << agent;
}

TEST(Machines, WhoWantsNoContentOrFetchesAheadIsOne) {
    auto head = hit(Hit::Kind::click);
    head.is_head = true;
    EXPECT_EQ(reason(head), "head");
    auto prefetch = hit(Hit::Kind::open);
    prefetch.is_prefetch = true;
    EXPECT_EQ(reason(prefetch), "prefetch");
}

TEST(Machines, TwoLinksWithinASecondAreABurstAndTheSameLinkTwiceIsNone) {
    RecentHits recent;
    const auto note = [&](const Hit& one) { EXPECT_TRUE(recent.note(one, one.at)); };
    const auto first = hit(Hit::Kind::click, 100'000, 0),
               second = hit(Hit::Kind::click, 101'000, 1);
    const auto again = hit(Hit::Kind::click, 200'000, 0), twice = hit(Hit::Kind::click, 200'100, 0);
    const auto later = hit(Hit::Kind::click, 201'101, 1), open = hit(Hit::Kind::open, 201'101);
    for (const auto& one : {first, second, again, twice, later, open}) note(one);
    const auto others = recent.of(mail);
    EXPECT_EQ(machine_reason(first, others, {}), "burst");
    EXPECT_EQ(machine_reason(second, others, {}), "burst");
    for (const auto& one : {again, twice, later, open}) {
        EXPECT_EQ(machine_reason(one, others, {}), "");
    }
}

TEST(Machines, WhatHappensWhenTheMailArrivesIsNoPerson) {
    const auto sent = from_unix_ms(100'000);
    EXPECT_EQ(machine_reason(hit(Hit::Kind::open, 101'500), {}, sent), "arrival");
    EXPECT_EQ(machine_reason(hit(Hit::Kind::open, 101'501), {}, sent), "");
    EXPECT_EQ(machine_reason(hit(Hit::Kind::open, 99'000), {}, sent), "arrival");
}

TEST(RecentHits, ForgetAfterAWhileAndHoldABoundedNumberOfAMail) {
    RecentHits recent;
    const auto start = from_unix_ms(1'000'000);
    for (std::size_t i = 0; i < RecentHits::of_a_mail_max; ++i) {
        ASSERT_TRUE(recent.note(hit(Hit::Kind::open), start));
    }
    EXPECT_FALSE(recent.note(hit(Hit::Kind::open), start));
    auto other = hit(Hit::Kind::open);
    other.mail_id = "0191d6f0-1234-7abc-8def-0123456789ac";
    EXPECT_TRUE(recent.note(other, start));
    EXPECT_EQ(recent.of(mail).size(), RecentHits::of_a_mail_max);
    const auto later = start + RecentHits::kept_for + std::chrono::milliseconds(1);
    EXPECT_TRUE(recent.note(hit(Hit::Kind::open), later));
    EXPECT_EQ(recent.of(mail).size(), 1U);
    EXPECT_TRUE(recent.of(other.mail_id).empty());
}

TEST(Hits, AreReadAsTheyWereWritten) {
    auto head = hit(Hit::Kind::click, 5, 65535);
    head.is_head = true;
    auto agentless = hit(Hit::Kind::open, -1);
    agentless.user_agent = "";
    agentless.is_prefetch = true;
    const std::vector<Hit> hits = {head, agentless, hit(Hit::Kind::open)};
    const auto bytes = encode_hits(hits);
    EXPECT_EQ(*decode_hits(bytes), hits);
    EXPECT_EQ(bytes.size(),
              1 + encoded_bytes(hits[0]) + encoded_bytes(hits[1]) + encoded_bytes(hits[2]));
    EXPECT_TRUE(decode_hits(encode_hits({}))->empty());
}

TEST(Hits, WhatIsCutOffOrOfAnotherVersionIsNotRead) {
    const std::vector<Hit> hits = {hit(Hit::Kind::click)};
    const auto bytes = encode_hits(hits);
    for (std::size_t i = 2; i < bytes.size(); ++i) {
        EXPECT_FALSE(decode_hits(bytes.substr(0, i))) << i;
    }
    EXPECT_FALSE(decode_hits(""));
    EXPECT_FALSE(decode_hits("\x02" + bytes.substr(1)));
}

}  // namespace
}  // namespace mailroom::engagement
