// Table descriptions, each asked for once.
#pragma once

#include "table/store.h"

#include <map>
#include <string>
#include <utility>

namespace mailroom::table::partiql {

// Lives as long as one request, in which a table is taken to stay as it was described first. Not
// thread-safe.
class Schemas {
public:
    explicit Schemas(Store& store) : store_(store) {}

    // Borrowed from this object. `resource_not_found` when there is no such table.
    Outcome<const TableDescription*> find(const std::string& table) {
        const auto known = tables_.find(table);
        if (known != tables_.end()) return &known->second;
        auto described = store_.describe_table(table);
        if (!described) return refusal(std::move(described).error());
        return &tables_.emplace(table, *std::move(described)).first->second;
    }

private:
    // DescribeTable names the table; a statement's refusal does not.
    static Failure refusal(Failure failure) {
        if (failure.fault == Fault::resource_not_found) {
            failure.message = "Requested resource not found";
        }
        return failure;
    }

    Store& store_;
    std::map<std::string, TableDescription> tables_;
};

}  // namespace mailroom::table::partiql
