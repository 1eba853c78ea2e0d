#include "http/key_table.h"

#include <algorithm>

namespace mailroom::http {

namespace {

table::Item to_item(const ApiKey& key) {
    table::Item row{{"key_hash", key.hash},
                    {"key_id", key.id},
                    {"name", key.name},
                    {"scopes", table::Value::string_set(key.scopes)},
                    {"created_at", to_unix_ms(key.created)},
                    {"last_four", key.last_four}};
    if (!key.person.empty()) row.set("person", key.person);
    return row;
}

Result<ApiKey> from_item(const table::Item& item) {
    const auto hash = item.text("key_hash"), id = item.text("key_id"), name = item.text("name"),
               last_four = item.text("last_four");
    const auto created = item.integer("created_at");
    const auto scopes = item.find("scopes");
    const bool complete = hash && id && name && last_four && created && scopes &&
                          scopes->kind() == table::Kind::string_set;
    if (!complete)
        return Error{Errc::corrupt,
                     std::string("a row of ") + KeyTable::table_name + " is not a key"};
    ApiKey key{.id = std::string(*id),
               .name = std::string(*name),
               .scopes = {},
               .created = from_unix_ms(*created),
               .last_four = std::string(*last_four),
               .hash = std::string(*hash),
               .person = std::string(item.text("person").value_or(""))};
    for (const auto scope : scopes->set()) key.scopes.emplace_back(scope);
    return key;
}

}  // namespace

table::OwnTable KeyTable::declared() { return KeyRows::declared(table_name, "key_hash"); }

Result<KeyTable> KeyTable::open(table::Store& store) {
    return KeyTable(TRY(KeyRows::open(store, declared())));
}

Result<> KeyTable::put(const ApiKey& key) { return rows_.add(to_item(key)); }

Result<std::vector<ApiKey>> KeyTable::list() {
    std::vector<ApiKey> keys;
    for (const auto& row : TRY(rows_.all())) keys.push_back(TRY(from_item(row)));
    // Ids are ULIDs: their order is the order of making.
    std::ranges::sort(keys, {}, &ApiKey::id);
    return keys;
}

Result<std::optional<ApiKey>> KeyTable::find(const std::string& hash) {
    const auto row = TRY(rows_.find(hash));
    if (!row) return std::optional<ApiKey>();
    return std::optional(TRY(from_item(*row)));
}

Result<> KeyTable::erase(const std::string& hash) { return rows_.erase(hash); }

Result<> KeyTable::erase_beside(const std::string& hash, const std::string& other) {
    return rows_.erase_beside(hash, other);
}

}  // namespace mailroom::http
