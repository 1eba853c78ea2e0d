#include "campaigns/sequences/execution_rows.h"

#include "base/time_format.h"
#include "people/books.h"

namespace mailroom::campaigns {

namespace {

std::string name_of_sequence(std::string_view sequence) { return "EXEC#" + std::string(sequence); }

}  // namespace

void Execution::derive(const Execution& execution, table::Item& row) {
    const auto its_key = key(execution.address, execution.sequence);
    for (const auto field : its_key.view()) row.set(field.name, field.value);
}

table::Item Execution::key(std::string_view address, std::string_view sequence) {
    return {{"PK", std::string(prefix) + std::string(address)}, {"SK", sequence}};
}

void PastExecution::derive(const PastExecution& past, table::Item& row) {
    row.set("PK", table::Value(std::string(prefix) + past.address));
    row.set("SK", table::Value(format_rfc3339(past.ended) + "#" + past.sequence + "#" + past.id));
}

table::Item persons_row_key(std::string_view address, std::string_view sequence) {
    return {{"PK", people::partition_of_person(address)}, {"SK", name_of_sequence(sequence)}};
}

table::Item sequences_row_key(std::string_view address, std::string_view sequence) {
    return {{"PK", name_of_sequence(sequence)}, {"SK", people::partition_of_person(address)}};
}

}  // namespace mailroom::campaigns
