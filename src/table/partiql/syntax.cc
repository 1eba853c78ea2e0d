#include "table/partiql/syntax.h"

#include <algorithm>

namespace mailroom::table::partiql {

namespace {

void collect(const Predicate& predicate, std::vector<std::string>& out) {
    for (const Term& term : predicate.terms) {
        if (term.kind == Term::Kind::value) continue;
        if (std::ranges::find(out, term.path.head()) == out.end()) out.push_back(term.path.head());
    }
    for (const Predicate& child : predicate.children) collect(child, out);
}

struct TableOf {
    const std::string& operator()(const Select& select) const { return select.from.table; }
    const std::string& operator()(const Insert& insert) const { return insert.table; }
    const std::string& operator()(const Update& update) const { return update.table; }
    const std::string& operator()(const Delete& erase) const { return erase.table; }
    const std::string& operator()(const Exists& exists) const { return exists.select.from.table; }
};

}  // namespace

const std::string& table_of(const Syntax& syntax) { return std::visit(TableOf{}, syntax); }

std::vector<std::string> attributes_of(const Predicate& predicate) {
    std::vector<std::string> attributes;
    collect(predicate, attributes);
    return attributes;
}

}  // namespace mailroom::table::partiql
