#include "people/import/csv_rows.h"

#include "base/text.h"
#include "people/canonical.h"
#include "people/import/checks.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

std::vector<std::string> names_in(const ImportLayout& layout) {
    std::vector<std::string> names;
    for (const auto& column : layout.columns) names.push_back(column.name);
    return names;
}

table::Value column_value(const std::string& text, ColumnType type) {
    if (type == ColumnType::boolean) return text == "true";
    if (type == ColumnType::text) return text;
    auto number = text;
    if (type == ColumnType::comma_number) std::ranges::replace(number, ',', '.');
    const auto parsed = table::Number::parse(number);
    return parsed ? table::Value(*parsed) : table::Value(text);
}

}  // namespace

CsvRows::CsvRows(const ImportLayout& layout, std::string_view rows, std::size_t first_line)
    : layout_(layout),
      reader_(CsvReader::of_rows(rows, layout.separator.empty() ? ',' : layout.separator.front(),
                                 names_in(layout), first_line)) {}

Result<bool> CsvRows::next(ImportRow& row) {
    if (!TRY(reader_.next(fields_))) return false;
    row.line = fields_.line;
    row.begin = fields_.offset;
    row.end = reader_.offset();
    row.person = {};
    row.wrong.clear();
    if (!fields_.is_good(reader_)) {
        row.wrong.push_back({"line", "has " + std::to_string(fields_.fields.size()) +
                                         " fields where the first has " +
                                         std::to_string(layout_.columns.size())});
        return true;
    }
    attributes_.clear();
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) take(row, i);
    row.person.attributes = take_attributes();
    check_row(row);
    return true;
}

void CsvRows::take(ImportRow& row, std::size_t index) {
    const auto& column = layout_.columns[index];
    auto& text = fields_.fields[index];
    auto& person = row.person;
    switch (column.role) {
        case ColumnRole::email:
            return take_address(row, text);
        case ColumnRole::first_name:
            person.first_name = std::move(text);
            return;
        case ColumnRole::tags:
            person.tags = split_tags(text);
            return;
        case ColumnRole::unsubscribed:
            return take_flag(row, column.name, text, person.unsubscribed);
        case ColumnRole::suppressed:
            return take_flag(row, column.name, text, person.suppressed);
        case ColumnRole::zone:
            person.zone = std::move(text);
            return;
        case ColumnRole::language:
            person.language = std::move(text);
            return;
        case ColumnRole::attribute:
            if (!text.empty()) attributes_.emplace_back(index, column_value(text, column.type));
            return;
        case ColumnRole::ignored:
            return;
    }
}

table::Item CsvRows::take_attributes() {
    std::vector<table::Field> fields;
    fields.reserve(attributes_.size());
    for (const auto& [index, value] : attributes_) {
        fields.push_back({layout_.columns[index].name, value.view()});
    }
    return table::Item::from_fields(std::move(fields));
}

}  // namespace mailroom::people
