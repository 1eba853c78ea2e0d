#include "api/customer_routes.h"

#include "api/reminder_json.h"

#include <utility>

namespace mailroom::api {

namespace {

using namespace reminders;

constexpr std::size_t import_body_bytes_max = 16 * 1024 * 1024;  // 100,000 rows of 160 bytes.

Response customer_response(int status, const Customer& customer, Time now) {
    return object_response(status, customer, [now](json::Writer& writer, const Customer& shown) {
        write_customer(writer, shown, now);
    });
}

Response list(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto found = services.accounts.list(page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->customers, found->next,
                         [now = services.now()](json::Writer& writer, const Customer& customer) {
                             write_customer(writer, customer, now);
                         });
}

Response create(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"customer_id", "name", "email", "currency"});
    if (!body) return body.error();
    CustomerDetails details;
    const std::pair<const char*, std::string*> members[] = {
        {"customer_id", &details.customer_id}, {"name", &details.name}, {"email", &details.email}};
    for (const auto& [name, to] : members) {
        auto text = required_text_member(*body, name);
        if (!text) return std::move(text).error();
        *to = *std::move(text);
    }
    auto currency = text_member(*body, "currency");
    if (!currency) return std::move(currency).error();
    details.currency = currency->value_or("USD");
    const auto made = services.accounts.create(details);
    return made ? customer_response(201, *made, services.now()) : refusal_response(made.error());
}

Response show(const std::string& id, ReminderServices services) {
    const auto found = services.accounts.require(id);
    return found ? customer_response(200, *found, services.now()) : refusal_response(found.error());
}

Response change(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"name", "email", "opt_out"});
    if (!body) return body.error();
    CustomerChange wanted;
    auto name = text_member(*body, "name");
    if (!name) return std::move(name).error();
    auto email = text_member(*body, "email");
    if (!email) return std::move(email).error();
    const auto opt_out = boolean_member(*body, "opt_out");
    if (!opt_out) return opt_out.error();
    // Somebody who wants no mail keeps it that way until an administrator is told otherwise.
    if (*opt_out && !**opt_out && !call.key.allows(scope::admin)) {
        return error_response(403, "forbidden", "only a key with the scope admin ends an opt-out");
    }
    wanted.name = *std::move(name);
    wanted.email = *std::move(email);
    wanted.opt_out = *opt_out;
    const auto changed = services.accounts.change(call.parameter("id"), wanted, person_of(call));
    return changed ? customer_response(200, *changed, services.now())
                   : refusal_response(changed.error());
}

Response erase(const Call& call, ReminderServices services) {
    const auto erased = services.privacy.erase(call.parameter("id"), person_of(call));
    return erased ? no_content_response() : refusal_response(erased.error());
}

void write_known(json::Writer& writer, const EverythingKnown& known, Time now) {
    writer.open_object().key("customer");
    write_customer(writer, known.customer, now);
    writer.key("invoices").open_list();
    for (const auto& invoice : known.invoices) write_invoice(writer, invoice, now);
    writer.close_list().key("payments").open_list();
    for (const auto& [invoice_id, payment] : known.payments) {
        writer.open_object();
        write_text(writer, "invoice_id", invoice_id);
        writer.key("payment");
        write_payment(writer, payment, known.customer.currency);
        writer.close_object();
    }
    writer.close_list().key("drafts").open_list();
    for (const auto& draft : known.drafts) write_draft(writer, draft);
    writer.close_list().key("sent").open_list();
    for (const auto& record : known.sent) write_sent(writer, record);
    writer.close_list().key("audit").open_list();
    for (const auto& entry : known.audit) write_audit(writer, entry);
    writer.close_list().close_object();
}

Response give_out(const Call& call, ReminderServices services) {
    const auto known = services.privacy.gather(call.parameter("id"));
    if (!known) return refusal_response(known.error());
    return object_response(200, *known,
                           [now = services.now()](json::Writer& writer, const auto& all) {
                               write_known(writer, all, now);
                           });
}

using Import = Answer<ImportResult> (*)(Accounts&, std::string_view, ImportMode, const Person&);

Response import(const Call& call, ReminderServices services, Import import_file) {
    const auto dry = boolean_query(call, "dry_run");
    if (!dry) return dry.error();
    const auto result = import_file(services.accounts, call.request().body,
                                    *dry ? ImportMode::dry : ImportMode::for_real, person_of(call));
    if (!result) return refusal_response(result.error());
    auto shown = object_response(200, *result, write_import);
    if (result->is_good() || *dry) return shown;
    const auto& error = result->errors.front();
    const auto others = result->errors_total - 1;
    const auto more = others == 0   ? std::string()
                      : others == 1 ? " and one more mistake"
                                    : " and " + std::to_string(others) + " more mistakes";
    return error_response(400, "invalid",
                          "line " + std::to_string(error.line) + ": " + error.field + " " +
                              error.message + more + "; nothing was imported",
                          shown.body);
}

}  // namespace

void add_customer_routes(Routes& routes, ReminderServices services) {
    routes.add("GET", "/v1/customers?limit&after", scope::reminders_read,
               [services](const Call& call) { return list(call, services); });
    routes.add("POST", "/v1/customers", scope::reminders_approve, [services](const Call& call) {
        return services.idempotency.run(call, [&](const auto&) { return create(call, services); });
    });
    routes.add(
        "POST", "/v1/customers/import?dry_run", scope::reminders_approve,
        [services](const Call& call) { return import(call, services, import_customers); },
        import_body_bytes_max);
    routes.add("GET", "/v1/customers/{id}", scope::reminders_read,
               [services](const Call& call) { return show(call.parameter("id"), services); });
    routes.add("PATCH", "/v1/customers/{id}", scope::reminders_approve,
               [services](const Call& call) { return change(call, services); });
    routes.add("DELETE", "/v1/customers/{id}", scope::admin,
               [services](const Call& call) { return erase(call, services); });
    routes.add("GET", "/v1/customers/{id}/export", scope::admin,
               [services](const Call& call) { return give_out(call, services); });
    routes.add(
        "POST", "/v1/invoices/import?dry_run", scope::reminders_approve,
        [services](const Call& call) { return import(call, services, import_invoices); },
        import_body_bytes_max);
}

}  // namespace mailroom::api
