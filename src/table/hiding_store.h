// A Store as strangers see it: without the tables that the program keeps for itself.
#pragma once

#include "table/store.h"

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::table {

// Hidden tables cannot be read, written, listed, described or made. Thread-safe, as the store is.
class HidingStore final : public Store {
public:
    // `store` must outlive this object.
    HidingStore(Store& store, std::set<std::string, std::less<>> hidden)
        : store_(store), hidden_(std::move(hidden)) {}

    // The refusal, if the request is about a hidden table: for callers that go past this object.
    template <class Request>
    Outcome<> check(const Request& request) const {
        bool hides = false;
        each_table(request, [&](std::string_view table) { hides |= hidden_.contains(table); });
        if (!hides) return Ok{};
        return Failure{Fault::resource_not_found, "Requested resource not found"};
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
        }
    }
    Outcome<> check_name(const std::string& table) const;
    Outcome<> check_arn(const std::string& arn) const;

    Store& store_;
    const std::set<std::string, std::less<>> hidden_;
};

}  // namespace mailroom::table
