// Tables in text: comma-separated values (RFC 4180).
#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// A file with a line of column names. Takes quoted fields with commas, line ends and doubled quotes
// in them, CRLF or LF, a byte order mark, and empty lines, which are no rows.
class Csv {
public:
    static constexpr std::size_t columns_max = 50;

    // `invalid`, naming the line, for a quote that does not end or stands inside a field, for a row
    // with another number of fields than the first line, and for text that is not UTF-8.
    static Result<Csv> parse(std::string_view text);

    const std::vector<std::string>& columns() const { return columns_; }  // In lower case.
    std::size_t rows() const { return lines_.size(); }
    // The line a row begins on, from 1: for messages.
    std::size_t line(std::size_t row) const { return lines_[row]; }
    // Without the blanks around it; none if there is no such column.
    std::optional<std::string_view> find(std::size_t row, std::string_view column) const;

private:
    std::vector<std::string> columns_;
    std::vector<std::string> fields_;  // Row after row.
    std::vector<std::size_t> lines_;
};

}  // namespace mailroom::reminders
