// How accounts change a row, for their own files: with all that changes with it, and again as long
// as somebody else is faster.
#pragma once

#include "reminders/accounts.h"

#include <string>
#include <utility>

namespace mailroom::reminders {

// An invoice that is being changed, with all that changes with it.
struct Accounts::InHand {
    const Invoice before;
    Invoice invoice;
    Customer customer;
    schedule::Transaction transaction;
};

template <class Change>
Answer<Invoice> Accounts::with_invoice(const std::string& invoice_id, const Change& change) {
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Invoice> {
        const auto before = TRY(require_invoice(invoice_id));
        InHand in_hand{before, before, TRY(require(before.customer_id)), {}};
        TRY(change(in_hand));
        save(in_hand.transaction, in_hand.invoice);
        save(in_hand.transaction, in_hand.customer);
        TRY(books_.commit(in_hand.transaction));
        return std::move(in_hand.invoice);
    });
}

template <class Change>
Answer<Customer> Accounts::with_customer(const std::string& customer_id, const Change& change) {
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Customer> {
        auto customer = TRY(require(customer_id));
        schedule::Transaction transaction;
        TRY(change(transaction, customer));
        save(transaction, customer);
        TRY(books_.commit(transaction));
        return shown(std::move(customer));
    });
}

}  // namespace mailroom::reminders
