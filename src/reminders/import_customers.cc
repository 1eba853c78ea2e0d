#include "reminders/import_rows.h"

#include <algorithm>
#include <optional>

namespace mailroom::reminders {

namespace {

constexpr std::size_t customers_at_once = 90;  // A transaction has a hundred rows at most.

struct Row {
    CustomerDetails details;
    std::optional<bool> opt_out;
    std::size_t number;  // In the file.
};

Answer<std::optional<bool>> flag_of(std::optional<std::string_view> text) {
    if (!text || text->empty()) return std::optional<bool>();
    if (*text == "true" || *text == "yes" || *text == "1") return std::optional(true);
    if (*text == "false" || *text == "no" || *text == "0") return std::optional(false);
    return Refusal::bad_field("opt_out", "must be true or false");
}

Answer<Row> row_of(const Csv& csv, std::size_t number) {
    const auto text = [&](const char* column) {
        return std::string(csv.find(number, column).value_or(""));
    };
    auto currency = text("currency");
    if (currency.empty()) currency = "USD";
    auto details = TRY(
        check_customer({text("customer_id"), text("name"), text("email"), std::move(currency)}));
    const auto opt_out = TRY(flag_of(csv.find(number, "opt_out")));
    return Row{std::move(details), opt_out, number};
}

std::vector<Row> rows_of(const Csv& csv, ImportResult& result) {
    std::vector<Row> rows;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < csv.rows(); ++i) {
        auto row = row_of(csv, i);
        if (row && !ids.insert(row->details.customer_id).second) {
            row = Refusal::bad_field("customer_id", "is there twice");
        }
        if (row) rows.push_back(*std::move(row));
        if (!row) add_error(result, csv, i, row.error());
    }
    return rows;
}

// False if nothing changes.
bool apply(const Row& row, Customer& customer) {
    const auto before = customer;
    customer.customer_id = row.details.customer_id;
    customer.name = row.details.name;
    customer.email = row.details.email;
    if (customer.version == 0) customer.currency = row.details.currency;
    // A file never takes an opt-out back.
    if (row.opt_out.value_or(false) && !customer.opt_out) {
        customer.opt_out = true;
        customer.opt_out_reason = "import";
    }
    return customer != before;
}

Answer<> import_some(Accounts& accounts, std::span<const Row> rows, ImportMode mode,
                     ImportResult& result) {
    auto& books = accounts.books();
    std::set<std::string> ids;
    for (const auto& row : rows) ids.insert(row.details.customer_id);
    auto found =
        TRY(read_all<Customer>(books, books.tables.customers, "customer_id", ids, read_customer));
    schedule::Transaction transaction;
    ImportResult counted;
    for (const auto& row : rows) {
        auto& customer = found[row.details.customer_id];
        const bool is_new = customer.version == 0;
        const bool is_changed = apply(row, customer);
        ++(is_new ? counted.created : is_changed ? counted.updated : counted.unchanged);
        if (is_changed) accounts.save(transaction, customer);
    }
    if (mode == ImportMode::for_real && !transaction.empty()) TRY(books.commit(transaction));
    result.created += counted.created;
    result.updated += counted.updated;
    result.unchanged += counted.unchanged;
    return Ok{};
}

}  // namespace

Answer<Csv> parse_import(std::string_view text, std::initializer_list<std::string_view> required,
                         std::initializer_list<std::string_view> optional) {
    auto csv = Csv::parse(text);
    if (!csv) return Refusal::bad_field("body", csv.error().message);
    if (csv->rows() > import_rows_max) {
        return Refusal::bad_field("body", "has more than 100000 rows; split it");
    }
    for (const auto column : required) {
        if (std::ranges::find(csv->columns(), column) == csv->columns().end()) {
            return Refusal::bad_field(std::string(column), "is no column of the file");
        }
    }
    for (const auto& column : csv->columns()) {
        const bool known = std::ranges::find(required, column) != required.end() ||
                           std::ranges::find(optional, column) != optional.end();
        if (!known) return Refusal::bad_field(column, "is a column that is not known");
        if (std::ranges::count(csv->columns(), column) > 1) {
            return Refusal::bad_field(column, "is a column twice");
        }
    }
    return *std::move(csv);
}

void add_error(ImportResult& result, const Csv& csv, std::size_t row, const Refusal& refusal) {
    if (result.errors.size() >= import_errors_told_max) return;
    result.errors.push_back({csv.line(row), refusal.field, refusal.message});
}

Answer<ImportResult> import_customers(Accounts& accounts, std::string_view text, ImportMode mode) {
    const auto csv =
        TRY(parse_import(text, {"customer_id", "name", "email"}, {"currency", "opt_out"}));
    ImportResult result;
    result.rows = csv.rows();
    const auto rows = rows_of(csv, result);
    if (!result.is_good()) return result;
    const std::span all(rows);
    for (std::size_t at = 0; at < all.size(); at += customers_at_once) {
        const auto some = all.subspan(at, std::min(customers_at_once, all.size() - at));
        TRY(settled([&] { return import_some(accounts, some, mode, result); }));
    }
    return result;
}

}  // namespace mailroom::reminders
