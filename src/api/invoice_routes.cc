#include "api/customer_routes.h"
#include "api/reminder_json.h"

#include <utility>

namespace mailroom::api {

namespace {

using namespace reminders;

Response invoice_response(int status, const Answer<Invoice>& invoice, Time now) {
    if (!invoice) return refusal_response(invoice.error());
    return object_response(status, *invoice, [now](json::Writer& writer, const Invoice& shown) {
        write_invoice(writer, shown, now);
    });
}

Response list(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto* customer = call.query("customer_id");
    const auto found = customer && !customer->empty()
                           ? services.accounts.invoices(*customer, page->limit, page->after)
                           : services.accounts.all_invoices(page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->invoices, found->next,
                         [now = services.now()](json::Writer& writer, const Invoice& invoice) {
                             write_invoice(writer, invoice, now);
                         });
}

Result<std::optional<InvoiceStatus>, Response> status_member(const json::View& object) {
    const auto text = text_member(object, "status");
    if (!text) return text.error();
    if (!*text) return std::optional<InvoiceStatus>();
    const auto status = invoice_status_named(**text);
    if (status) return status;
    return bad_field_response("status", "must be DRAFT, SENT, OVERDUE, PAID or CANCELLED");
}

// What both a new invoice and a change may say.
Result<InvoiceChange, Response> change_of(const json::View& object, std::string_view currency) {
    const auto amount = cents_member(object, "amount", currency);
    if (!amount) return amount.error();
    const auto due = time_member(object, "due_date");
    if (!due) return due.error();
    const auto status = status_member(object);
    if (!status) return status.error();
    const auto paid = time_member(object, "paid_date");
    if (!paid) return paid.error();
    return InvoiceChange{*amount, *due, *status, *paid};
}

Response create(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(
        call, parser,
        {"invoice_id", "customer_id", "amount", "due_date", "status", "paid_date", "currency"});
    if (!body) return body.error();
    const auto customer = required_text_member(*body, "customer_id");
    if (!customer) return customer.error();
    const auto id = text_member(*body, "invoice_id");
    if (!id) return id.error();
    const auto currency = text_member(*body, "currency");
    if (!currency) return currency.error();
    const auto owner = services.accounts.find(*customer);
    if (!owner) return failure_response(owner.error());
    const auto said = change_of(*body, *owner ? (*owner)->currency : currency->value_or("USD"));
    if (!said) return said.error();
    if (!said->total_cents) return bad_field_response("amount", "is missing");
    if (!said->due) return bad_field_response("due_date", "is missing");
    Invoice invoice;
    invoice.invoice_id = id->value_or("");
    invoice.customer_id = *customer;
    invoice.currency = currency->value_or("");
    invoice.total_cents = *said->total_cents;
    invoice.due = *said->due;
    invoice.status = said->status.value_or(InvoiceStatus::sent);
    invoice.paid = said->paid;
    return invoice_response(201, services.accounts.create(std::move(invoice), person_of(call)),
                            services.now());
}

Response change(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"amount", "due_date", "status", "paid_date"});
    if (!body) return body.error();
    const auto invoice = services.accounts.require_invoice(call.parameter("id"));
    if (!invoice) return refusal_response(invoice.error());
    const auto wanted = change_of(*body, invoice->currency);
    if (!wanted) return wanted.error();
    return invoice_response(
        200, services.accounts.change(call.parameter("id"), *wanted, person_of(call)),
        services.now());
}

// A request that is made twice is one payment.
Response pay(const Call& call, ReminderServices services,
             const std::optional<std::string>& idempotency_value) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"amount", "paid_date"});
    if (!body) return body.error();
    const auto invoice = services.accounts.require_invoice(call.parameter("id"));
    if (!invoice) return refusal_response(invoice.error());
    const auto amount = cents_member(*body, "amount", invoice->currency);
    if (!amount) return amount.error();
    if (!*amount) return bad_field_response("amount", "is missing");
    const auto paid = time_member(*body, "paid_date");
    if (!paid) return paid.error();
    const auto now = services.now();
    return invoice_response(
        200,
        services.accounts.pay(call.parameter("id"), **amount, paid->value_or(now),
                              idempotency_value, person_of(call)),
        now);
}

Response payments(const std::string& invoice_id, ReminderServices services) {
    const auto invoice = services.accounts.require_invoice(invoice_id);
    if (!invoice) return refusal_response(invoice.error());
    const auto found = services.accounts.payments(invoice_id);
    if (!found) return refusal_response(found.error());
    return page_response(*found, std::nullopt, [&](json::Writer& writer, const Payment& payment) {
        write_payment(writer, payment, invoice->currency);
    });
}

Response undo(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"reason"});
    if (!body) return body.error();
    const auto reason = required_text_member(*body, "reason");
    if (!reason) return reason.error();
    return invoice_response(
        200,
        services.accounts.undo_payment(call.parameter("id"), call.parameter("payment"), *reason,
                                       person_of(call)),
        services.now());
}

Response erase(const Call& call, ReminderServices services) {
    const auto erased = services.accounts.erase(call.parameter("id"));
    return erased ? no_content_response() : refusal_response(erased.error());
}

}  // namespace

void add_invoice_routes(Routes& routes, ReminderServices services) {
    routes.add("GET", "/v1/invoices?customer_id&limit&after", scope::reminders_read,
               [services](const Call& call) { return list(call, services); });
    routes.add("POST", "/v1/invoices", scope::reminders_approve, [services](const Call& call) {
        return services.idempotency.run(call, [&](const auto&) { return create(call, services); });
    });
    routes.add("GET", "/v1/invoices/{id}", scope::reminders_read, [services](const Call& call) {
        return invoice_response(200, services.accounts.require_invoice(call.parameter("id")),
                                services.now());
    });
    routes.add("PATCH", "/v1/invoices/{id}", scope::reminders_approve,
               [services](const Call& call) { return change(call, services); });
    routes.add("DELETE", "/v1/invoices/{id}", scope::reminders_approve,
               [services](const Call& call) { return erase(call, services); });
    routes.add("GET", "/v1/invoices/{id}/payments", scope::reminders_read,
               [services](const Call& call) { return payments(call.parameter("id"), services); });
    routes.add("POST", "/v1/invoices/{id}/payments/{payment}/undo", scope::reminders_approve,
               [services](const Call& call) { return undo(call, services); });
    routes.add("POST", "/v1/invoices/{id}/payments", scope::reminders_approve,
               [services](const Call& call) {
                   return services.idempotency.run(
                       call, [&](const auto& value) { return pay(call, services, value); });
               });
}

}  // namespace mailroom::api
