#include "engagement/tracking/machines.h"

#include "base/text.h"

#include <algorithm>
#include <string>

namespace mailroom::engagement {

namespace {

struct Known {
    std::string_view words;  // In what it says of itself, in lower case.
    std::string_view reason;
};

// clang-format off
constexpr Known known[] = {
    // Fetches what a mail may need when it arrives.
    {"chrome/42.0.2311.135 safari/537.36 edge/12.246 mozilla/5.0", "prefetch"},
    {"googleother", "prefetch"}, {"google-safety", "scanner"},
    // Look for what is dangerous.
    {"barracuda", "scanner"}, {"bitdefender", "scanner"}, {"cloudmark", "scanner"}, {"fireeye", "scanner"},
    {"forcepoint", "scanner"}, {"fortinet", "scanner"}, {"ironport", "scanner"}, {"kaspersky", "scanner"},
    {"messagelabs", "scanner"}, {"mimecast", "scanner"}, {"proofpoint", "scanner"}, {"safelinks", "scanner"},
    {"sophos", "scanner"}, {"symantec", "scanner"}, {"trendmicro", "scanner"}, {"trellix", "scanner"},
    {"urlscan", "scanner"}, {"virustotal", "scanner"}, {"zscaler", "scanner"}, {"headlesschrome", "scanner"},
    {"phantomjs", "scanner"}, {"puppeteer", "scanner"}, {"playwright", "scanner"}, {"vadesecure", "scanner"},
    // Show what is behind a link that somebody passed on.
    {"facebookexternalhit", "preview"}, {"microsoftpreview", "preview"}, {"skypeuripreview", "preview"},
    {"slackbot", "preview"}, {"telegrambot", "preview"}, {"twitterbot", "preview"}, {"linkedinbot", "preview"},
    {"whatsapp", "preview"}, {"discordbot", "preview"}, {"embedly", "preview"}, {"google-pagerenderer", "preview"},
    // No browser.
    {"aiohttp", "program"}, {"apache-httpclient", "program"}, {"curl/", "program"}, {"go-http-client", "program"},
    {"java/", "program"}, {"libwww-perl", "program"}, {"node-fetch", "program"}, {"axios/", "program"},
    {"python-requests", "program"}, {"python-urllib", "program"}, {"wget/", "program"}, {"scrapy", "program"},
    {"bot/", "program"}, {"bot;", "program"}, {"spider", "program"}, {"crawler", "program"},
};
// clang-format on

// A mail program's proxy that hides who fetches a picture says no more than this.
constexpr std::string_view bare_agent = "mozilla/5.0";

std::string_view by_agent(const Hit& hit) {
    const auto agent = ascii_lower(trim(hit.user_agent));
    if (agent.empty()) return "program";
    if (agent == bare_agent) return hit.kind == Hit::Kind::open ? "prefetch" : "scanner";
    for (const auto& [words, reason] : known) {
        if (agent.find(words) != agent.npos) return reason;
    }
    return "";
}

bool is_in_burst(const Hit& hit, std::span<const RecentHit> others) {
    const RecentHit this_one{hit.kind, hit.link, hit.at};
    return std::ranges::any_of(others,
                               [&](const auto& other) { return this_one.is_burst_with(other); });
}

}  // namespace

std::string_view machine_reason(const Hit& hit, std::span<const RecentHit> others,
                                std::optional<Time> sent) {
    if (hit.is_head) return "head";
    if (hit.is_prefetch) return "prefetch";
    if (const auto reason = by_agent(hit); !reason.empty()) return reason;
    if (is_in_burst(hit, others)) return "burst";
    if (sent && hit.at <= *sent + arrival_time) return "arrival";
    return "";
}

}  // namespace mailroom::engagement
