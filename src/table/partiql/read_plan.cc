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
    return attribute == keys.hash || (!keys.range.empty() && attribute == keys.range);
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
        if (terms_.hashes.empty()) return scan();
        if (!target_.index && terms_.is_one_item(*target_.keys)) return get();
        return query();
    }

private:
    Outcome<> check_use(ReadUse use) const {
        if (use == ReadUse::statement) return Ok{};
        if (use == ReadUse::transaction && target_.index) {
            return invalid("Reads on indices are not supported within transactions.");
        }
        const bool is_plain_key = !target_.index && terms_.is_one_item(*target_.keys) &&
                                  terms_.rest.empty() &&
                                  terms_.range_terms.size() == (terms_.range ? 1 : 0);
        if (is_plain_key) return Ok{};
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
        if (terms_.hashes.empty() || !select_.where) return Ok{};
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
        bool has_hash = false;
        for (const OrderKey& key : select_.order) {
            if (!is_key(*target_.keys, key.name)) {
                return invalid("Variable reference " + key.name +
                               " in ORDER BY clause must be part of the primary key");
            }
            has_hash = has_hash || key.name == target_.keys->hash;
        }
        if (terms_.hashes.empty()) {
            return invalid(
                "Must have at least one non-optional hash key condition in WHERE clause when using "
                "ORDER BY clause.");
        }
        if (terms_.hashes.size() > 1 && !has_hash) {
            return invalid(
                "Must have hash key in ORDER BY clause when more than one hash key condition "
                "specified in WHERE clause.");
        }
        return Ok{};
    }

    bool descends(const std::string& key) const {
        const auto order = std::ranges::find(select_.order, key, &OrderKey::name);
        return order != select_.order.end() && order->descending;
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
        auto later = terms_.rest;
        for (const Predicate* term : terms_.range_terms) {
            if (term->op != ConditionOp::equal) later.push_back(term);
        }
        const auto attributes = finish(plan, later);
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
        if (terms_.hashes.size() > partitions_max) {
            return invalid("Too many decomposed read operations for a given query.");
        }
        ReadPlan plan;
        plan.partitions = terms_.hashes;
        order_partitions(plan.partitions);
        Query request;
        request.table = table_.name;
        if (target_.index) request.index = target_.index->name;
        request.consistent = consistent_;
        request.forward = !descends(target_.keys->range);
        ExpressionText text(request.bind);
        request.key_condition =
            text.name(target_.keys->hash) + " = " + text.value(plan.partitions[0]);

        auto rest = terms_.rest;
        std::optional<Predicate> merged;
        if (const Predicate* range = choose_range(terms_, merged, rest)) {
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

    void order_partitions(std::vector<Value>& partitions) const {
        const bool is_ordered = std::ranges::find(select_.order, target_.keys->hash,
                                                  &OrderKey::name) != select_.order.end();
        if (!is_ordered) return;
        // Values of one kind, which check_key_types() saw to: they order as their bytes do.
        std::ranges::sort(partitions, [](const Value& a, const Value& b) {
            return a.view().payload() < b.view().payload();
        });
        if (descends(target_.keys->hash)) std::ranges::reverse(partitions);
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
