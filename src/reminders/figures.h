// What a customer owes that is overdue, and amounts in rows.
#pragma once

#include "program/forms.h"
#include "reminders/fields.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

struct Figures {
    std::int64_t cents = 0;
    std::string currency;
    std::vector<std::string> invoice_ids;

    Amount amount() const { return {cents, currency}; }
    static constexpr std::string_view record_name = "Figures";
    static constexpr auto fields = std::tuple{
        kept("overdue_amount", &Figures::amount), stored("overdue_cents", &Figures::cents),
        kept("currency", &Figures::currency, "A code of ISO 4217."),
        kept("overdue_invoices", &Figures::invoice_ids)};
    bool operator==(const Figures&) const = default;
};

// What a row keeps in cents, as the currency has them now: rows from before currencies with more
// than two decimals were known have hundredths, those since then say their scale.
std::int64_t scaled(const table::ItemView& row, std::int64_t cents, std::string_view currency);
void set_scale(table::Item& row, std::string_view currency);
// Of a decimal number that another program wrote, as one or as text; 0 if it is neither.
std::int64_t cents_in(const table::ItemView& row, std::string_view name, std::string_view currency);

}  // namespace mailroom::reminders
