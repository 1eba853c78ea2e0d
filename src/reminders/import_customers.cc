#include "base/text.h"
#include "reminders/import_rows.h"

#include <algorithm>
#include <optional>

namespace mailroom::reminders {

namespace {

// A transaction has a hundred rows at most: the customer's, those of its audit, and its address's.
constexpr std::size_t writes_max = 100, writes_for_each_max = 5;

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

// Each field by itself, with the others as they could be: all that is wrong is told at once.
std::vector<Refusal> wrong_fields(const CustomerDetails& details) {
    const CustomerDetails good{"id", "name", "ann@example.com", "USD"};
    std::vector<Refusal> wrong;
    for (const auto part : {&CustomerDetails::customer_id, &CustomerDetails::name,
                            &CustomerDetails::email, &CustomerDetails::currency}) {
        auto one = good;
        one.*part = details.*part;
        if (auto checked = check_customer(one); !checked) wrong.push_back(checked.error());
    }
    return wrong;
}

void read_row(const Csv& csv, std::size_t number, std::set<std::string>& ids,
              std::vector<Row>& rows, ImportResult& result) {
    const auto text = [&](const char* column) {
        return std::string(csv.find(number, column).value_or(""));
    };
    auto currency = text("currency");
    if (currency.empty()) currency = "USD";
    const CustomerDetails details{text("customer_id"), text("name"), text("email"), currency};
    auto wrong = wrong_fields(details);
    const auto opt_out = flag_of(csv.find(number, "opt_out"));
    if (!opt_out) wrong.push_back(opt_out.error());
    if (!ids.insert(details.customer_id).second) {
        wrong.push_back(Refusal::bad_field("customer_id", "is there twice"));
    }
    for (const auto& one : wrong) add_error(result, csv.line(number), one);
    if (!wrong.empty()) return;
    rows.push_back({*check_customer(details), *opt_out, number});
}

std::vector<Row> rows_of(const Csv& csv, ImportResult& result) {
    std::vector<Row> rows;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < csv.rows(); ++i) read_row(csv, i, ids, rows, result);
    return rows;
}

// What the row says about a customer, with what belongs to it. False if nothing changes.
Answer<bool> apply(schedule::Transaction& transaction, Accounts& accounts, const Row& row,
                   Customer& customer, std::set<std::string>& addresses, const Person& person) {
    const auto before = customer;
    customer.customer_id = row.details.customer_id;
    customer.name = row.details.name;
    customer.email = row.details.email;
    if (customer.version == 0) customer.currency = row.details.currency;
    if (before.version != 0) accounts.audit_change(transaction, before, customer, person);
    // A file never takes an opt-out back.
    const bool opts_out = row.opt_out.value_or(false) && !customer.opt_out;
    // Two of one address go in two transactions: its row is written by both.
    if (opts_out && !addresses.insert(ascii_lower(customer.email)).second) {
        return Refusal(Refusal::Kind::lost_race, "again", "in the next transaction");
    }
    if (opts_out) TRY(accounts.set_opt_out(transaction, customer, true, "import", person));
    return customer != before;
}

// As many rows as one transaction takes; how many those were.
Answer<std::size_t> import_some(Accounts& accounts, std::span<const Row> rows, ImportMode mode,
                                const Person& person, ImportResult& result) {
    auto& books = accounts.books();
    std::set<std::string> ids, addresses;
    rows = rows.first(std::min(rows.size(), writes_max));
    for (const auto& row : rows) ids.insert(row.details.customer_id);
    auto found =
        TRY(read_all<Customer>(books, books.tables.customers, "customer_id", ids, read_customer));
    schedule::Transaction transaction;
    ImportResult counted;
    std::size_t done = 0;
    for (const auto& row : rows) {
        if (transaction.size() + writes_for_each_max > writes_max) break;
        auto& customer = found[row.details.customer_id];
        const bool is_new = customer.version == 0;
        const auto changed = apply(transaction, accounts, row, customer, addresses, person);
        if (!changed && changed.error().code == "again") break;
        if (!changed) return changed.error();
        ++(is_new ? counted.created : *changed ? counted.updated : counted.unchanged);
        if (*changed) accounts.save(transaction, customer);
        ++done;
    }
    if (mode == ImportMode::for_real && !transaction.empty()) TRY(books.commit(transaction));
    result.created += counted.created;
    result.updated += counted.updated;
    result.unchanged += counted.unchanged;
    return done;
}

}  // namespace

Answer<Csv> parse_import(std::string_view text, std::initializer_list<std::string_view> required,
                         std::initializer_list<std::string_view> optional, ImportResult& result) {
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
        if (known && std::ranges::count(csv->columns(), column) > 1) {
            return Refusal::bad_field(column, "is a column twice");
        }
        if (!known && !column.empty()) result.ignored_columns.push_back(column);
    }
    result.rows = csv->rows() + csv->faults().size();
    for (const auto& fault : csv->faults()) {
        add_error(result, fault.line, Refusal::bad_field("line", fault.message));
    }
    return *std::move(csv);
}

void add_error(ImportResult& result, std::size_t line, const Refusal& refusal) {
    ++result.errors_total;
    result.errors.push_back({line, refusal.field, refusal.message});
}

void order_errors(ImportResult& result) {
    std::ranges::stable_sort(result.errors, {}, &ImportError::line);
    if (result.errors.size() > import_errors_told_max) result.errors.resize(import_errors_told_max);
}

Answer<ImportResult> import_customers(Accounts& accounts, std::string_view text, ImportMode mode,
                                      const Person& person) {
    ImportResult result;
    const auto csv =
        TRY(parse_import(text, {"customer_id", "name", "email"}, {"currency", "opt_out"}, result));
    const auto rows = rows_of(csv, result);
    order_errors(result);
    if (!result.is_good()) return result;
    const std::span all(rows);
    for (std::size_t at = 0; at < all.size();) {
        at += TRY(
            settled([&] { return import_some(accounts, all.subspan(at), mode, person, result); }));
    }
    return result;
}

}  // namespace mailroom::reminders
