// Mails as the API shows them.
#pragma once

#include "outbox/accept/outbox.h"
#include "outbox/mail/ledger.h"
#include "outbox/mail/mail.h"
#include "outbox/routes/forms.h"
#include "outbox/sending/pauses.h"
#include "table/records/record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// A state that was entered, or something that happened.
struct TimelineEntry {
    Time at;
    std::optional<State> state;
    std::string event, reason, text;
    int code = 0;
    std::string peer, tls, transcript;
};

// What was asked for, as it was written, without texts and attachments.
struct ShownRequest {
    std::string json;  // Empty: it is gone.
    bool empty() const { return json.empty(); }
};

struct ShownHistory {
    Mail mail;
    ShownRequest request;
    std::vector<TimelineEntry> timeline;   // Oldest first.
    std::vector<TimelineEntry> callbacks;  // Those of the timeline that are attempts to call back.

    ShownHistory() = default;
    // `payload` is the request's JSON text, or empty if it is gone.
    ShownHistory(const History& history, std::string_view payload);
};

}  // namespace mailroom::outbox

namespace mailroom::table {

template <>
struct Form<outbox::ShownRequest> {
    static void show(json::Writer& writer, const outbox::ShownRequest& request) {
        writer.value() += request.json;
    }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("object"); }
};

template <>
struct Record<outbox::Recipient> {
    using Recipient = outbox::Recipient;
    static constexpr std::string_view record_name = "MailRecipient";
    static constexpr auto fields = std::tuple{
        shown("address", &Recipient::address), shown("state", &Recipient::state),
        shown_or_omitted(
            "code", [](const Recipient& r) { return std::int64_t{r.code}; },
            "The server's last answer."),
        shown_or_omitted("text", &Recipient::text),
        shown_or_omitted("may_have_arrived_at", &Recipient::doubtful_since,
                         "Since when it may have the mail, though no answer came. Stays, whatever "
                         "is said later.")};
};

template <>
struct Record<outbox::Mail> {
    using Mail = outbox::Mail;
    static std::optional<Time> next_attempt(const Mail& mail);
    static std::optional<outbox::WholeSecond> expiry(const Mail& mail);
    static constexpr std::string_view record_name = "Mail";
    static constexpr auto fields = std::tuple{
        shown("id", &Mail::id),
        shown("state", &Mail::state),
        shown("reason", &Mail::reason, "Why it is in this state; often there is nothing to say."),
        shown("stream", &Mail::stream),
        shown("held", &Mail::held, "It may have arrived; a person decides."),
        shown("sender", &Mail::sender),
        shown("recipients", &Mail::recipients),
        shown_or_omitted("message_id", &Mail::message_id),
        shown("attempts", &Mail::attempts),
        shown("created_at", &Mail::created),
        shown("updated_at", &Mail::updated),
        shown("due_at", &Mail::first_due, "Since when it may leave."),
        shown_or_omitted(
            "paused", [](const Mail& m) { return outbox::Pauses::waits(m); },
            "It waits for the end of a pause."),
        shown_or_omitted("next_attempt_at", &next_attempt,
                         "When it is taken up next, by whom its state says."),
        shown_or_omitted("expires_at", &expiry, "From then on it is forgotten.")};
};

template <>
struct Record<outbox::TimelineEntry> {
    using TimelineEntry = outbox::TimelineEntry;
    static constexpr std::string_view record_name = "MailHappening";
    static constexpr auto fields = std::tuple{
        shown("at", &TimelineEntry::at),
        shown_or_omitted("state", &TimelineEntry::state, "The one that was entered."),
        shown_or_omitted("event", &TimelineEntry::event),
        shown_or_omitted("reason", &TimelineEntry::reason),
        shown_or_omitted("text", &TimelineEntry::text),
        shown_or_omitted(
            "code", [](const TimelineEntry& h) { return std::int64_t{h.code}; },
            "Of SMTP or HTTP."),
        shown_or_omitted("peer", &TimelineEntry::peer,
                         "The other server, as 192.0.2.1:25 or mx.example.com (192.0.2.1:25)."),
        shown_or_omitted("tls", &TimelineEntry::tls),
        shown_or_omitted("transcript", &TimelineEntry::transcript)};
};

template <>
struct Record<outbox::ShownHistory> {
    using History = outbox::ShownHistory;
    static constexpr std::string_view record_name = "MailHistory";
    static constexpr auto fields =
        std::tuple{Part{&History::mail},
                   shown_or_omitted("request", &History::request,
                                    "What was asked for, without texts and attachments."),
                   shown("timeline", &History::timeline, "Oldest first."),
                   shown("callbacks", &History::callbacks, "Attempts to call back.")};
};

template <>
struct Record<outbox::Accepted> {
    using Accepted = outbox::Accepted;
    static constexpr std::string_view record_name = "AcceptedMail";
    static constexpr auto fields =
        std::tuple{shown("id", &Accepted::id), shown("state", &Accepted::state)};
};

}  // namespace mailroom::table
