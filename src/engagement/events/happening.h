// Something that happened to a mail, or that a person did with it, as whoever noticed it tells it.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "engagement/bounces/severity.h"

#include <array>
#include <optional>
#include <string>

namespace mailroom::engagement {

// In the order in which a mail meets them. The names are in rows, and those of the seed are its
// own: never change one.
enum class EventType {
    sent,      // It left: kept as a SENT row, not among the events.
    delivery,  // A server took it.
    open,
    click,
    bounce,
    complaint,
    reply,
    unsubscribe,
    skipped,  // It was not sent, because the person may not be written to.
};
constexpr auto names_of(EventType) {
    using enum EventType;
    return std::array{
        Name{sent, "sent"},   Name{delivery, "delivery"},       Name{open, "open"},
        Name{click, "click"}, Name{bounce, "bounce"},           Name{complaint, "complaint"},
        Name{reply, "reply"}, Name{unsubscribe, "unsubscribe"}, Name{skipped, "skipped"}};
}

// Why the mail did not arrive.
struct Bounce {
    bounces::Severity severity = bounces::Severity::unclear;
    std::string type;      // "Permanent", "Transient", "Undetermined": the seed's words.
    std::string subclass;  // "mailbox-full": the classifier's word for it.
    std::string diagnostic;
    std::string provider;         // Who said so: "gmail", "ses"; empty: not known.
    std::string notification_id;  // The provider's own, if it is one's notification.
};

// What is empty is not known, and is taken from what is kept of the mail, if that is named.
struct Happening {
    // What it is known by, 1 to 200 bytes: told again with the same one it is the same happening,
    // however often, by whomever. `at` must be the same then, too.
    std::string id;
    EventType type = EventType::delivery;
    Time at;  // When it happened, not when we heard of it.
    // The person, in any spelling. Empty: the only recipient of the mail.
    std::string email;

    std::string mail_id;
    std::string template_key, sequence_id, subject;
    std::string message_id;  // Of our mail, without brackets: what the seed calls sesMessageId.

    bool is_machine = false;     // No person did it.
    std::string machine_reason;  // "prefetch", "scanner": how that is known.
    std::string link_url, user_agent;
    std::string body;    // Of a reply.
    std::string reason;  // Of one that was skipped; of an unsubscribe: how.
    // Of a bounce; of a complaint what is said of its notification.
    std::optional<Bounce> bounce;
    // A complaint is not the person's if it was taken back ("not-spam").
    std::string feedback_type;
};

}  // namespace mailroom::engagement
