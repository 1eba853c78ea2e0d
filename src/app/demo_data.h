// Customers and invoices to try reminders with.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <string>

namespace mailroom::app {

struct DemoData {
    std::string customers, invoices;  // As the imports take them.
    std::size_t customer_count = 0, invoice_count = 0;
};

// Some are overdue on the day of `now`, some are not, and one pays late as a habit.
DemoData demo_data(Time now);

}  // namespace mailroom::app
