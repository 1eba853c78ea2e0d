// Who is overdue, and which reminder each may get now.
#pragma once

#include "reminders/accounts.h"
#include "reminders/assessment.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::reminders {

struct DueCustomer {
    std::string customer_id, name, email;
    Figures figures;
    Time oldest_due;
    std::int64_t days_overdue = 0, oldest_days_overdue = 0;
    ReminderType type = ReminderType::first;  // Of the reminder that comes next.
    Decision decision;

    static constexpr std::string_view record_name = "DueCustomer";
    static constexpr auto fields =
        std::tuple{shown("customer_id", &DueCustomer::customer_id),
                   shown("customer_name", &DueCustomer::name),
                   shown("customer_email", &DueCustomer::email),
                   part(&DueCustomer::figures),
                   spelled<table::DayOrTime>(shown("oldest_due_date", &DueCustomer::oldest_due)),
                   shown("days_overdue", &DueCustomer::days_overdue, "The mean, as texts have it."),
                   shown("oldest_days_overdue", &DueCustomer::oldest_days_overdue),
                   shown("reminder_type", &DueCustomer::type),
                   shown("decision", &DueCustomer::decision)};
};

enum class Which {
    all,      // Everybody of whom something is overdue.
    allowed,  // Those who may get their reminder now.
    not_allowed,
};

// The longest overdue first. Reads the rows of overdue customers, what was sent to each and to its
// address lately, and nothing else of them, whatever happened before. At most as many rows as are
// wished for are looked at, so a page may be short, though more follow. Thread-safe.
Result<table::Slice<DueCustomer>> list_due(Accounts& accounts, const Assessor& assessor,
                                           Which which, const table::PageWish& wish);

}  // namespace mailroom::reminders
