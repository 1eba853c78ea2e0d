// A row of ours, or of another program, field by field. What is missing or of another type reads as
// the default: whoever reads decides what a row cannot be without.
#pragma once

#include "base/clock.h"
#include "table/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// The row must outlive it.
class RowFields {
public:
    RowFields(const table::ItemView& row) : row_(row) {}
    RowFields(const table::Item& row) : row_(row) {}

    std::string text(std::string_view name) const;
    std::int64_t number(std::string_view name, std::int64_t otherwise = 0) const;
    std::optional<Time> time(std::string_view name) const;  // From Unix milliseconds.
    // From a decimal number, or one written as text.
    std::int64_t cents(std::string_view name, std::string_view currency = "USD") const;
    // What is kept in cents, as the currency has them now: rows from before currencies with more
    // than two decimals were known have hundredths.
    std::int64_t scaled(std::int64_t cents, std::string_view currency) const;
    std::vector<std::string> texts(std::string_view name) const;
    std::optional<RowFields> map(std::string_view name) const;
    std::vector<RowFields> maps(std::string_view name) const;  // The maps of a list.

private:
    table::ItemView row_;
};

table::Value texts_value(const std::vector<std::string>& texts);
table::Value decimal_value(std::int64_t cents, std::string_view currency = "USD");
// Of a row that keeps cents of that currency: see RowFields::scaled().
void set_scale(table::Item& row, std::string_view currency);

}  // namespace mailroom::reminders
