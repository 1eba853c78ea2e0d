// A whole file of people, checked: all that is wrong with it, and the rest cut into parts.
#pragma once

#include "people/import/layout.h"
#include "program/import.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::people {

inline constexpr std::size_t mistakes_told_max = 1000;
inline constexpr std::size_t imported_rows_max = 2'000'000;
inline constexpr std::size_t import_part_bytes_max = 256 * 1024;  // An item holds 400 KB.

// Rows that were good, one after the other.
struct FilePart {
    std::vector<std::pair<std::size_t, std::size_t>> pieces;  // Of the file: where, how many bytes.
    std::size_t bytes = 0;

    std::string text(std::string_view file) const;
};

struct CheckedFile {
    ImportLayout layout;
    std::int64_t rows = 0, mistakes_total = 0;
    // By line; a thousand or a few more, because those of one row stay together.
    std::vector<program::ImportError> mistakes;
    std::int64_t good = 0;
    std::vector<FilePart> parts;
};

// An address that is there twice is a mistake where it is there again. `bad_field` for what is no
// file of people, and for one of too many rows.
// Mistakes are told of lines after `after_line`, and counted in all.
Answer<CheckedFile> check_file(std::string_view file, const std::vector<std::string>& text_columns,
                               std::int64_t after_line = 0);

// All that is wrong with the rows of such a file, by line, a few hundred at a time.
using TakeMistakes = std::function<Result<>(const std::vector<program::ImportError>&)>;
Answer<> list_mistakes(std::string_view file, const std::vector<std::string>& text_columns,
                       std::size_t at_once, const TakeMistakes& take);

}  // namespace mailroom::people
