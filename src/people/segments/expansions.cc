#include "people/segments/expansions.h"

#include "people/segments/filter_text.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace mailroom::people {

namespace {

constexpr const char* expansions_partition = "EXPANSION#";
constexpr std::size_t row_addresses_max = 1000;  // 254 KB at most: a row holds 400.
constexpr std::size_t expansion_id_bytes_max = 200;
constexpr auto expansion_life = std::chrono::hours(24 * 365);

table::Item expansion_key(const std::string& id) {
    return {{"PK", expansions_partition}, {"SK", id}};
}
std::string partition_of_expansion(const std::string& id) { return expansions_partition + id; }

std::int64_t end_of(const Expansion& expansion) {
    return to_unix_seconds(expansion.at + expansion_life);
}

table::Value as_list(std::span<const std::string> addresses) {
    std::vector<table::Value> list(addresses.begin(), addresses.end());
    return table::Value::list(list);
}

std::vector<std::string> addresses_in(const table::ItemView& row) {
    const auto value = row.find("addresses");
    if (!value) return {};
    return table::Form<std::vector<std::string>>::load(*value).value_or(std::vector<std::string>());
}

}  // namespace

void Expansion::derive(const Expansion& expansion, table::Item& row) {
    row.set("PK", table::Value(expansions_partition));
    row.set("SK", table::Value(expansion.id));
    row.set("ttl", table::Value(end_of(expansion)));
}

Expansions::Expansions(const Books& books, const Finder& finder, const Segments& segments)
    : books_(books),
      finder_(finder),
      segments_(segments),
      rows_(books.store, Books::people_table(books.tables.people)) {}

Result<std::optional<Expansion>> Expansions::find(const std::string& id) const {
    return rows_.find(expansion_key(id));
}

Answer<Expansion> Expansions::expand(const std::string& id, const Filter& filter) const {
    if (id.empty() || id.size() > expansion_id_bytes_max) {
        return Refusal::bad_field("id", "must be 1 to 200 bytes");
    }
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Expansion> {
        auto known = TRY(find(id));
        auto expansion = known ? *std::move(known) : TRY(begin(id, filter));
        if (expansion.is_done) return expansion;
        return go_on(std::move(expansion));
    });
}

Answer<Expansion> Expansions::begin(const std::string& id, const Filter& filter) const {
    Expansion expansion;
    expansion.id = id;
    expansion.filter = text_of(TRY(segments_.resolve(filter)));
    expansion.at = books_.clock.now();
    // What cannot be read again cannot be gone on with.
    if (!parse_filter(expansion.filter)) return Refusal::bad_field("filter", "is too long");
    table::write::Transaction together;
    rows_.save(together, expansion);
    const auto saved = books_.store.transact(together);
    if (saved) return expansion;
    const Error error = saved.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

Answer<Expansion> Expansions::go_on(Expansion expansion) const {
    const auto filter = parse_filter(expansion.filter);
    if (!filter) return Refusal(Error{Errc::corrupt, "the filter of an expansion cannot be read"});
    const auto all = TRY(finder_.addresses_after(expansion.through, *filter, expansion.at));
    std::span<const std::string> rest(all);
    do {
        const auto row = rest.subspan(0, std::min(rest.size(), row_addresses_max));
        rest = rest.subspan(row.size());
        expansion.is_done = rest.empty();
        expansion.people += static_cast<std::int64_t>(row.size());
        table::write::Transaction together;
        if (!row.empty()) {
            expansion.through = row.back();
            together.put(rows_.table(), {{"PK", partition_of_expansion(expansion.id)},
                                         {"SK", row.front()},
                                         {"addresses", as_list(row)},
                                         {"ttl", end_of(expansion)}});
        }
        rows_.save(together, expansion);
        const auto saved = books_.store.transact(together);
        if (saved) continue;
        const Error error = saved.error();
        if (error.code == Errc::conflict) return Refusal::lost_race();
        return Refusal(error);
    } while (!rest.empty());
    return expansion;
}

// The row in which the address is, or would be.
Result<std::optional<table::Item>> Expansions::row_with(const std::string& id,
                                                        const std::string& address) const {
    auto page = TRY(books_.store.query(table::from(rows_.table())
                                           .partition("PK", partition_of_expansion(id))
                                           .at_most("SK", address)
                                           .newest_first()
                                           .limit(1)
                                           .consistent()));
    if (page.items.empty()) return std::optional<table::Item>();
    return std::optional(std::move(page.items.front()));
}

Result<std::vector<std::string>> Expansions::page(const std::string& id, const std::string& after,
                                                  std::size_t limit) const {
    std::vector<std::string> found;
    const auto add = [&](const table::Item& row) {
        for (auto& address : addresses_in(row)) {
            if (address > after && found.size() < limit) found.push_back(std::move(address));
        }
    };
    // Of the row behind which all others come.
    std::string from = after;
    if (!after.empty()) {
        if (const auto row = TRY(row_with(id, after))) {
            add(*row);
            from = *row->text("SK");
        }
    }
    while (found.size() < limit) {
        auto query = table::from(rows_.table()).partition("PK", partition_of_expansion(id));
        if (!from.empty()) query.above("SK", from);
        const auto page = TRY(books_.store.query(query.limit(1).consistent()));
        if (page.items.empty()) break;
        add(page.items.front());
        from = *page.items.front().text("SK");
    }
    return found;
}

Result<std::vector<Expansion>> Expansions::all() const {
    return rows_.whole(rows_.query().partition("PK", expansions_partition).consistent());
}

Result<std::vector<Expansion>> Expansions::with(const std::string& canonical) const {
    std::vector<Expansion> found;
    for (auto& expansion : TRY(all())) {
        const auto row = TRY(row_with(expansion.id, canonical));
        if (!row) continue;
        const auto addresses = addresses_in(*row);
        if (std::ranges::find(addresses, canonical) != addresses.end()) {
            found.push_back(std::move(expansion));
        }
    }
    return found;
}

Answer<> Expansions::forget(const std::string& canonical) const {
    for (const auto& expansion : TRY(all())) {
        TRY(settled(books_.store.pauses(race_pauses),
                    [&] { return forget_in(expansion.id, canonical); }));
    }
    return Ok{};
}

Answer<> Expansions::forget_in(const std::string& id, const std::string& canonical) const {
    const auto row = TRY(row_with(id, canonical));
    if (!row) return Ok{};
    auto addresses = addresses_in(*row);
    if (std::erase(addresses, canonical) == 0) return Ok{};
    const table::Item key{{"PK", *row->text("PK")}, {"SK", *row->text("SK")}};
    table::write::Transaction together;
    // A row is found by its first address, which is in its key, too.
    const bool names_it = *row->text("SK") == canonical;
    if (names_it)
        together.erase(rows_.table(), key).when("addresses", table::Value(*row->find("addresses")));
    auto changed = *row;
    changed.set("addresses", as_list(addresses));
    if (names_it && !addresses.empty()) changed.set("SK", table::Value(addresses.front()));
    if (!addresses.empty()) {
        auto& put = together.put(rows_.table(), changed);
        if (!names_it) put.when("addresses", table::Value(*row->find("addresses")));
    }
    const auto saved = books_.store.transact(together);
    if (saved) return Ok{};
    const Error error = saved.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

Answer<> Expansions::remove(const std::string& id) const {
    const auto rows = TRY(table::query_all(
        books_.store,
        table::from(rows_.table()).partition("PK", partition_of_expansion(id)).only({"PK", "SK"})));
    std::vector<table::Item> keys(rows.begin(), rows.end());
    // The one that leads to them is the last to go.
    TRY(table::erase_all(books_.store, rows_.table(), std::move(keys)));
    TRY(books_.store.erase(table::write::Erase(rows_.table(), expansion_key(id))));
    return Ok{};
}

}  // namespace mailroom::people
