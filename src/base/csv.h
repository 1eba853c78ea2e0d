// Tables in text: comma-separated values (RFC 4180), and what programs make of them.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom {

// A file with a line of column names. Fields are apart by commas, semicolons or tabs, whichever the
// first line has most of, or as a line "sep=;" before it says. Takes quoted fields with line ends
// and doubled quotes in them, CRLF or LF, a byte order mark, and empty lines, which are no rows.
class Csv {
public:
    static constexpr std::size_t columns_max = 200;

    // `invalid`, naming the line, for a quote that does not end or stands inside a field, and for
    // text that is not UTF-8.
    static Result<Csv> parse(std::string_view text);

    // Lines that are no rows: they have another number of fields than the first line. Empty fields
    // at the end of one are nothing.
    struct Fault {
        std::size_t line;
        std::string message;
    };
    const std::vector<Fault>& faults() const { return faults_; }

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
    std::vector<Fault> faults_;
};

}  // namespace mailroom
