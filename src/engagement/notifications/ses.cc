#include "engagement/notifications/ses.h"

#include "base/text.h"
#include "base/time_format.h"

#include <functional>
#include <utility>

namespace mailroom::engagement::notifications {

namespace {

using bounces::Cause;
using bounces::Diagnosis;
using bounces::Severity;

constexpr std::string_view provider = "ses";

// What all recipients of one notification share.
struct Mail {
    std::string ses_id, our_message_id, template_key, sequence_id, subject;
    std::vector<std::string> destination;
};

std::vector<std::string> texts_of(const std::optional<json::View>& list) {
    std::vector<std::string> texts;
    if (!list || list->type() != json::View::Type::list) return texts;
    json::Elements elements(*list);
    json::View element;
    while (elements.next(element) && texts.size() < told_max) {
        if (element.type() == json::View::Type::text) texts.emplace_back(element.text());
    }
    return texts;
}

void take_header(const json::View& header, Mail& mail) {
    const auto name = text_member(header, "name");
    const auto value = text_member(header, "value");
    const auto take = [&](std::string_view wanted, std::string& to) {
        if (to.empty() && ascii_equal_ignoring_case(name, wanted)) to = kept_text(value);
    };
    take("Subject", mail.subject);
    take("X-Template-Key", mail.template_key);
    take("X-Sequence-Id", mail.sequence_id);
    if (mail.our_message_id.empty() && ascii_equal_ignoring_case(name, "Message-ID")) {
        mail.our_message_id = message_id_of(value);
    }
}

Result<Mail> read_mail(const json::View& body) {
    const auto view = member(body, "mail");
    if (!view) return Error{Errc::invalid, "mail is missing"};
    Mail mail{.ses_id = kept_text(text_member(*view, "messageId")),
              .our_message_id = {},
              .template_key = {},
              .sequence_id = {},
              .subject = {},
              .destination = texts_of(member(*view, "destination"))};
    if (mail.ses_id.empty()) return Error{Errc::invalid, "mail.messageId is missing"};
    const auto headers = member(*view, "headers");
    if (headers && headers->type() == json::View::Type::list) {
        json::Elements elements(*headers);
        json::View header;
        while (elements.next(header)) take_header(header, mail);
    }
    return mail;
}

Told told_of(const Mail& mail, EventType type, Time at, const std::string& email) {
    Told told;
    told.our_message_id = mail.our_message_id;
    auto& happening = told.happening;
    happening.type = type;
    happening.at = at;
    happening.email = email;
    happening.template_key = mail.template_key;
    happening.sequence_id = mail.sequence_id;
    happening.subject = mail.subject;
    happening.message_id = mail.ses_id;
    return told;
}

// The sub-type says why, where the diagnostic does not.
Cause cause_of_sub_type(std::string_view type, std::string_view sub_type) {
    if (sub_type == "MailboxFull") return Cause::mailbox_full;
    if (sub_type == "MessageTooLarge") return Cause::message_too_large;
    if (sub_type == "ContentRejected" || sub_type == "AttachmentRejected") return Cause::content;
    if (sub_type == "CustomTimeoutExceeded") return Cause::expired;
    if (type == "Permanent") return Cause::mailbox_unknown;
    return type == "Transient" ? Cause::mailbox_unavailable : Cause::unclear;
}

// The provider's word on whether it is for good, and the server's on why.
Cause cause_of(std::string_view type, std::string_view sub_type, const Diagnosis& diagnosis) {
    const auto by_sub_type = cause_of_sub_type(type, sub_type);
    if (diagnosis.severity == Severity::unclear) return by_sub_type;
    if (diagnosis.severity == Severity::hard && type != "Permanent") return by_sub_type;
    return diagnosis.cause;
}

Result<Telling> read_bounce(const json::View& bounce, const Mail& mail) {
    const auto type = text_member(bounce, "bounceType");
    const auto sub_type = text_member(bounce, "bounceSubType");
    const auto feedback = text_member(bounce, "feedbackId");
    const auto at = TRY(time_member(bounce, "timestamp"));
    const auto recipients = member(bounce, "bouncedRecipients");
    if (!recipients || recipients->type() != json::View::Type::list) {
        return Error{Errc::invalid, "bounce.bouncedRecipients is missing"};
    }
    Telling telling;
    json::Elements elements(*recipients);
    json::View recipient;
    while (elements.next(recipient) && telling.told.size() < told_max) {
        const std::string email(text_member(recipient, "emailAddress"));
        const auto diagnostic = text_member(recipient, "diagnosticCode");
        const auto diagnosis =
            bounces::classify({.status = text_member(recipient, "status"), .text = diagnostic});
        auto told = told_of(mail, EventType::bounce, at, email);
        told.happening.bounce =
            bounce_of(cause_of(type, sub_type, diagnosis), type, diagnostic, provider);
        told.happening.bounce->notification_id = kept_text(feedback);
        told.happening.id = told_id(provider, {"bounce", mail.ses_id, feedback, email});
        telling.told.push_back(std::move(told));
    }
    return telling;
}

Result<Telling> read_complaint(const json::View& complaint, const Mail& mail) {
    const auto feedback = text_member(complaint, "feedbackId");
    const auto at = TRY(time_member(complaint, "timestamp"));
    const auto recipients = member(complaint, "complainedRecipients");
    if (!recipients || recipients->type() != json::View::Type::list) {
        return Error{Errc::invalid, "complaint.complainedRecipients is missing"};
    }
    Telling telling;
    json::Elements elements(*recipients);
    json::View recipient;
    while (elements.next(recipient) && telling.told.size() < told_max) {
        const std::string email(text_member(recipient, "emailAddress"));
        auto told = told_of(mail, EventType::complaint, at, email);
        told.happening.feedback_type = kept_text(text_member(complaint, "complaintFeedbackType"));
        told.happening.id = told_id(provider, {"complaint", mail.ses_id, feedback, email});
        telling.told.push_back(std::move(told));
    }
    return telling;
}

// Those that tell only that it happened, to each of `emails`.
Result<Telling> read_plain(const json::View& event, EventType type, const Mail& mail,
                           const std::vector<std::string>& emails) {
    const auto at = TRY(time_member(event, "timestamp"));
    const auto link = text_member(event, "link");
    Telling telling;
    for (const auto& email : emails) {
        auto told = told_of(mail, type, at, email);
        told.happening.link_url = std::string(link);
        told.happening.user_agent = kept_text(text_member(event, "userAgent"));
        told.happening.id =
            told_id(provider, {name_of(type), mail.ses_id, email, format_rfc3339(at), link});
        telling.told.push_back(std::move(told));
    }
    return telling;
}

Result<Telling> read_event(std::string_view type, const json::View& event, const Mail& mail) {
    if (type == "Bounce") return read_bounce(event, mail);
    if (type == "Complaint") return read_complaint(event, mail);
    if (type == "Open") return read_plain(event, EventType::open, mail, mail.destination);
    if (type == "Click") return read_plain(event, EventType::click, mail, mail.destination);
    const auto recipients = texts_of(member(event, "recipients"));
    return read_plain(event, EventType::delivery, mail,
                      recipients.empty() ? mail.destination : recipients);
}

std::string_view type_of(const json::View& body) {
    const auto type = text_member(body, "eventType");
    return type.empty() ? text_member(body, "notificationType") : type;
}

}  // namespace

Result<Telling> read_ses(std::string_view message) {
    json::Parser parser;
    const auto body = parser.parse(message);
    if (!body || body->type() != json::View::Type::object) {
        return Error{Errc::invalid, "the message is no JSON object"};
    }
    const auto type = type_of(*body);
    constexpr std::pair<std::string_view, std::string_view> known[] = {{"Delivery", "delivery"},
                                                                       {"Open", "open"},
                                                                       {"Click", "click"},
                                                                       {"Bounce", "bounce"},
                                                                       {"Complaint", "complaint"}};
    for (const auto& [name, member_name] : known) {
        if (type != name) continue;
        const auto mail = TRY(read_mail(*body));
        const auto event = member(*body, member_name);
        if (!event) return Error{Errc::invalid, std::string(member_name) + " is missing"};
        return read_event(type, *event, mail);
    }
    return Telling{.told = {}, .ignored = 1};
}

}  // namespace mailroom::engagement::notifications
