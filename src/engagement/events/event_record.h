// An event as a row of EmailEvents has it, whoever wrote it, for those who look at it.
#pragma once

#include "base/clock.h"
#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "table/records/record.h"

#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::engagement {

// Left out of rows and answers where it is empty.
template <class At>
constexpr table::Member<At> if_known(const char* name, At at, const char* about = "") {
    return {name, name, at, table::Need::omitted, about};
}

struct EventRecord {
    std::string email;  // Canonical.
    std::string type, at, template_key, sequence_id, subject, message_id, mail_id, link_url;
    std::string user_agent, body, reason, feedback_type, machine_reason, id;
    std::string bounce_type, severity, subclass, diagnostic, provider;
    bool is_machine = false;

    static constexpr std::string_view record_name = "EngagementEvent";
    static constexpr auto fields = std::tuple{
        table::shown("email", &EventRecord::email),
        table::kept("eventType", &EventRecord::type,
                    "delivery, open, click, bounce, complaint, reply, unsubscribe or skipped."),
        table::kept("timestamp", &EventRecord::at, "When it happened."),
        if_known("templateKey", &EventRecord::template_key),
        if_known("sequenceId", &EventRecord::sequence_id),
        if_known("subject", &EventRecord::subject),
        if_known("sesMessageId", &EventRecord::message_id, "The Message-ID, or the provider's."),
        if_known("mailroomMailId", &EventRecord::mail_id, "The mail, if it is one of ours."),
        if_known("linkUrl", &EventRecord::link_url),
        if_known("userAgent", &EventRecord::user_agent),
        if_known("body", &EventRecord::body),
        if_known("reason", &EventRecord::reason, "Why it was skipped; how somebody unsubscribed."),
        if_known("feedbackType", &EventRecord::feedback_type),
        if_known("machine", &EventRecord::is_machine, "No person did it."),
        if_known("machineReason", &EventRecord::machine_reason),
        if_known("bounceType", &EventRecord::bounce_type),
        if_known("bounceSeverity", &EventRecord::severity),
        if_known("bounceSubclass", &EventRecord::subclass),
        if_known("diagnostic", &EventRecord::diagnostic, "What the server said."),
        if_known("provider", &EventRecord::provider),
        if_known("eventId", &EventRecord::id)};
    // The key says when it was, and of whom, also where another program left that out.
    static Result<> settle(EventRecord& event, const table::ItemView& row);
};

}  // namespace mailroom::engagement
