#include "api/template_routes.h"

#include "api/reminder_json.h"
#include "liquid/json_value.h"

#include <utility>

namespace mailroom::api {

namespace {

using namespace reminders;

Response template_response(int status, const Answer<TemplateVersion>& version) {
    return version ? object_response(status, *version, write_template)
                   : refusal_response(version.error());
}

Result<TemplateText, Response> text_of(const json::View& object) {
    TemplateText text;
    const std::pair<const char*, std::string*> required[] = {{"template_name", &text.name},
                                                             {"subject_template", &text.subject},
                                                             {"body_template", &text.body}};
    for (const auto& [name, to] : required) {
        auto found = required_text_member(object, name);
        if (!found) return std::move(found).error();
        *to = *std::move(found);
    }
    const auto type_text = required_text_member(object, "template_type");
    if (!type_text) return type_text.error();
    const auto type = reminder_type_named(*type_text);
    if (!type) {
        return bad_field_response("template_type",
                                  "must be first_reminder, second_reminder or final_notice");
    }
    text.type = *type;
    auto html = text_member(object, "html_template");
    if (!html) return std::move(html).error();
    text.html = *std::move(html);
    auto branding = text_member(object, "branding");
    if (!branding) return std::move(branding).error();
    text.branding = branding->value_or("");
    return text;
}

Response create(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body =
        json_object(call, parser,
                    {"template_id", "template_name", "template_type", "subject_template",
                     "body_template", "html_template", "branding"});
    if (!body) return body.error();
    const auto id = required_text_member(*body, "template_id");
    if (!id) return id.error();
    const auto text = text_of(*body);
    if (!text) return text.error();
    return template_response(201, services.templates.create(*id, *text));
}

Response add_version(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser,
                                  {"template_name", "template_type", "subject_template",
                                   "body_template", "html_template", "branding", "activate"});
    if (!body) return body.error();
    const auto text = text_of(*body);
    if (!text) return text.error();
    const auto activate = boolean_member(*body, "activate");
    if (!activate) return activate.error();
    return template_response(
        201, services.templates.add_version(
                 call.parameter("id"), *text,
                 activate->value_or(false) ? Templates::Activate::yes : Templates::Activate::no));
}

Response activate(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"version"});
    if (!body) return body.error();
    const auto version = integer_member(*body, "version");
    if (!version) return version.error();
    if (!*version) return bad_field_response("version", "is missing");
    return template_response(200, services.templates.activate(call.parameter("id"), **version));
}

Response show(const std::string& id, ReminderServices services) {
    const auto versions = services.templates.versions(id);
    if (!versions) return refusal_response(versions.error());
    return page_response(*versions, std::nullopt, write_template);
}

Response list(ReminderServices services) {
    const auto found = services.templates.list();
    if (!found) return failure_response(found.error());
    return page_response(*found, std::nullopt, write_template);
}

Result<liquid::OwnedValue, Response> preview_data(const json::View& body,
                                                  ReminderServices services) {
    const auto customer_id = text_member(body, "customer_id");
    if (!customer_id) return customer_id.error();
    const auto data = body.find("data");
    if (bool(*customer_id) == bool(data)) {
        return bad_field_response("customer_id", "or data must be there, not both");
    }
    if (*customer_id) {
        const auto customer = services.accounts.require(**customer_id);
        if (!customer) return refusal_response(customer.error());
        return template_data(*customer, services.author.company(), services.now());
    }
    if (data->type() != json::View::Type::object) {
        return bad_field_response("data", "must be an object");
    }
    return liquid::value_from_json(*data);
}

Response preview(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"version", "customer_id", "data"});
    if (!body) return body.error();
    const auto number = integer_member(*body, "version");
    if (!number) return number.error();
    const auto& id = call.parameter("id");
    const auto version =
        *number ? services.templates.version(id, **number) : services.templates.active(id);
    if (!version) return refusal_response(version.error());
    const auto data = preview_data(*body, services);
    if (!data) return data.error();
    const auto letter = services.author.preview(*version, *data);
    return letter ? object_response(200, *letter, write_letter) : refusal_response(letter.error());
}

}  // namespace

void add_template_routes(Routes& routes, ReminderServices services) {
    routes.add("GET", "/v1/templates", scope::reminders_read,
               [services](const Call&) { return list(services); });
    routes.add("POST", "/v1/templates", scope::reminders_approve, [services](const Call& call) {
        return services.idempotency.run(call, [&](const auto&) { return create(call, services); });
    });
    routes.add("GET", "/v1/templates/{id}", scope::reminders_read,
               [services](const Call& call) { return show(call.parameter("id"), services); });
    routes.add("POST", "/v1/templates/{id}/versions", scope::reminders_approve,
               [services](const Call& call) {
                   return services.idempotency.run(
                       call, [&](const auto&) { return add_version(call, services); });
               });
    routes.add("POST", "/v1/templates/{id}/activate", scope::reminders_approve,
               [services](const Call& call) { return activate(call, services); });
    routes.add("POST", "/v1/templates/{id}/render", scope::reminders_read,
               [services](const Call& call) { return preview(call, services); });
}

}  // namespace mailroom::api
