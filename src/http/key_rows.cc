#include "http/key_rows.h"

#include "table/records/ensure_table.h"
#include "table/write_builder.h"

#include <iterator>
#include <utility>

namespace mailroom::http {

table::OwnTable KeyRows::declared(std::string table, std::string attribute) {
    return table::own_table(std::move(table), {{std::move(attribute), table::Kind::string}});
}

Result<KeyRows> KeyRows::open(table::Store& store, const table::OwnTable& declared) {
    TRY(table::ensure_table(store, declared));
    return KeyRows(store, declared.made.name, declared.made.keys.hash);
}

// A transaction, although it is one write: a client that got no answer asks again, and then a
// transaction is not refused because of itself. A key that was told to nobody would help nobody.
Result<> KeyRows::add(table::Item row) {
    table::write::Transaction alone;
    alone.put(table_, std::move(row)).if_absent(attribute_);
    TRY(store_.transact(alone));
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
    table::write::Transaction alone;
    alone.erase(table_, {{attribute_, key}}).if_present(attribute_);
    const auto erased = store_.transact(alone);
    if (erased) return Ok{};
    const Error error = erased.error();
    if (error.code == Errc::conflict) return Error{Errc::not_found, "no such key"};
    return error;
}

Result<> KeyRows::erase_beside(const std::string& key, const std::string& other) {
    table::write::Transaction together;
    together.erase(table_, {{attribute_, key}}).if_present(attribute_);
    together.check(table_, {{attribute_, other}}).if_present(attribute_);
    TRY(store_.transact(together));
    return Ok{};
}

}  // namespace mailroom::http
