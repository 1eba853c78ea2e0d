#include "api/draft_routes.h"

#include "api/draft_posting.h"
#include "api/reminder_json.h"

#include <utility>

namespace mailroom::api {

namespace {

using namespace reminders;

Response draft_response(const Answer<Draft>& draft) {
    return draft ? object_response(200, *draft, write_draft) : refusal_response(draft.error());
}

Response list(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    auto status = DraftStatus::draft;
    if (const auto* name = call.query("status"); name && !name->empty()) {
        const auto named = draft_status_named(*name);
        if (!named) {
            return bad_field_response(
                "status", "must be draft, approved, sent, failed, rejected or cancelled");
        }
        status = *named;
    }
    auto order = Drafts::Order::oldest_first;
    if (const auto* text = call.query("order"); text && !text->empty() && *text != "asc") {
        if (*text != "desc") return bad_field_response("order", "must be asc or desc");
        order = Drafts::Order::newest_first;
    }
    const auto found = services.drafts.list(status, order, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->drafts, found->next, write_draft);
}

Response edit(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(
        call, parser, {"version", "email_subject", "email_content", "email_html", "rebuild"});
    if (!body) return body.error();
    DraftEdit edit;
    const auto version = integer_member(*body, "version");
    if (!version) return version.error();
    if (!*version) return bad_field_response("version", "is required: the one you have seen");
    edit.version = **version;
    const std::pair<const char*, std::optional<std::string>*> texts[] = {
        {"email_subject", &edit.subject},
        {"email_content", &edit.text},
        {"email_html", &edit.html}};
    for (const auto& [name, to] : texts) {
        auto text = text_member(*body, name);
        if (!text) return std::move(text).error();
        *to = *std::move(text);
    }
    const auto rebuild = boolean_member(*body, "rebuild");
    if (!rebuild) return rebuild.error();
    edit.rebuild = rebuild->value_or(false);
    const bool has_text = edit.subject || edit.text || edit.html;
    if (edit.rebuild == has_text) {
        return bad_field_response("rebuild", "must be true, or there must be a new text, not both");
    }
    return draft_response(services.drafts.edit(call.parameter("id"), edit, person_of(call)));
}

Response approve(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"version", "content_hash", "override"});
    if (!body) return body.error();
    const auto version = integer_member(*body, "version");
    if (!version) return version.error();
    if (!*version) return bad_field_response("version", "is required: the one you have seen");
    const auto reason = override_member(*body);
    if (!reason) return reason.error();
    const auto content = text_member(*body, "content_hash");
    if (!content) return content.error();
    return draft_response(services.drafts.approve(
        call.parameter("id"), Consent{**version, *reason, *content}, person_of(call)));
}

Response retry(const Call& call, ReminderServices services) {
    std::optional<std::string> reason;
    if (!call.request().body.empty()) {
        json::Parser parser;
        const auto body = json_object(call, parser, {"override"});
        if (!body) return body.error();
        auto said = override_member(*body);
        if (!said) return std::move(said).error();
        reason = *std::move(said);
    }
    return draft_response(services.deliveries.retry(call.parameter("id"), reason, person_of(call)));
}

Response reject(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"version", "reason"});
    if (!body) return body.error();
    const auto version = integer_member(*body, "version");
    if (!version) return version.error();
    const auto reason = required_text_member(*body, "reason");
    if (!reason) return reason.error();
    return draft_response(
        services.drafts.reject(call.parameter("id"), *version, *reason, person_of(call)));
}

Response cancel(const Call& call, ReminderServices services) {
    std::string reason;
    if (!call.request().body.empty()) {
        json::Parser parser;
        const auto body = json_object(call, parser, {"reason"});
        if (!body) return body.error();
        auto said = text_member(*body, "reason");
        if (!said) return std::move(said).error();
        reason = said->value_or("");
    }
    const auto& id = call.parameter("id");
    const auto draft = services.drafts.find(id);
    if (!draft) return refusal_response(draft.error());
    // To stop what a person approved is a person's decision, too.
    if (draft->status == DraftStatus::approved && !call.key.allows(scope::reminders_approve)) {
        return error_response(403, "forbidden",
                              "only a key with the scope reminders:approve may cancel what was "
                              "approved");
    }
    return draft_response(services.deliveries.cancel(id, reason, person_of(call)));
}

}  // namespace

void add_draft_routes(Routes& routes, ReminderServices services) {
    routes.add("POST", "/v1/reminders/drafts", scope::reminders_draft,
               [services](const Call& call) {
                   return services.idempotency.run(
                       call, [&](const auto&) { return post_drafts(call, services); });
               });
    routes.add("GET", "/v1/reminders/drafts?status&order&limit&after", scope::reminders_read,
               [services](const Call& call) { return list(call, services); });
    routes.add("GET", "/v1/reminders/drafts/{id}", scope::reminders_read,
               [services](const Call& call) {
                   return draft_response(services.drafts.find_with_check(call.parameter("id")));
               });
    routes.add("PATCH", "/v1/reminders/drafts/{id}", scope::reminders_draft,
               [services](const Call& call) { return edit(call, services); });
    routes.add("POST", "/v1/reminders/drafts/{id}/approve", scope::reminders_approve,
               [services](const Call& call) { return approve(call, services); });
    routes.add("POST", "/v1/reminders/drafts/{id}/reject", scope::reminders_approve,
               [services](const Call& call) { return reject(call, services); });
    routes.add("POST", "/v1/reminders/drafts/{id}/retry", scope::reminders_approve,
               [services](const Call& call) { return retry(call, services); });
    routes.add("POST", "/v1/reminders/drafts/{id}/cancel", scope::reminders_draft,
               [services](const Call& call) { return cancel(call, services); });
}

}  // namespace mailroom::api
