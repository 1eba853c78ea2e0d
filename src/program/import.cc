#include "program/import.h"

#include "base/days.h"

#include <algorithm>
#include <iterator>

namespace mailroom::program {

namespace {

template <class List>
bool is_in(const List& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

// The first mistake in words, all of them in the details.
Refusal mistakes(const ImportResult& result) {
    const auto& first = result.errors.front();
    const auto others = result.errors_total - 1;
    const auto more = others == 0   ? std::string()
                      : others == 1 ? " and one more mistake"
                                    : " and " + std::to_string(others) + " more mistakes";
    Refusal refusal(Refusal::Kind::invalid, "line " + std::to_string(first.line) + ": " +
                                                first.field + " " + first.message + more +
                                                "; nothing was imported");
    refusal.details = table::to_json(result);
    return refusal;
}

}  // namespace

void ImportResult::wrong(std::size_t line, std::string field, std::string message) {
    ++errors_total;
    errors.push_back({static_cast<std::int64_t>(line), std::move(field), std::move(message)});
}

void ImportResult::wrong(std::size_t line, const Refusal& refusal) {
    for (const auto& [field, why, code] : refusal.fields) wrong(line, field, why);
    if (refusal.fields.empty()) wrong(line, "", refusal.message);
}

void ImportResult::add(const ImportResult& part) {
    created += part.created;
    updated += part.updated;
    unchanged += part.unchanged;
    errors_total += part.errors_total;
    std::ranges::copy(part.errors, std::back_inserter(errors));
}

void ImportResult::order_errors() {
    std::ranges::stable_sort(errors, {}, &ImportError::line);
    if (errors.size() > import_errors_told_max) errors.resize(import_errors_told_max);
}

Answer<ImportResult> import_answer(Answer<ImportResult> result, ImportMode mode) {
    if (result && !result->is_good() && mode == ImportMode::for_real) return mistakes(*result);
    return result;
}

Answer<Csv> read_import(std::string_view text, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional, ImportResult& result) {
    auto csv = Csv::parse(text);
    if (!csv) return BadField{"body", csv.error().message};
    if (csv->rows() > import_rows_max) {
        return BadField{"body", "has more than 100000 rows; split it"};
    }
    for (const auto column : required) {
        if (!is_in(csv->columns(), column)) {
            return BadField{std::string(column), "is no column of the file"};
        }
    }
    for (const auto& column : csv->columns()) {
        const bool is_known = is_in(required, column) || is_in(optional, column);
        if (is_known && std::ranges::count(csv->columns(), column) > 1) {
            return BadField{column, "is a column twice"};
        }
        if (!is_known && !column.empty()) result.ignored_columns.push_back(column);
    }
    result.rows = static_cast<std::int64_t>(csv->rows() + csv->faults().size());
    for (const auto& fault : csv->faults()) result.wrong(fault.line, "line", fault.message);
    return *std::move(csv);
}

std::optional<bool> ImportRow::flag(const char* column) {
    const auto said = text(column);
    if (said == "true" || said == "yes" || said == "1") return true;
    if (said == "false" || said == "no" || said == "0") return false;
    if (!said.empty()) wrong(column, "must be true or false");
    return std::nullopt;
}

std::optional<Time> ImportRow::time(const char* column) {
    const auto said = text(column);
    if (said.empty()) return std::nullopt;
    const auto time = parse_day_or_time(said);
    if (time) return *time;
    wrong(column, time.error().message);
    return std::nullopt;
}

void ImportRow::wrong(const Refusal& refusal) {
    std::ranges::copy(refusal.fields, std::back_inserter(wrong_));
}

bool ImportRow::end(ImportResult& result) const {
    for (const auto& [field, why, code] : wrong_) result.wrong(line(), field, why);
    return wrong_.empty();
}

}  // namespace mailroom::program
