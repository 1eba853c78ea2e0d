#include "people/suppressions.h"

#include "base/base64.h"
#include "base/text.h"
#include "people/canonical.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"
#include "table/records/many.h"
#include "table/records/storable.h"
#include "table/write_builder.h"

#include <algorithm>
#include <map>
#include <set>

namespace mailroom::people {

namespace {

constexpr std::string_view every_stream = "*";
constexpr std::size_t actions_max = 100;            // Of a transaction: DynamoDB's limit.
constexpr std::size_t reason_bytes_max = 4 * 1024;  // For people; an item holds 400 KB.

table::Item key_of(std::string_view address, std::string_view stream) {
    return {{"Address", address}, {"Stream", stream}};
}

Result<Suppression> read_row(const table::Item& row) {
    const auto address = row.text("Address"), stream = row.text("Stream");
    const auto at = row.integer("At");
    Suppression suppression;
    if (stream && *stream != every_stream) suppression.stream = stream_named(*stream);
    const bool complete =
        address && stream && at && (suppression.stream || *stream == every_stream);
    if (!complete) {
        return Error{Errc::corrupt, "the suppression of " + std::string(address.value_or("?")) +
                                        " is not a row of ours"};
    }
    suppression.address = row.text("Given").value_or(*address);
    suppression.reason = row.text("Reason").value_or("");
    suppression.at = from_unix_ms(*at);
    return suppression;
}

// Where a list goes on.
//   text := base64url( Stream " " Address )
std::string cursor_of(const table::Item& last_key) {
    return base64url_encode(std::string(last_key.text("Stream").value_or("")) + " " +
                            std::string(last_key.text("Address").value_or("")));
}

Result<table::Item> parse_cursor(const std::string& cursor) {
    const Error wrong{Errc::invalid, "`after` is not what a page of this list said"};
    const auto text = base64url_decode(cursor);
    if (!text) return wrong;
    const auto space = text->find(' ');
    if (space == text->npos) return wrong;
    const auto stream = text->substr(0, space), address = text->substr(space + 1);
    if (stream != every_stream && !stream_named(stream)) return wrong;
    const auto canonical = canonical_of(address);
    if (!canonical || *canonical != address) return wrong;
    return key_of(address, stream);
}

}  // namespace

Suppressions::Suppressions(table::Store& store, const Clock& clock, Writers writers,
                           std::string table)
    : store_(&store),
      clock_(&clock),
      writers_(writers),
      table_(std::move(table)),
      noted_(std::make_unique<AddressFilter>(0)) {}

table::OwnTable Suppressions::declared(std::string table) {
    return table::own_table(std::move(table),
                            {{"Address", table::Kind::string}, {"Stream", table::Kind::string}},
                            "TTL");
}

Result<Suppressions> Suppressions::open(table::Store& store, const Clock& clock, Writers writers,
                                        std::string table) {
    TRY(table::ensure_table(store, declared(table)));
    Suppressions opened(store, clock, writers, std::move(table));
    if (writers == Writers::only_this) TRY(opened.read_addresses());
    return opened;
}

Result<> Suppressions::read_addresses() {
    const auto description = TRY(store_->describe_table(table_));
    const auto expected =
        static_cast<std::size_t>(std::max<std::int64_t>(description.item_count, 0));
    // Twice as many: those that are added until the next start.
    auto listed = std::make_unique<AddressFilter>(2 * expected);
    table::Scan request;
    request.table = table_;
    request.consistent = true;
    for (;;) {
        auto page = TRY(store_->scan(request));
        for (const auto& row : page.items) listed->add(row.text("Address").value_or(""));
        if (!page.last_key) break;
        request.start_key = *std::move(page.last_key);
    }
    noted_ = std::move(listed);
    return Ok{};
}

Result<table::Item> Suppressions::row_of(const Suppression& suppression) {
    const auto address = TRY(canonical_of(suppression.address));
    noted_->add(address);
    auto row = key_of(address, suppression.stream ? name_of(*suppression.stream) : every_stream);
    row.set("Reason", table::Value(suppression.reason));
    row.set("At", table::Value(to_unix_ms(suppression.at)));
    row.set("Given", table::Value(suppression.address));
    return row;
}

Result<Suppression> Suppressions::add(std::string_view address, std::optional<Stream> stream,
                                      std::string_view reason) {
    const Suppression added{.address = std::string(trim(address)),
                            .stream = stream,
                            .reason = table::storable(reason, reason_bytes_max),
                            .at = clock_->now()};
    auto row = TRY(row_of(added));
    TRY(store_->put(table::write::Put(table_, std::move(row))));
    return added;
}

Result<> Suppressions::add_to(table::write::Transaction& transaction, std::string_view address,
                              std::optional<Stream> stream, std::string_view reason) {
    auto row = TRY(row_of({.address = std::string(trim(address)),
                           .stream = stream,
                           .reason = table::storable(reason, reason_bytes_max),
                           .at = clock_->now()}));
    transaction.put(table_, std::move(row));
    return Ok{};
}

Result<> Suppressions::require_none(table::write::Transaction& transaction, Stream stream,
                                    std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    for (const auto name : {every_stream, name_of(stream)}) {
        transaction.check(table_, key_of(canonical, name)).if_absent("Address");
    }
    return Ok{};
}

Result<bool> Suppressions::remove(std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    table::write::Transaction together;
    const auto rows = TRY(store_->query(
        table::from(table_).partition("Address", canonical).only({"Stream"}).consistent()));
    for (const auto& row : rows.items) {
        together.erase(table_, key_of(canonical, row.text("Stream").value_or("")));
    }
    if (together.empty()) return false;
    TRY(store_->transact(together));
    return true;
}

Result<std::vector<Suppression>> Suppressions::find(std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    const auto rows =
        TRY(store_->query(table::from(table_).partition("Address", canonical).consistent()));
    std::vector<Suppression> found;
    for (const auto& row : rows.items) found.push_back(TRY(read_row(row)));
    return found;
}

Result<SuppressionPage> Suppressions::list(std::size_t limit,
                                           const std::optional<std::string>& after) {
    table::Scan request;
    request.table = table_;
    request.limit = static_cast<std::int64_t>(std::max<std::size_t>(limit, 1));
    if (after) request.start_key = TRY(parse_cursor(*after));
    const auto rows = TRY(store_->scan(request));
    SuppressionPage page;
    for (const auto& row : rows.items) page.items.push_back(TRY(read_row(row)));
    if (rows.last_key) page.next = cursor_of(*rows.last_key);
    return page;
}

Result<Refusals> Suppressions::look(Stream stream, const std::vector<std::string>& addresses,
                                    Look look) {
    Refusals refusals;
    std::map<std::string, std::vector<std::string>, std::less<>> asked;  // As given, by canonical.
    for (const auto& address : addresses) {
        auto canonical = canonical_of(address);
        if (!canonical) {
            refusals.emplace(address,
                             "not an address that mail can go to: " + canonical.error().message);
        } else if (look == Look::at_all || noted_->may_have(*canonical)) {
            asked[*std::move(canonical)].push_back(address);
        }
    }
    if (asked.empty()) return refusals;
    std::vector<table::Item> keys;
    for (const auto& [canonical, given] : asked) {
        keys.push_back(key_of(canonical, every_stream));
        keys.push_back(key_of(canonical, name_of(stream)));
    }
    for (const auto& row : TRY(table::get_all(*store_, table_, std::move(keys)))) {
        const auto found = asked.find(row.text("Address").value_or(""));
        if (found == asked.end()) continue;
        noted_->add(found->first);
        const auto why = "suppressed: " + std::string(row.text("Reason").value_or(""));
        // What is said of every stream says more.
        const bool is_of_every = row.text("Stream") == every_stream;
        for (const auto& address : found->second) {
            auto& said = refusals[address];
            if (said.empty() || is_of_every) said = why;
        }
    }
    return refusals;
}

Result<Refusals> Suppressions::refusals(Stream stream, const std::vector<std::string>& addresses) {
    return look(stream, addresses, writers_ == Writers::only_this ? Look::at_noted : Look::at_all);
}

Result<Refusals> Suppressions::known_refusals(Stream stream,
                                              const std::vector<std::string>& addresses) {
    return look(stream, addresses, Look::at_noted);
}

Result<std::optional<std::string>> Suppressions::refusal(Stream stream, std::string_view address) {
    auto found = TRY(refusals(stream, {std::string(address)}));
    if (found.empty()) return std::optional<std::string>();
    return std::optional(std::move(found.begin()->second));
}

Sure Suppressions::require(table::write::Transaction& transaction, Stream stream,
                           const std::vector<std::string>& addresses) {
    if (writers_ == Writers::only_this) return Sure::by_another_look;
    std::set<std::string> canonical;  // A transaction may name a row once.
    for (const auto& address : addresses) {
        if (auto text = canonical_of(address)) canonical.insert(*std::move(text));
    }
    if (transaction.size() + 2 * canonical.size() > actions_max) return Sure::by_another_look;
    for (const auto& address : canonical) {
        for (const auto name : {every_stream, name_of(stream)}) {
            transaction.check(table_, key_of(address, name)).if_absent("Address");
        }
    }
    return Sure::by_condition;
}

}  // namespace mailroom::people
