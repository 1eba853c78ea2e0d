// What a PartiQL statement says, once it is parsed and its parameters are filled in.
#pragma once

#include "table/expression/condition.h"
#include "table/operations.h"
#include "table/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::table::partiql {

// Of a token in the statement, in characters, counted from 1.
struct Position {
    std::uint32_t line = 1, column = 1, length = 0;
};

struct Step {
    bool is_index = false;
    std::uint32_t index = 0;  // Into a list.
    std::string name;         // Of a map's member, when it is no index.
    bool operator==(const Step&) const = default;
};

// `a.b[3]`: the first step is an attribute, never an index.
struct DocumentPath {
    std::vector<Step> steps;
    Position at;  // Of the first step.

    const std::string& head() const { return steps.front().name; }
    bool is_attribute(std::string_view name) const {
        return steps.size() == 1 && steps.front().name == name;
    }
};

// One side of a comparison or one argument of a function.
struct Term {
    enum class Kind { path, value, size_of };  // `size_of` is size(path).
    Kind kind = Kind::value;
    DocumentPath path;
    Value value = Value::null();
};

// A node of a WHERE clause. `terms` are the operands that the operator takes (see ConditionOp),
// `children` those of AND, OR and NOT. IS and the IN of lists are already written with these.
struct Predicate {
    ConditionOp op = ConditionOp::all_of;
    std::vector<Term> terms;
    std::vector<Predicate> children;
};

struct Source {
    std::string table;
    std::optional<std::string> index;
};

struct OrderKey {
    std::string name;
    bool descending = false;
};

struct Select {
    struct Column {
        DocumentPath path;
        std::string name;  // Under which the answer shows it: the last part of the path.
    };
    std::vector<Column> columns;  // None: all of them (`*`).
    Source from;
    std::optional<Predicate> where;
    std::vector<OrderKey> order;
};

struct Insert {
    std::string table;
    Item item;
};

// The right-hand side of SET.
struct Assigned {
    enum class Kind { path, value, sum, difference, list_append };
    Kind kind = Kind::value;
    DocumentPath path;
    Value value = Value::null();
    std::vector<Assigned> arguments;  // Two, of the last three kinds.
};

struct Change {
    enum class Kind { set, remove, set_add, set_delete };
    Kind kind = Kind::set;
    DocumentPath target;
    Assigned assigned;  // Of the set functions, the set; unused with `remove`.
};

struct Update {
    std::string table;
    std::vector<Change> changes;
    std::optional<Predicate> where;
    ReturnValues returns = ReturnValues::none;
};

struct Delete {
    std::string table;
    std::optional<Predicate> where;
    ReturnValues returns = ReturnValues::none;
};

// `EXISTS(SELECT …)`: a condition that a transaction's writes depend on.
struct Exists {
    Select select;
};

using Syntax = std::variant<Select, Insert, Update, Delete, Exists>;

inline bool is_read(const Syntax& syntax) { return std::holds_alternative<Select>(syntax); }
// The table that the statement is about.
const std::string& table_of(const Syntax& syntax);

// The top-level attributes that the condition looks at, in the order written, each once.
std::vector<std::string> attributes_of(const Predicate& predicate);

}  // namespace mailroom::table::partiql
