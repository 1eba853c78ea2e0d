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
    Customer customer;
    Decision decision;  // About the reminder that comes next.
};

struct DuePage {
    std::vector<DueCustomer> customers;  // The longest overdue first.
    std::optional<std::string> next;
};

enum class Which {
    all,      // Everybody of whom something is overdue.
    allowed,  // Those who may get their reminder now.
    not_allowed,
};

// Reads the rows of overdue customers, what was sent to each and to its address lately, and nothing
// else of them, whatever happened before. At most
// `limit` rows are looked at, so a page may be short, though more follow. Thread-safe.
Result<DuePage> list_due(Accounts& accounts, const Assessor& assessor, Which which,
                         std::size_t limit, const std::optional<std::string>& after);

}  // namespace mailroom::reminders
