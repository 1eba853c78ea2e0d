#include "table/query_builder.h"

#include <cassert>

namespace mailroom::table {

QueryBuilder& QueryBuilder::key(const std::string& term) {
    append_and(query_.key_condition, term);
    return *this;
}

QueryBuilder& QueryBuilder::index(std::string name) {
    query_.index = std::move(name);
    return *this;
}

QueryBuilder& QueryBuilder::partition(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, "=", value));
}

QueryBuilder& QueryBuilder::equals(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, "=", value));
}

QueryBuilder& QueryBuilder::begins_with(std::string_view attribute, std::string_view prefix) {
    return key(clauses_.begins_with(attribute, prefix));
}

QueryBuilder& QueryBuilder::below(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, "<", value));
}

QueryBuilder& QueryBuilder::at_most(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, "<=", value));
}

QueryBuilder& QueryBuilder::above(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, ">", value));
}

QueryBuilder& QueryBuilder::at_least(std::string_view attribute, const Value& value) {
    return key(clauses_.compare(attribute, ">=", value));
}

QueryBuilder& QueryBuilder::between(std::string_view attribute, const Value& first,
                                    const Value& last) {
    return key(clauses_.compare(attribute, "BETWEEN", first) + " AND " + clauses_.value(last));
}

QueryBuilder& QueryBuilder::where(std::string_view attribute, const Value& value) {
    append_and(query_.filter, clauses_.compare(attribute, "=", value));
    return *this;
}

QueryBuilder& QueryBuilder::only(std::initializer_list<std::string_view> attributes) {
    for (const auto attribute : attributes) {
        append_comma(query_.projection, clauses_.name(attribute));
    }
    return *this;
}

QueryBuilder& QueryBuilder::count_only() {
    query_.select = Select::count;
    return *this;
}

QueryBuilder& QueryBuilder::newest_first() {
    query_.forward = false;
    return *this;
}

QueryBuilder& QueryBuilder::limit(std::int64_t items) {
    query_.limit = items;
    return *this;
}

QueryBuilder& QueryBuilder::after(std::optional<Item> last_key) {
    query_.start_key = std::move(last_key);
    return *this;
}

QueryBuilder& QueryBuilder::consistent() {
    query_.consistent = true;
    return *this;
}

QueryBuilder::operator Query() const {
    assert(!query_.key_condition.empty());
    auto query = query_;
    query.bind = clauses_.bindings();
    return query;
}

}  // namespace mailroom::table
