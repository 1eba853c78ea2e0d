// What of the tables is for a stranger who comes by the endpoint: none of those that the program
// keeps for itself, and no more than the caller's scope allows.
//
// Hidden tables cannot be read, written, listed, described or made; tables outside the scope are
// `access_denied`, and so are changes of a shared table as a whole to those who may not manage.
#pragma once

#include "base/names.h"
#include "table/failure.h"
#include "table/operations.h"
#include "table/own_tables.h"

#include <array>
#include <concepts>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace mailroom::table {

using TableSet = std::set<std::string, std::less<>>;

// Each includes those before it. `manage` is to change the program's own tables as a whole.
enum class TableAccess { read, write, manage };
constexpr auto names_of(TableAccess) {
    return std::array{Name{TableAccess::read, "read"}, Name{TableAccess::write, "write"},
                      Name{TableAccess::manage, "manage"}};
}

// What a caller may do, and with which tables.
struct TableScope {
    TableAccess access = TableAccess::write;
    TableSet tables;  // Empty: all.

    bool allows(std::string_view table, TableAccess wanted) const {
        return access >= wanted && (tables.empty() || tables.contains(table));
    }
    bool operator==(const TableScope&) const = default;
};

// Small: made for one caller.
class TableGuard {
public:
    // Both must outlive it. Without a scope all tables may be written, none managed.
    TableGuard(const OwnTables& own, const TableScope* scope) : own_(own), scope_(scope) {}

    // The refusal, if the request is about a table that is not for the caller.
    template <class Request>
    Outcome<> check(const Request& request) const {
        bool hides = false;
        const std::string_view* denied = nullptr;
        std::string_view last;
        each_table(request, [&](std::string_view table) {
            hides |= own_.hides(table);
            if (denied || allows(table, access_of<Request>)) return;
            last = table;
            denied = &last;
        });
        if (denied) return access_denied(*denied);
        if (!hides) return Ok{};
        return Failure{Fault::resource_not_found, "Requested resource not found"};
    }
    // The same for a table by name, for a change of the table as a whole, for making one of that
    // name, and for the table that an ARN names.
    Outcome<> check_name(std::string_view table, TableAccess access) const;
    Outcome<> check_change(std::string_view table) const;
    Outcome<> check_new_name(std::string_view table) const;
    Outcome<> check_arn(const std::string& arn, TableAccess access) const;

    // Whether the caller, who may not make the table, may know that it is there.
    bool may_work_in_shared(std::string_view table) const {
        return own_.shares(table) && allows(table, TableAccess::write);
    }
    bool hides(std::string_view table) const { return own_.hides(table); }
    // The tables that the caller is bound to; none if to no names.
    const TableSet* names() const {
        return scope_ && !scope_->tables.empty() ? &scope_->tables : nullptr;
    }

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

    const OwnTables& own_;
    const TableScope* scope_;
};

}  // namespace mailroom::table
