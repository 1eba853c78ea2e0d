// What is wrong with a request, noted while it is read.
//
// DynamoDB looks at a request in three rounds, and the first one that finds something answers: the
// shape of the JSON (SerializationException, the first thing found), the constraints of single
// members (ValidationException, all of them in one sentence), and then one check after the other.
// Readers note the first two here and read on; the third is plain code after `failure()` was asked.
#pragma once

#include "json/json.h"
#include "table/failure.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::wire {

// A spot in the request: what is there, if anything, and how DynamoDB names it. Lives on the stack
// of the reader, its parent below it.
struct Place {
    const Place* parent = nullptr;
    std::string_view name = {};  // Of a member, as in the API: "TableName".
    std::size_t index =
        0;               // Of an element of a list, counted from 1; 0 for members and map entries.
    bool entry = false;  // Of a map: `name` is its key.
    json::View json = {};
    bool present = false;

    explicit operator bool() const { return present; }
};

// "tableName", "transactItems.1.member.put.tableName", "requestItems.Orders.member.keys".
std::string path(const Place& place);

class Problems {
public:
    // The JSON is not what the member takes. Only the first is kept.
    void malformed(std::string_view message);
    bool is_malformed() const { return malformed_.has_value(); }

    // `value` as DynamoDB shows it, without quotes; `rule` like "Member must not be null".
    void constraint(const Place& place, std::string_view value, std::string_view rule);
    void missing(const Place& place);
    // The name of the table, which is judged before all other constraints and answered alone.
    void bad_table_name(const Place& place, std::string_view value, std::string_view rule);
    // In the newer form, which names members as the API does and shows no value.
    void unshown(std::string_view at, std::string_view rule);

    bool any() const { return malformed_ || table_name_ || !constraints_.empty(); }
    // What the first two rounds found.
    std::optional<Failure> failure() const;
    void clear();

private:
    std::optional<std::string> malformed_;
    std::optional<std::string> table_name_;
    std::vector<std::string> constraints_;
};

Failure serialization_failure(std::string message);

}  // namespace mailroom::table::wire
