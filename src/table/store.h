// The one way to the tables. Mailroom's own code knows this interface and nothing below it; it runs
// the same on the embedded engine and on a remote DynamoDB.
//
// Calls block until they are done, unless they say otherwise; a write that returned Ok is durable.
// Thread-safe.
// Refusals are DynamoDB's: `conditional_check_failed`, `transaction_canceled`, `validation`, …
// (failure.h); as a base Error: conflict, conflict, invalid, ….
#pragma once

#include "base/pauses.h"
#include "table/change_listener.h"
#include "table/failure.h"
#include "table/operations.h"
#include "table/schema.h"

#include <functional>

namespace mailroom::table {

class Store {
public:
    virtual ~Store() = default;

    // For those who try again what the store was too busy for.
    virtual Pauses pauses(const Pauses::Plan& plan = {}) { return system_pauses(plan); }

    virtual Outcome<GetResult> get(const GetItem& request) = 0;
    virtual Outcome<WriteResult> put(const PutItem& request) = 0;
    virtual Outcome<WriteResult> update(const UpdateItem& request) = 0;
    virtual Outcome<WriteResult> erase(const DeleteItem& request) = 0;
    virtual Outcome<Page> query(const Query& request) = 0;
    virtual Outcome<Page> scan(const Scan& request) = 0;
    virtual Outcome<BatchGetResult> batch_get(const BatchGet& request) = 0;
    virtual Outcome<BatchWriteResult> batch_write(const BatchWrite& request) = 0;
    virtual Outcome<TransactWriteResult> transact(const TransactWrite& request) = 0;
    // The same without waiting for the disk, where the store can. `done` runs exactly once, on a
    // thread of the store's or before the call returns; it must be quick and must not call the
    // store.
    using TransactDone = std::function<void(Outcome<TransactWriteResult>)>;
    virtual void transact(const TransactWrite& request, TransactDone done) {
        done(transact(request));
    }
    virtual Outcome<TransactGetResult> transact_get(const TransactGet& request) = 0;

    virtual Outcome<TableDescription> create_table(const CreateTable& request) = 0;
    virtual Outcome<TableDescription> describe_table(const std::string& table) = 0;
    virtual Outcome<TableDescription> update_table(const UpdateTable& request) = 0;
    virtual Outcome<TableDescription> delete_table(const std::string& table) = 0;
    // Names in order, those after `after`, at most `limit`.
    virtual Outcome<TableNames> list_tables(const std::string& after, std::size_t limit) = 0;
    virtual Outcome<TimeToLive> set_time_to_live(const std::string& table,
                                                 const TimeToLive& setting) = 0;
    virtual Outcome<TimeToLive> time_to_live(const std::string& table) = 0;
    // Whether the store tells the listener of all changes of the table that are made from now on;
    // those that were made before can be read when it returns. It cannot where others reach the
    // same tables. Items of Additions do not count.
    virtual bool listen(const std::string&, ChangeListener&) { return false; }
    // It is not told anything any more when this returns.
    virtual void stop_listening(ChangeListener&) {}

    virtual Outcome<> tag(const std::string& arn, const Tags& tags) = 0;
    virtual Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) = 0;
    virtual Outcome<Tags> tags(const std::string& arn) = 0;
};

}  // namespace mailroom::table
