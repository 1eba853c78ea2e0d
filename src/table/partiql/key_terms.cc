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

const Predicate* first_of(const KeyTerms::Range& range, ConditionOp op) {
    for (const Predicate* term : range.terms) {
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

// What a key condition can say of one range attribute; see choose_ranges().
const Predicate* choose_range(const KeyTerms::Range& range, std::optional<Predicate>& owned,
                              std::vector<const Predicate*>& rest) {
    const Predicate* chosen = first_of(range, ConditionOp::equal);
    if (!chosen && !range.terms.empty()) chosen = range.terms.front();
    const Predicate* low = nullptr;
    const Predicate* high = nullptr;
    if (chosen && chosen->op != ConditionOp::equal) {
        low = first_of(range, ConditionOp::greater_equal);
        high = first_of(range, ConditionOp::less_equal);
        if (low && high) owned = between(*low, *high);
    }
    if (owned) chosen = &*owned;
    for (const Predicate* term : range.terms) {
        const bool is_merged = owned && (term == low || term == high);
        if (term != chosen && !is_merged) rest.push_back(term);
    }
    return chosen;
}

// Takes apart a clause, condition by condition.
class Splitter {
public:
    explicit Splitter(const KeySchema& keys) : hash_names_(keys.hashes()) {
        terms_.hashes.resize(hash_names_.size());
        for (auto& name : keys.ranges()) terms_.ranges.push_back({std::move(name)});
    }

    void take(const Predicate& predicate) {
        if (!take_hash(predicate) && !take_range(predicate)) terms_.rest.push_back(&predicate);
    }
    KeyTerms terms() && { return std::move(terms_); }

private:
    // Whether it says which values a hash attribute may have, and nothing else was said of it.
    bool take_hash(const Predicate& predicate) {
        for (std::size_t i = 0; i < hash_names_.size(); ++i) {
            std::vector<Value> values;
            if (!collect_values(predicate, hash_names_[i], values)) continue;
            auto& known = terms_.hashes[i];
            if (known.empty()) known = values;
            if (known == values) return true;  // Or said twice.
            if (values.size() == 1) terms_.contradicted = hash_names_[i];
        }
        return false;
    }

    bool take_range(const Predicate& predicate) {
        for (auto& range : terms_.ranges) {
            const Value* value = equal_value(predicate, range.name);
            if (!value && !is_range_term(predicate, range.name)) continue;
            if (value && range.value) {
                if (*range.value == *value) return true;  // Said twice.
                terms_.contradicted = range.name;
                return false;
            }
            if (value) range.value = *value;
            range.terms.push_back(&predicate);
            return true;
        }
        return false;
    }

    const std::vector<std::string> hash_names_;
    KeyTerms terms_;
};

}  // namespace

bool KeyTerms::names_partitions() const {
    return !hashes.empty() &&
           std::ranges::none_of(hashes, [](const auto& values) { return values.empty(); });
}

std::size_t KeyTerms::partition_count() const {
    std::size_t count = 1;
    for (const auto& values : hashes) count *= values.size();
    return count;
}

bool KeyTerms::is_one_item() const {
    return names_partitions() && partition_count() == 1 &&
           std::ranges::all_of(ranges, [](const Range& range) { return range.value.has_value(); });
}

bool KeyTerms::is_only_one_item() const {
    return is_one_item() && rest.empty() &&
           std::ranges::all_of(ranges, [](const Range& range) { return range.terms.size() == 1; });
}

Item KeyTerms::key(const KeySchema& keys) const {
    assert(is_one_item() && !keys.has_several());
    Item item;
    item.set(keys.hash, hashes.front().front());
    for (const Range& range : ranges) item.set(range.name, *range.value);
    return item;
}

std::vector<const Predicate*> KeyTerms::others() const {
    auto others = rest;
    for (const Range& range : ranges) {
        for (const Predicate* term : range.terms) {
            if (term->op != ConditionOp::equal) others.push_back(term);
        }
    }
    return others;
}

KeyTerms split(const std::optional<Predicate>& where, const KeySchema& keys) {
    Splitter splitter(keys);
    std::vector<const Predicate*> all;
    if (where) flatten(*where, all);
    for (const Predicate* predicate : all) splitter.take(*predicate);
    return std::move(splitter).terms();
}

std::vector<const Predicate*> choose_ranges(const KeyTerms& terms, std::optional<Predicate>& owned,
                                            std::vector<const Predicate*>& rest) {
    std::vector<const Predicate*> chosen;
    bool is_last = false;
    for (const KeyTerms::Range& range : terms.ranges) {
        if (is_last) {
            rest.insert(rest.end(), range.terms.begin(), range.terms.end());
            continue;
        }
        if (const Predicate* one = choose_range(range, owned, rest)) chosen.push_back(one);
        is_last = !range.value;
    }
    return chosen;
}

Outcome<> check_key_types(const KeyTerms& terms, const KeySchema& keys,
                          const std::vector<AttributeDefinition>& attributes) {
    const auto names = keys.hashes();
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const Value& value : terms.hashes[i]) TRY(check_type(value, names[i], attributes));
    }
    for (const KeyTerms::Range& range : terms.ranges) {
        if (range.value) TRY(check_type(*range.value, range.name, attributes));
    }
    return Ok{};
}

}  // namespace mailroom::table::partiql
