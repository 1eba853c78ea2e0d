#include "app/demo_data.h"

#include "base/time_format.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>

namespace mailroom::app {

namespace {

struct DemoInvoice {
    std::string_view id, customer, amount;
    int due_days;             // From now: negative is overdue.
    int paid_days_late = -1;  // Of paid ones.
};

constexpr std::string_view customers =
    "customer_id,name,email\n"
    "cust_001,John Doe,john@example.com\n"
    "cust_002,\"Lindgren & Sons, Ltd.\",accounts@lindgren.example\n"
    "cust_003,Maria Rossi,maria.rossi@example.org\n"
    "cust_004,Harbour Coffee,office@harbour-coffee.example\n"
    "cust_005,Oak Street Dental,billing@oakstreet.example\n"
    "cust_006,Priya Natarajan,priya@example.net\n";

constexpr DemoInvoice invoices[] = {
    {"INV-001", "cust_001", "1000.00", -12},     {"INV-002", "cust_001", "500.00", -7},
    {"INV-003", "cust_002", "2480.50", -31},     {"INV-004", "cust_002", "310.00", 9},
    {"INV-005", "cust_003", "89.90", -2},        {"INV-006", "cust_004", "640.00", 14},
    {"INV-007", "cust_005", "1250.00", -120, 9}, {"INV-008", "cust_005", "1250.00", -90, 15},
    {"INV-009", "cust_005", "1250.00", -60, 21}, {"INV-010", "cust_005", "1250.00", -20},
    {"INV-011", "cust_006", "75.00", -40, 0},
};

std::string day(Time now, int days) {
    return format_rfc3339_seconds(now + std::chrono::days(days)).substr(0, 10);
}

}  // namespace

DemoData demo_data(Time now) {
    DemoData data;
    data.customers = customers;
    data.customer_count = static_cast<std::size_t>(std::ranges::count(customers, '\n')) - 1;
    data.invoice_count = std::size(invoices);
    data.invoices = "invoice_id,customer_id,amount,due_date,status,paid_date\n";
    for (const auto& invoice : invoices) {
        data.invoices.append(invoice.id).append(",").append(invoice.customer).append(",");
        data.invoices.append(invoice.amount).append(",").append(day(now, invoice.due_days));
        if (invoice.paid_days_late < 0) {
            data.invoices += ",SENT,\n";
        } else {
            data.invoices += ",PAID," + day(now, invoice.due_days + invoice.paid_days_late) + "\n";
        }
    }
    return data;
}

}  // namespace mailroom::app
