// Rows from a file: all that is wrong with all of them is said, each with its line, and nothing is
// done when anything is.
//
//   ImportResult result;
//   const auto csv = TRY(read_import(text, {"id", "name"}, {"opt_out"}, result));
//   for (std::size_t i = 0; i < csv.rows(); ++i) {
//       ImportRow row(csv, i);
//       Person person{row.text("id"), row.text("name"), row.flag("opt_out")};
//       if (person.name.empty()) row.wrong("name", "is empty");
//       if (row.end(result)) people.push_back(person);
//   }
//   result.order_errors();
#pragma once

#include "base/csv.h"
#include "base/names.h"
#include "base/refusal.h"
#include "program/input.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::program {

inline constexpr std::size_t import_rows_max = 100'000;
inline constexpr std::size_t import_errors_told_max = 100;
inline constexpr std::size_t import_body_bytes_max = 16 * 1024 * 1024;  // Rows of 160 bytes.
// For the description of a route.
inline constexpr std::string_view import_columns =
    "CSV with a comma or a semicolon; columns that are not known are left out. Nothing is imported "
    "when any row is wrong.";

struct ImportError {
    std::int64_t line = 0;
    std::string field, message;

    static constexpr std::string_view record_name = "ImportError";
    static constexpr auto fields = std::tuple{table::kept("line", &ImportError::line),
                                              table::kept("field", &ImportError::field),
                                              table::kept("message", &ImportError::message)};
};

struct ImportResult {
    std::int64_t rows = 0, created = 0, updated = 0, unchanged = 0;
    std::vector<ImportError> errors;  // Of all rows, by line; the first hundred.
    std::int64_t errors_total = 0;
    std::vector<std::string> ignored_columns;

    bool is_good() const { return errors_total == 0; }
    void wrong(std::size_t line, std::string field, std::string message);
    void wrong(std::size_t line, const Refusal& refusal);
    // Counts what a part of the file came to.
    void add(const ImportResult& part);
    // By line, and no more than are told.
    void order_errors();

    static constexpr std::string_view record_name = "ImportResult";
    static constexpr auto fields =
        std::tuple{table::shown("rows", &ImportResult::rows),
                   table::shown("created", &ImportResult::created),
                   table::shown("updated", &ImportResult::updated),
                   table::shown("unchanged", &ImportResult::unchanged),
                   table::shown("ignored_columns", &ImportResult::ignored_columns),
                   table::shown("errors_total", &ImportResult::errors_total),
                   table::shown("errors", &ImportResult::errors, "By line; the first hundred.")};
};

// Dry: only tells what would be done.
enum class ImportMode { for_real, dry };

// What a route takes that imports.
struct ImportFile {
    bool dry_run = false;
    RawBody body;

    ImportMode mode() const { return dry_run ? ImportMode::dry : ImportMode::for_real; }
    static constexpr auto fields =
        std::tuple{table::asked("dry_run", &ImportFile::dry_run, "Only tell what would be done.")};
};
// What it answers: mistakes refuse the request, unless it was a dry run.
Answer<ImportResult> import_answer(Answer<ImportResult> result, ImportMode mode);

// The file, if it has the columns it must have: `bad_field` of "body" for what is no such file.
// What it has beside them and the optional ones, and lines that are no rows, are noted in the
// result.
Answer<Csv> read_import(std::string_view text, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional, ImportResult& result);

// A row of a file, and what is wrong with it. What cannot be read as it should is noted as wrong,
// and none, as what is not there.
class ImportRow {
public:
    // The file must outlive it.
    ImportRow(const Csv& csv, std::size_t number) : csv_(csv), number_(number) {}

    std::size_t line() const { return csv_.line(number_); }
    // Empty, if there is no such column.
    std::string text(std::string_view column) const {
        return std::string(csv_.find(number_, column).value_or(""));
    }
    std::optional<bool> flag(const char* column);  // true, yes, 1; false, no, 0.
    std::optional<Time> time(const char* column);  // Or a day, which is its last moment.
    template <Named E>
    std::optional<E> one_of(const char* column) {
        const auto said = text(column);
        const auto value = named<E>(said);
        if (!said.empty() && !value) wrong(column, "must be " + names_text<E>());
        return value;
    }

    void wrong(std::string field, std::string why) {
        wrong_.push_back({std::move(field), std::move(why)});
    }
    void wrong(const Refusal& refusal);
    // Adds what is wrong to the result: whether nothing was.
    bool end(ImportResult& result) const;

private:
    const Csv& csv_;
    std::size_t number_;
    std::vector<BadField> wrong_;
};

}  // namespace mailroom::program
