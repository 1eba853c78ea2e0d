#include "api/access_keys.h"

#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

namespace mailroom::api {

namespace {

constexpr std::string_view id_prefix = "AKMR";
constexpr std::size_t id_random_chars = 16;
constexpr std::string_view id_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t secret_bytes = 32;
constexpr std::size_t name_bytes_max = 100;  // For people to read in a list.

constexpr std::pair<std::string_view, table::TableAccess> accesses[] = {
    {"read", table::TableAccess::read},
    {"write", table::TableAccess::write},
    {"manage", table::TableAccess::manage},
};

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
                     {"access", access_name(key.scope.access)},
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
    key.scope.access = access_named(*access).value_or(table::TableAccess::read);
    if (const auto tables = item.find("tables")) {
        for (const auto table : tables->set()) key.scope.tables.emplace(table);
    }
    return key;
}

}  // namespace

std::string_view access_name(table::TableAccess access) {
    for (const auto& [name, value] : accesses) {
        if (value == access) return name;
    }
    return "";
}

std::optional<table::TableAccess> access_named(std::string_view name) {
    for (const auto& [known, value] : accesses) {
        if (known == name) return value;
    }
    return std::nullopt;
}

bool is_access_key_id(std::string_view text) {
    return text.size() == id_prefix.size() + id_random_chars && text.starts_with(id_prefix) &&
           text.find_first_not_of(id_alphabet, id_prefix.size()) == text.npos;
}

Result<AccessKeys> AccessKeys::open(table::Store& store, const Clock& clock, Random& random) {
    return AccessKeys(TRY(KeyRows::open(store, table_name, "access_key_id")), clock, random);
}

Result<AccessKey> AccessKeys::create(std::string_view name, table::TableScope scope) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (name.empty() || name.size() > name_bytes_max || std::ranges::any_of(name, is_control)) {
        return Error{Errc::invalid, "the name of a key is 1 to 100 characters on one line"};
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

}  // namespace mailroom::api
