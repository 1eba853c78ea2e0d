#include "api/key_rows.h"

#include "table/write_builder.h"

#include <iterator>
#include <utility>

namespace mailroom::api {

Result<KeyRows> KeyRows::open(table::Store& store, std::string table, std::string attribute) {
    table::CreateTable request;
    request.name = table;
    request.attributes = {{attribute, table::Kind::string}};
    request.keys.hash = attribute;
    const auto created = store.create_table(request);
    // Two nodes that start together both try; either may win.
    if (!created && created.error().fault != table::Fault::resource_in_use) return created.error();
    return KeyRows(store, std::move(table), std::move(attribute));
}

Result<> KeyRows::add(table::Item row) {
    table::PutItem request;
    request.table = table_;
    request.item = std::move(row);
    request.condition = "attribute_not_exists(" + attribute_ + ")";
    TRY(store_.put(request));
    return Ok{};
}

Result<std::vector<table::Item>> KeyRows::all() {
    std::vector<table::Item> rows;
    table::Scan request;
    request.table = table_;
    request.consistent = true;
    do {
        auto page = TRY(store_.scan(request));
        std::move(page.items.begin(), page.items.end(), std::back_inserter(rows));
        request.start_key = std::move(page.last_key);
    } while (request.start_key);
    return rows;
}

Result<std::optional<table::Item>> KeyRows::find(const std::string& key) {
    table::GetItem request;
    request.table = table_;
    request.key = {{attribute_, key}};
    request.consistent = true;
    return TRY(store_.get(request)).item;
}

Result<> KeyRows::erase(const std::string& key) {
    table::DeleteItem request;
    request.table = table_;
    request.key = {{attribute_, key}};
    request.condition = "attribute_exists(" + attribute_ + ")";
    const auto erased = store_.erase(request);
    if (erased) return Ok{};
    if (erased.error().fault == table::Fault::conditional_check_failed) {
        return Error{Errc::not_found, "no such key"};
    }
    return erased.error();
}

Result<> KeyRows::erase_beside(const std::string& key, const std::string& other) {
    table::write::Transaction together;
    together.erase(table_, {{attribute_, key}}).if_present(attribute_);
    together.check(table_, {{attribute_, other}}).if_present(attribute_);
    TRY(store_.transact(together));
    return Ok{};
}

}  // namespace mailroom::api
