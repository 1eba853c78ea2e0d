#include "engagement/tracking/tracking_settings.h"

#include "mime/address.h"
#include "net/url.h"
#include "program/setting_forms.h"

namespace mailroom::engagement {

namespace {

bool is_base(std::string_view text) {
    if (text.empty()) return true;
    const auto url = net::Url::parse(text);
    // Paths are appended to it.
    return url && !url->query() && text.find('#') == text.npos && !text.ends_with('/');
}

bool is_address(std::string_view text) { return text.empty() || mime::parse_address(text); }

}  // namespace

// clang-format off
void add_settings(program::Settings& list, TrackingSettings& values) {
    list.section("tracking");
    list.add("url", program::Text{"where people reach this server: https://mail.example.com, without a slash at the end, or nothing", is_base}, values.url,
        "Where the links lead that are added to mails: to be opened, clicked and unsubscribed by. Nothing can be added without it.");
    list.add("opens", program::OnOff{}, values.opens, "Whether mails that ask for it get a picture that tells when they are opened.");
    list.add("clicks", program::OnOff{}, values.clicks, "Whether the links of mails that ask for it lead past us.");
    list.add("secrets", program::List{"ID:SECRET, separated by commas, or nothing", [](const std::string& text) { return bool(TokenSecret::parse(text)); }}, values.secrets,
        "What signs links: the first does, and the others are believed, for as long as mails with their links are around. None: one that the server made up.", {.is_secret = true});
    list.add("unsubscribe_secrets", program::List{"secrets, separated by commas, or nothing", [](const std::string& text) { return !text.empty(); }}, values.unsubscribe_secrets,
        "What the unsubscribe links of an earlier system are signed with: they work here, too.", {.is_secret = true});
    list.add("unsubscribe_address", program::Text{"an e-mail address, or nothing", is_address}, values.unsubscribe_address,
        "Where a mail unsubscribes whoever sends it: named in List-Unsubscribe besides the link.");
}
// clang-format on

Result<std::vector<TokenSecret>> TrackingSettings::parsed_secrets() const {
    std::vector<TokenSecret> all;
    for (const auto& text : secrets) {
        auto secret = TokenSecret::parse(text);
        if (!secret) return Error{Errc::invalid, "tracking.secrets " + secret.error().message};
        all.push_back(*std::move(secret));
    }
    return all;
}

}  // namespace mailroom::engagement
