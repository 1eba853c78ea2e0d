// Queries, put together without expressions in strings:
//
//   store.query(from("Audience").index("GSI1").partition("GSI1PK", "TAG#vip")
//                   .begins_with("GSI1SK", "SUB#").newest_first().limit(50));
//
// Attributes are top-level ones and may have any name, reserved words included.
#pragma once

#include "table/clauses.h"
#include "table/operations.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::table {

// Needs partition(), once; and takes at most one of the conditions on the sort key.
class QueryBuilder {
public:
    explicit QueryBuilder(std::string table) { query_.table = std::move(table); }

    QueryBuilder& index(std::string name);
    QueryBuilder& partition(std::string_view attribute, const Value& value);

    // On the sort key.
    QueryBuilder& equals(std::string_view attribute, const Value& value);
    QueryBuilder& begins_with(std::string_view attribute, std::string_view prefix);
    QueryBuilder& below(std::string_view attribute, const Value& value);
    QueryBuilder& at_most(std::string_view attribute, const Value& value);
    QueryBuilder& above(std::string_view attribute, const Value& value);
    QueryBuilder& at_least(std::string_view attribute, const Value& value);
    QueryBuilder& between(std::string_view attribute, const Value& first, const Value& last);

    // Leaves out, after they were read and counted towards the limit, items that do not have this
    // value in this attribute, which is no key.
    QueryBuilder& where(std::string_view attribute, const Value& value);
    // Only these attributes of each item.
    QueryBuilder& only(std::initializer_list<std::string_view> attributes);
    QueryBuilder& count_only();
    // By descending sort key.
    QueryBuilder& newest_first();
    QueryBuilder& limit(std::int64_t items);
    // Goes on where a page ended: its last_key. None: from the beginning.
    QueryBuilder& after(std::optional<Item> last_key);
    // Not on global indexes.
    QueryBuilder& consistent();

    operator Query() const;

private:
    QueryBuilder& key(const std::string& term);

    Query query_;
    Clauses clauses_;
};

inline QueryBuilder from(std::string table) { return QueryBuilder(std::move(table)); }

}  // namespace mailroom::table
