#include "api/key_table.h"

#include <algorithm>

namespace mailroom::api {

namespace {

table::Item to_item(const ApiKey& key) {
    return {{"key_hash", key.hash},
            {"key_id", key.id},
            {"name", key.name},
            {"scopes", table::Value::string_set(key.scopes)},
            {"created_at", to_unix_ms(key.created)},
            {"last_four", key.last_four}};
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
               .hash = std::string(*hash)};
    for (const auto scope : scopes->set()) key.scopes.emplace_back(scope);
    return key;
}

}  // namespace

Result<KeyTable> KeyTable::open(table::Store& store) {
    table::CreateTable request;
    request.name = table_name;
    request.attributes = {{"key_hash", table::Kind::string}};
    request.keys.hash = "key_hash";
    const auto created = store.create_table(request);
    // Two nodes that start together both try; either may win.
    if (!created && created.error().fault != table::Fault::resource_in_use) return created.error();
    return KeyTable(store);
}

Result<> KeyTable::put(const ApiKey& key) {
    table::PutItem request;
    request.table = table_name;
    request.item = to_item(key);
    request.condition = "attribute_not_exists(key_hash)";
    TRY(store_.put(request));
    return Ok{};
}

Result<std::vector<ApiKey>> KeyTable::list() {
    std::vector<ApiKey> keys;
    table::Scan request;
    request.table = table_name;
    request.consistent = true;
    do {
        auto page = TRY(store_.scan(request));
        for (const auto& item : page.items) keys.push_back(TRY(from_item(item)));
        request.start_key = std::move(page.last_key);
    } while (request.start_key);
    // Ids are ULIDs: their order is the order of making.
    std::ranges::sort(keys, {}, &ApiKey::id);
    return keys;
}

Result<std::optional<ApiKey>> KeyTable::find(const std::string& hash) {
    table::GetItem request;
    request.table = table_name;
    request.key = {{"key_hash", hash}};
    // A revoked key must be refused from the next request on.
    request.consistent = true;
    const auto found = TRY(store_.get(request));
    if (!found.item) return std::optional<ApiKey>();
    return std::optional(TRY(from_item(*found.item)));
}

Result<> KeyTable::erase(const std::string& hash) {
    table::DeleteItem request;
    request.table = table_name;
    request.key = {{"key_hash", hash}};
    request.condition = "attribute_exists(key_hash)";
    const auto erased = store_.erase(request);
    if (erased) return Ok{};
    if (erased.error().fault == table::Fault::conditional_check_failed) {
        return Error{Errc::not_found, "no such key"};
    }
    return erased.error();
}

}  // namespace mailroom::api
