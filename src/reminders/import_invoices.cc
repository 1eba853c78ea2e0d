#include "base/exported_amounts.h"
#include "base/money.h"
#include "reminders/audit.h"
#include "reminders/import.h"
#include "reminders/payments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace mailroom::reminders {

namespace {

// Rows of one transaction, which has a hundred at most: each invoice and its payment, and each
// customer and its audit once.
constexpr std::size_t writes_at_once = 95;

// What the file says; what it does not say is empty or not set.
struct Row {
    std::string invoice_id, customer_id, currency;
    std::string amount, paid_amount;
    std::optional<Time> due, paid;
    std::optional<InvoiceStatus> status;
    std::size_t line;
};

Row row_of(program::ImportRow& row) {
    Row read{.invoice_id = row.text("invoice_id"),
             .customer_id = row.text("customer_id"),
             .currency = row.text("currency"),
             .amount = row.text("amount"),
             .paid_amount = row.text("paid_amount"),
             .due = row.time("due_date"),
             .paid = row.time("paid_date"),
             .status = std::nullopt,
             .line = row.line()};
    if (row.text("due_date").empty()) row.wrong("due_date", table::DayOrTime::wanted());
    if (!is_invoice_id(read.invoice_id)) row.wrong("invoice_id", wanted_invoice_id);
    read.status = row.one_of<InvoiceStatus>("status");
    return read;
}

struct File {
    std::vector<Row> rows;
    std::optional<char> decimal_sign;  // As its amounts show.
};

File file_of(const Csv& csv, ImportResult& result) {
    File file;
    std::set<std::string> ids;
    std::vector<std::string_view> amounts;
    for (std::size_t i = 0; i < csv.rows(); ++i) {
        program::ImportRow in_file(csv, i);
        auto row = row_of(in_file);
        if (!row.invoice_id.empty() && !ids.insert(row.invoice_id).second) {
            in_file.wrong("invoice_id", "is there twice");
        }
        for (const auto* column : {"amount", "paid_amount"}) {
            amounts.push_back(csv.find(i, column).value_or(""));
        }
        in_file.end(result);
        // One without its own mistakes is asked for the rest, too.
        if (row.due && is_invoice_id(row.invoice_id)) file.rows.push_back(std::move(row));
    }
    file.decimal_sign = decimal_sign_of(amounts);
    // Those of a customer together: its row is then written once for all of them.
    std::ranges::stable_sort(file.rows, {}, &Row::customer_id);
    return file;
}

// False if it cannot be. A file that is older than what happened here does not open again what was
// paid.
bool set_status(Invoice& invoice, InvoiceStatus wanted) {
    if (invoice.version == 0 || invoice.status == wanted || may_follow(invoice.status, wanted)) {
        invoice.status = wanted;
        return true;
    }
    return (wanted == InvoiceStatus::sent || wanted == InvoiceStatus::overdue) &&
           (invoice.status == InvoiceStatus::paid || invoice.status == InvoiceStatus::overdue);
}

// What is paid, with the state and the day that follow from it.
void set_paid(Invoice& invoice, const Row& row, std::optional<std::int64_t> cents) {
    const bool was_paid = invoice.version != 0 && invoice.status == InvoiceStatus::paid &&
                          invoice.paid_cents == invoice.total_cents;
    if (invoice.status == InvoiceStatus::paid && !cents && !was_paid) cents = invoice.total_cents;
    if (cents) invoice.paid_cents = *cents;
    const bool is_settled = invoice.paid_cents >= invoice.total_cents;
    if (!invoice.is_counted()) return;
    if (is_settled) {
        invoice.status = InvoiceStatus::paid;
        if (row.paid) invoice.paid = row.paid;
    } else if (cents && invoice.status == InvoiceStatus::paid &&
               row.status != InvoiceStatus::paid) {
        invoice.status = InvoiceStatus::sent;
        invoice.paid.reset();
    }
}

// Rows that are imported in one transaction, with what they are about as it is now.
class Group {
public:
    Group(Accounts& accounts, const File& file, const program::Actor& person)
        : accounts_(accounts), file_(file), person_(person), now_(accounts.books().clock.now()) {}

    // Refused as the store refuses; what is wrong with rows is in `result`.
    Answer<> import(std::span<const Row> rows, ImportMode mode, ImportResult& result) {
        auto& books = accounts_.books();
        TRY(read(rows));
        schedule::Transaction transaction;
        ImportResult counted;
        for (const auto& row : rows) apply(transaction, row, counted);
        for (const auto& [id, paid] : changed_) {
            accounts_.save(transaction, customers_.find(id)->second);
            if (paid.empty()) continue;
            books.audit.add(transaction, person_,
                            {.customer_id = id, .what = "paid", .detail = "imported: " + paid});
        }
        const bool writes =
            mode == ImportMode::for_real && counted.is_good() && !transaction.empty();
        if (writes) TRY(books.commit(transaction));
        result.add(counted);
        return Ok{};
    }

private:
    Answer<> read(std::span<const Row> rows) {
        std::set<std::string> customer_ids, invoice_ids;
        for (const auto& row : rows) {
            if (is_customer_id(row.customer_id)) customer_ids.insert(row.customer_id);
            invoice_ids.insert(row.invoice_id);
        }
        customers_ = TRY(accounts_.customer_rows().find_by_id(customer_ids));
        invoices_ = TRY(accounts_.invoice_rows().find_by_id(invoice_ids));
        return Ok{};
    }

    std::optional<std::int64_t> cents_in(const char* field, const std::string& text,
                                         const std::string& currency,
                                         std::vector<BadField>& wrong) const {
        const auto cents = parse_exported_cents(text, file_.decimal_sign, currency);
        if (cents) return *cents;
        wrong.push_back({field, cents.error().message});
        return std::nullopt;
    }

    // As it is to be; what is wrong with it is in `wrong`.
    Invoice wanted(const Row& row, const Customer& customer, const Invoice* before,
                   std::vector<BadField>& wrong) const {
        Invoice invoice = before != nullptr ? *before : Invoice{};
        const auto currency = row.currency.empty() ? customer.currency : row.currency;
        if (currency != customer.currency) {
            wrong.push_back({"currency", "must be the customer's: " + customer.currency});
        }
        if (before != nullptr && before->customer_id != row.customer_id) {
            wrong.push_back({"invoice_id", "belongs to another customer"});
        }
        invoice.invoice_id = row.invoice_id;
        invoice.customer_id = row.customer_id;
        invoice.currency = customer.currency;
        invoice.due = *row.due;
        const auto total = cents_in("amount", row.amount, customer.currency, wrong);
        if (total) invoice.total_cents = *total;
        std::optional<std::int64_t> paid;
        if (!row.paid_amount.empty()) {
            paid = cents_in("paid_amount", row.paid_amount, customer.currency, wrong);
        }
        if (row.status && !set_status(invoice, *row.status)) {
            wrong.push_back({"status", "cannot become " + std::string(name_of(*row.status)) +
                                           " from " + std::string(name_of(invoice.status))});
        }
        set_paid(invoice, row, paid);
        const auto checked = check_invoice(invoice);
        if (wrong.empty() && !checked) wrong = checked.error().fields;
        return invoice;
    }

    void apply(schedule::Transaction& transaction, const Row& row, ImportResult& counted) {
        const auto customer = customers_.find(row.customer_id);
        if (customer == customers_.end()) {
            return counted.wrong(row.line, "customer_id", "is no customer");
        }
        const auto there = invoices_.find(row.invoice_id);
        const Invoice* before = there == invoices_.end() ? nullptr : &there->second;
        std::vector<BadField> wrong;
        auto invoice = wanted(row, customer->second, before, wrong);
        if (wrong.empty() && before != nullptr && invoice == *before) {
            ++counted.unchanged;
            return;
        }
        if (!wrong.empty()) return counted.wrong(row.line, Refusal(std::move(wrong)));
        const auto replaced = replace_invoice(customer->second, before, &invoice, now_);
        if (!replaced) return counted.wrong(row.line, replaced.error());
        ++(before != nullptr ? counted.updated : counted.created);
        auto& paid = changed_[row.customer_id];
        const auto more = invoice.paid_cents - (before != nullptr ? before->paid_cents : 0);
        if (more != 0) {
            paid += (paid.empty() ? "" : ", ") + invoice.invoice_id + " " +
                    money_text(more, invoice.currency);
        }
        record_payment(transaction, accounts_.books(), before, invoice, "import", now_, person_);
        accounts_.save(transaction, invoice);
    }

    Accounts& accounts_;
    const File& file_;
    const program::Actor& person_;
    const Time now_;
    std::map<std::string, Customer, std::less<>> customers_;
    std::map<std::string, Invoice, std::less<>> invoices_;
    std::map<std::string, std::string> changed_;  // Customers, and what was paid of each.
};

// As many rows from `at` on as fit into one transaction.
std::size_t group_size(const std::vector<Row>& rows, std::size_t at) {
    std::size_t count = 0, writes = 0;
    std::string_view customer;
    for (; at + count < rows.size(); ++count) {
        const auto& id = rows[at + count].customer_id;
        writes += id == customer ? 2 : 4;
        if (writes > writes_at_once) break;
        customer = id;
    }
    return count;
}

Answer<> import_all(Accounts& accounts, const File& file, ImportMode mode,
                    const program::Actor& person, ImportResult& result) {
    for (std::size_t at = 0; at < file.rows.size();) {
        const auto count = group_size(file.rows, at);
        const std::span some(file.rows.data() + at, count);
        TRY(settled(accounts.books().store.pauses(race_pauses),
                    [&] { return Group(accounts, file, person).import(some, mode, result); }));
        at += count;
    }
    return Ok{};
}

}  // namespace

Answer<ImportResult> import_invoices(Accounts& accounts, std::string_view text, ImportMode mode,
                                     const program::Actor& person) {
    ImportResult result;
    const auto csv =
        TRY(program::read_import(text, {"invoice_id", "customer_id", "amount", "due_date"},
                                 {"status", "paid_amount", "paid_date", "currency"}, result));
    const auto file = file_of(csv, result);
    // First dry, so that a row that is wrong keeps all others back.
    TRY(import_all(accounts, file, ImportMode::dry, person, result));
    result.order_errors();
    if (mode == ImportMode::dry || !result.is_good()) return result;
    ImportResult written;
    written.rows = result.rows;
    written.ignored_columns = result.ignored_columns;
    TRY(import_all(accounts, file, ImportMode::for_real, person, written));
    return written;
}

}  // namespace mailroom::reminders
