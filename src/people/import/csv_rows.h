// People in CSV.
#pragma once

#include "base/csv.h"
#include "people/import/rows.h"

#include <utility>
#include <vector>

namespace mailroom::people {

class CsvRows final : public ImportRows {
public:
    CsvRows(const ImportLayout& layout, std::string_view rows, std::size_t first_line);
    Result<bool> next(ImportRow& row) override;

private:
    void take(ImportRow& row, std::size_t index);
    table::Item take_attributes();

    const ImportLayout& layout_;
    CsvReader reader_;
    CsvReader::Row fields_;
    std::vector<std::pair<std::size_t, table::Value>> attributes_;  // By column, of the row.
};

}  // namespace mailroom::people
