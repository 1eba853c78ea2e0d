#include "engagement/notifications/postmark.h"

#include "base/base64.h"
#include "base/text.h"
#include "base/time_format.h"
#include "engagement/notifications/signatures.h"

#include <array>

namespace mailroom::engagement::notifications {

namespace {

using bounces::Cause;
using bounces::Severity;

constexpr std::string_view provider = "postmark";

// https://postmarkapp.com/developer/api/bounce-api#bounce-types; of others nothing follows.
struct BounceType {
    std::string_view name;
    Cause cause;
};
constexpr auto bounce_types = std::to_array<BounceType>({
    {"HardBounce", Cause::mailbox_unknown},
    {"BadEmailAddress", Cause::address_invalid},
    {"SoftBounce", Cause::mailbox_unavailable},
    {"Undeliverable", Cause::mailbox_unavailable},
    {"DnsError", Cause::server_failed},
    {"Blocked", Cause::policy},
    {"SpamNotification", Cause::content},
    {"VirusNotification", Cause::content},
    {"DMARCPolicy", Cause::authentication},
    {"Unknown", Cause::unclear},
});

Error wrong(const std::string& what) { return {Errc::invalid, what}; }

std::optional<Cause> cause_of_type(std::string_view name) {
    for (const auto& known : bounce_types) {
        if (known.name == name) return known.cause;
    }
    return std::nullopt;
}

// Only what they call hard is: they know the mailbox, we only its words.
Cause cause_of(Cause by_type, std::string_view diagnostic) {
    const auto diagnosis = bounces::classify({.text = diagnostic});
    if (diagnosis.severity == Severity::unclear) return by_type;
    const bool is_hard = severity_of(by_type) == Severity::hard;
    return diagnosis.severity == Severity::hard && !is_hard ? by_type : diagnosis.cause;
}

// What each kind of record calls whom and when, and what it tells of.
struct Kind {
    std::string_view name;
    EventType type;
    std::string_view whom, when;
};
constexpr auto kinds = std::to_array<Kind>({
    {"Delivery", EventType::delivery, "Recipient", "DeliveredAt"},
    {"Bounce", EventType::bounce, "Email", "BouncedAt"},
    {"SpamComplaint", EventType::complaint, "Email", "BouncedAt"},
    {"Open", EventType::open, "Recipient", "ReceivedAt"},
    {"Click", EventType::click, "Recipient", "ReceivedAt"},
    {"SubscriptionChange", EventType::unsubscribe, "Recipient", "ChangedAt"},
});

// A person took themselves off; what else stops a stream is told by itself, or was done by hand.
bool is_unsubscribe(const json::View& body) {
    return is_member_true(body, "SuppressSending") &&
           text_member(body, "SuppressionReason") == "ManualSuppression" &&
           text_member(body, "Origin") == "Recipient";
}

bool read_bounce(const json::View& body, Happening& happening) {
    const auto type = text_member(body, "Type");
    const auto cause = cause_of_type(type);
    if (!cause) return false;
    auto diagnostic = text_member(body, "Details");
    if (diagnostic.empty()) diagnostic = text_member(body, "Description");
    happening.bounce = bounce_of(cause_of(*cause, diagnostic), "", diagnostic, provider);
    const auto id = integer_member(body, "ID");
    if (id) happening.bounce->notification_id = std::to_string(*id);
    return true;
}

Result<Telling> read_record(const json::View& body, const Kind& kind) {
    Telling telling;
    Told told;
    auto& happening = told.happening;
    happening.type = kind.type;
    happening.at = TRY(time_member(body, kind.when));
    happening.email = std::string(text_member(body, kind.whom));
    happening.message_id = kept_text(text_member(body, "MessageID"));
    told.our_message_id = happening.message_id;
    happening.subject = kept_text(text_member(body, "Subject"));
    happening.link_url = std::string(text_member(body, "OriginalLink"));
    happening.user_agent = kept_text(text_member(body, "UserAgent"));
    if (kind.type == EventType::complaint) happening.feedback_type = "abuse";
    if (kind.type == EventType::unsubscribe) happening.reason = provider;
    if ((kind.type == EventType::bounce && !read_bounce(body, happening)) ||
        (kind.type == EventType::unsubscribe && !is_unsubscribe(body))) {
        return Telling{.told = {}, .ignored = 1};
    }
    happening.id = told_id(provider, {kind.name, happening.message_id, happening.email,
                                      format_rfc3339(happening.at), happening.link_url});
    telling.told.push_back(std::move(told));
    return telling;
}

}  // namespace

bool is_basic_login(std::string_view header, std::string_view user, std::string_view password) {
    const auto blank = header.find(' ');
    if (blank == header.npos || !ascii_equal_ignoring_case(header.substr(0, blank), "basic")) {
        return false;
    }
    const auto given = base64_decode(trim(header.substr(blank)));
    return given && same_secret(*given, std::string(user) + ":" + std::string(password));
}

Result<Telling> read_postmark(std::string_view text) {
    json::Parser parser;
    const auto body = parser.parse(text);
    if (!body) return wrong("the body is " + std::string(describe(body.error())));
    const auto name = text_member(*body, "RecordType");
    if (name.empty()) return wrong("RecordType is missing");
    for (const auto& kind : kinds) {
        if (kind.name == name) return read_record(*body, kind);
    }
    return Telling{.told = {}, .ignored = 1};
}

}  // namespace mailroom::engagement::notifications
