// Customers and invoices, page by page.
#include "reminders/accounts.h"

namespace mailroom::reminders {

Result<table::Slice<Customer>> Accounts::shown(Result<table::Slice<Customer>> page) const {
    if (page) TRY(opt_outs_.note_in(page->items));
    return page;
}

Result<table::Slice<Customer>> Accounts::list(const table::PageWish& wish) {
    return shown(customers_.page(wish));
}

Result<table::Slice<Customer>> Accounts::overdue(const table::PageWish& wish) {
    return customers_.page(customers_.query("OverdueIndex")
                               .partition("overdue_group", "open")
                               .below("earliest_due", to_unix_ms(books_.clock.now())),
                           wish);
}

Result<table::Slice<Customer>> Accounts::late_payers(const table::PageWish& wish) {
    return customers_.page(
        customers_.query("LateIndex").partition("late_group", "late").newest_first(), wish);
}

Result<table::Slice<Invoice>> Accounts::invoices(const InvoiceFilter& filter,
                                                 const table::PageWish& wish) {
    const auto& customer_id = filter.customer_id;
    if (customer_id.empty()) return invoices_.page(wish);
    if (!is_customer_id(customer_id)) return table::Slice<Invoice>{};
    return invoices_.page(invoices_.query("CustomerIndex").partition("customer_id", customer_id),
                          wish);
}

}  // namespace mailroom::reminders
