#include "base/csv.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace mailroom {

namespace {

Error wrong(std::size_t line, const std::string& why) {
    return {Errc::invalid, "line " + std::to_string(line) + " " + why};
}

// That of which the first line has most, outside of quotes.
char separator_of(std::string_view text) {
    constexpr std::string_view candidates = ",;\t";
    std::array<int, candidates.size()> counts{};
    bool is_quoted = false;
    for (const char c : text.substr(0, text.find('\n', text.find_first_not_of("\r\n")))) {
        if (c == '"') is_quoted = !is_quoted;
        const auto found = candidates.find(c);
        if (!is_quoted && found != candidates.npos) ++counts[found];
    }
    return candidates[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

// Takes a line "sep=;" off the text, as spreadsheets write it.
std::optional<char> take_separator_line(std::string_view& text) {
    if (!text.starts_with("sep=") || text.size() < 6) return std::nullopt;
    const auto end = text.find('\n');
    const auto line = trim(text.substr(0, end));
    if (end == text.npos || line.size() != 5) return std::nullopt;
    text.remove_prefix(end + 1);
    return line[4];
}

bool is_blank(const std::vector<std::string>& fields) {
    return std::ranges::all_of(fields, [](const std::string& field) { return field.empty(); });
}

}  // namespace

Result<CsvReader> CsvReader::open(std::string_view text) {
    if (!is_utf8(text)) return Error{Errc::invalid, "is not UTF-8"};
    CsvReader reader(text);
    if (text.starts_with("\xEF\xBB\xBF")) reader.rest_.remove_prefix(3);
    const auto said = take_separator_line(reader.rest_);
    reader.separator_ = said ? *said : separator_of(reader.rest_);
    if (said) ++reader.line_;
    TRY(reader.read_columns());
    return reader;
}

CsvReader CsvReader::of_rows(std::string_view rows, char separator,
                             std::vector<std::string> columns, std::size_t first_line) {
    CsvReader reader(rows);
    reader.separator_ = separator;
    reader.columns_ = std::move(columns);
    reader.line_ = first_line;
    return reader;
}

Result<> CsvReader::read_columns() {
    while (!at_end()) {
        TRY(read_record(columns_));
        if (is_blank(columns_)) continue;
        while (columns_.back().empty()) columns_.pop_back();
        return Ok{};
    }
    return Error{Errc::invalid, "has no line of column names"};
}

Result<bool> CsvReader::next(Row& row) {
    while (!at_end()) {
        row.line = line_;
        row.offset = offset();
        TRY(read_record(row.fields));
        if (is_blank(row.fields)) continue;
        while (row.fields.size() > columns_.size() && row.fields.back().empty()) {
            row.fields.pop_back();
        }
        return true;
    }
    return false;
}

// The fields of one record, and its line end.
Result<> CsvReader::read_record(std::vector<std::string>& fields) {
    fields.clear();
    for (;;) {
        fields.push_back(TRY(field()));
        if (fields.size() > Csv::columns_max) return wrong(line_, "has too many fields");
        if (rest_.empty() || take_line_end()) return Ok{};
        if (rest_.front() != separator_) return wrong(line_, "has text after a closing quote");
        rest_.remove_prefix(1);
    }
}

bool CsvReader::take_line_end() {
    const std::size_t bytes = rest_.starts_with("\r\n") ? 2 : rest_.front() == '\n' ? 1 : 0;
    rest_.remove_prefix(bytes);
    if (bytes > 0) ++line_;
    return bytes > 0;
}

Result<std::string> CsvReader::field() {
    if (rest_.starts_with('"')) return quoted();
    const char ends[] = {separator_, '\n'};
    const auto end = std::min(rest_.find_first_of(std::string_view(ends, 2)), rest_.size());
    auto text = rest_.substr(0, end);
    if (end < rest_.size() && rest_[end] == '\n' && text.ends_with('\r')) text.remove_suffix(1);
    rest_.remove_prefix(text.size());
    if (text.find('"') != text.npos) return wrong(line_, "has a quote inside a field");
    return std::string(trim(text));
}

Result<std::string> CsvReader::quoted() {
    const auto began = line_;
    rest_.remove_prefix(1);
    std::string text;
    for (;;) {
        const auto end = rest_.find('"');
        if (end == rest_.npos) return wrong(began, "has a quote that does not end");
        text += rest_.substr(0, end);
        line_ += static_cast<std::size_t>(std::ranges::count(rest_.substr(0, end), '\n'));
        rest_.remove_prefix(end + 1);
        if (!rest_.starts_with('"')) return std::string(trim(text));
        text += '"';
        rest_.remove_prefix(1);
    }
}

Result<Csv> Csv::parse(std::string_view text) {
    auto reader = TRY(CsvReader::open(text));
    Csv csv;
    for (const auto& name : reader.columns()) csv.columns_.push_back(ascii_lower(name));
    CsvReader::Row row;
    while (TRY(reader.next(row))) {
        if (!row.is_good(reader)) {
            csv.faults_.push_back({row.line, "has " + std::to_string(row.fields.size()) +
                                                 " fields where the first has " +
                                                 std::to_string(csv.columns_.size())});
            continue;
        }
        std::ranges::move(row.fields, std::back_inserter(csv.fields_));
        csv.lines_.push_back(row.line);
    }
    return csv;
}

std::optional<std::string_view> Csv::find(std::size_t row, std::string_view column) const {
    const auto found = std::ranges::find(columns_, column);
    if (found == columns_.end()) return std::nullopt;
    return fields_[row * columns_.size() + static_cast<std::size_t>(found - columns_.begin())];
}

}  // namespace mailroom
