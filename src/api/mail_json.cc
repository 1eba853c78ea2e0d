#include "api/mail_json.h"

#include "api/json_slices.h"
#include "api/routes.h"
#include "base/time_format.h"
#include "json/json.h"
#include "outbox/kept_steps.h"
#include "outbox/pauses.h"

#include <algorithm>
#include <array>

namespace mailroom::api {

namespace {

// Of the request. Texts, attachments and templates are as large as the mail, which is to be had
// under …/raw.
constexpr std::array<std::string_view, 13> shown_members = {
    "from",   "to",      "cc",           "bcc",  "reply_to", "subject", "headers",
    "stream", "send_at", "callback_url", "tags", "metadata", "raw"};

void write_time(json::Writer& writer, std::string_view key, Time time) {
    writer.key(key).text(format_rfc3339(time));
}

void write_unless_empty(json::Writer& writer, std::string_view key, std::string_view text) {
    if (!text.empty()) write_text(writer, key, text);
}

void write_mail_members(json::Writer& writer, const outbox::Mail& mail) {
    write_text(writer, "id", mail.id);
    writer.key("state").text(name_of(mail.state));
    write_text(writer, "reason", mail.reason);
    writer.key("stream").text(name_of(mail.stream));
    writer.key("held").boolean(mail.held);
    write_text(writer, "sender", mail.sender);
    writer.key("recipients").open_list();
    for (const auto& recipient : mail.recipients) {
        writer.open_object();
        write_text(writer, "address", recipient.address);
        writer.key("state").text(name_of(recipient.state));
        if (recipient.code != 0) writer.key("code").integer(recipient.code);
        write_unless_empty(writer, "text", recipient.text);
        if (recipient.doubtful_since) {
            write_time(writer, "may_have_arrived_at", *recipient.doubtful_since);
        }
        writer.close_object();
    }
    writer.close_list();
    write_unless_empty(writer, "message_id", mail.message_id);
    writer.key("attempts").integer(mail.attempts);
    write_time(writer, "created_at", mail.created);
    write_time(writer, "updated_at", mail.updated);
    write_time(writer, "due_at", mail.first_due);
    const bool in_hand =
        mail.state == outbox::State::intaking || mail.state == outbox::State::processing;
    const bool is_paused = outbox::Pauses::waits(mail);
    if (is_paused) writer.key("paused").boolean(true);
    if (mail.job && !in_hand && !is_paused) write_time(writer, "next_attempt_at", mail.job->due());
    if (mail.expires_seconds > 0 && may_expire(mail.state)) {
        writer.key("expires_at")
            .text(format_rfc3339_seconds(Time(std::chrono::seconds(mail.expires_seconds))));
    }
}

void write_state(json::Writer& writer, const outbox::StateEntry& entry) {
    writer.open_object();
    write_time(writer, "at", entry.at);
    writer.key("state").text(name_of(entry.state));
    write_unless_empty(writer, "reason", entry.reason);
    write_unless_empty(writer, "peer", entry.peer);
    write_unless_empty(writer, "tls", entry.tls);
    write_unless_empty(writer, "transcript", entry.transcript);
    writer.close_object();
}

void write_event(json::Writer& writer, const outbox::LogEntry& entry) {
    writer.open_object();
    write_time(writer, "at", entry.at);
    if (entry.what.starts_with(outbox::kept_step)) {
        // A state that was entered before the mail was sent again.
        writer.key("state").text(entry.what.substr(outbox::kept_step.size()));
        write_unless_empty(writer, "reason", entry.text);
    } else {
        write_text(writer, "event", entry.what);
        write_unless_empty(writer, "text", entry.text);
    }
    if (entry.code != 0) writer.key("code").integer(entry.code);
    write_unless_empty(writer, "peer", entry.peer);
    write_unless_empty(writer, "transcript", entry.transcript);
    writer.close_object();
}

// States and events in one order of time; of the same moment the event first, because it led there.
void write_timeline(json::Writer& writer, const outbox::History& history) {
    writer.key("timeline").open_list();
    auto event = history.log.begin();
    for (const auto& state : history.states) {
        for (; event != history.log.end() && event->at <= state.at; ++event) {
            write_event(writer, *event);
        }
        write_state(writer, state);
    }
    for (; event != history.log.end(); ++event) write_event(writer, *event);
    writer.close_list();
}

void write_callbacks(json::Writer& writer, const outbox::History& history) {
    writer.key("callbacks").open_list();
    for (const auto& entry : history.log) {
        if (entry.what.starts_with("callback")) write_event(writer, entry);
    }
    writer.close_list();
}

void write_request(json::Writer& writer, std::string_view payload) {
    json::Parser parser;
    const auto parsed = parser.parse(payload);
    if (!parsed || parsed->type() != json::View::Type::object) return;
    writer.key("request").open_object();
    const auto texts = child_texts(payload);
    json::Members members(*parsed);
    std::string_view name;
    json::View value;
    for (std::size_t i = 0; members.next(name, value) && i < texts.size(); ++i) {
        if (std::ranges::find(shown_members, name) == shown_members.end()) continue;
        writer.name(name);
        writer.value() += texts[i];
    }
    writer.close_object();
}

}  // namespace

void write_mail(json::Writer& writer, const outbox::Mail& mail) {
    writer.open_object();
    write_mail_members(writer, mail);
    writer.close_object();
}

std::string history_json(const outbox::History& history, std::string_view payload) {
    std::string body;
    json::Writer writer(body);
    writer.open_object();
    write_mail_members(writer, history.mail);
    if (!payload.empty()) write_request(writer, payload);
    write_timeline(writer, history);
    write_callbacks(writer, history);
    writer.close_object();
    return body;
}

}  // namespace mailroom::api
