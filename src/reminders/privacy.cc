#include "reminders/privacy.h"

#include "reminders/addresses.h"
#include "table/query_builder.h"

#include <algorithm>
#include <iterator>

namespace mailroom::reminders {

namespace {

constexpr std::size_t page_rows = 200;
constexpr std::size_t erased_at_once = 25;  // DynamoDB's limit of a batch.

bool is_under_way(const Customer& customer) {
    return std::ranges::any_of(customer.past.reminders, [](const PastReminder& reminder) {
        return reminder.fate == Fate::in_flight;
    });
}

table::Item key_of(const table::Item& row) {
    return {{"PK", table::Value(*row.find("PK"))}, {"SK", table::Value(*row.find("SK"))}};
}

}  // namespace

Result<std::vector<table::Item>> Privacy::rows_of(const std::string& table,
                                                  const std::string& partition) {
    std::vector<table::Item> rows;
    std::optional<table::Item> after;
    do {
        auto page = TRY(books_.store.query(
            table::from(table).partition("PK", partition).after(std::move(after)).consistent()));
        std::ranges::move(page.items, std::back_inserter(rows));
        after = std::move(page.last_key);
    } while (after);
    return rows;
}

Result<std::vector<Invoice>> Privacy::invoices_of(const std::string& customer_id) {
    std::vector<Invoice> invoices;
    std::optional<std::string> after;
    do {
        auto page = TRY(accounts_.invoices(customer_id, page_rows, after));
        std::ranges::move(page.invoices, std::back_inserter(invoices));
        after = std::move(page.next);
    } while (after);
    return invoices;
}

Answer<EverythingKnown> Privacy::gather(const std::string& customer_id) {
    EverythingKnown known;
    known.customer = TRY(accounts_.require(customer_id));
    known.invoices = TRY(invoices_of(customer_id));
    for (const auto& invoice : known.invoices) {
        auto payments = TRY(payments_of(books_, invoice));
        for (auto& one : payments) {
            known.payments.emplace_back(invoice.invoice_id, std::move(one));
        }
    }
    const auto rows = TRY(rows_of(books_.tables.tracking, "CUSTOMER#" + customer_id));
    for (const auto& row : rows) {
        const auto key = row.text("SK").value_or("");
        if (key.starts_with("DRAFT#")) known.drafts.push_back(TRY(read_draft(row, "")));
        if (key.starts_with("SENT#")) known.sent.push_back(TRY(read_sent(row)));
    }
    std::optional<std::string> after;
    do {
        auto page = TRY(audit_of_customer(books_, customer_id, page_rows, after));
        std::ranges::move(page.entries, std::back_inserter(known.audit));
        after = std::move(page.next);
    } while (after);
    return known;
}

Result<> Privacy::erase_rows(const std::string& table, std::vector<table::Item> keys) {
    constexpr int attempts_max = 8;
    for (std::size_t at = 0; at < keys.size(); at += erased_at_once) {
        table::BatchWrite batch;
        batch.tables.push_back({table, {}});
        for (auto i = at; i < std::min(at + erased_at_once, keys.size()); ++i) {
            batch.tables.front().actions.push_back(table::BatchWrite::Delete{std::move(keys[i])});
        }
        for (int attempt = 0; !batch.tables.empty(); ++attempt) {
            if (attempt == attempts_max) {
                return Error{Errc::throttled, "the store is too busy to erase: try again later"};
            }
            auto done = TRY(books_.store.batch_write(batch));
            batch = std::move(done.unprocessed);
        }
    }
    return Ok{};
}

Answer<> Privacy::erase_parts(const Customer& customer) {
    const auto invoices = TRY(invoices_of(customer.customer_id));
    std::vector<table::Item> invoice_keys;
    for (const auto& invoice : invoices) {
        TRY(erase_partition(books_.tables.reminders, payments_partition(invoice.invoice_id)));
        invoice_keys.push_back(invoice_key(invoice.invoice_id));
    }
    TRY(erase_rows(books_.tables.invoices, std::move(invoice_keys)));
    const std::pair<std::string, std::string> partitions[] = {
        {books_.tables.tracking, "CUSTOMER#" + customer.customer_id},
        {books_.tables.reminders, "AUDIT#" + customer.customer_id}};
    for (const auto& [table, partition] : partitions) TRY(erase_partition(table, partition));
    return Ok{};
}

Result<> Privacy::erase_partition(const std::string& table, const std::string& partition) {
    const auto rows = TRY(rows_of(table, partition));
    std::vector<table::Item> keys;
    std::ranges::transform(rows, std::back_inserter(keys), key_of);
    return erase_rows(table, std::move(keys));
}

// Last, so that whoever is interrupted can go on.
Answer<> Privacy::erase_customer(const Customer& customer, const Person& person) {
    schedule::Transaction transaction;
    transaction.erase(books_.tables.customers, customer_key(customer.customer_id))
        .when("version", customer.version);
    auto address = TRY(read_address(books_, customer.email));
    if (customer.opt_out) {
        address.opt_out = customer.opt_out_reason.empty() ? "request" : customer.opt_out_reason;
    }
    forget_customer(transaction, books_, std::move(address), customer.customer_id);
    add_audit(transaction, books_,
              {.customer_id = customer.customer_id,
               .what = "erased",
               .by = person.name,
               .by_id = person.id});
    return books_.commit(transaction);
}

Answer<> Privacy::erase(const std::string& customer_id, const Person& person) {
    return settled([&]() -> Answer<> {
        const auto customer = TRY(accounts_.require(customer_id));
        if (is_under_way(customer)) {
            return Refusal::conflict("mail_under_way",
                                     "a mail to this customer is under way; try again later");
        }
        TRY(erase_parts(customer));
        return erase_customer(customer, person);
    });
}

}  // namespace mailroom::reminders
