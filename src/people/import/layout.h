// What the columns of a file of people are, and of which type their values.
#pragma once

#include "base/names.h"
#include "base/refusal.h"
#include "table/records/record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// The names are in rows: never change one.
enum class FileFormat { csv, json_lines };
constexpr auto names_of(FileFormat) {
    return std::array{Name{FileFormat::csv, "csv"}, Name{FileFormat::json_lines, "json_lines"}};
}

enum class ColumnRole {
    email,
    first_name,
    tags,
    unsubscribed,
    suppressed,
    zone,
    language,
    attribute,
    ignored,  // A column of ours that no file sets.
};
constexpr auto names_of(ColumnRole) {
    using enum ColumnRole;
    return std::array{Name{email, "email"},
                      Name{first_name, "first_name"},
                      Name{tags, "tags"},
                      Name{unsubscribed, "unsubscribed"},
                      Name{suppressed, "suppressed"},
                      Name{zone, "time_zone"},
                      Name{language, "language"},
                      Name{attribute, "attribute"},
                      Name{ignored, "ignored"}};
}

enum class ColumnType {
    text,
    boolean,       // true and false.
    number,        // 12, -0.5
    comma_number,  // 12, -0,5
};
constexpr auto names_of(ColumnType) {
    using enum ColumnType;
    return std::array{Name{text, "text"}, Name{boolean, "boolean"}, Name{number, "number"},
                      Name{comma_number, "comma_number"}};
}

struct ImportColumn {
    std::string name;  // As the file has it.
    ColumnRole role = ColumnRole::attribute;
    ColumnType type = ColumnType::text;

    static constexpr std::string_view record_name = "ImportColumn";
    static constexpr auto fields =
        std::tuple{table::must_have("name", &ImportColumn::name),
                   table::kept("role", &ImportColumn::role, "What it sets."),
                   table::kept("type", &ImportColumn::type, "Of the values, where it matters.")};
};

struct ImportLayout {
    FileFormat format = FileFormat::csv;
    std::string separator = ",";
    std::vector<ImportColumn> columns;  // Of JSON lines none: each line names its own.

    // Without what makes no part of it: the line of names, and what comes before that.
    std::size_t rows_begin = 0;
    std::int64_t first_line = 1;

    static constexpr std::string_view record_name = "ImportLayout";
    static constexpr auto fields = std::tuple{table::kept("format", &ImportLayout::format),
                                              table::kept("separator", &ImportLayout::separator),
                                              table::kept("columns", &ImportLayout::columns)};
};

// What a name of a column or a member sets. Case, blanks, "-" and "_" do not count for those that
// are ours.
ColumnRole role_of(std::string_view name);

// Text is read as a number or as true and false where all values of a column are: "007" and
// "+49 30" make a column of text, and so does a mixture of "1.5" and "1,5". `text_columns` stay
// text. `bad_field` for what is no such file, a file without addresses, and a column twice.
Answer<ImportLayout> layout_of(std::string_view file, const std::vector<std::string>& text_columns);

}  // namespace mailroom::people
