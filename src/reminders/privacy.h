// All that is known about a customer: to hand over, and to erase.
#pragma once

#include "program/as_of.h"
#include "reminders/accounts.h"
#include "reminders/audit.h"
#include "reminders/draft.h"
#include "reminders/sent.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::reminders {

struct PaymentOfInvoice {
    std::string invoice_id;
    Payment payment;

    static constexpr std::string_view record_name = "PaymentOfInvoice";
    static constexpr auto fields = std::tuple{shown("invoice_id", &PaymentOfInvoice::invoice_id),
                                              shown("payment", &PaymentOfInvoice::payment)};
};
struct EverythingKnown {
    program::AsOf<Customer> customer;  // As of now, as the invoices are.
    std::vector<program::AsOf<Invoice>> invoices;
    std::vector<PaymentOfInvoice> payments;
    std::vector<Draft> drafts;
    std::vector<SentRecord> sent;
    std::vector<AuditEntry> audit;

    static constexpr std::string_view record_name = "EverythingKnown";
    static constexpr auto fields = std::tuple{shown("customer", &EverythingKnown::customer),
                                              shown("invoices", &EverythingKnown::invoices),
                                              shown("payments", &EverythingKnown::payments),
                                              shown("drafts", &EverythingKnown::drafts),
                                              shown("sent", &EverythingKnown::sent),
                                              shown("audit", &EverythingKnown::audit)};
};

// Thread-safe.
class Privacy {
public:
    // Must outlive this object.
    explicit Privacy(Accounts& accounts) : accounts_(accounts), books_(accounts.books()) {}

    Answer<EverythingKnown> gather(const std::string& customer_id);

    // Customer, invoices, drafts, records and audit; only that it was erased, and by whom, is kept.
    // A customer who opted out stays so: its address is kept as one that wants no reminders.
    // `conflict` while a mail to it is under way. After a failure half of it may be gone: to erase
    // again ends it. Mails in the outbox go when their own time is over.
    Answer<> erase(const std::string& customer_id, const program::Actor& person);

    // What was written to a customer, and who did what about it: drafts, records, audit.
    Result<> erase_letters(const std::string& customer_id);

private:
    Result<std::vector<Invoice>> invoices_of(const std::string& customer_id);
    struct Erased {
        std::set<std::string> ids;  // Of invoices.
        std::int64_t counted = 0;   // Of these, as Customer::invoices_total has them.
    };
    Result<> erase_invoices(const Customer& customer, Erased& erased);
    Answer<> erase_parts(const Customer& customer, Erased& erased);
    Result<> erase_partition(const std::string& table, const std::string& partition);
    Answer<> erase_customer(const Customer& customer, const program::Actor& person);

    Accounts& accounts_;
    Books& books_;
};

}  // namespace mailroom::reminders
