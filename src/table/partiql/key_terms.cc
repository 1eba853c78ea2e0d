#include "table/partiql/key_terms.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table::partiql {

namespace {

void flatten(const Predicate& predicate, std::vector<const Predicate*>& out) {
    if (predicate.op != ConditionOp::all_of) {
        out.push_back(&predicate);
        return;
    }
    for (const Predicate& child : predicate.children) flatten(child, out);
}

bool is_path_to(const Term& term, std::string_view attribute) {
    return term.kind == Term::Kind::path && term.path.is_attribute(attribute);
}

// The value in `attribute = value`. The parser has put paths on the left.
const Value* equal_value(const Predicate& predicate, std::string_view attribute) {
    if (predicate.op != ConditionOp::equal) return nullptr;
    if (!is_path_to(predicate.terms[0], attribute)) return nullptr;
    const Term& right = predicate.terms[1];
    return right.kind == Term::Kind::value ? &right.value : nullptr;
}

void add_distinct(std::vector<Value>& values, const Value& value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

// Adds the values when the condition says nothing but which ones the attribute may have.
bool collect_values(const Predicate& predicate, std::string_view attribute,
                    std::vector<Value>& values) {
    if (const Value* value = equal_value(predicate, attribute)) {
        add_distinct(values, *value);
        return true;
    }
    if (predicate.op == ConditionOp::in && is_path_to(predicate.terms[0], attribute)) {
        for (std::size_t i = 1; i < predicate.terms.size(); ++i) {
            if (predicate.terms[i].kind != Term::Kind::value) return false;
            add_distinct(values, predicate.terms[i].value);
        }
        return true;
    }
    if (predicate.op != ConditionOp::any_of) return false;
    return std::ranges::all_of(predicate.children, [&](const Predicate& child) {
        return collect_values(child, attribute, values);
    });
}

// Whether a key condition has this operator, with the range key on its left side.
bool is_range_term(const Predicate& predicate, std::string_view range) {
    switch (predicate.op) {
        case ConditionOp::equal:
        case ConditionOp::less:
        case ConditionOp::less_equal:
        case ConditionOp::greater:
        case ConditionOp::greater_equal:
        case ConditionOp::between:
        case ConditionOp::begins_with:
            break;
        default:
            return false;
    }
    return is_path_to(predicate.terms[0], range) &&
           std::all_of(predicate.terms.begin() + 1, predicate.terms.end(),
                       [](const Term& term) { return term.kind == Term::Kind::value; });
}

const Predicate* first_of(const KeyTerms& terms, ConditionOp op) {
    for (const Predicate* term : terms.range_terms) {
        if (term->op == op) return term;
    }
    return nullptr;
}

// `range >= low AND range <= high` as one condition, when it is a range at all: DynamoDB refuses a
// BETWEEN whose ends are the wrong way round, where the two comparisons just find nothing.
std::optional<Predicate> between(const Predicate& low, const Predicate& high) {
    const auto from = low.terms[1].value.view(), to = high.terms[1].value.view();
    if (from.kind() != to.kind() || from.payload() > to.payload()) return std::nullopt;
    return Predicate{ConditionOp::between, {low.terms[0], low.terms[1], high.terms[1]}, {}};
}

Outcome<> check_type(const Value& value, const std::string& name,
                     const std::vector<AttributeDefinition>& attributes) {
    const auto definition = std::ranges::find(attributes, name, &AttributeDefinition::name);
    if (definition == attributes.end() || definition->kind == value.view().kind()) return Ok{};
    return invalid("Key attribute's data type should match its data type in table's schema: Key " +
                   name);
}

}  // namespace

Item KeyTerms::key(const KeySchema& keys) const {
    assert(is_one_item(keys));
    Item item;
    item.set(keys.hash, hashes.front());
    if (!keys.range.empty()) item.set(keys.range, *range);
    return item;
}

KeyTerms split(const std::optional<Predicate>& where, const KeySchema& keys) {
    KeyTerms terms;
    if (!where) return terms;
    std::vector<const Predicate*> all;
    flatten(*where, all);
    for (const Predicate* predicate : all) {
        std::vector<Value> hashes;
        const bool binds_hash = collect_values(*predicate, keys.hash, hashes);
        const Value* range = keys.range.empty() ? nullptr : equal_value(*predicate, keys.range);
        if (binds_hash && terms.hashes.empty()) {
            terms.hashes = std::move(hashes);
        } else if (range && !terms.range) {
            terms.range = *range;
            terms.range_terms.push_back(predicate);
        } else if (binds_hash ? hashes == terms.hashes : range && *range == *terms.range) {
            continue;  // Said twice.
        } else if (!keys.range.empty() && !range && is_range_term(*predicate, keys.range)) {
            terms.range_terms.push_back(predicate);
        } else {
            if (binds_hash && hashes.size() == 1) terms.contradicted = keys.hash;
            if (range) terms.contradicted = keys.range;
            terms.rest.push_back(predicate);
        }
    }
    return terms;
}

const Predicate* choose_range(const KeyTerms& terms, std::optional<Predicate>& owned,
                              std::vector<const Predicate*>& rest) {
    const Predicate* chosen = nullptr;
    for (const Predicate* term : terms.range_terms) {
        if (!chosen || (term->op == ConditionOp::equal && chosen->op != ConditionOp::equal)) {
            chosen = term;
        }
    }
    const Predicate* low = nullptr;
    const Predicate* high = nullptr;
    if (chosen && chosen->op != ConditionOp::equal) {
        low = first_of(terms, ConditionOp::greater_equal);
        high = first_of(terms, ConditionOp::less_equal);
        if (low && high) owned = between(*low, *high);
    }
    if (owned) chosen = &*owned;
    for (const Predicate* term : terms.range_terms) {
        const bool is_merged = owned && (term == low || term == high);
        if (term != chosen && !is_merged) rest.push_back(term);
    }
    return chosen;
}

Outcome<> check_key_types(const KeyTerms& terms, const KeySchema& keys,
                          const std::vector<AttributeDefinition>& attributes) {
    for (const Value& hash : terms.hashes) TRY(check_type(hash, keys.hash, attributes));
    if (terms.range) TRY(check_type(*terms.range, keys.range, attributes));
    return Ok{};
}

}  // namespace mailroom::table::partiql
