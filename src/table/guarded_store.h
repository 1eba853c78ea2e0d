// A Store as strangers see it: see table_guard.h.
#pragma once

#include "table/store.h"
#include "table/table_guard.h"
#include "table/write_watch.h"

#include <string>
#include <vector>

namespace mailroom::table {

// Thread-safe, as the store is. Whoever may write a shared table and makes it is told that it is
// there.
class GuardedStore final : public Store {
public:
    // All must outlive this object. `watches` hear of what is written.
    GuardedStore(Store& store, TableGuard guard, WriteWatches watches = {})
        : store_(store), guard_(guard), watches_(watches) {}

    const TableGuard& guard() const { return guard_; }

    Pauses pauses(const Pauses::Plan& plan) override { return store_.pauses(plan); }
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
    template <class Request>
    WatchedWriteInHand watched(const Request& request) const {
        return watch_write(watches_, request);
    }
    Outcome<TableNames> names_in_scope(const TableSet& scope, const std::string& after,
                                       std::size_t limit);

    Store& store_;
    TableGuard guard_;
    WriteWatches watches_;
};

}  // namespace mailroom::table
