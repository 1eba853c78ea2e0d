#include "api/reminder_routes.h"

#include "api/customer_routes.h"
#include "api/draft_routes.h"
#include "api/reminder_json.h"
#include "api/template_routes.h"
#include "base/time_format.h"
#include "reminders/counters.h"
#include "reminders/dates.h"
#include "reminders/due.h"

#include <algorithm>
#include <cmath>

namespace mailroom::api {

namespace {

using namespace reminders;

constexpr auto stats_days_usual = std::chrono::days(29);  // With today: thirty.

void write_due(json::Writer& writer, const DueCustomer& due, Time now) {
    const auto& customer = due.customer;
    const auto figures = customer.figures(now);
    writer.open_object();
    write_text(writer, "customer_id", customer.customer_id);
    write_text(writer, "customer_name", customer.name);
    write_text(writer, "customer_email", customer.email);
    write_amount(writer, "overdue_amount", figures.cents, figures.currency);
    writer.key("currency").text(figures.currency);
    writer.key("overdue_invoices").open_list();
    for (const auto& id : figures.invoice_ids) writer.text(id);
    writer.close_list();
    const auto oldest = customer.open_invoices.front().due;
    writer.key("oldest_due_date").text(format_day_or_time(oldest));
    // The mean, as texts have it.
    writer.key("days_overdue").integer(mean_days_overdue(customer, now));
    writer.key("oldest_days_overdue").integer(whole_days(oldest, now));
    writer.key("reminder_type").text(name_of(due.decision.type));
    writer.key("decision");
    write_decision(writer, due.decision);
    writer.close_object();
}

Response due(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    auto which = Which::all;
    if (const auto* text = call.query("allowed"); text && !text->empty()) {
        const auto allowed = boolean_query(call, "allowed");
        if (!allowed) return allowed.error();
        which = *allowed ? Which::allowed : Which::not_allowed;
    }
    const auto found =
        list_due(services.accounts, services.assessor, which, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->customers, found->next,
                         [now = services.now()](json::Writer& writer, const DueCustomer& one) {
                             write_due(writer, one, now);
                         });
}

Response check(const Call& call, ReminderServices services) {
    const auto* customer = call.query("customer_id");
    if (!customer || customer->empty()) return bad_field_response("customer_id", "is required");
    const auto* text = call.query("type");
    const auto type =
        reminder_type_of(text && !text->empty() ? std::optional(*text) : std::nullopt);
    if (!type) return type.error();
    const auto decision = services.drafts.check(*customer, *type);
    if (!decision) return refusal_response(decision.error());
    return object_response(200, *decision, write_decision);
}

Response sent(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto from = time_query(call, "from");
    if (!from) return from.error();
    const auto to = time_query(call, "to");
    if (!to) return to.error();
    SentFilter filter;
    if (const auto* customer = call.query("customer_id"); customer && !customer->empty()) {
        if (!is_customer_id(*customer)) return bad_field_response("customer_id", "is no id");
        filter.customer_id = *customer;
    }
    filter.from = from->value_or(services.now() - sent_kept_for);
    filter.to = to->value_or(services.now());
    // The first moment of a day, if `from` names one.
    if (*from && call.query("from")->size() == 10) {
        filter.from = std::chrono::floor<std::chrono::days>(filter.from);
    }
    if (filter.from > filter.to) return bad_field_response("from", "must not be later than to");
    const auto found = list_sent(services.books(), filter, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->records, found->next, write_sent);
}

void write_rate(json::Writer& writer, const char* key, const std::optional<double>& rate) {
    writer.key(key);
    if (rate) writer.decimal(*rate);
    if (!rate) writer.null();
}

void write_day(json::Writer& writer, const DayCounts& day) {
    constexpr std::string_view always[] = {
        counter::created, counter::approved,   "first_reminders", "second_reminders",
        "final_notices",  counter::sent,       counter::failed,   counter::delivered,
        counter::bounced, counter::complained, counter::rejected, counter::cancelled};
    writer.open_object().key("date").text(day.day);
    for (const auto name : always) writer.key(name).integer(day.of(name));
    write_rate(writer, "delivery_rate", day.delivery_rate());
    write_rate(writer, "bounce_rate", day.bounce_rate());
    writer.close_object();
}

Response stats(const Call& call, ReminderServices services) {
    const auto from = time_query(call, "from");
    if (!from) return from.error();
    const auto to = time_query(call, "to");
    if (!to) return to.error();
    const auto end = to->value_or(services.now());
    const auto begin = from->value_or(end - stats_days_usual);
    if (begin > end) return bad_field_response("from", "must not be later than to");
    const auto days = daily_counts(services.books(), begin, end);
    if (!days) return failure_response(days.error());
    DayCounts total;
    total.day = "total";
    for (const auto& day : *days) {
        for (const auto& [name, number] : day.counts) total.counts[name] += number;
    }
    const auto oldest =
        services.drafts.list(DraftStatus::draft, Drafts::Order::oldest_first, 1, std::nullopt);
    if (!oldest) return failure_response(oldest.error());
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("days").open_list();
    for (const auto& day : *days) write_day(writer, day);
    writer.close_list().key("total");
    write_day(writer, total);
    write_time(
        writer, "oldest_pending_since",
        oldest->drafts.empty() ? std::nullopt : std::optional(oldest->drafts.front().created));
    writer.close_object();
    return json_response(200, std::move(body));
}

double rounded(double value) { return std::round(value * 10) / 10; }

Response late_payers(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto found = services.accounts.late_payers(page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(
        found->customers, found->next, [](json::Writer& writer, const Customer& customer) {
            const auto count =
                static_cast<double>(std::max<std::int64_t>(customer.late_payments, 1));
            writer.open_object();
            write_text(writer, "customer_id", customer.customer_id);
            write_text(writer, "name", customer.name);
            write_text(writer, "email", customer.email);
            writer.key("late_payment_count").integer(customer.late_payments);
            writer.key("late_payment_rate").decimal(rounded(customer.late_rate() * 100));
            writer.key("avg_days_late")
                .decimal(rounded(static_cast<double>(customer.late_days) / count));
            writer.key("is_frequent_late_payer").boolean(customer.is_frequent_late_payer());
            writer.close_object();
        });
}

Response audit(const Call& call, ReminderServices services) {
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto* customer = call.query("customer_id");
    const auto* day = call.query("date");
    const bool by_customer = customer && !customer->empty();
    if (by_customer && !is_customer_id(*customer)) {
        return bad_field_response("customer_id", "is no id");
    }
    const auto wanted_day = day && !day->empty() ? *day : format_day(services.now());
    if (!by_customer && (wanted_day.size() != 10 || !parse_day_or_time(wanted_day))) {
        return bad_field_response("date", "must be a day such as 2025-09-01");
    }
    const auto found =
        by_customer ? audit_of_customer(services.books(), *customer, page->limit, page->after)
                    : audit_of_day(services.books(), wanted_day, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->entries, found->next, write_audit);
}

Response report(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"draft_id", "event"});
    if (!body) return body.error();
    const auto draft = required_text_member(*body, "draft_id");
    if (!draft) return draft.error();
    const auto event = required_text_member(*body, "event");
    if (!event) return event.error();
    const auto status = delivery_status_named(*event);
    if (!status || *status == DeliveryStatus::sent) {
        return bad_field_response("event", "must be delivered, bounced or complained");
    }
    const auto reported = services.deliveries.report(*draft, *status, person_of(call));
    return reported ? object_response(200, *reported, write_sent)
                    : refusal_response(reported.error());
}

}  // namespace

void add_reminder_routes(Routes& routes, ReminderServices services) {
    add_customer_routes(routes, services);
    add_invoice_routes(routes, services);
    add_draft_routes(routes, services);
    add_template_routes(routes, services);
    const auto get = [&](const char* path, auto action) {
        routes.add("GET", path, scope::reminders_read,
                   [services, action](const Call& call) { return action(call, services); });
    };
    get("/v1/reminders/due?allowed&limit&after", due);
    get("/v1/reminders/check?customer_id&type", check);
    get("/v1/reminders/sent?from&to&customer_id&limit&after", sent);
    get("/v1/reminders/stats?from&to", stats);
    get("/v1/reminders/late-payers?limit&after", late_payers);
    get("/v1/reminders/audit?customer_id&date&limit&after", audit);
    routes.add("POST", "/v1/reminders/events", scope::reminders_approve,
               [services](const Call& call) { return report(call, services); });
}

}  // namespace mailroom::api
