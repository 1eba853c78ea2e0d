// Why a table operation was refused, in DynamoDB's terms.
//
// Mailroom's own code sees it as a base Error (it converts); the DynamoDB endpoint sends it as it
// is.
#pragma once

#include "base/result.h"
#include "table/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// The exceptions of the DynamoDB API, by name.
enum class Fault {
    validation,
    serialization,
    conditional_check_failed,
    transaction_canceled,
    transaction_in_progress,
    idempotent_parameter_mismatch,
    resource_not_found,
    resource_in_use,
    limit_exceeded,
    item_collection_size_limit_exceeded,
    throttling,
    duplicate_item,
    unknown_operation,
    access_denied,
    missing_authentication,
    incomplete_signature,
    unrecognized_client,
    invalid_signature,
    expired_iterator,
    trimmed_data,
    table_not_found,
    table_already_exists,
    backup_not_found,
    backup_in_use,
    invalid_restore_time,
    point_in_time_unavailable,
    internal,
};

// "ValidationException", "ConditionalCheckFailedException", …
std::string_view exception_name(Fault fault);

// One per action of a cancelled transaction, in order; code "None" for those that were fine.
struct CancellationReason {
    std::string code = "None";
    std::string message;
    std::optional<Item> item;  // With ReturnValuesOnConditionCheckFailure.
};

struct Failure {
    Fault fault = Fault::internal;
    std::string message;
    std::vector<CancellationReason> reasons = {};  // transaction_canceled only.
    std::optional<Item> item = std::nullopt;       // conditional_check_failed, when asked for.

    operator Error() const;
};

// Whether the same may succeed a moment later: too much was asked at once, or another transaction
// was at the same items. A condition that failed does not come true by waiting.
bool is_temporary(const Failure& failure);

template <class T = Ok>
using Outcome = Result<T, Failure>;

Failure invalid(std::string message);  // A validation failure.
// From the storage below: becomes `internal`, or `throttling` when it may be tried again.
Failure from_storage(const Error& error);

}  // namespace mailroom::table
