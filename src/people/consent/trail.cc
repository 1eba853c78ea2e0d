#include "people/consent/trail.h"

#include "base/hex.h"
#include "base/time_format.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/records/storable.h"

#include <cstdio>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t word_bytes_max = 200, wording_bytes_max = 8 * 1024;
constexpr std::size_t process_bytes = 6;

}  // namespace

Evidence fit_for_row(Evidence evidence) {
    for (auto* word : {&evidence.source, &evidence.ip, &evidence.form, &evidence.by}) {
        *word = table::storable(*word, word_bytes_max);
    }
    evidence.wording = table::storable(evidence.wording, wording_bytes_max);
    return evidence;
}

ConsentTrail::ConsentTrail(table::Store& store, const Clock& clock, Random& random,
                           table::CreateTable declared)
    : store_(store),
      clock_(clock),
      table_(std::move(declared)),
      process_(hex_encode(random_bytes(random, process_bytes))) {}

std::string ConsentTrail::partition_of(std::string_view canonical) {
    return "CONSENT#" + std::string(canonical);
}

void ConsentTrail::add(schedule::Transaction& transaction, std::string_view canonical,
                       ConsentEntry entry) const {
    entry.at = clock_.now();
    entry.evidence = fit_for_row(std::move(entry.evidence));
    auto row = table::to_item(entry);
    char number[9];
    std::snprintf(number, sizeof number, "%08x", added_++);
    row.set("PK", table::Value(partition_of(canonical)));
    row.set("SK", table::Value(format_rfc3339(entry.at) + "#" + number + process_));
    transaction.put(table_.name, std::move(row));
}

Result<table::Slice<ConsentEntry>> ConsentTrail::of(std::string_view canonical,
                                                    const table::PageWish& wish) const {
    const table::Query query =
        table::from(table_.name).partition("PK", partition_of(canonical)).consistent();
    return table::read_page(store_, query, table_, wish, table::from_item<ConsentEntry>);
}

Result<std::vector<table::Item>> ConsentTrail::rows_of(std::string_view canonical) const {
    return table::query_all(
        store_, table::from(table_.name).partition("PK", partition_of(canonical)).consistent());
}

}  // namespace mailroom::people
