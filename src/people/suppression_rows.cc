#include "people/suppression_rows.h"

#include "net/sigv4.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/records/storable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view hash_prefix = "sha256:";
constexpr std::size_t reason_bytes_max = 4 * 1024;  // For people; an item holds 400 KB.
constexpr std::size_t source_bytes_max = 200;
constexpr std::string_view source_of_server = "mailroom";

table::Item row_of(std::string_view address, const Suppression& suppression) {
    auto row = suppression_row_key(address, suppression.extent);
    row.set("Reason", table::Value(table::storable(suppression.reason, reason_bytes_max)));
    // Never empty: see suppression_rows.h.
    const auto source = table::storable(suppression.source, source_bytes_max);
    row.set("Source", table::Value(source.empty() ? source_of_server : std::string_view(source)));
    row.set("At", table::Value(to_unix_ms(suppression.at)));
    if (!suppression.mark.empty()) row.set("Mark", table::Value(suppression.mark));
    return row;
}

}  // namespace

std::string hashed_address(std::string_view canonical) {
    return std::string(hash_prefix) + net::sha256_hex(canonical);
}

table::Item suppression_row_key(std::string_view address, const Extent& extent) {
    return {{"Address", address}, {"Stream", extent.text()}};
}

Result<Suppression> read_suppression(const table::ItemView& row) {
    const auto address = row.text("Address"), extent = row.text("Stream");
    const auto read = Extent::parse(extent.value_or(""));
    const auto at = row.integer("At");
    if (!address || !read || !at) {
        return Error{Errc::corrupt, "the suppression of " + std::string(address.value_or("?")) +
                                        " is not a row of ours"};
    }
    return Suppression{.address = std::string(row.text("Given").value_or(*address)),
                       .extent = *read,
                       .reason = std::string(row.text("Reason").value_or("")),
                       .source = std::string(row.text("Source").value_or("")),
                       .at = from_unix_ms(*at),
                       .mark = std::string(row.text("Mark").value_or(""))};
}

SuppressionRows::SuppressionRows(const Books& books)
    : books_(books), noted_(std::make_unique<AddressFilter>(0)) {}

void SuppressionRows::put(schedule::Transaction& transaction, std::string_view canonical,
                          const Suppression& suppression) {
    note(canonical);
    auto row = row_of(canonical, suppression);
    row.set("Given", table::Value(suppression.address));
    transaction.put(books_.tables.suppressions, std::move(row));
}

void SuppressionRows::put_hashed(schedule::Transaction& transaction, std::string_view canonical,
                                 const Suppression& suppression) {
    const auto hashed = hashed_address(canonical);
    note(hashed);
    any_hashed_ = true;
    transaction.put(books_.tables.suppressions, row_of(hashed, suppression));
}

void SuppressionRows::erase(schedule::Transaction& transaction, std::string_view canonical,
                            const Extent& extent) {
    const auto& table = books_.tables.suppressions;
    transaction.erase(table, suppression_row_key(canonical, extent));
    if (knows_all_ && !may_be_hashed(canonical)) return;
    transaction.erase(table, suppression_row_key(hashed_address(canonical), extent));
}

Result<std::vector<table::Item>> SuppressionRows::rows_of(const std::string& address) const {
    return table::query_all(
        books_.store,
        table::from(books_.tables.suppressions).partition("Address", address).consistent());
}

Result<std::vector<table::Item>> SuppressionRows::of(std::string_view canonical) const {
    auto all = TRY(rows_of(std::string(canonical)));
    if (knows_all_ && !may_be_hashed(canonical)) return all;
    auto hashed = TRY(rows_of(hashed_address(canonical)));
    std::ranges::move(hashed, std::back_inserter(all));
    return all;
}

Result<std::vector<Extent>> SuppressionRows::hashed_extents(std::string_view canonical) const {
    std::vector<Extent> extents;
    if (knows_all_ && !may_be_hashed(canonical)) return extents;
    for (const auto& row : TRY(rows_of(hashed_address(canonical)))) {
        const auto extent = Extent::parse(row.text("Stream").value_or(""));
        if (extent) extents.push_back(*extent);
    }
    return extents;
}

Result<std::vector<Suppression>> SuppressionRows::listed(std::string_view canonical) const {
    std::vector<Suppression> all;
    if (knows_all_ && !noted_->may_have(canonical)) return all;
    for (const auto& row : TRY(rows_of(std::string(canonical)))) {
        auto suppression = read_suppression(row);
        if (suppression) all.push_back(*std::move(suppression));
    }
    return all;
}

Result<> SuppressionRows::read_all() {
    const auto description = TRY(books_.store.describe_table(books_.tables.suppressions));
    const auto expected =
        static_cast<std::size_t>(std::max<std::int64_t>(description.item_count, 0));
    // Twice as many: those that are added until the next start.
    auto listed = std::make_unique<AddressFilter>(2 * expected);
    table::Scan request;
    request.table = books_.tables.suppressions;
    request.consistent = true;
    for (;;) {
        auto page = TRY(books_.store.scan(request));
        for (const auto& row : page.items) {
            const auto address = row.text("Address").value_or("");
            listed->add(address);
            if (address.starts_with(hash_prefix)) any_hashed_ = true;
        }
        if (!page.last_key) break;
        request.start_key = *std::move(page.last_key);
    }
    noted_ = std::move(listed);
    knows_all_ = true;
    return Ok{};
}

}  // namespace mailroom::people
