#include "people/consent/confirmations.h"

#include "base/base64.h"
#include "net/sigv4.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t token_bytes = 24;  // Nobody guesses 192 bits.
constexpr std::size_t token_chars = 32;

table::Item key_of(const std::string& hash) {
    return {{"PK", "CONFIRM#" + hash}, {"SK", "CONFIRM"}};
}
std::string pending_partition(std::string_view canonical) {
    return "PENDING#" + std::string(canonical);
}

}  // namespace

Confirmations::Confirmations(table::Store& store, const Clock& clock, Random& random,
                             table::CreateTable declared)
    : store_(store),
      clock_(clock),
      random_(random),
      table_(std::move(declared)),
      rows_(store, table_) {}

Answer<std::string> Confirmations::add_to(schedule::Transaction& transaction,
                                          PendingOptIn wanted) const {
    const auto now = clock_.now();
    const auto waits = [&](const PendingOptIn& one) { return !one.confirmed && one.expires > now; };
    if (std::ranges::count_if(TRY(of(wanted.email)), waits) >= std::ptrdiff_t{pending_max}) {
        return Refusal(Refusal::Kind::too_many,
                       "several mails that ask to confirm wait for an answer at that address");
    }
    wanted.at = now;
    wanted.expires = now + valid_for;
    wanted.asked = fit_for_row(std::move(wanted.asked));
    const auto token = base64url_encode(random_bytes(random_, token_bytes));
    const auto hash = net::sha256_hex(token);
    const table::Value ttl(to_unix_seconds(wanted.expires));
    transaction.put(table_.name,
                    {{"PK", pending_partition(wanted.email)}, {"SK", hash}, {"ttl", ttl}});
    auto row = table::to_item(wanted);
    row.set("PK", table::Value("CONFIRM#" + hash));
    row.set("SK", table::Value("CONFIRM"));
    transaction.put(table_.name, std::move(row)).if_absent("PK");
    return token;
}

Result<std::optional<PendingOptIn>> Confirmations::find(std::string_view token) const {
    if (token.size() != token_chars) return std::optional<PendingOptIn>();
    auto found = TRY(rows_.find(key_of(net::sha256_hex(token))));
    if (found && found->expires <= clock_.now()) found.reset();
    return found;
}

void Confirmations::confirm(schedule::Transaction& transaction, std::string_view token) const {
    transaction.update(table_.name, key_of(net::sha256_hex(token)))
        .set("confirmed_at", table::Value(to_unix_ms(clock_.now())))
        .if_present("PK")
        .if_absent("confirmed_at");
}

Result<std::vector<std::string>> Confirmations::hashes_of(std::string_view canonical) const {
    std::vector<std::string> hashes;
    const table::Query query =
        table::from(table_.name).partition("PK", pending_partition(canonical)).consistent();
    for (const auto& row : TRY(table::query_all(store_, query))) {
        hashes.emplace_back(row.text("SK").value_or(""));
    }
    return hashes;
}

Result<std::vector<PendingOptIn>> Confirmations::of(std::string_view canonical) const {
    std::vector<table::Item> keys;
    for (const auto& hash : TRY(hashes_of(canonical))) keys.push_back(key_of(hash));
    return rows_.find_all(std::move(keys));
}

Result<std::vector<table::Item>> Confirmations::keys_of(std::string_view canonical,
                                                        Time until) const {
    std::vector<table::Item> keys;
    for (const auto& hash : TRY(hashes_of(canonical))) {
        const auto asked = TRY(rows_.find(key_of(hash)));
        if (asked && asked->at > until) continue;
        keys.push_back(key_of(hash));
        keys.push_back({{"PK", pending_partition(canonical)}, {"SK", hash}});
    }
    return keys;
}

}  // namespace mailroom::people
