#include "table/failure.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

TEST(Failure, OfACancelledTransactionTellsWhatHelps) {
    struct Case {
        std::vector<std::string> codes;
        Errc want;
    };
    const Case cases[] = {
        // Somebody else was faster, for good: what was read is no longer true.
        {{"ConditionalCheckFailed"}, Errc::conflict},
        {{"None", "ConditionalCheckFailed", "None"}, Errc::conflict},
        {{"DuplicateItem"}, Errc::conflict},
        {{}, Errc::conflict},
        // It may succeed as it is.
        {{"TransactionConflict"}, Errc::throttled},
        {{"None", "ThrottlingError"}, Errc::throttled},
        {{"ProvisionedThroughputExceeded", "TransactionConflict"}, Errc::throttled},
        {{"RequestLimitExceeded"}, Errc::throttled},
        // It never will.
        {{"ValidationError"}, Errc::invalid},
        {{"ItemCollectionSizeLimitExceeded"}, Errc::invalid},
        // What lasts counts, wherever it stands.
        {{"TransactionConflict", "ConditionalCheckFailed"}, Errc::conflict},
        {{"ConditionalCheckFailed", "ThrottlingError"}, Errc::conflict},
        {{"ValidationError", "ConditionalCheckFailed"}, Errc::conflict},
        {{"ThrottlingError", "ValidationError"}, Errc::invalid},
        // A code of tomorrow: to take it for passing could mean to try for ever.
        {{"SomethingNew", "ThrottlingError"}, Errc::conflict},
    };
    for (const auto& c : cases) {
        Failure failure{Fault::transaction_canceled, "cancelled"};
        std::string all;
        for (const auto& code : c.codes) {
            failure.reasons.push_back({code, "because of " + code, std::nullopt});
            all += code + " ";
        }
        SCOPED_TRACE(all);
        const Error error = failure;
        EXPECT_EQ(error.code, c.want);
        EXPECT_FALSE(error.message.empty());
    }
}

TEST(Failure, OfOneRequestTellsWhetherWaitingHelps) {
    const std::pair<Fault, Errc> cases[] = {
        {Fault::throttling, Errc::throttled},
        {Fault::transaction_in_progress, Errc::throttled},
        {Fault::limit_exceeded, Errc::throttled},
        {Fault::conditional_check_failed, Errc::conflict},
        {Fault::idempotent_parameter_mismatch, Errc::conflict},
        {Fault::validation, Errc::invalid},
        {Fault::resource_not_found, Errc::not_found},
        {Fault::internal, Errc::unavailable},
    };
    for (const auto& [fault, want] : cases) {
        SCOPED_TRACE(exception_name(fault));
        EXPECT_EQ(Error(Failure{fault, "because"}).code, want);
    }
}

}  // namespace
}  // namespace mailroom::table
