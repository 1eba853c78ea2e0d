// The rows of a table that has one for each key, whatever kind of key that is.
#pragma once

#include "base/result.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::http {

// Thread-safe, as the store is.
class KeyRows {
public:
    // The row of a key is found by the text in `attribute`.
    static table::OwnTable declared(std::string table, std::string attribute);
    // Makes the table when it is not there. `store` must outlive the result.
    static Result<KeyRows> open(table::Store& store, const table::OwnTable& declared);

    Result<> add(table::Item row);           // `conflict` if there is a row for that key.
    Result<std::vector<table::Item>> all();  // In no order.
    // As it is now: a revoked key must be refused from the next request on.
    Result<std::optional<table::Item>> find(const std::string& key);
    Result<> erase(const std::string& key);  // `not_found` if there is none.
    // If there is a row for `other`, too; `conflict` if one of the two is not there.
    Result<> erase_beside(const std::string& key, const std::string& other);

private:
    KeyRows(table::Store& store, std::string table, std::string attribute)
        : store_(store), table_(std::move(table)), attribute_(std::move(attribute)) {}

    table::Store& store_;
    std::string table_, attribute_;
};

}  // namespace mailroom::http
