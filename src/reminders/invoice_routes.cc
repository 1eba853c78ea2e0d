#include "program/as_of.h"
#include "reminders/routes.h"

#include <utility>

namespace mailroom::reminders {

namespace {

using program::act;
using program::Actor;
using program::as_of_now;
using program::AskedAmount;
using program::created;
using table::asked;
using table::DayOrTime;
using table::required;
using table::spelled;

struct AddInvoice {
    std::string invoice_id, customer_id, currency;
    AskedAmount amount;
    Time due;
    InvoiceStatus status = InvoiceStatus::sent;
    std::optional<Time> paid;

    static constexpr auto fields = std::tuple{
        asked("invoice_id", &AddInvoice::invoice_id, "Made up, if it is not said."),
        required("customer_id", &AddInvoice::customer_id),
        required("amount", &AddInvoice::amount),
        asked("currency", &AddInvoice::currency, "The customer's."),
        spelled<DayOrTime>(required("due_date", &AddInvoice::due, "A day ends at midnight UTC.")),
        asked("status", &AddInvoice::status),
        spelled<DayOrTime>(asked("paid_date", &AddInvoice::paid))};
};
struct PayInvoice {
    std::string id;
    AskedAmount amount;
    std::optional<Time> paid;

    static constexpr auto fields = std::tuple{
        required("id", &PayInvoice::id), required("amount", &PayInvoice::amount),
        spelled<DayOrTime>(asked("paid_date", &PayInvoice::paid, "Today, if it is not said."))};
};
struct UndoPayment {
    std::string id, payment, reason;

    static constexpr auto fields =
        std::tuple{required("id", &UndoPayment::id), required("payment", &UndoPayment::payment),
                   required("reason", &UndoPayment::reason)};
};

Answer<Invoice> add(const AddInvoice& in, Desk desk, const Actor& who) {
    const auto owner = TRY(desk.accounts.find(in.customer_id));
    const auto usual = in.currency.empty() ? "USD" : in.currency;
    Invoice invoice;
    invoice.invoice_id = in.invoice_id;
    invoice.customer_id = in.customer_id;
    invoice.currency = in.currency;
    invoice.total_cents = TRY(in.amount.cents("amount", owner ? owner->currency : usual));
    invoice.due = in.due;
    invoice.status = in.status;
    invoice.paid = in.paid;
    return desk.accounts.create(std::move(invoice), who);
}

// A request that is made twice is one payment.
Answer<Invoice> pay(const PayInvoice& in, Desk desk, const Actor& who) {
    const auto invoice = TRY(desk.accounts.require_invoice(in.id));
    const auto cents = TRY(in.amount.cents("amount", invoice.currency));
    return desk.accounts.pay(in.id, cents, in.paid.value_or(desk.now()), who.once, who);
}

void add_payment_routes(program::Api& api, Desk desk) {
    const auto& clock = desk.books().clock;
    api.get("/v1/reminders/invoices/{id}/payments",
            seen("list_payments", "What was paid on an invoice, undone payments too"),
            act(desk.accounts, &Accounts::payments));
    api.post("/v1/reminders/invoices/{id}/payments",
             added("pay_invoice", "Record a payment, of a part or of all that remains"),
             as_of_now(clock, [desk](const PayInvoice& in, const Actor& who) {
                 return pay(in, desk, who);
             }));
    api.post("/v1/reminders/invoices/{id}/payments/{payment}/undo",
             decided("undo_payment", "Take back a payment that was a mistake"),
             as_of_now(clock, [desk](const UndoPayment& in, const Actor& who) {
                 return desk.accounts.undo_payment(in.id, in.payment, in.reason, who);
             }));
}

}  // namespace

void add_invoice_routes(program::Api& api, Desk desk) {
    auto& accounts = desk.accounts;
    const auto& clock = desk.books().clock;
    api.list("/v1/reminders/invoices",
             seen("list_invoices", "Invoices of everybody in no order, or of one customer"),
             as_of_now(clock, act(accounts, &Accounts::invoices)));
    api.post("/v1/reminders/invoices", added("add_invoice", "Add an invoice"),
             created(as_of_now(clock, [desk](const AddInvoice& in, const Actor& who) {
                 return add(in, desk, who);
             })));
    api.get("/v1/reminders/invoices/{id}", seen("show_invoice", "One invoice"),
            as_of_now(clock, act(accounts, &Accounts::require_invoice)));
    api.patch("/v1/reminders/invoices/{id}", decided("change_invoice", "Change an invoice"),
              as_of_now(clock, act(accounts, &Accounts::change_invoice)));
    api.remove("/v1/reminders/invoices/{id}",
               decided("erase_invoice", "Erase an invoice that is DRAFT or CANCELLED"),
               act(accounts, &Accounts::erase));
    api.post("/v1/reminders/invoices/{id}/hold",
             decided("hold_invoice", "Pause an invoice, or note that it is disputed",
                     "Nobody is reminded of it until that is over."),
             as_of_now(clock, act(accounts, &Accounts::hold)));
    api.remove("/v1/reminders/invoices/{id}/hold",
               decided("release_invoice", "End that: it is reminded of again"),
               as_of_now(clock, act(accounts, &Accounts::release)));
    add_payment_routes(api, desk);
}

}  // namespace mailroom::reminders
