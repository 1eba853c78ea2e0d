#include "people/import/checked_file.h"

#include "base/text.h"
#include "people/import/rows.h"

#include <functional>
#include <unordered_map>

namespace mailroom::people {

namespace {

// Some hundred mistakes are one row.
constexpr std::size_t field_bytes_max = 100, why_bytes_max = 200;

// Which addresses were there before, and where. Two of one hash are looked at.
class Seen {
public:
    Seen(const ImportLayout& layout, std::string_view rows) : layout_(layout), rows_(rows) {}

    // The line of the row that has the same address, or 0.
    std::size_t add(const ImportRow& row) {
        const auto hash = std::hash<std::string>()(row.person.canonical);
        const auto [at, is_new] = lines_.try_emplace(hash, Place{row.begin, row.line});
        if (is_new) return 0;
        ImportRow before;
        const auto again = rows_of(layout_, rows_.substr(at->second.begin), at->second.line);
        const auto read = again->next(before);
        const bool is_same = read && *read && before.person.canonical == row.person.canonical;
        return is_same ? at->second.line : 0;
    }

private:
    struct Place {
        std::size_t begin, line;
    };
    const ImportLayout& layout_;
    std::string_view rows_;
    std::unordered_map<std::size_t, Place> lines_;
};

void add_piece(CheckedFile& checked, std::size_t begin, std::size_t end) {
    const auto bytes = end - begin;
    auto& parts = checked.parts;
    // One more for a line end that the last row lacks.
    if (parts.empty() || parts.back().bytes + bytes + 1 > import_part_bytes_max) {
        parts.emplace_back();
    }
    auto& part = parts.back();
    part.bytes += bytes;
    auto& pieces = part.pieces;
    if (!pieces.empty() && pieces.back().first + pieces.back().second == begin) {
        pieces.back().second += bytes;
    } else {
        pieces.emplace_back(begin, bytes);
    }
}

void note(std::vector<program::ImportError>& mistakes, const ImportRow& row) {
    for (const auto& [field, why, code] : row.wrong) {
        mistakes.push_back({static_cast<std::int64_t>(row.line),
                            std::string(truncate_utf8(field, field_bytes_max)),
                            std::string(truncate_utf8(why, why_bytes_max))});
    }
}

// Calls take(row) for each, with what is wrong with it.
template <class Take>
Answer<> each_row(std::string_view file, const ImportLayout& layout, const Take& take) {
    const auto rows = file.substr(layout.rows_begin);
    const auto reader = rows_of(layout, rows, static_cast<std::size_t>(layout.first_line));
    Seen seen(layout, rows);
    ImportRow row;
    for (;;) {
        const auto more = reader->next(row);
        if (!more) return BadField{"body", more.error().message};
        if (!*more) return Ok{};
        if (row.wrong.empty()) {
            const auto line = seen.add(row);
            if (line > 0) row.wrong.push_back({"email", "is in line " + std::to_string(line)});
        }
        TRY(take(row));
    }
}

}  // namespace

std::string FilePart::text(std::string_view file) const {
    std::string text;
    text.reserve(bytes + pieces.size());
    for (const auto& [begin, length] : pieces) {
        text += file.substr(begin, length);
        if (!text.ends_with('\n')) text += '\n';
    }
    return text;
}

Answer<CheckedFile> check_file(std::string_view file, const std::vector<std::string>& text_columns,
                               std::int64_t after_line) {
    CheckedFile checked;
    checked.layout = TRY(layout_of(file, text_columns));
    const auto offset = checked.layout.rows_begin;
    const auto check = [&](const ImportRow& row) -> Answer<> {
        if (static_cast<std::size_t>(++checked.rows) > imported_rows_max) {
            return BadField{"body", "has more than 2000000 rows; split it"};
        }
        checked.mistakes_total += static_cast<std::int64_t>(row.wrong.size());
        const bool is_told = static_cast<std::int64_t>(row.line) > after_line &&
                             checked.mistakes.size() < mistakes_told_max;
        if (is_told) note(checked.mistakes, row);
        if (!row.wrong.empty()) return Ok{};
        ++checked.good;
        add_piece(checked, offset + row.begin, offset + row.end);
        return Ok{};
    };
    TRY(each_row(file, checked.layout, check));
    return checked;
}

Answer<> list_mistakes(std::string_view file, const std::vector<std::string>& text_columns,
                       std::size_t at_once, const TakeMistakes& take) {
    const auto layout = TRY(layout_of(file, text_columns));
    std::vector<program::ImportError> mistakes;
    const auto note_row = [&](const ImportRow& row) -> Answer<> {
        note(mistakes, row);
        if (mistakes.size() < at_once) return Ok{};
        TRY(take(mistakes));
        mistakes.clear();
        return Ok{};
    };
    TRY(each_row(file, layout, note_row));
    if (!mistakes.empty()) TRY(take(mistakes));
    return Ok{};
}

}  // namespace mailroom::people
