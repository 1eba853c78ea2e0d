// Rows of one kind in one table: found, listed, saved and erased as structs.
//
//   Rows<Invoice> invoices(store, invoices_table("MailroomInvoices"));
//   const auto found = TRY(invoices.find({{"invoice_id", id}}));
//   const auto of_customer = invoices.query("CustomerIndex").partition("customer_id", id);
//   const auto page = TRY(invoices.page(of_customer, wish));
//   invoices.save(transaction, invoice);
#pragma once

#include "base/result.h"
#include "table/query_builder.h"
#include "table/records/cursor.h"
#include "table/records/many.h"
#include "table/records/pages.h"
#include "table/records/record.h"
#include "table/store.h"
#include "table/write_builder.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::table {

// Thread-safe. The store must outlive it.
template <HasRecord T>
class Rows {
public:
    // `declared` as the table is made: its keys and indexes are those of the cursors.
    Rows(Store& store, CreateTable declared) : store_(&store), table_(std::move(declared)) {}

    const std::string& table() const { return table_.name; }

    // As it is now. `corrupt` if the row is none of these.
    Result<std::optional<T>> find(Item key) const {
        GetItem request;
        request.table = table_.name;
        request.key = std::move(key);
        request.consistent = true;
        const auto found = TRY(store_->get(request));
        if (!found.item) return std::optional<T>();
        return std::optional(TRY(from_item<T>(*found.item)));
    }

    // As they are now, in any order; those that are not there are left out.
    Result<std::vector<T>> find_all(std::vector<Item> keys) const {
        const auto rows = TRY(get_all(*store_, table_.name, std::move(keys)));
        std::vector<T> all;
        all.reserve(rows.size());
        for (const auto& row : rows) all.push_back(TRY(from_item<T>(row)));
        return all;
    }

    // Of a table without a sort key: those with these ids, by id.
    Result<std::map<std::string, T, std::less<>>> find_by_id(
        const std::set<std::string>& ids) const {
        const auto& name = table_.keys.hash;
        std::vector<Item> keys;
        for (const auto& id : ids) keys.push_back({{name, id}});
        std::map<std::string, T, std::less<>> found;
        for (const auto& row : TRY(get_all(*store_, table_.name, std::move(keys)))) {
            found.emplace(*row.text(name), TRY(from_item<T>(row)));
        }
        return found;
    }

    // For page(): of the table, or of an index.
    QueryBuilder query(std::string index = "") const {
        auto builder = from(table_.name);
        if (!index.empty()) builder.index(std::move(index));
        return builder;
    }

    // A page of a query, or of the whole table: see pages.h.
    Result<Slice<T>> page(Query query, const PageWish& wish) const {
        return read_page(*store_, std::move(query), table_, wish, from_item<T>);
    }
    // All of a query, however many pages that are: for lists that are known to be short.
    Result<std::vector<T>> whole(const Query& query) const {
        return whole_list([&](const PageWish& wish) { return page(query, wish); });
    }
    Result<Slice<T>> page(const PageWish& wish) const {
        Scan scan;
        scan.table = table_.name;
        return read_page(*store_, std::move(scan), table_, wish, from_item<T>);
    }

    // Puts it on condition that it is as it was read: absent, if its version was 0. The version of
    // `record` is then one more, so one whose transaction was refused must be read again.
    write::Put& save(write::Transaction& transaction, T& record) const requires requires {
        record.version;
    }
    {
        const auto before = record.version++;
        auto& put = transaction.put(table_.name, to_item(record));
        if (before == 0) return put.if_absent(table_.keys.hash);
        return put.when(version_attribute, before);
    }
    // On the same condition.
    write::Erase& erase(write::Transaction& transaction, const T& record) const requires requires {
        record.version;
    }
    {
        return transaction.erase(table_.name, key_of(to_item(record)))
            .when(version_attribute, record.version);
    }

    // The key of a row.
    Item key_of(const ItemView& row) const {
        Item key;
        for (const auto& name : table_.keys.names()) key.set(name, *row.find(name));
        return key;
    }

private:
    static constexpr std::string_view version_attribute = "version";

    Store* store_;
    CreateTable table_;
};

}  // namespace mailroom::table
