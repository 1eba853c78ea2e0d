#include "reminders/accounts.h"

#include "base/hex.h"
#include "reminders/audit.h"
#include "reminders/dates.h"
#include "reminders/money.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t payment_ids_max = 500;  // They are all in one row.
constexpr std::size_t made_id_bytes = 3;      // Six hexadecimal digits.

std::string make_invoice_id(Time now, Random& random) {
    auto digits = hex_encode(random_bytes(random, made_id_bytes));
    std::ranges::transform(digits, digits.begin(), [](char c) {
        return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return "INV-" + format_day(now).substr(0, 4) + "-" + digits;
}

Answer<> apply(Invoice& invoice, const InvoiceChange& change, Time now) {
    if (change.total_cents) invoice.total_cents = *change.total_cents;
    if (change.due) invoice.due = *change.due;
    if (change.status && *change.status != invoice.status) {
        if (!may_follow(invoice.status, *change.status)) {
            return Refusal::conflict("invalid_transition",
                                     "an invoice that is " + std::string(name_of(invoice.status)) +
                                         " cannot become " + std::string(name_of(*change.status)));
        }
        invoice.status = *change.status;
        if (invoice.status == InvoiceStatus::paid) {
            invoice.paid_cents = invoice.total_cents;
            invoice.paid = change.paid.value_or(now);
        }
    }
    return check_invoice(invoice);
}

Answer<> apply_payment(Invoice& invoice, std::int64_t cents, Time at,
                       const std::optional<std::string>& payment_id) {
    if (payment_id &&
        std::ranges::find(invoice.payment_ids, *payment_id) != invoice.payment_ids.end()) {
        return Ok{};
    }
    if (invoice.payment_ids.size() >= payment_ids_max) {
        return Refusal::conflict("too_many_payments", "an invoice has 500 payments at most");
    }
    if (!invoice.is_open()) {
        return Refusal::conflict("not_open", "nothing is to be paid on an invoice that is " +
                                                 std::string(name_of(invoice.status)));
    }
    if (cents <= 0) return Refusal::bad_field("amount", "must be more than 0");
    if (cents > invoice.remaining_cents()) {
        return Refusal::bad_field(
            "amount", "is more than the remaining " + decimal_text(invoice.remaining_cents()));
    }
    if (payment_id) invoice.payment_ids.push_back(*payment_id);
    invoice.paid_cents += cents;
    if (invoice.remaining_cents() > 0) return Ok{};
    invoice.status = InvoiceStatus::paid;
    invoice.paid = at;
    return Ok{};
}

}  // namespace

void Accounts::save(schedule::Transaction& transaction, Customer& customer) const {
    const auto before = customer.version++;
    customer.updated = books_.clock.now();
    if (before == 0) customer.created = customer.updated;
    auto& put = transaction.put(books_.tables.customers, customer_item(customer));
    if (before == 0) put.if_absent("customer_id");
    if (before != 0) put.when("version", before);
}

void Accounts::save(schedule::Transaction& transaction, Invoice& invoice) const {
    const auto before = invoice.version++;
    invoice.updated = books_.clock.now();
    if (before == 0) invoice.created = invoice.updated;
    auto& put = transaction.put(books_.tables.invoices, invoice_item(invoice));
    if (before == 0) put.if_absent("invoice_id");
    if (before != 0) put.when("version", before);
}

Result<std::optional<Customer>> Accounts::find(const std::string& customer_id) {
    if (!is_customer_id(customer_id)) return std::optional<Customer>();
    const auto row = TRY(books_.get(books_.tables.customers, customer_key(customer_id)));
    if (!row) return std::optional<Customer>();
    return std::optional(TRY(read_customer(*row)));
}

Answer<Customer> Accounts::require(const std::string& customer_id) {
    auto found = TRY(find(customer_id));
    if (!found) return Refusal::not_found("no customer " + customer_id);
    return *std::move(found);
}

Answer<Customer> Accounts::create(const CustomerDetails& details) {
    auto checked = TRY(check_customer(details));
    Customer customer;
    customer.customer_id = std::move(checked.customer_id);
    customer.name = std::move(checked.name);
    customer.email = std::move(checked.email);
    customer.currency = std::move(checked.currency);
    schedule::Transaction transaction;
    save(transaction, customer);
    auto committed = books_.commit(transaction);
    if (committed) return customer;
    if (committed.error().kind != Refusal::Kind::lost_race) return std::move(committed).error();
    return Refusal::conflict("customer_exists",
                             "there is a customer " + customer.customer_id + " already");
}

Answer<Customer> Accounts::change(const std::string& customer_id, const CustomerChange& change,
                                  const Person& person) {
    return settled([&]() -> Answer<Customer> {
        auto customer = TRY(require(customer_id));
        schedule::Transaction transaction;
        if (change.name) customer.name = *change.name;
        if (change.email) customer.email = *change.email;
        auto checked = TRY(check_customer(
            {customer.customer_id, customer.name, customer.email, customer.currency}));
        customer.name = std::move(checked.name);
        customer.email = std::move(checked.email);
        if (change.opt_out && *change.opt_out != customer.opt_out) {
            customer.opt_out = *change.opt_out;
            customer.opt_out_reason = *change.opt_out ? change.opt_out_reason : "";
            add_audit(transaction, books_,
                      {.customer_id = customer_id,
                       .what = customer.opt_out ? "opted_out" : "opt_out_ended",
                       .by = person.name,
                       .by_id = person.id});
        }
        save(transaction, customer);
        TRY(books_.commit(transaction));
        return customer;
    });
}

Answer<Invoice> Accounts::require_invoice(const std::string& invoice_id) {
    const auto missing = Refusal::not_found("no invoice " + invoice_id);
    if (!is_invoice_id(invoice_id)) return missing;
    const auto row = TRY(books_.get(books_.tables.invoices, invoice_key(invoice_id)));
    if (!row) return missing;
    return TRY(read_invoice(*row));
}

Answer<Invoice> Accounts::try_create(Invoice invoice) {
    auto customer = TRY(require(invoice.customer_id));
    if (invoice.currency.empty()) invoice.currency = customer.currency;
    if (invoice.currency != customer.currency) {
        return Refusal::bad_field("currency", "must be the customer's: " + customer.currency);
    }
    TRY(replace_invoice(customer, nullptr, &invoice, books_.clock.now()));
    schedule::Transaction transaction;
    save(transaction, invoice);
    save(transaction, customer);
    auto committed = books_.commit(transaction);
    if (committed) return invoice;
    // Was it the invoice or the customer's row?
    if (committed.error().kind == Refusal::Kind::lost_race && require_invoice(invoice.invoice_id)) {
        return Refusal::conflict("invoice_exists",
                                 "there is an invoice " + invoice.invoice_id + " already");
    }
    return std::move(committed).error();
}

Answer<Invoice> Accounts::create(Invoice invoice) {
    if (invoice.invoice_id.empty()) {
        invoice.invoice_id = make_invoice_id(books_.clock.now(), books_.random);
    }
    if (invoice.status == InvoiceStatus::paid) {
        invoice.paid_cents = invoice.total_cents;
        if (!invoice.paid) invoice.paid = books_.clock.now();
    }
    TRY(check_invoice(invoice));
    return settled([&] { return try_create(invoice); });
}

template <class Change>
Answer<Invoice> Accounts::with_invoice(const std::string& invoice_id, Change change) {
    return settled([&]() -> Answer<Invoice> {
        const auto before = TRY(require_invoice(invoice_id));
        auto customer = TRY(require(before.customer_id));
        auto invoice = before;
        TRY(change(invoice));
        TRY(replace_invoice(customer, &before, &invoice, books_.clock.now()));
        schedule::Transaction transaction;
        save(transaction, invoice);
        save(transaction, customer);
        TRY(books_.commit(transaction));
        return invoice;
    });
}

Answer<Invoice> Accounts::change(const std::string& invoice_id, const InvoiceChange& change) {
    return with_invoice(
        invoice_id, [&](Invoice& invoice) { return apply(invoice, change, books_.clock.now()); });
}

Answer<Invoice> Accounts::pay(const std::string& invoice_id, std::int64_t cents, Time at,
                              const std::optional<std::string>& payment_id) {
    return with_invoice(invoice_id, [&](Invoice& invoice) {
        return apply_payment(invoice, cents, at, payment_id);
    });
}

Answer<> Accounts::erase(const std::string& invoice_id) {
    return settled([&]() -> Answer<> {
        const auto invoice = TRY(require_invoice(invoice_id));
        if (invoice.status != InvoiceStatus::draft && invoice.status != InvoiceStatus::cancelled) {
            return Refusal::conflict("not_erasable",
                                     "only a DRAFT or CANCELLED invoice can be deleted; this is " +
                                         std::string(name_of(invoice.status)));
        }
        schedule::Transaction transaction;
        transaction.erase(books_.tables.invoices, invoice_key(invoice_id))
            .when("version", invoice.version);
        return books_.commit(transaction);
    });
}

}  // namespace mailroom::reminders
