#include "reminders/figures.h"

#include "base/money.h"

namespace mailroom::reminders {

namespace {

constexpr std::string_view scale_name = "scale";

}  // namespace

std::int64_t scaled(const table::ItemView& row, std::int64_t cents, std::string_view currency) {
    const auto scale_then = row.integer(scale_name).value_or(2);
    for (auto scale = scale_then; scale < scale_of(currency); ++scale) cents *= 10;
    return cents;
}

void set_scale(table::Item& row, std::string_view currency) {
    if (scale_of(currency) > 2) row.set(scale_name, table::Value(std::int64_t{scale_of(currency)}));
}

std::int64_t cents_in(const table::ItemView& row, std::string_view name,
                      std::string_view currency) {
    const auto value = row.find(name);
    if (!value) return 0;
    const bool is_text = value->kind() == table::Kind::string;
    if (!is_text && value->kind() != table::Kind::number) return 0;
    const auto text = is_text ? std::string(value->text()) : value->number().text();
    const auto cents = parse_cents(text, currency);
    return cents ? *cents : 0;
}

}  // namespace mailroom::reminders
