// Parts of a statement as DynamoDB's expressions: text with placeholders, and what these stand for.
#pragma once

#include "table/operations.h"
#include "table/partiql/syntax.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mailroom::table::partiql {

// Every name becomes a placeholder (so that none is a reserved word), and so does every value.
class ExpressionText {
public:
    // Adds to `bind`, which must outlive this object and be changed by nobody else meanwhile.
    explicit ExpressionText(Bindings& bind) : bind_(bind) {}

    std::string name(const std::string& name);
    std::string path(const DocumentPath& path);
    std::string value(const Value& value);
    std::string condition(const Predicate& predicate);
    // Several conditions that must all hold; at least one.
    std::string all_of(const std::vector<const Predicate*>& predicates);
    // Attributes as a projection expression.
    std::string projection(const std::vector<std::string>& attributes);
    // An update expression. At least one change.
    std::string update(const std::vector<Change>& changes);

private:
    std::string term(const Term& term);
    std::string terms(const std::vector<Term>& terms, std::size_t from);
    std::string joined(const Predicate& predicate, std::string_view separator);
    std::string assigned(const Assigned& assigned);

    Bindings& bind_;
    std::unordered_map<std::string, std::string> names_;
};

}  // namespace mailroom::table::partiql
