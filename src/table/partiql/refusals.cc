#include "table/partiql/refusals.h"

#include "base/text.h"
#include "table/expression/expression.h"

namespace mailroom::table::partiql {

namespace {

// Of a refused value that is repeated in the message: enough to recognise it.
constexpr std::size_t quoted_bytes_max = 200;

void strip_prefix(std::string& message) {
    for (const auto use :
         {ExpressionUse::condition, ExpressionUse::filter, ExpressionUse::key_condition,
          ExpressionUse::projection, ExpressionUse::update}) {
        const auto prefix = refusal_prefix(use);
        if (!message.starts_with(prefix)) continue;
        message.erase(0, prefix.size());
        return;
    }
}

}  // namespace

Failure malformed(std::string_view detail) {
    return invalid("Statement wasn't well formed, can't be processed: " + std::string(detail));
}

Failure refuse_at(std::string message, const Position& position) {
    return invalid(std::move(message) + " at " + std::to_string(position.line) + ":" +
                   std::to_string(position.column) + ":" + std::to_string(position.length));
}

Failure key_is_incomplete() {
    return invalid("Where clause does not contain a mandatory equality on all key attributes");
}

Failure out_of_bounds(std::string_view value, std::string_view member,
                      std::string_view constraint) {
    return invalid("1 validation error detected: Value '" +
                   std::string(truncate_utf8(value, quoted_bytes_max)) + "' at '" +
                   std::string(member) + "' failed to satisfy constraint: Member must have " +
                   std::string(constraint));
}

Failure without_expressions(Failure failure) {
    strip_prefix(failure.message);
    for (auto& reason : failure.reasons) strip_prefix(reason.message);
    return failure;
}

}  // namespace mailroom::table::partiql
