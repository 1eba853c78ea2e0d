// A Store as strangers see it: without the tables that the program keeps for itself, and no further
// than the caller's scope reaches.
#pragma once

#include "table/store.h"
#include "table/write_watch.h"

#include <concepts>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::table {

using TableSet = std::set<std::string, std::less<>>;

// Each includes those before it. `manage` is to change the program's own tables as a whole.
enum class TableAccess { read, write, manage };

// What a caller may do, and with which tables.
struct TableScope {
    TableAccess access = TableAccess::write;
    TableSet tables;  // Empty: all.

    bool allows(std::string_view table, TableAccess wanted) const {
        return access >= wanted && (tables.empty() || tables.contains(table));
    }
    bool operator==(const TableScope&) const = default;
};

// The tables that the program made for itself.
struct OwnTables {
    // Names that begin so are the program's, also those of tables it will make one day.
    static constexpr std::string_view hidden_prefix = "Mailroom";
    static bool hides(std::string_view table) { return table.starts_with(hidden_prefix); }

    // Those that other programs use too. Their items are everybody's; the tables are not: to
    // delete one would stop the program that runs on it.
    TableSet shared;
};

// Hidden tables cannot be read, written, listed, described or made; tables outside the scope are
// `access_denied`, and so are changes of a shared table as a whole (its indexes, stream, expiry,
// history, backups, its very existence) to those who may not manage. Small: made for one caller.
// Thread-safe, as the store is.
class HidingStore final : public Store {
public:
    // All must outlive this object. Without a scope all tables may be written, none managed.
    // `watch`, if any, hears of what is written.
    HidingStore(Store& store, const OwnTables& own, const TableScope* scope = nullptr,
                WriteWatch* watch = nullptr)
        : store_(store), own_(own), scope_(scope), watch_(watch) {}

    // The refusal, if the request is about a table that is not for the caller: for those that go
    // past this object.
    template <class Request>
    Outcome<> check(const Request& request) const {
        bool hides = false;
        const std::string_view* denied = nullptr;
        std::string_view last;
        each_table(request, [&](std::string_view table) {
            hides |= OwnTables::hides(table);
            if (denied || allows(table, access_of<Request>)) return;
            last = table;
            denied = &last;
        });
        if (denied) return access_denied(*denied);
        if (!hides) return Ok{};
        return Failure{Fault::resource_not_found, "Requested resource not found"};
    }
    // The same for a table by name.
    Outcome<> check_name(std::string_view table, TableAccess access) const;
    // The same for a change of the table as a whole, and for making one of that name.
    Outcome<> check_change(std::string_view table) const;
    Outcome<> check_new_name(std::string_view table) const;
    // For those who go past this object, too: to be kept from before a write until its outcome is
    // known.
    template <class Request>
    WatchedWriteInHand watched(const Request& request) const {
        return watch_write(watch_, request);
    }

    Outcome<GetResult> get(const GetItem& request) override;
    Outcome<WriteResult> put(const PutItem& request) override;
    Outcome<WriteResult> update(const UpdateItem& request) override;
    Outcome<WriteResult> erase(const DeleteItem& request) override;
    Outcome<Page> query(const Query& request) override;
    Outcome<Page> scan(const Scan& request) override;
    Outcome<BatchGetResult> batch_get(const BatchGet& request) override;
    Outcome<BatchWriteResult> batch_write(const BatchWrite& request) override;
    Outcome<TransactWriteResult> transact(const TransactWrite& request) override;
    Outcome<TransactGetResult> transact_get(const TransactGet& request) override;
    Outcome<TableDescription> create_table(const CreateTable& request) override;
    Outcome<TableDescription> describe_table(const std::string& table) override;
    Outcome<TableDescription> update_table(const UpdateTable& request) override;
    Outcome<TableDescription> delete_table(const std::string& table) override;
    Outcome<TableNames> list_tables(const std::string& after, std::size_t limit) override;
    Outcome<TimeToLive> set_time_to_live(const std::string& table,
                                         const TimeToLive& setting) override;
    Outcome<TimeToLive> time_to_live(const std::string& table) override;
    Outcome<> tag(const std::string& arn, const Tags& tags) override;
    Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override;
    Outcome<Tags> tags(const std::string& arn) override;

private:
    template <class Request, class Visit>
    static void each_table(const Request& request, const Visit& visit) {
        if constexpr (requires { request.table; }) {
            visit(request.table);
        } else if constexpr (requires { request.tables; }) {
            for (const auto& part : request.tables) visit(part.table);
        } else if constexpr (requires { request.gets; }) {
            for (const auto& part : request.gets) visit(part.table);
        } else {
            for (const auto& action : request.actions) {
                std::visit([&](const auto& part) { visit(part.table); }, action);
            }
            for (const auto& addition : request.additions) visit(addition.table);
        }
    }
    template <class Request>
    static constexpr TableAccess access_of =
        std::same_as<Request, PutItem> || std::same_as<Request, UpdateItem> ||
                std::same_as<Request, DeleteItem> || std::same_as<Request, BatchWrite> ||
                std::same_as<Request, TransactWrite>
            ? TableAccess::write
            : TableAccess::read;
    bool allows(std::string_view table, TableAccess access) const {
        return scope_ ? scope_->allows(table, access) : access != TableAccess::manage;
    }
    static Failure access_denied(std::string_view table);
    Outcome<> check_arn(const std::string& arn, TableAccess access) const;
    Outcome<TableNames> names_in_scope(const std::string& after, std::size_t limit);

    Store& store_;
    const OwnTables& own_;
    const TableScope* scope_;
    WriteWatch* watch_;
};

}  // namespace mailroom::table
