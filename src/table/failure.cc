#include "table/failure.h"

#include <cassert>

namespace mailroom::table {

namespace {

Errc errc(Fault fault) {
    switch (fault) {
        case Fault::validation:
        case Fault::serialization:
        case Fault::unknown_operation:
        case Fault::item_collection_size_limit_exceeded:
        case Fault::access_denied:
        case Fault::missing_authentication:
        case Fault::incomplete_signature:
        case Fault::unrecognized_client:
        case Fault::invalid_signature:
        case Fault::expired_iterator:
        case Fault::trimmed_data:
        case Fault::invalid_restore_time:
        case Fault::point_in_time_unavailable:
            return Errc::invalid;
        case Fault::conditional_check_failed:
        case Fault::transaction_canceled:
        case Fault::idempotent_parameter_mismatch:
        case Fault::duplicate_item:
        case Fault::resource_in_use:
        case Fault::table_already_exists:
        case Fault::backup_in_use:
            return Errc::conflict;
        case Fault::resource_not_found:
        case Fault::table_not_found:
        case Fault::backup_not_found:
            return Errc::not_found;
        case Fault::limit_exceeded:
        case Fault::throttling:
        case Fault::transaction_in_progress:
            return Errc::throttled;
        case Fault::internal:
            return Errc::unavailable;
    }
    assert(false);
    return Errc::unavailable;
}

// Codes of cancelled transactions, by what they mean for another try:
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
bool is_passing(std::string_view code) {
    return code == "TransactionConflict" || code == "ThrottlingError" ||
           code == "ProvisionedThroughputExceeded" || code == "RequestLimitExceeded" ||
           code == "AccelerationLimitExceeded";
}
bool is_wrong(std::string_view code) {
    return code == "ValidationError" || code == "ItemCollectionSizeLimitExceeded";
}

}  // namespace

std::string_view exception_name(Fault fault) {
    switch (fault) {
        case Fault::validation:
            return "ValidationException";
        case Fault::serialization:
            return "SerializationException";
        case Fault::conditional_check_failed:
            return "ConditionalCheckFailedException";
        case Fault::transaction_canceled:
            return "TransactionCanceledException";
        case Fault::transaction_in_progress:
            return "TransactionInProgressException";
        case Fault::idempotent_parameter_mismatch:
            return "IdempotentParameterMismatchException";
        case Fault::resource_not_found:
            return "ResourceNotFoundException";
        case Fault::resource_in_use:
            return "ResourceInUseException";
        case Fault::limit_exceeded:
            return "LimitExceededException";
        case Fault::item_collection_size_limit_exceeded:
            return "ItemCollectionSizeLimitExceededException";
        case Fault::throttling:
            return "ThrottlingException";
        case Fault::duplicate_item:
            return "DuplicateItemException";
        case Fault::unknown_operation:
            return "UnknownOperationException";
        case Fault::access_denied:
            return "AccessDeniedException";
        case Fault::missing_authentication:
            return "MissingAuthenticationTokenException";
        case Fault::incomplete_signature:
            return "IncompleteSignatureException";
        case Fault::unrecognized_client:
            return "UnrecognizedClientException";
        case Fault::invalid_signature:
            return "InvalidSignatureException";
        case Fault::expired_iterator:
            return "ExpiredIteratorException";
        case Fault::trimmed_data:
            return "TrimmedDataAccessException";
        case Fault::table_not_found:
            return "TableNotFoundException";
        case Fault::table_already_exists:
            return "TableAlreadyExistsException";
        case Fault::backup_not_found:
            return "BackupNotFoundException";
        case Fault::backup_in_use:
            return "BackupInUseException";
        case Fault::invalid_restore_time:
            return "InvalidRestoreTimeException";
        case Fault::point_in_time_unavailable:
            return "PointInTimeRecoveryUnavailableException";
        case Fault::internal:
            return "InternalServerError";
    }
    assert(false);
    return "";
}

Failure::operator Error() const {
    // Of several reasons the one that lasts counts: a condition that does not hold, then what will
    // never be accepted. What is left may well succeed if it is asked again.
    const CancellationReason* wrong = nullptr;
    const CancellationReason* passing = nullptr;
    for (const auto& reason : reasons) {
        if (reason.code == "None") continue;
        if (is_passing(reason.code)) {
            passing = &reason;
        } else if (is_wrong(reason.code)) {
            wrong = &reason;
        } else {
            return {errc(fault), message};
        }
    }
    if (wrong != nullptr) return {Errc::invalid, wrong->message};
    if (passing != nullptr) return {Errc::throttled, message};
    return {errc(fault), message};
}

bool is_temporary(const Failure& failure) {
    const bool may_pass = failure.fault == Fault::throttling ||
                          failure.fault == Fault::transaction_in_progress ||
                          failure.fault == Fault::transaction_canceled;
    return may_pass && Error(failure).code == Errc::throttled;
}

Failure invalid(std::string message) { return {Fault::validation, std::move(message)}; }

Failure from_storage(const Error& error) {
    if (error.code == Errc::throttled) return {Fault::throttling, error.message};
    // What the disk said is for the log, not for the client.
    return {Fault::internal, "The request could not be stored or read; try it again"};
}

}  // namespace mailroom::table
