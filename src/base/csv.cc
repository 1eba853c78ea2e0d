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

// Takes one record after the other off the text.
class Reader {
public:
    Reader(std::string_view text, char separator)
        : rest_(text), separator_(separator), field_end_{separator, '\n'} {}

    bool at_end() const { return rest_.empty(); }
    std::size_t line() const { return line_; }

    // The fields of one record, and its line end.
    Result<std::vector<std::string>> record() {
        std::vector<std::string> fields;
        for (;;) {
            fields.push_back(TRY(field()));
            if (fields.size() > Csv::columns_max) return wrong(line_, "has too many fields");
            if (rest_.empty() || take_line_end()) return fields;
            if (rest_.front() != separator_) return wrong(line_, "has text after a closing quote");
            rest_.remove_prefix(1);
        }
    }

private:
    bool take_line_end() {
        const std::size_t bytes = rest_.starts_with("\r\n") ? 2 : rest_.front() == '\n' ? 1 : 0;
        rest_.remove_prefix(bytes);
        if (bytes > 0) ++line_;
        return bytes > 0;
    }

    Result<std::string> field() {
        if (rest_.starts_with('"')) return quoted();
        const auto end = std::min(rest_.find_first_of(field_end_), rest_.size());
        auto text = rest_.substr(0, end);
        if (end < rest_.size() && rest_[end] == '\n' && text.ends_with('\r')) text.remove_suffix(1);
        rest_.remove_prefix(text.size());
        if (text.find('"') != text.npos) return wrong(line_, "has a quote inside a field");
        return std::string(trim(text));
    }

    Result<std::string> quoted() {
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

    std::string_view rest_;
    const char separator_;
    const std::string field_end_;
    std::size_t line_ = 1;
};

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

Result<Csv> Csv::parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!is_utf8(text)) return Error{Errc::invalid, "is not UTF-8"};
    Csv csv;
    const auto said = take_separator_line(text);
    Reader reader(text, said ? *said : separator_of(text));
    const std::size_t lines_before = said ? 1 : 0;
    while (!reader.at_end()) {
        const auto line = reader.line() + lines_before;
        auto fields = TRY(reader.record());
        if (is_blank(fields)) continue;
        if (csv.columns_.empty()) {
            for (auto& name : fields) csv.columns_.push_back(ascii_lower(name));
            while (!csv.columns_.empty() && csv.columns_.back().empty()) csv.columns_.pop_back();
            continue;
        }
        while (fields.size() > csv.columns_.size() && fields.back().empty()) fields.pop_back();
        if (fields.size() != csv.columns_.size()) {
            csv.faults_.push_back({line, "has " + std::to_string(fields.size()) +
                                             " fields where the first has " +
                                             std::to_string(csv.columns_.size())});
            continue;
        }
        std::ranges::move(fields, std::back_inserter(csv.fields_));
        csv.lines_.push_back(line);
    }
    if (csv.columns_.empty()) return Error{Errc::invalid, "has no line of column names"};
    return csv;
}

std::optional<std::string_view> Csv::find(std::size_t row, std::string_view column) const {
    const auto found = std::ranges::find(columns_, column);
    if (found == columns_.end()) return std::nullopt;
    return fields_[row * columns_.size() + static_cast<std::size_t>(found - columns_.begin())];
}

}  // namespace mailroom
