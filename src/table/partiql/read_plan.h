// A SELECT as requests to the store, and what is left to do with their answers.
#pragma once

#include "table/operations.h"
#include "table/partiql/syntax.h"
#include "table/schema.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mailroom::table::partiql {

// Partitions that one statement may read (DynamoDB's limit of IN on a hash key).
constexpr std::size_t partitions_max = 50;

// Where the statement runs; each has rules of its own.
enum class ReadUse { statement, batch, transaction };

struct ReadPlan {
    // GetItem when the statement names one item of the table, Query when it names partitions,
    // otherwise Scan.
    std::variant<GetItem, Query, Scan> request;
    // Of a Query: partitions in the order to read them, each with the values of the hash
    // attributes. They take the places of the first of bind.values.
    std::vector<std::vector<Value>> partitions;
    // Conditions that the request cannot carry: DynamoDB's Query has no filter on key attributes,
    // GetItem none at all. They hold of the items to be shown.
    std::string condition;
    Bindings condition_bind;
    // How to show an item; empty: as the request returns it.
    std::vector<Select::Column> columns;
};

// Refuses, in DynamoDB's words, what `use` does not allow, unknown indexes, what an index does not
// project, and an ORDER BY that is not in the order of the keys.
Outcome<ReadPlan> plan_read(const Select& select, const TableDescription& table, bool consistent,
                            ReadUse use);

}  // namespace mailroom::table::partiql
