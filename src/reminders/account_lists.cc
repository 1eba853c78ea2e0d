// Customers and invoices, page by page.
#include "reminders/accounts.h"
#include "reminders/list_cursor.h"
#include "table/query_builder.h"

#include <charconv>
#include <utility>

namespace mailroom::reminders {

namespace {

std::string cursor_of(std::string_view id) { return list_cursor({std::string(id)}); }
std::string cursor_of(std::int64_t number, std::string_view id) {
    return list_cursor({std::to_string(number), std::string(id)});
}

struct Place {
    std::int64_t number = 0;
    std::string id;
};

Result<Place> parse_cursor(const std::string& cursor, bool has_number) {
    auto texts = TRY(parse_list_cursor(cursor, has_number ? 2 : 1));
    Place place;
    place.id = std::move(texts.back());
    if (has_number) {
        const auto& number = texts.front();
        const auto* const end = number.data() + number.size();
        const auto [read_to, error] = std::from_chars(number.data(), end, place.number);
        if (error != std::errc() || read_to != end) return wrong_list_cursor();
    }
    if (!is_invoice_id(place.id)) return wrong_list_cursor();
    return place;
}

Result<CustomerPage> customers_of(const table::Page& page) {
    CustomerPage result;
    result.customers.reserve(page.items.size());
    for (const auto& row : page.items) result.customers.push_back(TRY(read_customer(row)));
    return result;
}

Result<InvoicePage> invoices_of(const table::Page& page) {
    InvoicePage result;
    result.invoices.reserve(page.items.size());
    for (const auto& row : page.items) result.invoices.push_back(TRY(read_invoice(row)));
    return result;
}

table::Scan scan_of(const std::string& table, std::size_t limit) {
    table::Scan scan;
    scan.table = table;
    scan.limit = static_cast<std::int64_t>(limit);
    return scan;
}

std::string_view id_of(const table::Item& key, const char* name) {
    return key.text(name).value_or("");
}

}  // namespace

Result<CustomerPage> Accounts::list(std::size_t limit, const std::optional<std::string>& after) {
    auto scan = scan_of(books_.tables.customers, limit);
    if (after) {
        const auto place = TRY(parse_cursor(*after, false));
        scan.start_key = customer_key(place.id);
    }
    const auto page = TRY(books_.store.scan(scan));
    auto result = TRY(customers_of(page));
    if (page.last_key) result.next = cursor_of(id_of(*page.last_key, "customer_id"));
    return result;
}

Result<CustomerPage> Accounts::overdue(std::size_t limit, const std::optional<std::string>& after) {
    auto query = table::from(books_.tables.customers);
    query.index("OverdueIndex")
        .partition("overdue_group", "open")
        .below("earliest_due", to_unix_ms(books_.clock.now()))
        .limit(static_cast<std::int64_t>(limit));
    if (after) {
        const auto place = TRY(parse_cursor(*after, true));
        query.after(table::Item{
            {"customer_id", place.id}, {"overdue_group", "open"}, {"earliest_due", place.number}});
    }
    const auto page = TRY(books_.store.query(query));
    auto result = TRY(customers_of(page));
    if (page.last_key) {
        result.next = cursor_of(page.last_key->integer("earliest_due").value_or(0),
                                id_of(*page.last_key, "customer_id"));
    }
    return result;
}

Result<CustomerPage> Accounts::late_payers(std::size_t limit,
                                           const std::optional<std::string>& after) {
    auto query = table::from(books_.tables.customers);
    query.index("LateIndex")
        .partition("late_group", "late")
        .newest_first()
        .limit(static_cast<std::int64_t>(limit));
    if (after) {
        const auto place = TRY(parse_cursor(*after, true));
        query.after(table::Item{
            {"customer_id", place.id}, {"late_group", "late"}, {"late_rate", place.number}});
    }
    const auto page = TRY(books_.store.query(query));
    auto result = TRY(customers_of(page));
    if (page.last_key) {
        result.next = cursor_of(page.last_key->integer("late_rate").value_or(0),
                                id_of(*page.last_key, "customer_id"));
    }
    return result;
}

Result<InvoicePage> Accounts::invoices(const std::string& customer_id, std::size_t limit,
                                       const std::optional<std::string>& after) {
    if (!is_customer_id(customer_id)) return InvoicePage{};
    auto query = table::from(books_.tables.invoices);
    query.index("CustomerIndex")
        .partition("customer_id", customer_id)
        .limit(static_cast<std::int64_t>(limit));
    if (after) {
        const auto place = TRY(parse_cursor(*after, true));
        query.after(table::Item{
            {"invoice_id", place.id}, {"customer_id", customer_id}, {"due_ms", place.number}});
    }
    const auto page = TRY(books_.store.query(query));
    auto result = TRY(invoices_of(page));
    if (page.last_key) {
        result.next = cursor_of(page.last_key->integer("due_ms").value_or(0),
                                id_of(*page.last_key, "invoice_id"));
    }
    return result;
}

Result<InvoicePage> Accounts::all_invoices(std::size_t limit,
                                           const std::optional<std::string>& after) {
    auto scan = scan_of(books_.tables.invoices, limit);
    if (after) {
        const auto place = TRY(parse_cursor(*after, false));
        scan.start_key = invoice_key(place.id);
    }
    const auto page = TRY(books_.store.scan(scan));
    auto result = TRY(invoices_of(page));
    if (page.last_key) result.next = cursor_of(id_of(*page.last_key, "invoice_id"));
    return result;
}

}  // namespace mailroom::reminders
