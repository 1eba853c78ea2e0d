#include "people/import/rows.h"

#include "people/import/csv_rows.h"
#include "people/import/json_rows.h"

namespace mailroom::people {

std::unique_ptr<ImportRows> rows_of(const ImportLayout& layout, std::string_view rows,
                                    std::size_t first_line) {
    if (layout.format == FileFormat::csv) {
        return std::make_unique<CsvRows>(layout, rows, first_line);
    }
    return std::make_unique<JsonRows>(rows, first_line);
}

}  // namespace mailroom::people
