#include "engagement/notifications/sendgrid.h"

#include "base/base64.h"

#include <charconv>
#include <string>

namespace mailroom::engagement::notifications {

namespace {

using bounces::Cause;
using bounces::Severity;

constexpr std::string_view provider = "sendgrid";

Error wrong(const std::string& what) { return {Errc::invalid, what}; }

Result<Time> time_of_seconds(std::optional<std::int64_t> seconds, std::string_view name) {
    const bool is_time = seconds && *seconds >= 0 && *seconds < 10'000'000'000;
    return checked_time(is_time ? std::optional(from_unix_ms(*seconds * 1000)) : std::nullopt,
                        name);
}

// What they did not even send, because of what had happened before.
std::optional<Cause> cause_of_drop(std::string_view reason) {
    if (reason.starts_with("Bounced Address")) return Cause::mailbox_unknown;
    if (reason.starts_with("Invalid")) return Cause::address_invalid;
    return std::nullopt;
}

Cause cause_of_bounce(const json::View& event) {
    const bool is_block = text_member(event, "type") == "blocked";
    const auto diagnosis = bounces::classify(
        {.status = text_member(event, "status"), .text = text_member(event, "reason")});
    const auto by_type = is_block ? Cause::policy : Cause::mailbox_unknown;
    if (diagnosis.severity == Severity::unclear) return by_type;
    // A block is never the end of an address, whatever its words are.
    return is_block && diagnosis.severity == Severity::hard ? by_type : diagnosis.cause;
}

std::optional<Bounce> read_bounce(const json::View& event) {
    const auto reason = text_member(event, "reason");
    std::optional<Cause> cause = cause_of_bounce(event);
    if (text_member(event, "event") == "dropped") cause = cause_of_drop(reason);
    if (!cause) return std::nullopt;
    auto bounce = bounce_of(*cause, "", reason, provider);
    bounce.notification_id = kept_text(text_member(event, "sg_event_id"));
    return bounce;
}

std::optional<EventType> type_of(const json::View& event) {
    const auto name = text_member(event, "event");
    if (name == "delivered") return EventType::delivery;
    if (name == "open") return EventType::open;
    if (name == "click") return EventType::click;
    if (name == "bounce" || name == "dropped") return EventType::bounce;
    if (name == "spamreport") return EventType::complaint;
    if (name == "unsubscribe" || name == "group_unsubscribe") return EventType::unsubscribe;
    return std::nullopt;
}

Result<Told> read_event(const json::View& event, EventType type) {
    const auto id = text_member(event, "sg_event_id");
    if (id.empty()) return wrong("sg_event_id is missing");
    Told told;
    auto& happening = told.happening;
    happening.id = told_id(provider, {id});
    happening.type = type;
    happening.at = TRY(time_of_seconds(integer_member(event, "timestamp"), "timestamp"));
    happening.email = std::string(text_member(event, "email"));
    told.our_message_id = message_id_of(text_member(event, "smtp-id"));
    happening.message_id = kept_text(text_member(event, "sg_message_id"));
    happening.link_url = std::string(text_member(event, "url"));
    happening.user_agent = kept_text(text_member(event, "useragent"));
    happening.is_machine = is_member_true(event, "sg_machine_open");
    if (happening.is_machine) happening.machine_reason = "prefetch";
    if (type == EventType::complaint) happening.feedback_type = "abuse";
    if (type == EventType::unsubscribe) happening.reason = provider;
    if (type == EventType::bounce) {
        happening.bounce = read_bounce(event);
        if (!happening.bounce) return wrong("nothing bounced");
    }
    return told;
}

}  // namespace

Result<Time> read_sendgrid_time(std::string_view timestamp) {
    std::int64_t seconds = 0;
    const auto* end = timestamp.data() + timestamp.size();
    const auto read = std::from_chars(timestamp.data(), end, seconds);
    const bool is_number = read.ec == std::errc() && read.ptr == end;
    return time_of_seconds(is_number ? std::optional(seconds) : std::nullopt,
                           sendgrid_timestamp_header);
}

bool is_signed_by(const PublicKey& key, std::string_view timestamp, std::string_view body,
                  std::string_view signature) {
    const auto decoded = base64_decode(signature);
    if (!decoded) return false;
    return key.verifies(std::string(timestamp).append(body), *decoded, Digest::sha256);
}

Result<Telling> read_sendgrid(std::string_view text) {
    json::Parser parser;
    const auto body = parser.parse(text);
    if (!body) return wrong("the body is " + std::string(describe(body.error())));
    if (body->type() != json::View::Type::list) return wrong("the body is no list of events");
    Telling telling;
    json::Elements elements(*body);
    json::View event;
    while (elements.next(event)) {
        if (telling.told.size() + telling.ignored >= told_max) {
            return wrong("more than " + std::to_string(told_max) + " events");
        }
        const auto type = type_of(event);
        auto told = type ? read_event(event, *type) : Result<Told>(wrong("not ours"));
        if (told) {
            telling.told.push_back(*std::move(told));
        } else {
            ++telling.ignored;
        }
    }
    return telling;
}

}  // namespace mailroom::engagement::notifications
