#include "reminders/audit.h"
#include "reminders/dates.h"
#include "reminders/import_amounts.h"
#include "reminders/import_rows.h"
#include "reminders/money.h"
#include "reminders/payments.h"

#include <algorithm>
#include <optional>

namespace mailroom::reminders {

namespace {

// Rows of one transaction, which has a hundred at most: each invoice and its payment, and each
// customer and its audit once.
constexpr std::size_t writes_at_once = 95;

// What the file says; what it does not say is not set.
struct Row {
    std::string invoice_id, customer_id, currency;
    std::string amount;
    std::optional<std::string> paid_amount;
    std::optional<Time> due, paid;
    std::optional<InvoiceStatus> status;
    std::size_t line;
};

std::optional<Time> time_in(const char* field, std::string_view text, std::vector<Refusal>& wrong) {
    if (text.empty() && std::string_view(field) != "due_date") return std::nullopt;
    const auto time = parse_day_or_time(text);
    if (time) return *time;
    wrong.push_back(Refusal::bad_field(field, time.error().message));
    return std::nullopt;
}

Row row_of(const Csv& csv, std::size_t number, std::vector<Refusal>& wrong) {
    const auto text = [&](const char* column) {
        return std::string(csv.find(number, column).value_or(""));
    };
    Row row{.invoice_id = text("invoice_id"),
            .customer_id = text("customer_id"),
            .currency = text("currency"),
            .amount = text("amount"),
            .paid_amount = std::nullopt,
            .due = time_in("due_date", text("due_date"), wrong),
            .paid = time_in("paid_date", text("paid_date"), wrong),
            .status = std::nullopt,
            .line = csv.line(number)};
    if (!text("paid_amount").empty()) row.paid_amount = text("paid_amount");
    if (!is_invoice_id(row.invoice_id)) {
        wrong.push_back(Refusal::bad_field(
            "invoice_id", "must be 1 to 100 letters, digits or any of _ - . : @ / #"));
    }
    if (const auto status = text("status"); !status.empty()) {
        row.status = invoice_status_named(status);
        if (!row.status) {
            wrong.push_back(
                Refusal::bad_field("status", "must be DRAFT, SENT, OVERDUE, PAID or CANCELLED"));
        }
    }
    return row;
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
        std::vector<Refusal> wrong;
        auto row = row_of(csv, i, wrong);
        if (!row.invoice_id.empty() && !ids.insert(row.invoice_id).second) {
            wrong.push_back(Refusal::bad_field("invoice_id", "is there twice"));
        }
        for (const auto* column : {"amount", "paid_amount"}) {
            amounts.push_back(csv.find(i, column).value_or(""));
        }
        for (const auto& one : wrong) add_error(result, row.line, one);
        // One without its own mistakes is asked for the rest, too.
        if (row.due && is_invoice_id(row.invoice_id)) file.rows.push_back(std::move(row));
    }
    file.decimal_sign = decimal_sign_of(amounts);
    // Those of a customer together: its row is then written once for all of them.
    std::ranges::stable_sort(file.rows, {}, &Row::customer_id);
    return file;
}

// A file that is older than what happened here does not open again what was paid.
Answer<> set_status(Invoice& invoice, InvoiceStatus wanted) {
    if (invoice.version == 0 || invoice.status == wanted || may_follow(invoice.status, wanted)) {
        invoice.status = wanted;
        return Ok{};
    }
    const bool is_older =
        (wanted == InvoiceStatus::sent || wanted == InvoiceStatus::overdue) &&
        (invoice.status == InvoiceStatus::paid || invoice.status == InvoiceStatus::overdue);
    if (is_older) return Ok{};
    return Refusal::bad_field("status", "cannot become " + std::string(name_of(wanted)) + " from " +
                                            std::string(name_of(invoice.status)));
}

// What is paid, with the state and the day that follow from it.
void set_paid(Invoice& invoice, const Row& row, std::optional<std::int64_t> cents) {
    const bool was_paid = invoice.version != 0 && invoice.status == InvoiceStatus::paid &&
                          invoice.paid_cents == invoice.total_cents;
    if (invoice.status == InvoiceStatus::paid && !cents && !was_paid) cents = invoice.total_cents;
    if (cents) invoice.paid_cents = *cents;
    const bool is_settled = invoice.paid_cents >= invoice.total_cents;
    const bool may_be_paid = invoice.status == InvoiceStatus::sent ||
                             invoice.status == InvoiceStatus::overdue ||
                             invoice.status == InvoiceStatus::paid;
    if (!may_be_paid) return;
    if (is_settled) {
        invoice.status = InvoiceStatus::paid;
        if (row.paid) invoice.paid = row.paid;
    } else if (cents && invoice.status == InvoiceStatus::paid &&
               row.status != InvoiceStatus::paid) {
        invoice.status = InvoiceStatus::sent;
        invoice.paid.reset();
    }
}

class Group {
public:
    Group(Accounts& accounts, const File& file, const Person& person)
        : accounts_(accounts), file_(file), person_(person) {}

    // Refused as the store refuses; what is wrong with rows is in `result`.
    Answer<> import(std::span<const Row> rows, ImportMode mode, ImportResult& result) {
        auto& books = accounts_.books();
        now_ = books.clock.now();
        TRY(read(rows));
        schedule::Transaction transaction;
        changed_.clear();
        ImportResult counted;
        for (const auto& row : rows) apply(transaction, row, counted);
        for (const auto& [id, paid] : changed_) {
            accounts_.save(transaction, customers_.find(id)->second);
            if (paid.empty()) continue;
            add_audit(transaction, books,
                      {.customer_id = id,
                       .what = "paid",
                       .by = person_.name,
                       .by_id = person_.id,
                       .detail = "imported: " + paid});
        }
        const bool writes =
            mode == ImportMode::for_real && counted.is_good() && !transaction.empty();
        if (writes) TRY(books.commit(transaction));
        add(result, counted);
        return Ok{};
    }

private:
    Answer<> read(std::span<const Row> rows) {
        auto& books = accounts_.books();
        std::set<std::string> customer_ids, invoice_ids;
        for (const auto& row : rows) {
            if (is_customer_id(row.customer_id)) customer_ids.insert(row.customer_id);
            invoice_ids.insert(row.invoice_id);
        }
        customers_ = TRY(read_all<Customer>(books, books.tables.customers, "customer_id",
                                            customer_ids, read_customer));
        invoices_ = TRY(read_all<Invoice>(books, books.tables.invoices, "invoice_id", invoice_ids,
                                          read_invoice));
        return Ok{};
    }

    std::optional<std::int64_t> cents_in(const char* field, const std::string& text,
                                         const std::string& currency,
                                         std::vector<Refusal>& wrong) const {
        const auto cents = parse_exported_cents(text, file_.decimal_sign, currency);
        if (cents) return *cents;
        wrong.push_back(Refusal::bad_field(field, cents.error().message));
        return std::nullopt;
    }

    // As it is to be; what is wrong with it is in `wrong`.
    Invoice wanted(const Row& row, const Customer& customer, const Invoice* before,
                   std::vector<Refusal>& wrong) const {
        Invoice invoice = before != nullptr ? *before : Invoice{};
        const auto currency = row.currency.empty() ? customer.currency : row.currency;
        if (currency != customer.currency) {
            wrong.push_back(
                Refusal::bad_field("currency", "must be the customer's: " + customer.currency));
        }
        if (before != nullptr && before->customer_id != row.customer_id) {
            wrong.push_back(Refusal::bad_field("invoice_id", "belongs to another customer"));
        }
        invoice.invoice_id = row.invoice_id;
        invoice.customer_id = row.customer_id;
        invoice.currency = customer.currency;
        invoice.due = *row.due;
        const auto total = cents_in("amount", row.amount, customer.currency, wrong);
        if (total) invoice.total_cents = *total;
        std::optional<std::int64_t> paid;
        if (row.paid_amount) {
            paid = cents_in("paid_amount", *row.paid_amount, customer.currency, wrong);
        }
        if (row.status) {
            const auto set = set_status(invoice, *row.status);
            if (!set) wrong.push_back(set.error());
        }
        set_paid(invoice, row, paid);
        const auto checked = check_invoice(invoice);
        if (wrong.empty() && !checked) wrong.push_back(checked.error());
        return invoice;
    }

    void apply(schedule::Transaction& transaction, const Row& row, ImportResult& counted) {
        const auto customer = customers_.find(row.customer_id);
        if (customer == customers_.end()) {
            return add_error(counted, row.line,
                             Refusal::bad_field("customer_id", "is no customer"));
        }
        const auto there = invoices_.find(row.invoice_id);
        const Invoice* before = there == invoices_.end() ? nullptr : &there->second;
        std::vector<Refusal> wrong;
        auto invoice = wanted(row, customer->second, before, wrong);
        if (wrong.empty() && before != nullptr && invoice == *before) {
            ++counted.unchanged;
            return;
        }
        if (wrong.empty()) {
            const auto replaced = replace_invoice(customer->second, before, &invoice, now_);
            if (!replaced) wrong.push_back(replaced.error());
        }
        for (const auto& one : wrong) add_error(counted, row.line, one);
        if (!wrong.empty()) return;
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

    static void add(ImportResult& result, const ImportResult& counted) {
        result.created += counted.created;
        result.updated += counted.updated;
        result.unchanged += counted.unchanged;
        result.errors_total += counted.errors_total;
        for (const auto& error : counted.errors) result.errors.push_back(error);
    }

    Accounts& accounts_;
    const File& file_;
    const Person& person_;
    Time now_;
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

Answer<> import_all(Accounts& accounts, const File& file, ImportMode mode, const Person& person,
                    ImportResult& result) {
    for (std::size_t at = 0; at < file.rows.size();) {
        const auto count = group_size(file.rows, at);
        const std::span some(file.rows.data() + at, count);
        TRY(settled([&] { return Group(accounts, file, person).import(some, mode, result); }));
        at += count;
    }
    return Ok{};
}

}  // namespace

Answer<ImportResult> import_invoices(Accounts& accounts, std::string_view text, ImportMode mode,
                                     const Person& person) {
    ImportResult result;
    const auto csv = TRY(parse_import(text, {"invoice_id", "customer_id", "amount", "due_date"},
                                      {"status", "paid_amount", "paid_date", "currency"}, result));
    const auto file = file_of(csv, result);
    // First dry, so that a row that is wrong keeps all others back.
    TRY(import_all(accounts, file, ImportMode::dry, person, result));
    order_errors(result);
    if (mode == ImportMode::dry || !result.is_good()) return result;
    ImportResult written;
    written.rows = result.rows;
    written.ignored_columns = result.ignored_columns;
    TRY(import_all(accounts, file, ImportMode::for_real, person, written));
    return written;
}

}  // namespace mailroom::reminders
