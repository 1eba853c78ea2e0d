#include "reminders/accounts.h"

#include "base/days.h"
#include "base/hex.h"
#include "base/money.h"
#include "reminders/accounts_change.h"
#include "reminders/addresses.h"
#include "reminders/audit.h"

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

Answer<> apply(Invoice& invoice, const InvoiceChange& change) {
    if (change.amount) invoice.total_cents = TRY(change.amount->cents("amount", invoice.currency));
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
            invoice.paid = change.paid;
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
        return Refusal::bad_field("amount",
                                  "is more than the remaining " +
                                      decimal_text(invoice.remaining_cents(), invoice.currency));
    }
    if (payment_id) invoice.payment_ids.push_back(*payment_id);
    invoice.paid_cents += cents;
    if (invoice.remaining_cents() > 0) return Ok{};
    invoice.status = InvoiceStatus::paid;
    invoice.paid = at;
    return Ok{};
}

// What it did to the invoice, the other way round.
Answer<> take_back(Invoice& invoice, const Payment& payment) {
    invoice.paid_cents -= payment.cents;
    if (invoice.paid_cents < 0 || invoice.paid_cents > invoice.total_cents) {
        return Refusal::conflict("not_undoable",
                                 "what is paid would be less than nothing or more than all");
    }
    if (invoice.status == InvoiceStatus::paid && invoice.remaining_cents() > 0) {
        invoice.status = InvoiceStatus::sent;
        invoice.paid.reset();
    } else if (invoice.is_open() && invoice.remaining_cents() == 0) {
        invoice.status = InvoiceStatus::paid;
        invoice.paid = payment.paid;
    }
    return Ok{};
}

CustomerDetails details_of(const Customer& customer) {
    return {customer.customer_id, customer.name,     customer.email,
            customer.currency,    customer.language, customer.time_zone};
}

}  // namespace

template <class T>
void Accounts::save(const table::Rows<T>& rows, schedule::Transaction& transaction,
                    T& record) const {
    record.updated = books_.clock.now();
    if (record.version == 0) record.created = record.updated;
    rows.save(transaction, record);
}

void Accounts::save(schedule::Transaction& transaction, Customer& customer) const {
    save(customers_, transaction, customer);
}

void Accounts::save(schedule::Transaction& transaction, Invoice& invoice) const {
    save(invoices_, transaction, invoice);
}

Result<std::optional<Customer>> Accounts::find(const std::string& customer_id) {
    if (!is_customer_id(customer_id)) return std::optional<Customer>();
    return customers_.find(customer_key(customer_id));
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
    customer.language = std::move(checked.language);
    customer.time_zone = std::move(checked.time_zone);
    schedule::Transaction transaction;
    save(transaction, customer);
    auto committed = books_.commit(transaction);
    if (committed) return shown(std::move(customer));
    if (committed.error().kind != Refusal::Kind::lost_race) return std::move(committed).error();
    return Refusal::conflict("customer_exists",
                             "there is a customer " + customer.customer_id + " already");
}

Answer<Customer> Accounts::change(const std::string& customer_id, const CustomerChange& change,
                                  const program::Actor& person) {
    // Somebody who wants no mail keeps it that way until an administrator is told otherwise.
    if (change.opt_out && !*change.opt_out && !person.may(program::scope::admin)) {
        return Refusal(Refusal::Kind::forbidden, "only a key with the scope admin ends an opt-out");
    }
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Customer> {
        const auto before = TRY(require(customer_id));
        auto customer = before;
        schedule::Transaction transaction;
        if (change.name) customer.name = *change.name;
        if (change.email) customer.email = *change.email;
        if (change.language) customer.language = *change.language;
        if (change.time_zone) customer.time_zone = *change.time_zone;
        auto checked = TRY(check_customer(details_of(customer), before.currency));
        customer.name = std::move(checked.name);
        customer.email = std::move(checked.email);
        customer.language = std::move(checked.language);
        customer.time_zone = std::move(checked.time_zone);
        audit_change(transaction, before, customer, person);
        TRY(change_opt_out(transaction, before, customer, change.opt_out, person));
        save(transaction, customer);
        TRY(books_.commit(transaction));
        return shown(std::move(customer));
    });
}

// Of a name or an address: what it was.
void Accounts::audit_change(schedule::Transaction& transaction, const Customer& before,
                            const Customer& after, const program::Actor& person) const {
    const std::pair<const char*, std::string Customer::*> parts[] = {
        {"name_changed", &Customer::name}, {"address_changed", &Customer::email}};
    for (const auto& [what, part] : parts) {
        if (before.*part == after.*part) continue;
        books_.audit.add(transaction, person,
                         {.customer_id = after.customer_id,
                          .what = what,
                          .detail = "from " + before.*part + " to " + after.*part});
    }
}

Answer<Customer> Accounts::shown(Customer customer) const {
    TRY(opt_outs_.note_in({&customer, 1}));
    return customer;
}

Answer<Customer> Accounts::show(const std::string& customer_id) {
    return shown(TRY(require(customer_id)));
}

Answer<> Accounts::change_opt_out(schedule::Transaction& transaction, const Customer& before,
                                  Customer& customer, std::optional<bool> opt_out,
                                  const program::Actor& person) const {
    if (opt_out) return set_opt_out(transaction, customer, *opt_out, "request", person);
    TRY(carry_opt_out(transaction, before, customer, person));
    return Ok{};
}

// The opt-out of a customer is that of its address: the same person may be there twice. What its
// own row noted goes where everybody finds it.
Answer<> Accounts::set_opt_out(schedule::Transaction& transaction, Customer& customer, bool opt_out,
                               const std::string& reason, const program::Actor& person) const {
    const bool is_news = opt_out != TRY(shown(customer)).opt_out;
    const bool is_complaint = customer.noted_opt_out_reason == complaint_reason;
    if (!opt_out || !is_complaint) {
        customer.noted_opt_out = false;
        customer.noted_opt_out_reason.clear();
    }
    if (opt_out) {
        TRY(opt_outs_.begin(transaction, customer.email, reason, person));
    } else {
        customer.opt_out_ended = books_.clock.now();
        if (is_news) TRY(opt_outs_.end(transaction, customer.email, person));
        auto address = TRY(read_address(books_, customer.email));
        if (!address.opt_out.empty()) save_opt_out(transaction, books_, std::move(address), "");
    }
    if (opt_out && !is_news) return Ok{};
    books_.audit.add(transaction, person,
                     {.customer_id = customer.customer_id,
                      .what = opt_out ? "opted_out" : "opt_out_ended",
                      .detail = reason});
    return Ok{};
}

Answer<bool> Accounts::carry_opt_out(schedule::Transaction& transaction, const Customer& before,
                                     const Customer& after, const program::Actor& person) const {
    if (before.version == 0 || before.email == after.email) return false;
    const auto known = TRY(shown(before));
    if (known.opt_out) {
        TRY(opt_outs_.begin(transaction, after.email, known.opt_out_reason, person));
    } else {
        TRY(opt_outs_.require_none(transaction, before.email));
    }
    return true;
}

Answer<Invoice> Accounts::require_invoice(const std::string& invoice_id) {
    auto found = std::optional<Invoice>();
    if (is_invoice_id(invoice_id)) found = TRY(invoices_.find({{"invoice_id", invoice_id}}));
    if (!found) return Refusal::not_found("no invoice " + invoice_id);
    return *std::move(found);
}

Answer<Invoice> Accounts::try_create(Invoice invoice, const program::Actor& person) {
    auto customer = TRY(require(invoice.customer_id));
    if (invoice.currency.empty()) invoice.currency = customer.currency;
    if (invoice.currency != customer.currency) {
        return Refusal::bad_field("currency", "must be the customer's: " + customer.currency);
    }
    schedule::Transaction transaction;
    TRY(follow(transaction, customer, nullptr, invoice, "status", person));
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

Answer<Invoice> Accounts::create(Invoice invoice, const program::Actor& person) {
    if (invoice.invoice_id.empty()) {
        invoice.invoice_id = make_invoice_id(books_.clock.now(), books_.random);
    }
    if (invoice.status == InvoiceStatus::paid) {
        invoice.paid_cents = invoice.total_cents;
    }
    TRY(check_invoice(invoice));
    return settled(books_.store.pauses(race_pauses), [&] { return try_create(invoice, person); });
}

Answer<> Accounts::follow(schedule::Transaction& transaction, Customer& customer,
                          const Invoice* before, const Invoice& after, std::string_view source,
                          const program::Actor& person) const {
    const auto now = books_.clock.now();
    TRY(replace_invoice(customer, before, &after, now));
    const auto cents = after.paid_cents - (before != nullptr ? before->paid_cents : 0);
    if (cents == 0) return Ok{};
    record_payment(transaction, books_, before, after, source, now, person);
    books_.audit.add(transaction, person,
                     {.customer_id = after.customer_id,
                      .what = "paid",
                      .detail = after.invoice_id + ": " + money_text(cents, after.currency)});
    return Ok{};
}

Answer<Invoice> Accounts::change_invoice(const std::string& invoice_id, const InvoiceChange& change,
                                         const program::Actor& person) {
    return with_invoice(invoice_id, [&](InHand& it) -> Answer<> {
        TRY(apply(it.invoice, change));
        return follow(it.transaction, it.customer, &it.before, it.invoice, "status", person);
    });
}

Answer<Invoice> Accounts::pay(const std::string& invoice_id, std::int64_t cents, Time at,
                              const std::optional<std::string>& payment_id,
                              const program::Actor& person) {
    return with_invoice(invoice_id, [&](InHand& it) -> Answer<> {
        TRY(apply_payment(it.invoice, cents, at, payment_id));
        return follow(it.transaction, it.customer, &it.before, it.invoice, "payment", person);
    });
}

Answer<table::Slice<Payment>> Accounts::payments(const std::string& invoice_id) {
    const auto invoice = TRY(require_invoice(invoice_id));
    return table::Slice<Payment>{TRY(payments_of(books_, invoice)), std::nullopt};
}

Answer<Invoice> Accounts::undo_payment(const std::string& invoice_id, const std::string& payment_id,
                                       const std::string& reason, const program::Actor& person) {
    constexpr std::size_t reason_bytes_max = 500;
    if (reason.empty() || reason.size() > reason_bytes_max) {
        return Refusal::bad_field("reason", "must be 1 to 500 bytes of text");
    }
    return with_invoice(invoice_id, [&](InHand& it) -> Answer<> {
        const auto all = TRY(payments_of(books_, it.before));
        const auto payment = std::ranges::find(all, payment_id, &Payment::id);
        if (payment == all.end()) {
            return Refusal::not_found("no payment " + payment_id + " of invoice " + invoice_id);
        }
        if (payment->undone) {
            return Refusal::conflict("already_undone", "the payment was undone already");
        }
        TRY(take_back(it.invoice, *payment));
        const auto now = books_.clock.now();
        TRY(replace_invoice(it.customer, &it.before, &it.invoice, now));
        if (it.customer.figures(now).cents > 0) it.customer.past.reopen_cycle(payment->recorded);
        mark_undone(it.transaction, books_, *payment, reason, now, person);
        const auto amount = money_text(payment->cents, it.invoice.currency);
        books_.audit.add(it.transaction, person,
                         {.customer_id = it.invoice.customer_id,
                          .what = "payment_undone",
                          .detail = invoice_id + ": " + amount + ": " + reason});
        return Ok{};
    });
}

Answer<> Accounts::erase(const std::string& invoice_id) {
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<> {
        const auto invoice = TRY(require_invoice(invoice_id));
        if (invoice.is_counted()) {
            return Refusal::conflict("not_erasable",
                                     "only a DRAFT or CANCELLED invoice can be deleted; this is " +
                                         std::string(name_of(invoice.status)));
        }
        schedule::Transaction transaction;
        invoices_.erase(transaction, invoice);
        return books_.commit(transaction);
    });
}

}  // namespace mailroom::reminders
