#include "reminders/books.h"

#include "table/records/ensure_table.h"
#include "table/records/table_of.h"

#include <cassert>

namespace mailroom::reminders {

namespace {

using table::number;
using table::TableOf;

constexpr const char* expiry_attribute = "expires_at";

table::CreateTable tracking_table(const std::string& name) {
    return TableOf(name, "PK", "SK").index("GSI1", "GSI1PK", "GSI1SK");
}

table::CreateTable customers_table(const std::string& name) {
    return TableOf(name, "customer_id")
        .index("OverdueIndex", "overdue_group", number("earliest_due"))
        .index("LateIndex", "late_group", number("late_rate"));
}

table::CreateTable invoices_table(const std::string& name) {
    return TableOf(name, "invoice_id").index("CustomerIndex", "customer_id", number("due_ms"));
}

table::CreateTable reminders_table(const std::string& name) {
    return TableOf(name, "PK", "SK").index("DayIndex", "day", "SK");
}

}  // namespace

std::vector<table::OwnTable> Books::declared(const TableNames& names) {
    using table::Outside;
    return {
        {tracking_table(names.tracking), expiry_attribute, Outside::shared, true},
        {customers_table(names.customers), expiry_attribute},
        {invoices_table(names.invoices), expiry_attribute},
        {reminders_table(names.reminders), expiry_attribute},
    };
}

table::CreateTable Books::declared(const std::string& table) const {
    for (auto& own : declared(tables)) {
        if (own.made.name == table) return std::move(own.made);
    }
    assert(false);
    return {};
}

Result<> Books::open() { return table::ensure_tables(store, declared(tables)); }

std::vector<std::string> names_of_author(const program::Actor& who) {
    std::vector<std::string> names = {who.id};
    // No key has such an id.
    if (!who.person.empty()) names.push_back("person:" + who.person);
    return names;
}

Result<std::optional<table::Item>> Books::get(const std::string& table, table::Item key) const {
    table::GetItem request;
    request.table = table;
    request.key = std::move(key);
    request.consistent = true;
    auto found = TRY(store.get(request));
    return std::move(found.item);
}

}  // namespace mailroom::reminders
