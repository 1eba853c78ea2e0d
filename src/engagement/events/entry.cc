#include "engagement/events/entry.h"

#include "base/time_format.h"
#include "engagement/events/facts.h"
#include "engagement/events/rows.h"
#include "people/canonical.h"
#include "table/records/storable.h"

#include <utility>

namespace mailroom::engagement {

namespace {

// Texts of other people's making; a row holds 400 KB.
constexpr std::size_t name_bytes_max = 512, subject_bytes_max = 2048, link_bytes_max = 8 * 1024;
constexpr std::size_t line_bytes_max = 1024, diagnostic_bytes_max = 4 * 1024;
constexpr std::size_t body_bytes_max = 200 * 1024;

void take_if_empty(std::string& to, const std::string& from) {
    if (to.empty()) to = from;
}

void take_from_mail(Happening& happening, const FollowedMail& mail) {
    take_if_empty(happening.email, mail.email);
    take_if_empty(happening.template_key, mail.template_key);
    take_if_empty(happening.sequence_id, mail.sequence_id);
    take_if_empty(happening.subject, mail.subject);
    take_if_empty(happening.message_id, mail.message_id);
    take_if_empty(happening.mail_id, mail.id);
}

// The seed counts these for every mail; a reply to nothing we know belongs to no sequence.
bool always_has_sequence(EventType type) {
    switch (type) {
        case EventType::sent:
        case EventType::delivery:
        case EventType::open:
        case EventType::click:
        case EventType::bounce:
        case EventType::complaint:
            return true;
        case EventType::reply:
        case EventType::unsubscribe:
        case EventType::skipped:
            return false;
    }
    return false;
}

void cut(Happening& happening) {
    using table::storable;
    for (auto* name : {&happening.template_key, &happening.sequence_id, &happening.message_id}) {
        *name = storable(*name, name_bytes_max);
    }
    for (auto* line : {&happening.user_agent, &happening.machine_reason, &happening.reason,
                       &happening.feedback_type}) {
        *line = storable(*line, line_bytes_max);
    }
    happening.subject = storable(happening.subject, subject_bytes_max);
    happening.link_url = storable(happening.link_url, link_bytes_max);
    happening.body = storable(happening.body, body_bytes_max);
    if (!happening.bounce) return;
    auto& bounce = *happening.bounce;
    for (auto* line : {&bounce.type, &bounce.subclass, &bounce.provider, &bounce.notification_id}) {
        *line = storable(*line, line_bytes_max);
    }
    bounce.diagnostic = storable(bounce.diagnostic, diagnostic_bytes_max);
}

void set_if_any(table::Item& row, std::string_view name, const std::string& text) {
    if (!text.empty()) row.set(name, table::Value(text));
}

void set_bounce(table::Item& row, EventType type, const Bounce& bounce) {
    if (type == EventType::bounce) {
        row.set("bounceSeverity", table::Value(name_of(bounce.severity)));
        set_if_any(row, "bounceType", bounce.type);
    }
    set_if_any(row, "bounceSubclass", bounce.subclass);
    set_if_any(row, "diagnostic", bounce.diagnostic);
    set_if_any(row, "provider", bounce.provider);
    set_if_any(row, "notificationId", bounce.notification_id);
}

void set_event(table::Item& row, const Happening& happening) {
    set_if_any(row, "templateKey", happening.template_key);
    set_if_any(row, "sequenceId", happening.sequence_id);
    row.set("eventType", table::Value(name_of(happening.type)));
    row.set("eventId", table::Value(happening.id));
    set_if_any(row, "linkUrl", happening.link_url);
    set_if_any(row, "userAgent", happening.user_agent);
    set_if_any(row, "reason", happening.reason);
    set_if_any(row, "feedbackType", happening.feedback_type);
    if (happening.type == EventType::reply) row.set("body", table::Value(happening.body));
    if (happening.is_machine) {
        row.set("machine", table::Value(true));
        set_if_any(row, "machineReason", happening.machine_reason);
    }
    if (happening.bounce) set_bounce(row, happening.type, *happening.bounce);
}

}  // namespace

Answer<Entry> make_entry(const Happening& happening, const std::optional<FollowedMail>& mail) {
    if (happening.id.empty() || happening.id.size() > event_id_bytes_max) {
        return Refusal::bad_field(
            "id", "must have 1 to " + std::to_string(event_id_bytes_max) + " bytes");
    }
    Entry entry{.happening = happening, .email = {}, .mail = {}};
    if (mail) take_from_mail(entry.happening, *mail);
    cut(entry.happening);
    if (entry.happening.email.empty()) {
        return Refusal::bad_field("email", "is missing, and its mail does not say who got it");
    }
    auto canonical = people::canonical_of(entry.happening.email);
    if (!canonical) return Refusal::bad_field("email", canonical.error().message);
    entry.email = *std::move(canonical);
    if (entry.happening.sequence_id.empty() &&
        (mail || always_has_sequence(entry.happening.type))) {
        entry.happening.sequence_id = no_sequence;
    }
    // One that left us elsewhere has no id of ours.
    entry.mail = entry.happening.mail_id;
    if (entry.mail.empty() && !entry.happening.message_id.empty()) {
        entry.mail = "mid:" + bare_message_id(entry.happening.message_id);
    }
    return entry;
}

table::Item row_of(const Entry& entry, const std::string& sort, std::int64_t until) {
    const auto& happening = entry.happening;
    auto row = rows::key(rows::person(entry.email), sort);
    row.set("subject", table::Value(happening.subject));
    row.set("sesMessageId", table::Value(bare_message_id(happening.message_id)));
    set_if_any(row, "mailroomMailId", happening.mail_id);
    if (happening.type == EventType::sent) {
        row.set("templateKey", table::Value(happening.template_key));
        row.set("sequenceId", table::Value(happening.sequence_id));
        row.set("mailroomEventId", table::Value(happening.id));
    } else {
        set_event(row, happening);
        row.set("timestamp", table::Value(format_rfc3339(happening.at)));
    }
    if (until > 0) row.set(rows::expiry, table::Value(until));
    return row;
}

}  // namespace mailroom::engagement
