#include "people/import/layout.h"

#include "base/csv.h"
#include "base/exported_amounts.h"
#include "base/text.h"
#include "people/profile.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t digits_max = 15;  // More are an identifier, not a number.
constexpr std::size_t column_name_bytes_max = 255;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What all values of a column have in common.
class Values {
public:
    void see(std::string_view text) {
        if (text.empty()) return;
        any_ = true;
        if (text != "true" && text != "false") all_boolean_ = false;
        if (!all_numbers_) return;
        const auto sign = text.find_first_of(".,");
        all_numbers_ = is_number(text, sign);
        if (!all_numbers_ || sign == text.npos) return;
        (text[sign] == '.' ? point_ : comma_) = true;
        // "1,234" may be a thousand; "1.234" is what programs write.
        if (text[sign] == ',' && decimal_sign_in(text) == ',') surely_comma_ = true;
    }

    ColumnType type(char separator) const {
        if (!any_) return ColumnType::text;
        if (all_boolean_) return ColumnType::boolean;
        if (!all_numbers_ || (point_ && comma_)) return ColumnType::text;
        if (!comma_) return ColumnType::number;
        // Where a comma separates columns, one in a number is rather a sign for thousands.
        const bool is_decimal = surely_comma_ || separator != ',';
        return is_decimal ? ColumnType::comma_number : ColumnType::text;
    }

private:
    static bool is_number(std::string_view text, std::size_t sign) {
        const std::size_t begin = text.front() == '-' ? 1 : 0;
        const auto whole = text.substr(begin, sign == text.npos ? sign : sign - begin);
        const auto rest = sign == text.npos ? std::string_view() : text.substr(sign + 1);
        const bool has_digits = !whole.empty() && (sign == text.npos || !rest.empty());
        const bool is_plain = whole.size() == 1 || !whole.starts_with('0');
        return has_digits && is_plain && whole.size() + rest.size() <= digits_max &&
               std::ranges::all_of(whole, is_digit) && std::ranges::all_of(rest, is_digit);
    }

    bool any_ = false, all_boolean_ = true, all_numbers_ = true;
    bool point_ = false, comma_ = false, surely_comma_ = false;
};

Answer<> check_columns(const std::vector<ImportColumn>& columns) {
    bool has_email = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& column = columns[i];
        has_email |= column.role == ColumnRole::email;
        if (column.name.empty()) return BadField{"body", "has a column without a name"};
        if (column.name.size() > column_name_bytes_max) {
            return BadField{"body", "has a column whose name is longer than 255 bytes"};
        }
        for (std::size_t j = 0; j < i; ++j) {
            const bool is_one_of_ours =
                column.role != ColumnRole::attribute && column.role != ColumnRole::ignored;
            const bool is_twice = columns[j].name == column.name ||
                                  (is_one_of_ours && columns[j].role == column.role);
            if (is_twice) return BadField{column.name, "is a column twice"};
        }
    }
    if (!has_email) return BadField{"email", "is no column of the file"};
    return Ok{};
}

Answer<> find_types(CsvReader& reader, ImportLayout& layout) {
    std::vector<Values> values(layout.columns.size());
    CsvReader::Row row;
    for (;;) {
        const auto more = reader.next(row);
        if (!more) return BadField{"body", more.error().message};
        if (!*more) break;
        if (!row.is_good(reader)) continue;
        for (std::size_t i = 0; i < values.size(); ++i) values[i].see(row.fields[i]);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        layout.columns[i].type = values[i].type(reader.separator());
    }
    return Ok{};
}

Answer<ImportLayout> csv_layout(std::string_view file,
                                const std::vector<std::string>& text_columns) {
    auto reader = CsvReader::open(file);
    if (!reader) return BadField{"body", reader.error().message};
    ImportLayout layout;
    layout.separator = reader->separator();
    layout.rows_begin = reader->offset();
    layout.first_line = static_cast<std::int64_t>(reader->line());
    for (const auto& name : reader->columns()) layout.columns.push_back({name, role_of(name)});
    TRY(check_columns(layout.columns));
    TRY(find_types(*reader, layout));
    for (const auto& name : text_columns) {
        const auto column = std::ranges::find(layout.columns, name, &ImportColumn::name);
        if (column == layout.columns.end()) return BadField{"text", name + " is no column"};
        column->type = ColumnType::text;
    }
    return layout;
}

}  // namespace

ColumnRole role_of(std::string_view name) {
    std::string plain;
    for (const char c : ascii_lower(name)) {
        if (c != ' ' && c != '-' && c != '_') plain += c;
    }
    struct Known {
        std::string_view name;
        ColumnRole role;
    };
    static constexpr Known all[] = {
        {"email", ColumnRole::email},
        {"emailaddress", ColumnRole::email},
        {"firstname", ColumnRole::first_name},
        {"tags", ColumnRole::tags},
        {"unsubscribed", ColumnRole::unsubscribed},
        {"suppressed", ColumnRole::suppressed},
        {"timezone", ColumnRole::zone},
        {"mailroomzone", ColumnRole::zone},
        {"language", ColumnRole::language},
        {"mailroomlanguage", ColumnRole::language},
    };
    const auto known = std::ranges::find(all, plain, &Known::name);
    if (known != std::end(all)) return known->role;
    return is_system_column(name) ? ColumnRole::ignored : ColumnRole::attribute;
}

Answer<ImportLayout> layout_of(std::string_view file,
                               const std::vector<std::string>& text_columns) {
    auto begin = file;
    if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
    if (!trim(begin.substr(0, 4096)).starts_with('{')) return csv_layout(file, text_columns);
    if (!is_utf8(file)) return BadField{"body", "is not UTF-8"};
    ImportLayout layout;
    layout.format = FileFormat::json_lines;
    layout.rows_begin = file.size() - begin.size();
    return layout;
}

}  // namespace mailroom::people
