#include "reminders/dates.h"
#include "reminders/import_rows.h"
#include "reminders/money.h"

#include <algorithm>
#include <optional>

namespace mailroom::reminders {

namespace {

// Rows of one transaction, which has a hundred at most: each invoice, and each customer once.
constexpr std::size_t writes_at_once = 95;

struct Row {
    Invoice invoice;
    std::size_t number;  // In the file.
};

Answer<std::int64_t> cents_in(const char* field, std::string_view text) {
    const auto cents = parse_cents(text);
    if (!cents) return Refusal::bad_field(field, cents.error().message);
    return *cents;
}

Answer<Time> time_in(const char* field, std::string_view text) {
    const auto time = parse_day_or_time(text);
    if (!time) return Refusal::bad_field(field, time.error().message);
    return *time;
}

Answer<Invoice> invoice_of(const Csv& csv, std::size_t number, Time now) {
    const auto text = [&](const char* column) { return csv.find(number, column).value_or(""); };
    Invoice invoice;
    invoice.invoice_id = text("invoice_id");
    invoice.customer_id = text("customer_id");
    invoice.currency = text("currency");
    invoice.total_cents = TRY(cents_in("amount", text("amount")));
    invoice.due = TRY(time_in("due_date", text("due_date")));
    if (!text("status").empty()) {
        const auto status = invoice_status_named(text("status"));
        if (!status) {
            return Refusal::bad_field("status", "must be DRAFT, SENT, OVERDUE, PAID or CANCELLED");
        }
        invoice.status = *status;
    }
    if (!text("paid_amount").empty()) {
        invoice.paid_cents = TRY(cents_in("paid_amount", text("paid_amount")));
    }
    const bool is_open =
        invoice.status == InvoiceStatus::sent || invoice.status == InvoiceStatus::overdue;
    if (is_open && invoice.paid_cents == invoice.total_cents) invoice.status = InvoiceStatus::paid;
    if (invoice.status == InvoiceStatus::paid) {
        if (text("paid_amount").empty()) invoice.paid_cents = invoice.total_cents;
        invoice.paid = now;
        if (!text("paid_date").empty()) invoice.paid = TRY(time_in("paid_date", text("paid_date")));
    }
    TRY(check_invoice(invoice));
    return invoice;
}

std::vector<Row> rows_of(const Csv& csv, Time now, ImportResult& result) {
    std::vector<Row> rows;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < csv.rows(); ++i) {
        auto invoice = invoice_of(csv, i, now);
        if (invoice && !ids.insert(invoice->invoice_id).second) {
            invoice = Refusal::bad_field("invoice_id", "is there twice");
        }
        if (invoice) rows.push_back({*std::move(invoice), i});
        if (!invoice) add_error(result, csv, i, invoice.error());
    }
    // Those of a customer together: its row is then written once for all of them.
    std::ranges::stable_sort(
        rows, {}, [](const Row& row) -> const std::string& { return row.invoice.customer_id; });
    return rows;
}

// What the file says about an invoice that is there.
Answer<Invoice> merged(const Invoice& there, const Invoice& wanted) {
    if (there.customer_id != wanted.customer_id) {
        return Refusal::bad_field("invoice_id", "belongs to another customer");
    }
    if (there.status != wanted.status && !may_follow(there.status, wanted.status)) {
        return Refusal::bad_field("status", "cannot become " + std::string(name_of(wanted.status)) +
                                                " from " + std::string(name_of(there.status)));
    }
    auto invoice = there;
    invoice.status = wanted.status;
    invoice.total_cents = wanted.total_cents;
    invoice.paid_cents = wanted.paid_cents;
    invoice.due = wanted.due;
    // Without a date in the file, the day it was found paid stays.
    if (there.status != InvoiceStatus::paid) invoice.paid = wanted.paid;
    return invoice;
}

class Group {
public:
    Group(Accounts& accounts, const Csv& csv) : accounts_(accounts), csv_(csv) {}

    // Refused as the store refuses; what is wrong with rows is in `result`.
    Answer<> import(std::span<const Row> rows, ImportMode mode, ImportResult& result) {
        auto& books = accounts_.books();
        std::set<std::string> customer_ids, invoice_ids;
        for (const auto& row : rows) {
            if (is_customer_id(row.invoice.customer_id)) {
                customer_ids.insert(row.invoice.customer_id);
            }
            invoice_ids.insert(row.invoice.invoice_id);
        }
        customers_ = TRY(read_all<Customer>(books, books.tables.customers, "customer_id",
                                            customer_ids, read_customer));
        invoices_ = TRY(read_all<Invoice>(books, books.tables.invoices, "invoice_id", invoice_ids,
                                          read_invoice));
        schedule::Transaction transaction;
        changed_.clear();
        ImportResult counted;
        for (const auto& row : rows) {
            const auto applied = apply(transaction, row.invoice, counted);
            if (!applied) add_error(counted, csv_, row.number, applied.error());
        }
        for (const auto& id : changed_) accounts_.save(transaction, customers_.find(id)->second);
        const bool writes =
            mode == ImportMode::for_real && counted.is_good() && !transaction.empty();
        if (writes) TRY(books.commit(transaction));
        add(result, counted);
        return Ok{};
    }

private:
    Answer<> apply(schedule::Transaction& transaction, const Invoice& wanted,
                   ImportResult& counted) {
        const auto customer = customers_.find(wanted.customer_id);
        if (customer == customers_.end()) {
            return Refusal::bad_field("customer_id", "is no customer");
        }
        auto invoice = wanted;
        if (invoice.currency.empty()) invoice.currency = customer->second.currency;
        if (invoice.currency != customer->second.currency) {
            return Refusal::bad_field("currency",
                                      "must be the customer's: " + customer->second.currency);
        }
        const auto there = invoices_.find(wanted.invoice_id);
        const Invoice* before = there == invoices_.end() ? nullptr : &there->second;
        if (before != nullptr) invoice = TRY(merged(*before, invoice));
        if (before != nullptr && invoice == *before) {
            ++counted.unchanged;
            return Ok{};
        }
        TRY(replace_invoice(customer->second, before, &invoice, accounts_.books().clock.now()));
        ++(before != nullptr ? counted.updated : counted.created);
        changed_.insert(wanted.customer_id);
        accounts_.save(transaction, invoice);
        return Ok{};
    }

    static void add(ImportResult& result, const ImportResult& counted) {
        result.created += counted.created;
        result.updated += counted.updated;
        result.unchanged += counted.unchanged;
        for (const auto& error : counted.errors) {
            if (result.errors.size() < import_errors_told_max) result.errors.push_back(error);
        }
    }

    Accounts& accounts_;
    const Csv& csv_;
    std::map<std::string, Customer, std::less<>> customers_;
    std::map<std::string, Invoice, std::less<>> invoices_;
    std::set<std::string> changed_;  // Customers.
};

// As many rows from `at` on as fit into one transaction.
std::size_t group_size(const std::vector<Row>& rows, std::size_t at) {
    std::size_t count = 0, writes = 0;
    std::string_view customer;
    for (; at + count < rows.size(); ++count) {
        const auto& id = rows[at + count].invoice.customer_id;
        writes += id == customer ? 1 : 2;
        if (writes > writes_at_once) break;
        customer = id;
    }
    return count;
}

Answer<> import_all(Accounts& accounts, const Csv& csv, const std::vector<Row>& rows,
                    ImportMode mode, ImportResult& result) {
    for (std::size_t at = 0; at < rows.size();) {
        const auto count = group_size(rows, at);
        const std::span some(rows.data() + at, count);
        TRY(settled([&] { return Group(accounts, csv).import(some, mode, result); }));
        at += count;
    }
    return Ok{};
}

}  // namespace

Answer<ImportResult> import_invoices(Accounts& accounts, std::string_view text, ImportMode mode) {
    const auto csv = TRY(parse_import(text, {"invoice_id", "customer_id", "amount", "due_date"},
                                      {"status", "paid_amount", "paid_date", "currency"}));
    ImportResult result;
    result.rows = csv.rows();
    const auto rows = rows_of(csv, accounts.books().clock.now(), result);
    if (!result.is_good()) return result;
    // First dry, so that a row that is wrong keeps all others back.
    TRY(import_all(accounts, csv, rows, ImportMode::dry, result));
    if (mode == ImportMode::dry || !result.is_good()) return result;
    ImportResult written;
    written.rows = result.rows;
    TRY(import_all(accounts, csv, rows, ImportMode::for_real, written));
    return written;
}

}  // namespace mailroom::reminders
