#include "engagement/notifications/sns_message.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "engagement/notifications/told.h"
#include "json/json.h"

#include <algorithm>

namespace mailroom::engagement::notifications {

namespace {

Error wrong(const std::string& what) { return {Errc::invalid, what}; }

std::optional<SnsMessage::Type> type_of(std::string_view name) {
    using enum SnsMessage::Type;
    if (name == "Notification") return notification;
    if (name == "SubscriptionConfirmation") return subscription;
    if (name == "UnsubscribeConfirmation") return farewell;
    return std::nullopt;
}

std::string_view name_of(SnsMessage::Type type) {
    switch (type) {
        case SnsMessage::Type::notification:
            return "Notification";
        case SnsMessage::Type::subscription:
            return "SubscriptionConfirmation";
        case SnsMessage::Type::farewell:
            break;
    }
    return "UnsubscribeConfirmation";
}

bool is_of_region(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

// sns.eu-west-1.amazonaws.com, or the same with .cn behind it.
bool is_sns_host(std::string_view host) {
    constexpr std::string_view begin = "sns.";
    if (host.ends_with(".amazonaws.com.cn")) host.remove_suffix(3);
    constexpr std::string_view end = ".amazonaws.com";
    if (!host.starts_with(begin) || !host.ends_with(end)) return false;
    if (host.size() < begin.size() + 3 + end.size()) return false;
    host.remove_prefix(begin.size());
    host.remove_suffix(end.size());
    return std::ranges::all_of(host, is_of_region);
}

bool is_sns_url(const net::Url& url) {
    return url.scheme() == net::Scheme::https && url.port() == 443 && is_sns_host(url.host());
}

Result<> read_signature(const json::View& body, SnsMessage& message) {
    const auto version = text_member(body, "SignatureVersion");
    if (version != "1" && version != "2") return wrong("SignatureVersion must be 1 or 2");
    message.digest = version == "1" ? Digest::sha1 : Digest::sha256;
    auto signature = base64_decode(text_member(body, "Signature"));
    if (!signature) return wrong("Signature is no base 64");
    message.signature = *std::move(signature);
    return Ok{};
}

}  // namespace

Result<SnsMessage> SnsMessage::parse(std::string_view text) {
    json::Parser parser;
    const auto body = parser.parse(text);
    if (!body) return wrong("the body is " + std::string(describe(body.error())));
    const auto type = type_of(text_member(*body, "Type"));
    if (!type) return wrong("Type is none of Amazon SNS");
    auto url = net::Url::parse(text_member(*body, "SigningCertURL"));
    if (!url || !is_certificate_url(*url)) return wrong("SigningCertURL is not Amazon's");
    const auto at = TRY(time_member(*body, "Timestamp"));

    SnsMessage message{.type = *type,
                       .id = std::string(text_member(*body, "MessageId")),
                       .topic = std::string(text_member(*body, "TopicArn")),
                       .message = std::string(text_member(*body, "Message")),
                       .at = at,
                       .subject = std::nullopt,
                       .token = std::string(text_member(*body, "Token")),
                       .subscribe_url = std::string(text_member(*body, "SubscribeURL")),
                       .signature = {},
                       .digest = Digest::sha1,
                       .certificate_url = *std::move(url),
                       .timestamp = std::string(text_member(*body, "Timestamp"))};
    const auto subject = member(*body, "Subject");
    if (subject && subject->type() == json::View::Type::text) {
        message.subject = std::string(subject->text());
    }
    TRY(read_signature(*body, message));
    return message;
}

std::string SnsMessage::signed_text() const {
    std::string out;
    const auto add = [&](std::string_view name, std::string_view value) {
        out.append(name).append("\n").append(value).append("\n");
    };
    add("Message", message);
    add("MessageId", id);
    if (type == Type::notification) {
        if (subject) add("Subject", *subject);
    } else {
        add("SubscribeURL", subscribe_url);
    }
    add("Timestamp", timestamp);
    if (type != Type::notification) add("Token", token);
    add("TopicArn", topic);
    add("Type", name_of(type));
    return out;
}

bool is_certificate_url(const net::Url& url) {
    constexpr std::string_view begin = "/SimpleNotificationService-";
    return is_sns_url(url) && !url.query() && url.path().starts_with(begin) &&
           url.path().ends_with(".pem") && url.path().find('/', 1) == std::string::npos;
}

bool is_confirmation_url(const net::Url& url) {
    return is_sns_url(url) && url.path() == "/" && url.query() &&
           url.query()->starts_with("Action=ConfirmSubscription&");
}

}  // namespace mailroom::engagement::notifications
