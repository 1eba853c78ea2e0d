// DynamoDB's expression language: what all its expressions have in common.
//
// An expression lives three times. It is *compiled* once from its text (immutable, shared between
// threads, knows no request), *bound* for one request (its #names and :values looked up, operand
// types checked), and then evaluated over as many items as the request meets.
//
// Surface:
//   ExpressionCache cache;              // expression_cache.h; one per process
//   BindingUse used(request.bind);      // one per request, for all its expressions
//
//   auto compiled = TRY(cache.condition(request.condition));                      // condition.h
//   const auto condition = TRY(bind(std::move(compiled), request.bind, used));
//   auto changes = TRY(cache.update(request.update));                     // update_expression.h
//   const auto update = TRY(bind(std::move(changes), request.bind, used));
//   TRY(used.complete());               // refuses #names and :values that were never used
//
//   if (!condition.holds(item)) …;      // never fails, never allocates
//   UpdateEffect effect = TRY(update.apply(item, request.returns));
//
//   projection.project(item)            // projection.h, bound in the same way
//   parts.match(hash_attributes, range_attributes)                           // key_condition.h
//
// What is bound borrows the names and values of the Bindings it was bound with: these must outlive
// it. Without text (PartiQL): build a Condition or an Update by hand, `compile` it, then go on as
// above.
#pragma once

#include "table/expression/inline_array.h"
#include "table/failure.h"
#include "table/operations.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

// The longest expression (DynamoDB's limit).
constexpr std::size_t expression_bytes_max = 4096;
// Operators and functions in one expression (DynamoDB's limit).
constexpr std::size_t expression_operators_max = 300;
// Steps of one document path (DynamoDB's limit).
constexpr std::size_t path_levels_max = 32;
// How deep conditions and right-hand sides may nest. Each level that parentheses do not merely
// repeat costs an operator, so a well-formed expression within its operators never gets here.
constexpr std::size_t expression_depth_max = 310;

// The parameter an expression was given in; refusals begin with its name.
enum class ExpressionUse { condition, filter, key_condition, projection, update, partiql };

// "Invalid ConditionExpression: ", …; empty for PartiQL.
std::string_view refusal_prefix(ExpressionUse use);
Failure refuse(ExpressionUse use, std::string_view message);

// One step of a document path.
struct PathStep {
    enum class Kind { name, placeholder, index };
    Kind kind = Kind::name;
    std::string text;         // Of a name; of a placeholder, "#" included.
    std::uint32_t index = 0;  // Into a list.
    bool operator==(const PathStep&) const = default;
};

// `a.#b[3]`. The first step is never an index.
struct Path {
    std::vector<PathStep> steps;

    static Path attribute(std::string name) {
        return {{PathStep{PathStep::Kind::name, std::move(name), 0}}};
    }
    bool operator==(const Path&) const = default;
};

// Which names and values of a request its expressions have used so far. Not thread-safe.
class BindingUse {
public:
    // `bindings` must outlive this object and keep its order.
    explicit BindingUse(const Bindings& bindings);

    void use_name(std::size_t index) { names_[index] = true; }
    void use_value(std::size_t index) { values_[index] = true; }
    // A refusal that lists those never used. Call it when every expression of the request is bound.
    Outcome<> complete() const;

private:
    static constexpr std::size_t inline_bindings = 32;
    const Bindings& bindings_;
    InlineArray<bool, inline_bindings> names_, values_;
};

// Each kind of expression has a `bind` that takes const Bindings. This one is for Bindings that
// happen not to be const, for which std::bind, found through the shared_ptr, would be the better
// match.
template <class Compiled>
auto bind(std::shared_ptr<const Compiled> compiled, Bindings& bindings, BindingUse& use) {
    return bind(std::move(compiled), std::as_const(bindings), use);
}

// Refuses placeholders that are not "#" or ":" and letters, digits or underscores, and empty names.
Outcome<> check_bindings(const Bindings& bindings);

}  // namespace mailroom::table
