// People as lines of JSON, an object each.
#pragma once

#include "json/json.h"
#include "people/import/rows.h"

#include <string_view>

namespace mailroom::people {

class JsonRows final : public ImportRows {
public:
    JsonRows(std::string_view rows, std::size_t first_line)
        : whole_(rows), rest_(rows), line_(first_line) {}
    Result<bool> next(ImportRow& row) override;

private:
    void read(ImportRow& row, std::string_view text);

    std::string_view whole_, rest_;
    std::size_t line_;
    json::Parser parser_;
};

}  // namespace mailroom::people
