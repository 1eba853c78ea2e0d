#include "outbox/routes/shown.h"

#include "json/json.h"
#include "outbox/mail/kept_steps.h"
#include "outbox/routes/json_slices.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace mailroom::outbox {

namespace {

// Of the request. Texts, attachments and templates are as large as the mail, which is to be had
// under …/raw.
constexpr std::array<std::string_view, 14> shown_members = {
    "from",   "to",      "cc",           "bcc",  "reply_to", "subject",    "headers",
    "stream", "send_at", "callback_url", "tags", "metadata", "engagement", "raw"};

TimelineEntry entry_of(const StateEntry& entry) {
    TimelineEntry shown;
    shown.at = entry.at;
    shown.state = entry.state;
    shown.reason = entry.reason;
    shown.peer = entry.peer;
    shown.tls = entry.tls;
    shown.transcript = entry.transcript;
    return shown;
}

TimelineEntry entry_of(const LogEntry& entry) {
    TimelineEntry shown;
    shown.at = entry.at;
    // A state that was entered before the mail was sent again.
    if (entry.what.starts_with(kept_step)) {
        shown.state = state_named(std::string_view(entry.what).substr(kept_step.size()));
    }
    if (shown.state) {
        shown.reason = entry.text;
    } else {
        shown.event = entry.what;
        shown.text = entry.text;
    }
    shown.code = entry.code;
    shown.peer = entry.peer;
    shown.transcript = entry.transcript;
    return shown;
}

// States and events in one order of time; of the same moment the event first, because it led there.
std::vector<TimelineEntry> timeline_of(const History& history) {
    std::vector<TimelineEntry> timeline;
    auto event = history.log.begin();
    for (const auto& state : history.states) {
        for (; event != history.log.end() && event->at <= state.at; ++event) {
            timeline.push_back(entry_of(*event));
        }
        timeline.push_back(entry_of(state));
    }
    for (; event != history.log.end(); ++event) timeline.push_back(entry_of(*event));
    return timeline;
}

std::string shown_request(std::string_view payload) {
    std::string shown;
    json::Parser parser;
    const auto parsed = parser.parse(payload);
    if (!parsed || parsed->type() != json::View::Type::object) return shown;
    json::Writer writer(shown);
    writer.open_object();
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
    return shown;
}

}  // namespace

ShownHistory::ShownHistory(const History& history, std::string_view payload)
    : mail(history.mail), timeline(timeline_of(history)) {
    if (!payload.empty()) request.json = shown_request(payload);
    for (const auto& entry : history.log) {
        if (entry.what.starts_with("callback")) callbacks.push_back(entry_of(entry));
    }
}

}  // namespace mailroom::outbox

namespace mailroom::table {

std::optional<Time> Record<outbox::Mail>::next_attempt(const Mail& mail) {
    using outbox::State;
    const bool in_hand = mail.state == State::intaking || mail.state == State::processing;
    if (!mail.job || in_hand || outbox::Pauses::waits(mail)) return std::nullopt;
    return mail.job->due();
}

std::optional<outbox::WholeSecond> Record<outbox::Mail>::expiry(const Mail& mail) {
    if (mail.expires_seconds <= 0 || !may_expire(mail.state)) return std::nullopt;
    return outbox::WholeSecond{Time(std::chrono::seconds(mail.expires_seconds))};
}

}  // namespace mailroom::table
