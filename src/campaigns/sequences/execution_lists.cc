// Who is inside, and who was.
#include "campaigns/sequences/executions.h"
#include "people/canonical.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

// Of either of the two rows.
SomebodyInside read_inside(const table::ItemView& row) {
    SomebodyInside one;
    const auto key =
        row.text("SK").value_or("").starts_with("SUB#") ? row.text("SK") : row.text("PK");
    one.address = people::person_of_partition(key.value_or("")).value_or("");
    one.execution = row.text("executionArn").value_or("");
    one.started = row.text("startedAt").value_or("");
    one.transactional = row.boolean("transactional").value_or(false);
    return one;
}

void add_ours(SomebodyInside& one, const Execution& execution) {
    if (one.execution != execution.id) return;
    one.state = name_of(execution.state);
    one.step = execution.standing.at;
    one.until = execution.until;
}

}  // namespace

Result<table::Slice<SomebodyInside>> Executions::inside(const std::string& sequence,
                                                        const table::PageWish& wish) const {
    table::CreateTable audience = people::Books::audience_table(books_.tables.audience);
    const table::Query query = table::from(books_.tables.audience)
                                   .partition("PK", table::Value("EXEC#" + sequence))
                                   .begins_with("SK", "SUB#")
                                   .consistent();
    auto slice = TRY(table::read_page(
        books_.store, query, audience, wish,
        [](const table::ItemView& row) -> Result<SomebodyInside> { return read_inside(row); }));
    std::vector<table::Item> keys;
    for (const auto& one : slice.items) keys.push_back(Execution::key(one.address, sequence));
    const auto ours = TRY(rows_.find_all(std::move(keys)));
    for (auto& one : slice.items) {
        for (const auto& execution : ours) {
            if (execution.address == one.address) add_ours(one, execution);
        }
    }
    return slice;
}

Result<std::vector<Execution>> Executions::all_of(std::string_view address) const {
    const auto partition = std::string(Execution::prefix) + std::string(address);
    return rows_.whole(rows_.query().partition("PK", table::Value(partition)).consistent());
}

Answer<SomebodyInside> Executions::require(const std::string& sequence,
                                           std::string_view email) const {
    const auto address = TRY(people::canonical_of(email));
    const auto row = TRY(books_.get(books_.tables.audience, persons_row_key(address, sequence)));
    if (!row) return Refusal::not_found(address + " is not in sequence " + sequence);
    auto one = read_inside(*row);
    if (const auto execution = TRY(find(address, sequence))) add_ours(one, *execution);
    return one;
}

Answer<table::Slice<PastExecution>> Executions::past(std::string_view email,
                                                     const table::PageWish& wish) const {
    const auto address = TRY(people::canonical_of(email));
    const auto partition = std::string(PastExecution::prefix) + address;
    return TRY(past_.page(
        past_.query().partition("PK", table::Value(partition)).newest_first().consistent(), wish));
}

}  // namespace mailroom::campaigns
