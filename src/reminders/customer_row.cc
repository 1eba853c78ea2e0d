// Customers as rows.
#include "reminders/customer.h"
#include "reminders/row_fields.h"

#include <algorithm>
#include <utility>

namespace mailroom::reminders {

namespace {

using table::Item;
using table::ItemView;
using table::Value;

Value map_value(const Item& fields) { return Value::map(fields.view()); }

Value open_invoices_value(const Customer& customer) {
    std::vector<Value> list;
    list.reserve(customer.open_invoices.size());
    for (const auto& invoice : customer.open_invoices) {
        list.push_back(map_value({{"cents", invoice.cents},
                                  {"due", to_unix_ms(invoice.due)},
                                  {"id", invoice.invoice_id}}));
    }
    return Value::list(list);
}

Value past_value(const Past& past) {
    std::vector<Value> list;
    list.reserve(past.reminders.size());
    for (const auto& reminder : past.reminders) {
        list.push_back(map_value({{"at", to_unix_ms(reminder.at)},
                                  {"cycle", reminder.cycle},
                                  {"draft", reminder.draft_id},
                                  {"fate", name_of(reminder.fate)},
                                  {"type", name_of(reminder.type)}}));
    }
    return Value::list(list);
}

Value open_drafts_value(const Customer& customer) {
    Item drafts;
    for (const auto type : all_types) {
        const auto& draft = customer.open_drafts[index_of(type)];
        if (!draft) continue;
        drafts.set(name_of(type),
                   map_value({{"id", draft->id}, {"until", to_unix_ms(draft->until)}}));
    }
    return map_value(drafts);
}

void add_index_keys(Item& item, const Customer& customer) {
    if (!customer.open_invoices.empty()) {
        item.set("overdue_group", Value("open"));
        item.set("earliest_due", Value(to_unix_ms(customer.open_invoices.front().due)));
    }
    if (customer.is_frequent_late_payer()) {
        item.set("late_group", Value("late"));
        item.set("late_rate", Value(static_cast<std::int64_t>(customer.late_rate() * 1000)));
    }
}

void read_open_invoices(const RowFields& row, Customer& customer) {
    for (const auto& map : row.maps("open_invoices")) {
        customer.open_invoices.push_back({map.text("id"), from_unix_ms(map.number("due")),
                                          row.scaled(map.number("cents"), customer.currency)});
    }
}

// A reminder that cannot be read would not keep others back: it makes the row corrupt.
bool read_past(const RowFields& row, Past& past) {
    past.cycle = row.number("cycle", 1);
    past.since = row.time("cycle_since");
    past.before_since = row.time("cycle_before_since");
    for (const auto& map : row.maps("past")) {
        const auto type = reminder_type_named(map.text("type"));
        const auto fate = fate_named(map.text("fate"));
        const auto at = map.time("at");
        if (!type || !fate || !at) return false;
        past.reminders.push_back({*type, *at, map.text("draft"), map.number("cycle", 1), *fate});
    }
    return true;
}

void read_drafts(const RowFields& row, Customer& customer) {
    const auto drafts = row.map("open_drafts");
    for (const auto type : all_types) {
        customer.last_sent_at[index_of(type)] = row.time(sent_attribute(type));
        const auto draft = drafts ? drafts->map(name_of(type)) : std::nullopt;
        if (!draft) continue;
        customer.open_drafts[index_of(type)] = {draft->text("id"),
                                                from_unix_ms(draft->number("until"))};
    }
}

}  // namespace

std::string_view sent_attribute(ReminderType type) {
    constexpr std::string_view names[] = {"first_reminder_sent", "second_reminder_sent",
                                          "final_notice_sent"};
    return names[index_of(type)];
}

Item customer_key(std::string_view customer_id) { return {{"customer_id", customer_id}}; }

Item customer_item(const Customer& customer) {
    Item item{{"customer_id", customer.customer_id},
              {"name", customer.name},
              {"email", customer.email},
              {"currency", customer.currency},
              {"version", customer.version},
              {"created", to_unix_ms(customer.created)},
              {"updated", to_unix_ms(customer.updated)},
              {"opt_out", customer.opt_out},
              {"open_invoices", open_invoices_value(customer)},
              {"invoices_total", customer.invoices_total},
              {"late_payments", customer.late_payments},
              {"late_days", customer.late_days},
              {"past", past_value(customer.past)},
              {"cycle", customer.past.cycle},
              {"open_drafts", open_drafts_value(customer)},
              {"total_emails_sent", customer.total_emails_sent},
              {"bounce_count", customer.bounce_count},
              {"complaint_count", customer.complaint_count}};
    if (!customer.opt_out_reason.empty()) {
        item.set("opt_out_reason", Value(customer.opt_out_reason));
    }
    const std::pair<const char*, std::optional<Time>> times[] = {
        {"cycle_since", customer.past.since},
        {"cycle_before_since", customer.past.before_since},
        {"opt_out_ended", customer.opt_out_ended}};
    for (const auto& [name, time] : times) {
        if (time) item.set(name, Value(to_unix_ms(*time)));
    }
    for (const auto type : all_types) {
        const auto& at = customer.last_sent_at[index_of(type)];
        if (at) item.set(sent_attribute(type), Value(to_unix_ms(*at)));
    }
    add_index_keys(item, customer);
    set_scale(item, customer.currency);
    return item;
}

Result<Customer> read_customer(const ItemView& item) {
    const RowFields row(item);
    Customer customer;
    customer.customer_id = row.text("customer_id");
    customer.name = row.text("name");
    customer.email = row.text("email");
    customer.currency = row.text("currency");
    customer.version = row.number("version");
    customer.created = from_unix_ms(row.number("created"));
    customer.updated = from_unix_ms(row.number("updated"));
    customer.opt_out = item.boolean("opt_out").value_or(false);
    customer.opt_out_reason = row.text("opt_out_reason");
    customer.opt_out_ended = row.time("opt_out_ended");
    customer.invoices_total = row.number("invoices_total");
    customer.late_payments = row.number("late_payments");
    customer.late_days = row.number("late_days");
    customer.total_emails_sent = row.number("total_emails_sent");
    customer.bounce_count = row.number("bounce_count");
    customer.complaint_count = row.number("complaint_count");
    read_open_invoices(row, customer);
    read_drafts(row, customer);
    const bool good = !customer.customer_id.empty() && customer.version > 0 &&
                      !customer.email.empty() && read_past(row, customer.past);
    if (!good) {
        return Error{Errc::corrupt,
                     "the row of customer " + customer.customer_id + " is not one of ours"};
    }
    return customer;
}

}  // namespace mailroom::reminders
