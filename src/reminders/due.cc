#include "reminders/due.h"

#include "base/days.h"
#include "reminders/author.h"

namespace mailroom::reminders {

namespace {

// What letters speak of, if there is any of it.
DueCustomer due_customer(const Customer& stored, Decision decision, Time now,
                         const Policy& policy) {
    const auto reminded = stored.reminded(now, policy);
    const auto& customer = reminded.open_invoices.empty() ? stored : reminded;
    const auto oldest = customer.open_invoices.front().due;
    return {.customer_id = customer.customer_id,
            .name = customer.name,
            .email = customer.email,
            .figures = customer.figures(now),
            .oldest_due = oldest,
            .days_overdue = mean_days_overdue(customer, now),
            .oldest_days_overdue = whole_days(oldest, now),
            .type = decision.type,
            .decision = std::move(decision)};
}

}  // namespace

Result<table::Slice<DueCustomer>> list_due(Accounts& accounts, const Assessor& assessor,
                                           Which which, const table::PageWish& wish) {
    auto overdue = TRY(accounts.overdue(wish));
    const auto now = accounts.books().clock.now();
    table::Slice<DueCustomer> page;
    page.next = std::move(overdue.next);
    for (const auto& customer : overdue.items) {
        auto assessment = TRY(assessor.assess(customer, std::nullopt));
        const bool allowed = assessment.decision.allowed();
        if (which != Which::all && allowed != (which == Which::allowed)) continue;
        page.items.push_back(
            due_customer(customer, std::move(assessment.decision), now, accounts.books().policy));
    }
    return page;
}

}  // namespace mailroom::reminders
