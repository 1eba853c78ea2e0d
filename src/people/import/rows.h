// People, row after row, as a file has them.
#pragma once

#include "base/refusal.h"
#include "people/import/layout.h"
#include "table/value.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct ImportedPerson {
    std::string canonical, email;  // `email` as it is written.
    // What is empty, or false, is left as it is.
    std::string first_name, zone, language;
    std::vector<std::string> tags;  // These, too.
    bool unsubscribed = false, suppressed = false;
    table::Item attributes;
};

struct ImportRow {
    std::size_t line = 0;            // From 1.
    std::size_t begin = 0, end = 0;  // In the text: with all of its bytes.
    ImportedPerson person;
    std::vector<BadField> wrong;  // All that is; then the person is not to be used.
};

inline constexpr std::size_t imported_row_bytes_max = 300 * 1024;  // An item holds 400 KB.

class ImportRows {
public:
    virtual ~ImportRows() = default;
    // False at the end. `invalid`, naming the line, where nothing can be read any more.
    virtual Result<bool> next(ImportRow& row) = 0;
};

// `rows` are some of the file's, in one piece; the first one begins on that line. Both must outlive
// the result.
std::unique_ptr<ImportRows> rows_of(const ImportLayout& layout, std::string_view rows,
                                    std::size_t first_line);

}  // namespace mailroom::people
