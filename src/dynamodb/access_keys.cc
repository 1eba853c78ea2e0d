#include "dynamodb/access_keys.h"

#include "base/base64.h"
#include "http/keys.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

namespace mailroom::dynamodb {

namespace {

constexpr std::string_view id_prefix = "AKMR";
constexpr std::size_t id_random_chars = 16;
constexpr std::string_view id_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t secret_bytes = 32;

template <std::size_t count>
std::array<std::uint8_t, count> random_bytes(Random& random) {
    std::array<std::uint8_t, count> bytes;
    random.fill(bytes);
    return bytes;
}

std::string make_id(Random& random) {
    std::string id(id_prefix);
    for (const auto byte : random_bytes<id_random_chars>(random)) {
        id += id_alphabet[byte % id_alphabet.size()];
    }
    return id;
}

std::string make_secret(Random& random) {
    const auto bytes = random_bytes<secret_bytes>(random);
    return base64url_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

table::Item to_item(const AccessKey& key) {
    table::Item item{{"access_key_id", key.id},
                     {"secret", key.secret},
                     {"name", key.name},
                     {"access", name_of(key.scope.access)},
                     {"created_at", to_unix_ms(key.created)}};
    if (!key.scope.tables.empty()) {
        item.set("tables",
                 table::Value::string_set({key.scope.tables.begin(), key.scope.tables.end()}));
    }
    return item;
}

Result<AccessKey> from_item(const table::Item& item) {
    const auto id = item.text("access_key_id"), secret = item.text("secret"),
               name = item.text("name"), access = item.text("access");
    const auto created = item.integer("created_at");
    if (!id || !secret || !name || !access || !created) {
        return Error{Errc::corrupt,
                     std::string("a row of ") + AccessKeys::table_name + " is not an access key"};
    }
    AccessKey key{
        std::string(*id), std::string(*secret), std::string(*name), {}, from_unix_ms(*created)};
    key.scope.access = named<table::TableAccess>(*access).value_or(table::TableAccess::read);
    if (const auto tables = item.find("tables")) {
        for (const auto table : tables->set()) key.scope.tables.emplace(table);
    }
    return key;
}

}  // namespace

bool is_access_key_id(std::string_view text) {
    return text.size() == id_prefix.size() + id_random_chars && text.starts_with(id_prefix) &&
           text.find_first_not_of(id_alphabet, id_prefix.size()) == text.npos;
}

table::OwnTable AccessKeys::declared() {
    return http::KeyRows::declared(table_name, "access_key_id");
}

Result<AccessKeys> AccessKeys::open(table::Store& store, const Clock& clock, Random& random) {
    return AccessKeys(TRY(http::KeyRows::open(store, declared())), clock, random);
}

Result<AccessKey> AccessKeys::create(std::string_view name, table::TableScope scope) {
    if (!http::is_key_name(name)) {
        return Error{Errc::invalid, "a key's name " + std::string(http::key_name_wanted)};
    }
    AccessKey key{make_id(random_), make_secret(random_), std::string(name), std::move(scope),
                  clock_.now()};
    TRY(rows_.add(to_item(key)));
    return key;
}

Result<std::vector<AccessKey>> AccessKeys::list() {
    std::vector<AccessKey> keys;
    for (const auto& row : TRY(rows_.all())) keys.push_back(TRY(from_item(row)));
    std::ranges::sort(keys, [](const AccessKey& a, const AccessKey& b) {
        return std::tie(a.created, a.id) < std::tie(b.created, b.id);
    });
    return keys;
}

Result<std::optional<AccessKey>> AccessKeys::find(const std::string& id) {
    // Strangers name any id; the table would take some of them for malformed requests of ours.
    if (!is_access_key_id(id)) return std::optional<AccessKey>();
    const auto row = TRY(rows_.find(id));
    if (!row) return std::optional<AccessKey>();
    return std::optional(TRY(from_item(*row)));
}

Result<> AccessKeys::revoke(const std::string& id) { return rows_.erase(id); }

}  // namespace mailroom::dynamodb
