#include "outbox/suppressions.h"

#include "base/base64.h"
#include "base/text.h"
#include "mime/address.h"
#include "outbox/ledger_rows.h"
#include "outbox/table_setup.h"
#include "table/query_builder.h"
#include "table/write_builder.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

constexpr std::string_view every_stream = "*";

Result<std::string> canonical_of(std::string_view address) {
    const auto mailbox = TRY(mime::parse_address(trim(address)));
    return mime::canonical(mailbox);
}

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

Suppressions::Suppressions(table::Store& store, const Clock& clock, std::string table)
    : store_(&store), clock_(&clock), table_(std::move(table)) {}

Result<Suppressions> Suppressions::open(table::Store& store, const Clock& clock, Writers writers,
                                        std::string table) {
    table::CreateTable wanted;
    wanted.name = table;
    wanted.attributes = {{"Address", table::Kind::string}, {"Stream", table::Kind::string}};
    wanted.keys = {"Address", "Stream"};
    TRY(ensure_table(store, wanted));
    Suppressions opened(store, clock, std::move(table));
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
    listed_ = std::move(listed);
    return Ok{};
}

Result<table::Item> Suppressions::row_of(const Suppression& suppression) {
    const auto address = TRY(canonical_of(suppression.address));
    if (listed_) listed_->add(address);
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
                            .reason = storable(reason, reason_bytes_max),
                            .at = clock_->now()};
    auto row = TRY(row_of(added));
    TRY(store_->put(table::write::Put(table_, std::move(row))));
    return added;
}

Result<> Suppressions::add_to(schedule::Transaction& transaction, std::string_view address,
                              std::optional<Stream> stream, std::string_view reason) {
    auto row = TRY(row_of({.address = std::string(trim(address)),
                           .stream = stream,
                           .reason = storable(reason, reason_bytes_max),
                           .at = clock_->now()}));
    transaction.put(table_, std::move(row));
    return Ok{};
}

Result<> Suppressions::require_none(schedule::Transaction& transaction, Stream stream,
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

Result<std::optional<std::string>> Suppressions::refusal(Stream stream, std::string_view address) {
    const auto canonical = canonical_of(address);
    if (!canonical) {
        return std::optional("not an address that mail can go to: " + canonical.error().message);
    }
    if (listed_ && !listed_->may_have(*canonical)) return std::optional<std::string>();
    for (const auto name : {every_stream, name_of(stream)}) {
        table::GetItem request;
        request.table = table_;
        request.key = key_of(*canonical, name);
        request.consistent = true;
        const auto found = TRY(store_->get(request));
        if (!found.item) continue;
        return std::optional("suppressed: " + std::string(found.item->text("Reason").value_or("")));
    }
    return std::optional<std::string>();
}

}  // namespace mailroom::outbox
