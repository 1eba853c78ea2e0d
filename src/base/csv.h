// Tables in text: comma-separated values (RFC 4180), and what programs make of them.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom {

// Takes one row after the other off a file, however long it is, as Csv reads it.
class CsvReader {
public:
    // `invalid` for text that is not UTF-8 or has no good line of column names. The text must
    // outlive the reader.
    static Result<CsvReader> open(std::string_view text);

    // Of rows without their line of names, which begin on that line of the file they are from. They
    // must be UTF-8.
    static CsvReader of_rows(std::string_view rows, char separator,
                             std::vector<std::string> columns, std::size_t first_line);

    const std::vector<std::string>& columns() const { return columns_; }  // As they are written.
    char separator() const { return separator_; }

    struct Row {
        std::size_t line = 0;  // Where it begins, from 1.
        std::size_t offset = 0;
        std::vector<std::string> fields;  // As many as there are columns, if it is a good one.
        bool is_good(const CsvReader& reader) const {
            return fields.size() == reader.columns_.size();
        }
    };
    // False at the end. `invalid`, naming the line, for a quote that does not end or stands inside
    // a field: nothing can be read after that.
    Result<bool> next(Row& row);
    std::size_t line() const { return line_; }  // On which the next one begins.
    // Where what has been read ends.
    std::size_t offset() const { return whole_.size() - rest_.size(); }

private:
    explicit CsvReader(std::string_view text) : whole_(text), rest_(text) {}
    Result<> read_columns();
    bool at_end() const { return rest_.empty(); }
    Result<> read_record(std::vector<std::string>& fields);
    bool take_line_end();
    Result<std::string> field();
    Result<std::string> quoted();

    std::string_view whole_, rest_;
    char separator_ = ',';
    std::size_t line_ = 1;
    std::vector<std::string> columns_;
};

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
