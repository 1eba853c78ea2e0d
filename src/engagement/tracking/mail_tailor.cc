#include "engagement/tracking/mail_tailor.h"

#include "base/text.h"
#include "engagement/tracking/destination.h"
#include "mime/html/links.h"
#include "mime/html/to_text.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::string_view subject_begin = "unsubscribe ";

bool has_field(const mime::Message& message, std::string_view name) {
    return std::ranges::any_of(message.headers, [&](const auto& field) {
        return ascii_equal_ignoring_case(field.name, name);
    });
}

void replace_all(std::string& text, std::string_view word, const std::string& by) {
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + by.size())) {
        text.replace(at, word.size(), by);
    }
}

void replace_all(mime::Message& message, std::string_view word, const std::string& by) {
    for (auto* text : {&message.text, &message.html}) {
        if (*text) replace_all(**text, word, by);
    }
}

// Of no size and no words, so that nothing is seen where pictures are not shown.
std::string picture(const std::string& address) {
    return "<img src=\"" + address +
           "\" width=\"1\" height=\"1\" alt=\"\" style=\"border:0;width:1px;height:1px\">";
}

}  // namespace

std::string unsubscribe_subject(std::string_view token) {
    return std::string(subject_begin) + std::string(token);
}

std::optional<std::string_view> token_in_subject(std::string_view subject) {
    const auto at = ascii_lower(subject).rfind(subject_begin);
    if (at == std::string::npos) return std::nullopt;
    const auto token = trim(subject.substr(at + subject_begin.size()));
    if (token.empty()) return std::nullopt;
    return token.substr(0, token.find(' '));
}

Result<> MailTailor::fit(mime::Message& message, const outbox::Engagement& engagement,
                         const std::string& mail_id, std::string_view recipient) {
    if (engagement.is_personal() && !links_.has_base()) {
        return Error{Errc::invalid, "the setting tracking.url does not say where links lead"};
    }
    if (engagement.is_personal() && recipient.empty()) {
        return Error{Errc::invalid, "it can only be sent to one"};
    }
    if (engagement.unsubscribe) {
        const PersonToken person{mail_id, engagement.topic, std::string(recipient)};
        TRY(add_unsubscribe(message, person));
    }
    if (message.html && !engagement.utm.empty()) add_utm(message, engagement.utm);
    if (message.html) track(message, followed(engagement, recipient), mail_id);
    return Ok{};
}

MailTailor::Followed MailTailor::followed(const outbox::Engagement& engagement,
                                          std::string_view recipient) const {
    const Followed wanted{.opens = engagement.track_opens && settings_.opens,
                          .clicks = engagement.track_clicks && settings_.clicks};
    if (!wanted.opens && !wanted.clicks) return {};
    const auto may = may_track_(std::string(recipient));
    return may && *may ? wanted : Followed();
}

Result<> MailTailor::add_unsubscribe(mime::Message& message, const PersonToken& person) const {
    const auto link = links_.unsubscribe(person);
    const auto preferences = links_.preferences(person);
    if (!link || !preferences) {
        return Error{Errc::invalid, "the topic or the address is too long for a link"};
    }
    replace_all(message, unsubscribe_word, *link);
    replace_all(message, preferences_word, *preferences);
    if (has_field(message, "List-Unsubscribe")) return Ok{};
    auto ways = "<" + *link + ">";
    if (!settings_.unsubscribe_address.empty()) {
        const auto token = link->substr(link->rfind('/') + 1);
        ways += ", <mailto:" + settings_.unsubscribe_address +
                "?subject=" + std::string(trim(subject_begin)) + "%20" + token + ">";
    }
    message.headers.push_back({"List-Unsubscribe", std::move(ways)});
    // RFC 8058, 3.1
    if (!has_field(message, "List-Unsubscribe-Post")) {
        message.headers.push_back({"List-Unsubscribe-Post", "List-Unsubscribe=One-Click"});
    }
    return Ok{};
}

void MailTailor::add_utm(mime::Message& message, const outbox::Utm& utm) const {
    message.html = mime::replace_links(*message.html,
                                       [&](std::string_view address) -> std::optional<std::string> {
                                           auto target = web_address(address);
                                           if (!target || links_.is_ours(*target))
                                               return std::nullopt;
                                           return with_utm(*std::move(target), utm);
                                       });
}

// The text that is made from the HTML shows where links lead, so it is made before they lead past
// us.
void MailTailor::track(mime::Message& message, const Followed& followed,
                       const std::string& mail_id) const {
    if (!followed.opens && !followed.clicks) return;
    if (!message.text) message.text = mime::html_to_text(*message.html);
    std::uint16_t next = 0;
    const auto past_us = [&](std::string_view address) -> std::optional<std::string> {
        if (!followed.clicks) return std::nullopt;
        auto target = web_address(address);
        if (!target || links_.is_ours(*target)) return std::nullopt;
        if (next == std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
        return links_.click({mail_id, next++, *std::move(target)});
    };
    const auto opened = followed.opens ? links_.open(mail_id) : std::optional<std::string>();
    message.html =
        mime::replace_links(*message.html, past_us, opened ? picture(*opened) : std::string());
}

}  // namespace mailroom::engagement
