#include "people/suppressions.h"

#include "base/base64.h"
#include "base/text.h"
#include "people/canonical.h"
#include "people/change_writer.h"
#include "table/records/storable.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view hash_prefix = "sha256:";
constexpr std::size_t reason_bytes_max = 4 * 1024;  // For people; an item holds 400 KB.

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
    const auto extent = Extent::parse(text->substr(0, space));
    const auto address = text->substr(space + 1);
    if (!extent) return wrong;
    const auto canonical = canonical_of(address);
    const bool is_row = address.starts_with(hash_prefix) || (canonical && *canonical == address);
    if (!is_row) return wrong;
    return suppression_row_key(address, *extent);
}

}  // namespace

Suppressions::Suppressions(std::unique_ptr<Books> books, Writers writers)
    : books_(std::move(books)),
      rows_(std::make_unique<SuppressionRows>(*books_)),
      writers_(writers) {}

table::OwnTable Suppressions::declared(std::string table) {
    return table::own_table(std::move(table),
                            {{"Address", table::Kind::string}, {"Stream", table::Kind::string}},
                            "TTL");
}

Result<Suppressions> Suppressions::open(table::Store& store, const Clock& clock, Random& random,
                                        Writers writers, const TableNames& tables) {
    std::unique_ptr<Books> books(new Books{store, clock, random, tables});
    TRY(books->open());
    Suppressions opened(std::move(books), writers);
    if (writers == Writers::only_this) TRY(opened.rows_->read_all());
    return opened;
}

Result<> Suppressions::add_to(schedule::Transaction& transaction, std::string_view address,
                              const Extent& extent, std::string_view reason,
                              const Evidence& evidence) {
    Change change{.reason = std::string(reason), .evidence = evidence};
    if (extent.is_every()) change.suppressed = true;
    if (extent.stream() == Stream::bulk) change.unsubscribed = true;
    if (const auto topic = extent.topic()) change.topics[std::string(*topic)] = TopicState::out;
    if (extent.stream() == Stream::transactional) change.refuses_transactional = true;
    return add_to(transaction, address, std::move(change));
}

Result<> Suppressions::add_to(schedule::Transaction& transaction, std::string_view address,
                              Change change) {
    const auto canonical = TRY(canonical_of(address));
    const auto before = TRY(find_profile(*books_, canonical));
    change.given = trim(address);
    change.reason = table::storable(change.reason, reason_bytes_max);
    return add_change(*books_, *rows_, transaction, canonical, before, change);
}

Result<Suppression> Suppressions::add(std::string_view address, const Extent& extent,
                                      std::string_view reason, const Evidence& evidence) {
    const auto refuse = [&](schedule::Transaction& together) {
        return add_to(together, address, extent, reason, evidence);
    };
    TRY(until_won(books_->store, refuse));
    return Suppression{.address = std::string(trim(address)),
                       .extent = extent,
                       .reason = table::storable(reason, reason_bytes_max),
                       .source = evidence.source,
                       .at = books_->clock.now()};
}

Result<bool> Suppressions::remove(std::string_view address, const Evidence& evidence) {
    const auto canonical = TRY(canonical_of(address));
    bool was_there = false;
    const auto allow = [&](schedule::Transaction& together) -> Result<> {
        const auto rows = TRY(rows_->of(canonical));
        const auto before = TRY(find_profile(*books_, canonical));
        if (rows.empty() && !(before && (before->suppressed || before->unsubscribed))) return Ok{};
        was_there = true;
        return add_allowance(*books_, *rows_, together, canonical, before, rows, evidence);
    };
    TRY(until_won(books_->store, allow));
    return was_there;
}

Result<std::optional<TopicState>> Suppressions::topic_state(const std::string& topic,
                                                            std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    const auto profile = TRY(find_profile(*books_, canonical));
    if (!profile) return std::optional<TopicState>();
    const auto said = profile->topics.find(topic);
    if (said == profile->topics.end()) return std::optional<TopicState>();
    return std::optional(said->second);
}

Result<std::vector<Suppression>> Suppressions::find(std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    std::vector<Suppression> found;
    for (const auto& row : TRY(rows_->of(canonical))) found.push_back(TRY(read_suppression(row)));
    return found;
}

Result<bool> Suppressions::is_forgotten(std::string_view canonical) const {
    if (rows_->knows_all() && !rows_->may_be_hashed(canonical)) return false;
    const auto kept =
        TRY(books_->get(books_->tables.suppressions,
                        suppression_row_key(hashed_address(canonical), Extent::every())));
    if (!kept) return false;
    return !TRY(books_->get(books_->tables.audience, profile_key(canonical)));
}

void Suppressions::note(std::string_view canonical, std::string_view spelled) {
    spellings_->add(canonical, spelled);
    rows_->note(canonical);
}

Result<SuppressionPage> Suppressions::list(std::size_t limit,
                                           const std::optional<std::string>& after) {
    table::Scan request;
    request.table = books_->tables.suppressions;
    request.limit = static_cast<std::int64_t>(std::max<std::size_t>(limit, 1));
    if (after) request.start_key = TRY(parse_cursor(*after));
    const auto rows = TRY(books_->store.scan(request));
    SuppressionPage page;
    for (const auto& row : rows.items) page.items.push_back(TRY(read_suppression(row)));
    if (rows.last_key) page.next = cursor_of(*rows.last_key);
    return page;
}

}  // namespace mailroom::people
