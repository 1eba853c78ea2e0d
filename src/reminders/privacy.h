// All that is known about a customer: to hand over, and to erase.
#pragma once

#include "reminders/accounts.h"
#include "reminders/audit.h"
#include "reminders/draft.h"
#include "reminders/sent.h"

#include <string>
#include <vector>

namespace mailroom::reminders {

struct EverythingKnown {
    Customer customer;
    std::vector<Invoice> invoices;
    std::vector<std::pair<std::string, Payment>> payments;  // With the invoice's id.
    std::vector<Draft> drafts;
    std::vector<SentRecord> sent;
    std::vector<AuditEntry> audit;
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
    Answer<> erase(const std::string& customer_id, const Person& person);

private:
    Result<std::vector<table::Item>> rows_of(const std::string& table,
                                             const std::string& partition);
    Result<std::vector<Invoice>> invoices_of(const std::string& customer_id);
    Answer<> erase_parts(const Customer& customer);
    Result<> erase_partition(const std::string& table, const std::string& partition);
    Result<> erase_rows(const std::string& table, std::vector<table::Item> keys);
    Answer<> erase_customer(const Customer& customer, const Person& person);

    Accounts& accounts_;
    Books& books_;
};

}  // namespace mailroom::reminders
