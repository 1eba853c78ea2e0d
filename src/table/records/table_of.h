// A table of ours as it is made, in a few words:
//
//   const CreateTable customers =
//       TableOf("MailroomCustomers", "customer_id")
//           .index("OverdueIndex", "overdue_group", number("earliest_due"));
#pragma once

#include "table/schema.h"

#include <optional>
#include <string>

namespace mailroom::table {

// An attribute that is a key: of text, unless it is said otherwise.
struct KeyAttribute : AttributeDefinition {
    KeyAttribute(const char* its_name) : AttributeDefinition{its_name, Kind::string} {}
};
KeyAttribute number(const char* name);

class TableOf {
public:
    TableOf(std::string name, const KeyAttribute& hash,
            const std::optional<KeyAttribute>& range = std::nullopt);

    // Adds a global one that has all of each row.
    TableOf& index(std::string name, const KeyAttribute& hash, const KeyAttribute& range);

    operator CreateTable() const { return table_; }

private:
    void define(const AttributeDefinition& key);

    CreateTable table_;
};

}  // namespace mailroom::table
