#include "api/outbox_routes.h"

#include "base/log.h"
#include "base/time_format.h"

#include <algorithm>
#include <array>

namespace mailroom::api {

namespace {

using outbox::Stream;

std::array<std::string_view, 4> queues() {
    return {outbox::callback_queue, outbox::intake_queue, outbox::send_queue(Stream::transactional),
            outbox::send_queue(Stream::bulk)};
}

// `name`, or 400 with those there are.
Result<std::string, Response> queue_named(const std::string& name) {
    std::string names;
    for (const auto queue : queues()) {
        if (queue == name) return name;
        names += (names.empty() ? "" : ", ") + std::string(queue);
    }
    return bad_field_response("queue", "must be one of " + names);
}

void write_counts(json::Writer& writer, const outbox::Counts& counts) {
    writer.key("states").open_object();
    for (std::size_t i = 0; i < outbox::all_states.size(); ++i) {
        writer.key(name_of(outbox::all_states[i])).integer(counts.by_state[i]);
    }
    writer.close_object();
    writer.key("waiting").integer(counts.waiting());
    writer.key("held").integer(counts.held);
}

void write_oldest(json::Writer& writer, const outbox::Outbox::Stats& stats, Time now) {
    writer.key("oldest").open_object();
    for (const auto& [state, since] : stats.oldest) {
        const auto age = std::chrono::duration<double>(now - since).count();
        writer.key(name_of(state)).open_object();
        writer.key("since").text(format_rfc3339(since));
        writer.key("age_seconds").decimal(std::max(0.0, age)).close_object();
    }
    writer.close_object();
}

void write_dead(json::Writer& writer, const schedule::DeadJob& job) {
    writer.open_object();
    write_text(writer, "queue", job.queue);
    write_text(writer, "place", job.place);
    write_text(writer, "email", job.key);
    writer.key("attempts").integer(job.attempts);
    write_text(writer, "reason", job.reason);
    writer.key("buried_at").text(format_rfc3339(job.buried)).close_object();
}

Response list_dead(const Call& call, schedule::Schedule& schedule) {
    const auto* name = call.query("queue");
    const auto queue = queue_named(name ? *name : std::string(outbox::callback_queue));
    if (!queue) return queue.error();
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto found = schedule.dead(*queue, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->jobs, found->next, write_dead);
}

Response retry_dead(const Call& call, schedule::Schedule& schedule) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"queue", "place"});
    if (!body) return body.error();
    const auto name = required_text_member(*body, "queue");
    if (!name) return name.error();
    const auto queue = queue_named(*name);
    if (!queue) return queue.error();
    const auto place = required_text_member(*body, "place");
    if (!place) return place.error();
    const auto revived = schedule.revive(*queue, *place);
    if (!revived) return failure_response(revived.error());
    return json_response(200, R"({"status":"due"})");
}

void write_pause(json::Writer& writer, const outbox::Pause& pause) {
    writer.open_object();
    write_text(writer, "scope", pause.scope.text());
    writer.key("state").text(pause.is_resuming ? "resuming" : "paused");
    writer.key("since").text(format_rfc3339(pause.since));
    write_text(writer, "by", pause.by);
    write_text(writer, "reason", pause.reason);
    writer.close_object();
}

void write_pauses(json::Writer& writer, const outbox::Pauses& pauses) {
    writer.open_list();
    for (const auto& pause : pauses.now()) write_pause(writer, pause);
    writer.close_list();
}

Response stats(const OutboxServices& services) {
    const auto found = services.outbox.stats();
    if (!found) return failure_response(found.error());
    const auto rates = services.watch.rates();
    std::string body;
    json::Writer writer(body);
    writer.open_object();
    write_counts(writer, found->counts);
    write_oldest(writer, *found, services.clock.now());
    writer.key("pauses");
    write_pauses(writer, services.pauses);
    writer.key("rates").open_object();
    writer.key("accepted_per_second").decimal(rates.accepted_per_second);
    writer.key("sent_per_second").decimal(rates.sent_per_second);
    writer.key("failed_per_second").decimal(rates.failed_per_second);
    writer.close_object().close_object();
    return json_response(200, std::move(body));
}

Response list_pauses(outbox::Pauses& pauses) {
    constexpr std::size_t past_shown = 50;
    if (const auto read = pauses.refresh(); !read) return failure_response(read.error());
    const auto past = pauses.past(past_shown);
    if (!past) return failure_response(past.error());
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("items");
    write_pauses(writer, pauses);
    writer.key("next").null().key("history").open_list();
    for (const auto& event : *past) {
        writer.open_object();
        writer.key("at").text(format_rfc3339(event.at));
        write_text(writer, "event", event.what);
        write_text(writer, "scope", event.scope);
        write_text(writer, "by", event.by);
        write_text(writer, "reason", event.reason);
        writer.close_object();
    }
    writer.close_list().close_object();
    return json_response(200, std::move(body));
}

std::string who_calls(const Call& call) { return call.key.name + " (" + call.key.id + ")"; }

Response changed_pause(int status, const Result<outbox::Pause>& pause) {
    if (!pause) return failure_response(pause.error());
    log::warn(pause->is_resuming ? "mails go on" : "mails are paused",
              {{"scope", pause->scope.text()}, {"by", pause->by}, {"reason", pause->reason}});
    return object_response(status, *pause, write_pause);
}

Response pause(const Call& call, outbox::Pauses& pauses) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"scope", "reason"});
    if (!body) return body.error();
    const auto text = required_text_member(*body, "scope");
    if (!text) return text.error();
    const auto scope = outbox::PauseScope::parse(*text);
    if (!scope) return bad_field_response("scope", scope.error().message);
    const auto reason = required_text_member(*body, "reason");
    if (!reason) return reason.error();
    if (reason->empty()) return bad_field_response("reason", "is empty: say why");
    return changed_pause(201, pauses.pause(*scope, who_calls(call), *reason));
}

Response resume(const Call& call, outbox::Pauses& pauses) {
    const auto scope = outbox::PauseScope::parse(call.parameter("scope"));
    if (!scope) return bad_field_response("scope", scope.error().message);
    const auto* reason = call.query("reason");
    return changed_pause(200, pauses.resume(*scope, who_calls(call), reason ? *reason : ""));
}

Response show_secret(const std::string& secret) {
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("secret").text(secret).close_object();
    return secret_response(200, std::move(body));
}

}  // namespace

void add_outbox_routes(Routes& routes, const OutboxServices& services) {
    routes.add("GET", "/v1/outbox/stats", scope::read,
               [services](const Call&) { return stats(services); });
    routes.add("GET", "/v1/outbox/dead?queue&limit&after", scope::admin,
               [services](const Call& call) { return list_dead(call, services.schedule); });
    routes.add("POST", "/v1/outbox/dead/retry", scope::admin,
               [services](const Call& call) { return retry_dead(call, services.schedule); });
    routes.add("GET", "/v1/outbox/pauses", scope::read,
               [services](const Call&) { return list_pauses(services.pauses); });
    routes.add("POST", "/v1/outbox/pauses", scope::admin,
               [services](const Call& call) { return pause(call, services.pauses); });
    routes.add("DELETE", "/v1/outbox/pauses/{scope}?reason", scope::admin,
               [services](const Call& call) { return resume(call, services.pauses); });
    routes.add("GET", "/v1/outbox/callback-secret", scope::admin,
               [services](const Call&) { return show_secret(services.callback_secret); });
}

}  // namespace mailroom::api
