// What requests about reminders say, and how they are refused.
#include "api/reminder_json.h"
#include "base/log.h"
#include "reminders/dates.h"
#include "reminders/money.h"

namespace mailroom::api {

namespace {

using reminders::Refusal;
using Type = json::View::Type;

int status_of(Refusal::Kind kind) {
    switch (kind) {
        case Refusal::Kind::bad_field:
            return 400;
        case Refusal::Kind::forbidden:
            return 403;
        case Refusal::Kind::not_found:
            return 404;
        case Refusal::Kind::conflict:
        case Refusal::Kind::lost_race:
            return 409;
        case Refusal::Kind::gone:
            return 410;
        case Refusal::Kind::unprocessable:
            return 422;
        case Refusal::Kind::provider:
            return 502;
        case Refusal::Kind::unavailable:
            return 503;
        case Refusal::Kind::internal:
            break;
    }
    return 500;
}

std::string details_of(const Refusal& refusal) {
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    if (!refusal.field.empty()) {
        write_text(writer, "field", refusal.field);
        write_text(writer, "reason", refusal.message);
    }
    if (refusal.decision) {
        writer.key("decision");
        write_decision(writer, *refusal.decision);
        if (refusal.decision->open_draft_id) {
            write_text(writer, "draft_id", *refusal.decision->open_draft_id);
        }
    }
    if (refusal.figures) {
        write_amount(writer, "overdue_amount", refusal.figures->cents, refusal.figures->currency);
        writer.key("currency").text(refusal.figures->currency);
        writer.key("overdue_invoices").open_list();
        for (const auto& id : refusal.figures->invoice_ids) writer.text(id);
        writer.close_list();
    }
    if (refusal.status_and_version) {
        writer.key("status").text(refusal.status_and_version->first);
        writer.key("version").integer(refusal.status_and_version->second);
    }
    if (!refusal.content_hash.empty()) {
        writer.key("content_hash").text(refusal.content_hash);
    }
    if (!refusal.missing_variables.empty()) {
        writer.key("missing_variables").open_list();
        for (const auto& name : refusal.missing_variables) writer.text(name);
        writer.close_list();
    }
    writer.close_object();
    return details == "{}" ? "" : details;
}

std::string message_of(const Refusal& refusal) {
    return refusal.field.empty() ? refusal.message : refusal.field + " " + refusal.message;
}

}  // namespace

Response refusal_response(const Refusal& refusal) {
    if (refusal.kind == Refusal::Kind::internal) {
        return failure_response({Errc::corrupt, refusal.message});
    }
    auto response = error_response(status_of(refusal.kind), refusal.code, message_of(refusal),
                                   details_of(refusal));
    if (refusal.kind == Refusal::Kind::unavailable) {
        log::warn("a request about reminders could not be served", {{"reason", refusal.message}});
        response.headers.emplace_back("Retry-After", "1");
    }
    return response;
}

void write_refusal(json::Writer& writer, const Refusal& refusal) {
    writer.open_object().key("code").text(refusal.code);
    write_text(writer, "message", message_of(refusal));
    const auto details = details_of(refusal);
    if (!details.empty()) writer.key("details").value() += details;
    writer.close_object();
}

Result<std::optional<std::int64_t>, Response> integer_member(const json::View& object,
                                                             std::string_view name) {
    const auto found = object.find(name);
    if (!found || found->is_null()) return std::optional<std::int64_t>();
    const auto number = found->type() == Type::integer ? found->integer() : std::nullopt;
    if (!number) return bad_field_response(name, "must be a whole number");
    return number;
}

Result<std::optional<bool>, Response> boolean_member(const json::View& object,
                                                     std::string_view name) {
    const auto found = object.find(name);
    if (!found || found->is_null()) return std::optional<bool>();
    if (found->type() != Type::boolean) return bad_field_response(name, "must be true or false");
    return std::optional(found->boolean());
}

Result<std::optional<std::int64_t>, Response> cents_member(const json::View& object,
                                                           std::string_view name,
                                                           std::string_view currency) {
    const auto found = object.find(name);
    if (!found || found->is_null()) return std::optional<std::int64_t>();
    const auto type = found->type();
    const bool is_number = type == Type::integer || type == Type::decimal;
    if (!is_number && type != Type::text) {
        return bad_field_response(name, "must be an amount such as 1500.00");
    }
    const auto cents = is_number ? reminders::cents_of(found->decimal(), currency)
                                 : reminders::parse_cents(found->text(), currency);
    if (!cents) return bad_field_response(name, cents.error().message);
    return std::optional(*cents);
}

Result<std::optional<Time>, Response> time_member(const json::View& object, std::string_view name) {
    const auto text = text_member(object, name);
    if (!text) return text.error();
    if (!*text) return std::optional<Time>();
    const auto time = reminders::parse_day_or_time(**text);
    if (!time) return bad_field_response(name, time.error().message);
    return std::optional(*time);
}

Result<std::optional<reminders::ReminderType>, Response> reminder_type_of(
    const std::optional<std::string>& text) {
    if (!text) return std::optional<reminders::ReminderType>();
    const auto type = reminders::reminder_type_named(*text);
    if (type) return type;
    return error_response(400, "invalid_reminder_type",
                          "reminder_type must be first, second or final",
                          R"({"field":"reminder_type"})");
}

Result<std::optional<std::string>, Response> override_member(const json::View& object) {
    const auto found = object.find("override");
    if (!found || found->is_null()) return std::optional<std::string>();
    if (found->type() != Type::object) {
        return bad_field_response("override", "must be an object with a reason");
    }
    auto reason = required_text_member(*found, "reason");
    if (!reason) return bad_field_response("override.reason", "is missing");
    return std::optional(*std::move(reason));
}

Result<bool, Response> boolean_query(const Call& call, std::string_view name) {
    const auto* text = call.query(name);
    if (!text || text->empty() || *text == "false") return false;
    if (*text == "true") return true;
    return bad_field_response(name, "must be true or false");
}

Result<std::optional<Time>, Response> time_query(const Call& call, std::string_view name) {
    const auto* text = call.query(name);
    if (!text || text->empty()) return std::optional<Time>();
    const auto time = reminders::parse_day_or_time(*text);
    if (!time) return bad_field_response(name, time.error().message);
    return std::optional(*time);
}

reminders::Person person_of(const Call& call) {
    return {call.key.id, call.key.name, call.key.allows(scope::admin)};
}

}  // namespace mailroom::api
