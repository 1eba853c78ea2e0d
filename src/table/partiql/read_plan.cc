#include "table/partiql/read_plan.h"

#include "table/partiql/expression_text.h"
#include "table/partiql/key_terms.h"
#include "table/partiql/refusals.h"

#include <algorithm>

namespace mailroom::table::partiql {

namespace {

// What the statement reads: the table or one of its indexes.
struct Target {
    const KeySchema* keys;
    const IndexSpec* index = nullptr;
    bool is_global = false;
};

Outcome<Target> find_target(const Select& select, const TableDescription& table) {
    if (!select.from.index) return Target{&table.keys};
    for (const auto& index : table.local_indexes) {
        if (index.spec.name == *select.from.index)
            return Target{&index.spec.keys, &index.spec, false};
    }
    for (const auto& index : table.global_indexes) {
        if (index.spec.name == *select.from.index)
            return Target{&index.spec.keys, &index.spec, true};
    }
    return invalid("The table does not have the specified index");
}

bool is_key(const KeySchema& keys, std::string_view attribute) {
    const auto names = keys.names();
    return std::ranges::find(names, attribute) != names.end();
}

class ReadPlanner {
public:
    ReadPlanner(const Select& select, const TableDescription& table, Target target, bool consistent)
        : select_(select),
          table_(table),
          target_(target),
          consistent_(consistent),
          terms_(split(select.where, *target.keys)) {}

    Outcome<ReadPlan> run(ReadUse use) {
        TRY(check_use(use));
        TRY(check_index());
        TRY(check_order());
        if (use != ReadUse::transaction) {
            TRY(check_key_types(terms_, *target_.keys, table_.attributes));
        }
        if (!terms_.names_partitions()) return scan();
        if (!target_.index && terms_.is_one_item()) return get();
        return query();
    }

private:
    Outcome<> check_use(ReadUse use) const {
        if (use == ReadUse::statement) return Ok{};
        if (use == ReadUse::transaction && target_.index) {
            return invalid("Reads on indices are not supported within transactions.");
        }
        if (!target_.index && terms_.is_only_one_item()) return Ok{};
        return invalid(
            "Select statements within " +
            std::string(use == ReadUse::batch ? "BatchExecuteStatement" : "ExecuteTransaction") +
            " must specify the primary key in the where clause.");
    }

    bool is_projected(const std::string& attribute) const {
        const Projection& projection = target_.index->projection;
        return projection.kind == ProjectionKind::all || is_key(*target_.keys, attribute) ||
               is_key(table_.keys, attribute) ||
               std::ranges::find(projection.include, attribute) != projection.include.end();
    }

    // "[a, b]": those that the index does not project; empty when it projects them all.
    std::string unprojected(const std::vector<std::string>& attributes) const {
        std::string list;
        for (const auto& attribute : attributes) {
            if (is_projected(attribute)) continue;
            list += (list.empty() ? "[" : ", ") + attribute;
        }
        return list.empty() ? list : list + "]";
    }

    Outcome<> check_index() const {
        if (!target_.index) return Ok{};
        const std::string refusal = "One or more parameter values were invalid: ";
        if (target_.is_global && consistent_) {
            return invalid("Strongly consistent read is not supported on Global Secondary Indexes");
        }
        if (target_.is_global) {
            const auto missing = unprojected(column_attributes());
            if (!missing.empty()) {
                return invalid(refusal + "Global secondary index " + target_.index->name +
                               " does not project " + missing);
            }
        }
        if (!terms_.names_partitions() || !select_.where) return Ok{};
        const auto missing = unprojected(attributes_of(*select_.where));
        if (missing.empty()) return Ok{};
        return invalid(refusal + "Secondary index " + target_.index->name +
                       " does not project one or more filter attributes: " + missing);
    }

    Outcome<> check_order() const {
        if (select_.order.empty()) return Ok{};
        if (!select_.where) {
            return invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
        }
        for (const OrderKey& key : select_.order) {
            if (!is_key(*target_.keys, key.name)) {
                return invalid("Variable reference " + key.name +
                               " in ORDER BY clause must be part of the primary key");
            }
        }
        if (!terms_.names_partitions()) {
            return invalid(
                "Must have at least one non-optional hash key condition in WHERE clause when using "
                "ORDER BY clause.");
        }
        const auto hashes = target_.keys->hashes();
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            if (terms_.hashes[i].size() == 1 || order_of(hashes[i])) continue;
            return invalid(
                "Must have hash key in ORDER BY clause when more than one hash key condition "
                "specified in WHERE clause.");
        }
        return check_range_order();
    }

    // Items come in the order of the range attributes, forwards or backwards: those that the clause
    // names must be the first ones, all the same way. One that has a single value is in any order.
    Outcome<> check_range_order() const {
        std::optional<bool> descending;
        bool is_behind = false;  // Behind one that is not in the clause.
        for (const auto& range : terms_.ranges) {
            const OrderKey* key = order_of(range.name);
            if (range.value) continue;
            is_behind = is_behind || !key;
            if (!key) continue;
            if (is_behind || descending.value_or(key->descending) != key->descending) {
                return invalid(
                    "Variable references in ORDER BY clause must be the first ones of the sort "
                    "key, all ascending or all descending");
            }
            descending = key->descending;
        }
        return Ok{};
    }

    const OrderKey* order_of(const std::string& key) const {
        const auto order = std::ranges::find(select_.order, key, &OrderKey::name);
        return order == select_.order.end() ? nullptr : &*order;
    }

    // Whether the items of a partition are read backwards. Attributes of a single value have a say
    // only when there are no others.
    bool descends() const {
        bool is_descending = false;
        for (const auto& range : terms_.ranges) {
            const OrderKey* key = order_of(range.name);
            if (key && !range.value) return key->descending;
            if (key) is_descending = is_descending || key->descending;
        }
        return is_descending;
    }

    std::vector<std::string> column_attributes() const {
        std::vector<std::string> attributes;
        for (const auto& column : select_.columns) {
            if (std::ranges::find(attributes, column.path.head()) == attributes.end()) {
                attributes.push_back(column.path.head());
            }
        }
        return attributes;
    }

    // Puts the conditions that the request cannot carry, and how to show an item, into the plan,
    // and returns the attributes to ask for (none: all). A nested path is cut out afterwards,
    // because the answer to a projection does not say which element of a list is which.
    std::vector<std::string> finish(ReadPlan& plan,
                                    const std::vector<const Predicate*>& later) const {
        if (!later.empty()) plan.condition = ExpressionText(plan.condition_bind).all_of(later);
        if (select_.columns.empty()) return {};
        auto attributes = column_attributes();
        const auto shown = attributes.size();
        for (const Predicate* predicate : later) {
            for (auto& attribute : attributes_of(*predicate)) {
                if (std::ranges::find(attributes, attribute) == attributes.end()) {
                    attributes.push_back(std::move(attribute));
                }
            }
        }
        const bool is_nested = std::ranges::any_of(
            select_.columns, [](const auto& column) { return column.path.steps.size() > 1; });
        if (is_nested || attributes.size() > shown) plan.columns = select_.columns;
        return attributes;
    }

    ReadPlan get() const {
        ReadPlan plan;
        GetItem request{table_.name, terms_.key(*target_.keys), "", {}, consistent_};
        const auto attributes = finish(plan, terms_.others());
        request.projection = ExpressionText(request.bind).projection(attributes);
        plan.request = std::move(request);
        return plan;
    }

    ReadPlan scan() const {
        ReadPlan plan;
        Scan request;
        request.table = table_.name;
        if (target_.index) request.index = target_.index->name;
        request.consistent = consistent_;
        ExpressionText text(request.bind);
        if (select_.where) request.filter = text.condition(*select_.where);
        request.projection = text.projection(finish(plan, {}));
        plan.request = std::move(request);
        return plan;
    }

    Outcome<ReadPlan> query() const {
        if (terms_.partition_count() > partitions_max) {
            return invalid("Too many decomposed read operations for a given query.");
        }
        ReadPlan plan;
        plan.partitions = partitions();
        Query request;
        request.table = table_.name;
        if (target_.index) request.index = target_.index->name;
        request.consistent = consistent_;
        request.forward = !descends();
        ExpressionText text(request.bind);
        const auto hashes = target_.keys->hashes();
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            if (i > 0) request.key_condition += " AND ";
            request.key_condition += text.name(hashes[i]) + " = ";
            request.key_condition += text.value(plan.partitions[0][i]);
        }
        auto rest = terms_.rest;
        std::optional<Predicate> merged;
        for (const Predicate* range : choose_ranges(terms_, merged, rest)) {
            request.key_condition += " AND " + text.condition(*range);
        }
        std::vector<const Predicate*> filter, later;
        for (const Predicate* predicate : rest) {
            (mentions_key(*predicate) ? later : filter).push_back(predicate);
        }
        if (!filter.empty()) request.filter = text.all_of(filter);
        request.projection = text.projection(finish(plan, later));
        plan.request = std::move(request);
        return plan;
    }

    bool mentions_key(const Predicate& predicate) const {
        return std::ranges::any_of(attributes_of(predicate), [this](const auto& attribute) {
            return is_key(*target_.keys, attribute);
        });
    }

    // Each choice of a value for every hash attribute, in the order to read them.
    std::vector<std::vector<Value>> partitions() const {
        std::vector<std::vector<Value>> all{{}};
        for (const auto& values : terms_.hashes) {
            std::vector<std::vector<Value>> longer;
            for (const auto& one : all) {
                for (const Value& value : values) {
                    longer.push_back(one);
                    longer.back().push_back(value);
                }
            }
            all = std::move(longer);
        }
        const auto hashes = target_.keys->hashes();
        std::ranges::stable_sort(all, [&](const auto& a, const auto& b) {
            for (const OrderKey& key : select_.order) {
                const auto at = std::ranges::find(hashes, key.name) - hashes.begin();
                const auto number = static_cast<std::size_t>(at);
                if (number == hashes.size()) continue;
                // Values of one kind, which check_key_types() saw to: they order as their bytes do.
                const auto order = a[number].view().payload().compare(b[number].view().payload());
                if (order != 0) return key.descending ? order > 0 : order < 0;
            }
            return false;
        });
        return all;
    }

    const Select& select_;
    const TableDescription& table_;
    Target target_;
    bool consistent_;
    KeyTerms terms_;
};

}  // namespace

Outcome<ReadPlan> plan_read(const Select& select, const TableDescription& table, bool consistent,
                            ReadUse use) {
    // A batch refuses an index, whether there is such a one or not, for want of the table's key.
    if (use == ReadUse::batch && select.from.index) {
        return invalid(
            "Select statements within BatchExecuteStatement must specify the primary key in the "
            "where clause.");
    }
    const auto target = TRY(find_target(select, table));
    return ReadPlanner(select, table, target, consistent).run(use);
}

}  // namespace mailroom::table::partiql
