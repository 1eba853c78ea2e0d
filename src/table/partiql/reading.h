// Reads what a plan says, and shows it as the statement wants it.
#pragma once

#include "table/expression/condition.h"
#include "table/partiql/executor.h"
#include "table/partiql/next_token.h"
#include "table/partiql/read_plan.h"
#include "table/store.h"

#include <optional>
#include <string>

namespace mailroom::table::partiql {

// The part of a plan that the store does not do. Borrows the plan.
class Presentation {
public:
    // Refuses conditions with operands of types that cannot work.
    static Outcome<Presentation> of(const ReadPlan& plan);

    // The item as the answer shows it; none when the plan's own condition does not hold of it.
    std::optional<Item> show(const Item& item) const;

private:
    explicit Presentation(const ReadPlan& plan) : plan_(&plan) {}

    const ReadPlan* plan_;
    std::optional<BoundCondition> condition_;
};

// One page. `fingerprint` goes into its token.
Outcome<StatementResult> read_page(Store& store, const ReadPlan& plan, const Continuation& start,
                                   std::optional<std::int64_t> limit,
                                   const std::string& fingerprint);

// Adds the units of `part`, which is of the same table.
void add(Consumed& total, const Consumed& part);

}  // namespace mailroom::table::partiql
