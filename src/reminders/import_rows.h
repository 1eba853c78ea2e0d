// What both kinds of import share. For the files of import.h.
#pragma once

#include "outbox/row_reading.h"
#include "reminders/csv.h"
#include "reminders/import.h"

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// The file, if it has the columns it must have. What it has beside them and the optional ones, and
// lines that are no rows, are noted in the result.
Answer<Csv> parse_import(std::string_view text, std::initializer_list<std::string_view> required,
                         std::initializer_list<std::string_view> optional, ImportResult& result);

void add_error(ImportResult& result, std::size_t line, const Refusal& refusal);
// By line, and no more than are told.
void order_errors(ImportResult& result);

// As many rows of a store are asked for at once.
inline constexpr std::size_t keys_at_once = 100;

// The rows of a table with these ids, read by `read`, by id.
template <class T, class Read>
Result<std::map<std::string, T, std::less<>>> read_all(const Books& books, const std::string& table,
                                                       const char* name,
                                                       const std::set<std::string>& ids,
                                                       Read read) {
    std::map<std::string, T, std::less<>> found;
    for (auto id = ids.begin(); id != ids.end();) {
        table::BatchGet request;
        request.tables.push_back(
            {.table = table, .keys = {}, .projection = {}, .bind = {}, .consistent = true});
        auto& keys = request.tables.front().keys;
        for (; id != ids.end() && keys.size() < keys_at_once; ++id) {
            keys.push_back(table::Item{{name, *id}});
        }
        const auto rows = TRY(outbox::get_all(books.store, std::move(request)));
        for (const auto& row : rows) {
            auto one = TRY(read(row.view()));
            found.emplace(std::string(row.text(name).value_or("")), std::move(one));
        }
    }
    return found;
}

}  // namespace mailroom::reminders
