#include "reminders/books.h"

#include "outbox/table_setup.h"

namespace mailroom::reminders {

namespace {

using table::Kind;

constexpr const char* expiry_attribute = "expires_at";
const table::Projection everything = {table::ProjectionKind::all, {}};

table::CreateTable tracking_table(const std::string& name) {
    table::CreateTable wanted;
    wanted.name = name;
    wanted.attributes = {{"PK", Kind::string},
                         {"SK", Kind::string},
                         {"GSI1PK", Kind::string},
                         {"GSI1SK", Kind::string}};
    wanted.keys = {"PK", "SK"};
    wanted.global_indexes = {{"GSI1", {"GSI1PK", "GSI1SK"}, everything, {}}};
    return wanted;
}

table::CreateTable customers_table(const std::string& name) {
    table::CreateTable wanted;
    wanted.name = name;
    wanted.attributes = {{"customer_id", Kind::string},
                         {"overdue_group", Kind::string},
                         {"earliest_due", Kind::number},
                         {"late_group", Kind::string},
                         {"late_rate", Kind::number}};
    wanted.keys = {"customer_id", ""};
    wanted.global_indexes = {{"OverdueIndex", {"overdue_group", "earliest_due"}, everything, {}},
                             {"LateIndex", {"late_group", "late_rate"}, everything, {}}};
    return wanted;
}

table::CreateTable invoices_table(const std::string& name) {
    table::CreateTable wanted;
    wanted.name = name;
    wanted.attributes = {
        {"invoice_id", Kind::string}, {"customer_id", Kind::string}, {"due_ms", Kind::number}};
    wanted.keys = {"invoice_id", ""};
    wanted.global_indexes = {{"CustomerIndex", {"customer_id", "due_ms"}, everything, {}}};
    return wanted;
}

table::CreateTable reminders_table(const std::string& name) {
    table::CreateTable wanted;
    wanted.name = name;
    wanted.attributes = {{"PK", Kind::string}, {"SK", Kind::string}, {"day", Kind::string}};
    wanted.keys = {"PK", "SK"};
    wanted.global_indexes = {{"DayIndex", {"day", "SK"}, everything, {}}};
    return wanted;
}

}  // namespace

Result<> Books::open() {
    for (const auto& wanted :
         {tracking_table(tables.tracking), customers_table(tables.customers),
          invoices_table(tables.invoices), reminders_table(tables.reminders)}) {
        TRY(outbox::ensure_table(store, wanted, expiry_attribute));
    }
    return Ok{};
}

Answer<> Books::commit(const schedule::Transaction& transaction) {
    const auto committed = schedule.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code != Errc::conflict) return Refusal(error);
    return Refusal(Refusal::Kind::lost_race, "conflict", "somebody else was faster");
}

Result<std::optional<table::Item>> Books::get(const std::string& table, table::Item key) const {
    table::GetItem request;
    request.table = table;
    request.key = std::move(key);
    request.consistent = true;
    auto found = TRY(store.get(request));
    return std::move(found.item);
}

std::set<std::string, std::less<>> Books::own_tables() {
    const TableNames names;
    return {names.customers, names.invoices, names.reminders};
}

}  // namespace mailroom::reminders
