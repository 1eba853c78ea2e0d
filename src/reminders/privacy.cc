#include "reminders/privacy.h"

#include "base/log.h"
#include "reminders/addresses.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mailroom::reminders {

namespace {

// An index of a remote store has what was written within a second, or a few on a bad day.
constexpr Pauses::Plan until_listed = {
    .first = std::chrono::milliseconds(50), .longest = std::chrono::seconds(2), .tries_max = 10};

// Other programs write to that table, too: one odd row must not hide all others.
template <class T>
void add_readable(std::vector<T>& known, Result<T> read) {
    if (read) return known.push_back(*std::move(read));
    log::warn("a row is left out of what is given out", {{"reason", read.error().message}});
}

table::Query whole(const std::string& table, const std::string& partition) {
    return table::from(table).partition("PK", partition).consistent();
}

}  // namespace

Result<std::vector<Invoice>> Privacy::invoices_of(const std::string& customer_id) {
    return table::whole_list(
        [&](const table::PageWish& wish) { return accounts_.invoices({customer_id}, wish); });
}

Answer<EverythingKnown> Privacy::gather(const std::string& customer_id) {
    const auto now = books_.clock.now();
    EverythingKnown known;
    known.customer = program::as_of(TRY(accounts_.show(customer_id)), now);
    for (auto& invoice : TRY(invoices_of(customer_id))) {
        for (auto& payment : TRY(payments_of(books_, invoice))) {
            known.payments.push_back({invoice.invoice_id, std::move(payment)});
        }
        known.invoices.push_back(program::as_of(std::move(invoice), now));
    }
    const auto rows =
        TRY(query_all(books_.store, whole(books_.tables.tracking, "CUSTOMER#" + customer_id)));
    for (const auto& row : rows) {
        const auto key = row.text("SK").value_or("");
        if (key.starts_with("DRAFT#")) add_readable(known.drafts, read_draft(row, ""));
        if (key.starts_with("SENT#")) add_readable(known.sent, table::from_item<SentRecord>(row));
    }
    known.audit = TRY(table::whole_list(
        [&](const table::PageWish& wish) { return books_.audit.of(customer_id, wish); }));
    return known;
}

Result<> Privacy::erase_invoices(const Customer& customer, Erased& erased) {
    std::map<std::string, bool> found;  // Whether it is counted.
    for (const auto& open : customer.open_invoices) found.emplace(open.invoice_id, true);
    for (const auto& one : TRY(invoices_of(customer.customer_id))) {
        found.emplace(one.invoice_id, one.is_counted());
    }
    std::vector<table::Item> keys;
    for (const auto& [id, counted] : found) {
        TRY(erase_partition(books_.tables.reminders, payments_partition(id)));
        keys.push_back({{"invoice_id", id}});
        if (erased.ids.insert(id).second && counted) ++erased.counted;
    }
    return table::erase_all(books_.store, books_.tables.invoices, std::move(keys));
}

Answer<> Privacy::erase_parts(const Customer& customer, Erased& erased) {
    // The index may lack the newest of them; the customer's row says how many there are.
    auto pauses = books_.store.pauses(until_listed);
    do {
        TRY(erase_invoices(customer, erased));
    } while (erased.counted < customer.invoices_total && pauses.again());
    TRY(erase_letters(customer.customer_id));
    return Ok{};
}

Result<> Privacy::erase_letters(const std::string& customer_id) {
    TRY(erase_partition(books_.tables.tracking, "CUSTOMER#" + customer_id));
    return erase_partition(books_.tables.reminders, "AUDIT#" + customer_id);
}

Result<> Privacy::erase_partition(const std::string& table, const std::string& partition) {
    std::vector<table::Item> keys;
    for (const auto& row : TRY(query_all(books_.store, whole(table, partition)))) {
        keys.push_back(
            {{"PK", table::Value(*row.find("PK"))}, {"SK", table::Value(*row.find("SK"))}});
    }
    return table::erase_all(books_.store, table, std::move(keys));
}

// Last, so that whoever is interrupted can go on.
Answer<> Privacy::erase_customer(const Customer& customer, const program::Actor& person) {
    schedule::Transaction transaction;
    transaction.erase(books_.tables.customers, customer_key(customer.customer_id))
        .when("version", customer.version);
    auto address = TRY(read_address(books_, customer.email));
    // What only the row knew goes where all others are.
    const auto said = TRY(accounts_.show(customer.customer_id));
    if (said.noted_opt_out && said.opt_out) {
        TRY(accounts_.opt_outs().begin(transaction, said.email, said.opt_out_reason, person));
    }
    forget_customer(transaction, books_, std::move(address), customer.customer_id);
    books_.audit.add(transaction, person, {.customer_id = customer.customer_id, .what = "erased"});
    return books_.commit(transaction);
}

Answer<> Privacy::erase(const std::string& customer_id, const program::Actor& person) {
    Erased erased;
    std::optional<Customer> last;
    auto gone = settled(books_.store.pauses(race_pauses), [&]() -> Answer<> {
        last = TRY(accounts_.require(customer_id));
        if (last->is_under_way()) {
            return Refusal::conflict("mail_under_way",
                                     "a mail to this customer is under way; try again later");
        }
        TRY(erase_parts(*last, erased));
        return erase_customer(*last, person);
    });
    if (!gone) return gone;
    // Nobody can add to it any more; what came last is not counted if it was a draft.
    TRY(erase_invoices(*last, erased));
    return Ok{};
}

}  // namespace mailroom::reminders
