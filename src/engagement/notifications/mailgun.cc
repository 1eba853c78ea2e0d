#include "engagement/notifications/mailgun.h"

#include "engagement/notifications/signatures.h"

#include <charconv>
#include <cmath>

namespace mailroom::engagement::notifications {

namespace {

using bounces::Cause;
using bounces::Severity;

constexpr std::string_view provider = "mailgun";
constexpr std::size_t token_bytes_max = 200;

Error wrong(const std::string& what) { return {Errc::invalid, what}; }

// Seconds with a fraction.
Result<Time> read_time(const json::View& event) {
    const auto found = member(event, "timestamp");
    std::optional<Time> time;
    if (found) {
        using Type = json::View::Type;
        const bool is_number = found->type() == Type::integer || found->type() == Type::decimal;
        const double seconds = is_number ? found->decimal() : -1;
        // Beyond it no time is one that mails have.
        if (seconds >= 0 && seconds < 1e10) time = from_unix_ms(std::llround(seconds * 1000));
    }
    return checked_time(time, "event-data.timestamp");
}

Cause cause_of_failure(const json::View& event) {
    const auto status = member(event, "delivery-status").value_or(event);
    const auto code = integer_member(status, "code").value_or(0);
    const auto diagnosis =
        bounces::classify({.code = code >= 400 && code < 600 ? static_cast<int>(code) : 0,
                           .status = text_member(status, "enhanced-code"),
                           .text = text_member(status, "message"),
                           .host = text_member(status, "mx-host")});
    // They knew that it would bounce, and did not try.
    if (text_member(event, "reason") == "suppress-bounce") return Cause::mailbox_unknown;
    if (diagnosis.severity != Severity::unclear) return diagnosis.cause;
    if (text_member(status, "bounce-type") == "hard") return Cause::mailbox_unknown;
    return text_member(event, "reason") == "espblock" ? Cause::policy : Cause::unclear;
}

void read_failure(const json::View& event, Happening& happening) {
    const auto status = member(event, "delivery-status").value_or(event);
    auto text = text_member(status, "message");
    if (text.empty()) text = text_member(status, "description");
    happening.bounce = bounce_of(cause_of_failure(event), "", text, provider);
    happening.bounce->notification_id = kept_text(text_member(event, "id"));
}

// Nothing came of it yet, or nobody was asked because they had unsubscribed or complained.
bool is_told(const json::View& event) {
    if (text_member(event, "severity") == "temporary") return false;
    const auto reason = text_member(event, "reason");
    return reason != "suppress-unsubscribe" && reason != "suppress-complaint";
}

std::optional<EventType> type_of(const json::View& event) {
    const auto name = text_member(event, "event");
    if (name == "delivered") return EventType::delivery;
    if (name == "opened") return EventType::open;
    if (name == "clicked") return EventType::click;
    if (name == "complained") return EventType::complaint;
    if (name == "unsubscribed") return EventType::unsubscribe;
    if (name == "failed" && is_told(event)) return EventType::bounce;
    return std::nullopt;
}

void read_client(const json::View& event, Happening& happening) {
    const auto client = member(event, "client-info").value_or(event);
    happening.user_agent = kept_text(text_member(client, "user-agent"));
    const auto bot = text_member(client, "bot");
    happening.is_machine = !bot.empty();
    if (happening.is_machine) happening.machine_reason = "prefetch";
}

Result<Told> read_event(const json::View& event, EventType type) {
    const auto id = text_member(event, "id");
    if (id.empty()) return wrong("event-data.id is missing");
    Told told;
    auto& happening = told.happening;
    happening.id = told_id(provider, {id});
    happening.type = type;
    happening.at = TRY(read_time(event));
    happening.email = std::string(text_member(event, "recipient"));
    const auto message = member(event, "message").value_or(event);
    const auto headers = member(message, "headers").value_or(event);
    told.our_message_id = message_id_of(text_member(headers, "message-id"));
    happening.message_id = told.our_message_id;
    happening.subject = kept_text(text_member(headers, "subject"));
    happening.link_url = std::string(text_member(event, "url"));
    if (type == EventType::open || type == EventType::click) read_client(event, happening);
    if (type == EventType::bounce) read_failure(event, happening);
    if (type == EventType::unsubscribe) happening.reason = provider;
    return told;
}

}  // namespace

Result<MailgunSignature> read_mailgun_signature(std::string_view text) {
    json::Parser parser;
    const auto body = parser.parse(text);
    if (!body) return wrong("the body is " + std::string(describe(body.error())));
    const auto view = member(*body, "signature");
    if (!view) return wrong("signature is missing");
    MailgunSignature signature{.at = {},
                               .timestamp = std::string(text_member(*view, "timestamp")),
                               .token = std::string(text_member(*view, "token")),
                               .signature = std::string(text_member(*view, "signature"))};
    std::int64_t seconds = 0;
    const auto* end = signature.timestamp.data() + signature.timestamp.size();
    const auto read = std::from_chars(signature.timestamp.data(), end, seconds);
    const bool is_number = read.ec == std::errc() && read.ptr == end;
    const bool is_time = is_number && seconds >= 0 && seconds < 10'000'000'000;
    signature.at =
        TRY(checked_time(is_time ? std::optional(from_unix_ms(seconds * 1000)) : std::nullopt,
                         "signature.timestamp"));
    if (signature.token.empty() || signature.token.size() > token_bytes_max) {
        return wrong("signature.token is missing or too long");
    }
    return signature;
}

bool is_signed_by(const MailgunSignature& signature, std::string_view key) {
    return same_secret(hmac_sha256_hex(key, signature.timestamp + signature.token),
                       signature.signature);
}

Result<Telling> read_mailgun(std::string_view text) {
    json::Parser parser;
    const auto body = parser.parse(text);
    if (!body) return wrong("the body is " + std::string(describe(body.error())));
    const auto event = member(*body, "event-data");
    if (!event || event->type() != json::View::Type::object) {
        return wrong("event-data is missing");
    }
    const auto type = type_of(*event);
    if (!type) return Telling{.told = {}, .ignored = 1};
    Telling telling;
    telling.told.push_back(TRY(read_event(*event, *type)));
    return telling;
}

}  // namespace mailroom::engagement::notifications
