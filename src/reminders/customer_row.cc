// Customers as rows.
#include "reminders/customer.h"

#include <algorithm>
#include <utility>

namespace mailroom::reminders {

namespace {

using table::Item;
using table::ItemView;
using table::Value;

constexpr const char* sent_names[] = {"first_reminder_sent", "second_reminder_sent",
                                      "final_notice_sent"};

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

std::optional<ItemView> map_of(const std::optional<table::ValueView>& value) {
    if (!value || value->kind() != table::Kind::map) return std::nullopt;
    return value->map();
}

std::vector<ItemView> maps_of(const ItemView& row, std::string_view name) {
    std::vector<ItemView> maps;
    const auto value = row.find(name);
    if (!value || value->kind() != table::Kind::list) return maps;
    for (const auto element : value->list()) {
        if (auto map = map_of(element)) maps.push_back(*map);
    }
    return maps;
}

void read_open_invoices(const ItemView& row, Customer& customer) {
    for (const auto& map : maps_of(row, "open_invoices")) {
        customer.open_invoices.push_back({std::string(map.text("id").value_or("")),
                                          from_unix_ms(map.integer("due").value_or(0)),
                                          map.integer("cents").value_or(0)});
    }
}

// A reminder that cannot be read would not keep others back: it makes the row corrupt.
bool read_past(const ItemView& row, Past& past) {
    past.cycle = row.integer("cycle").value_or(1);
    for (const auto& map : maps_of(row, "past")) {
        const auto type = reminder_type_named(map.text("type").value_or(""));
        const auto fate = fate_named(map.text("fate").value_or(""));
        const auto at = map.integer("at");
        if (!type || !fate || !at) return false;
        past.reminders.push_back({*type, from_unix_ms(*at),
                                  std::string(map.text("draft").value_or("")),
                                  map.integer("cycle").value_or(1), *fate});
    }
    return true;
}

void read_drafts(const ItemView& row, Customer& customer) {
    const auto drafts = map_of(row.find("open_drafts"));
    for (const auto type : all_types) {
        if (const auto at = row.integer(sent_names[index_of(type)])) {
            customer.last_sent_at[index_of(type)] = from_unix_ms(*at);
        }
        const auto draft = drafts ? map_of(drafts->find(name_of(type))) : std::nullopt;
        if (!draft) continue;
        customer.open_drafts[index_of(type)] = {std::string(draft->text("id").value_or("")),
                                                from_unix_ms(draft->integer("until").value_or(0))};
    }
}

}  // namespace

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
    for (const auto type : all_types) {
        const auto& at = customer.last_sent_at[index_of(type)];
        if (at) item.set(sent_names[index_of(type)], Value(to_unix_ms(*at)));
    }
    add_index_keys(item, customer);
    return item;
}

Result<Customer> read_customer(const ItemView& row) {
    Customer customer;
    const auto text = [&](const char* name) { return std::string(row.text(name).value_or("")); };
    const auto number = [&](const char* name) { return row.integer(name).value_or(0); };
    customer.customer_id = text("customer_id");
    customer.name = text("name");
    customer.email = text("email");
    customer.currency = text("currency");
    customer.version = number("version");
    customer.created = from_unix_ms(number("created"));
    customer.updated = from_unix_ms(number("updated"));
    customer.opt_out = row.boolean("opt_out").value_or(false);
    customer.opt_out_reason = text("opt_out_reason");
    customer.invoices_total = number("invoices_total");
    customer.late_payments = number("late_payments");
    customer.late_days = number("late_days");
    customer.total_emails_sent = number("total_emails_sent");
    customer.bounce_count = number("bounce_count");
    customer.complaint_count = number("complaint_count");
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
