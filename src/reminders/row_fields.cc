#include "reminders/row_fields.h"

#include "reminders/money.h"

namespace mailroom::reminders {

namespace {

constexpr std::string_view scale_name = "scale";

}  // namespace

std::string RowFields::text(std::string_view name) const {
    return std::string(row_.text(name).value_or(""));
}

std::int64_t RowFields::number(std::string_view name, std::int64_t otherwise) const {
    return row_.integer(name).value_or(otherwise);
}

std::optional<Time> RowFields::time(std::string_view name) const {
    const auto ms = row_.integer(name);
    return ms ? std::optional(from_unix_ms(*ms)) : std::nullopt;
}

std::int64_t RowFields::cents(std::string_view name, std::string_view currency) const {
    const auto value = row_.find(name);
    if (!value) return 0;
    const bool is_text = value->kind() == table::Kind::string;
    if (!is_text && value->kind() != table::Kind::number) return 0;
    const auto cents =
        parse_cents(is_text ? std::string(value->text()) : value->number().text(), currency);
    return cents ? *cents : 0;
}

std::int64_t RowFields::scaled(std::int64_t cents, std::string_view currency) const {
    for (auto scale = number(scale_name, 2); scale < scale_of(currency); ++scale) cents *= 10;
    return cents;
}

std::vector<std::string> RowFields::texts(std::string_view name) const {
    std::vector<std::string> texts;
    const auto value = row_.find(name);
    if (!value || value->kind() != table::Kind::list) return texts;
    for (const auto element : value->list()) {
        if (element.kind() == table::Kind::string) texts.emplace_back(element.text());
    }
    return texts;
}

std::optional<RowFields> RowFields::map(std::string_view name) const {
    const auto value = row_.find(name);
    if (!value || value->kind() != table::Kind::map) return std::nullopt;
    return RowFields(value->map());
}

std::vector<RowFields> RowFields::maps(std::string_view name) const {
    std::vector<RowFields> maps;
    const auto value = row_.find(name);
    if (!value || value->kind() != table::Kind::list) return maps;
    for (const auto element : value->list()) {
        if (element.kind() == table::Kind::map) maps.emplace_back(element.map());
    }
    return maps;
}

table::Value texts_value(const std::vector<std::string>& texts) {
    return table::Value::list({texts.begin(), texts.end()});
}

table::Value decimal_value(std::int64_t cents, std::string_view currency) {
    return table::Value(*table::Number::parse(decimal_text(cents, currency)));
}

void set_scale(table::Item& row, std::string_view currency) {
    if (scale_of(currency) > 2) row.set(scale_name, table::Value(std::int64_t{scale_of(currency)}));
}

}  // namespace mailroom::reminders
