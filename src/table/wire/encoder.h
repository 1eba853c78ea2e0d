// DynamoDB's answers, as JSON. Everything is added to the end of a string.
#pragma once

#include "table/backups.h"
#include "table/failure.h"
#include "table/operations.h"
#include "table/schema.h"
#include "table/streams.h"
#include "table/wire/requests.h"

#include <string>
#include <vector>

namespace mailroom::table::wire {

// {"S":"text"}
void append_value(std::string& out, const ValueView& value);
// {"name":{"S":"text"}, …}
void append_item(std::string& out, const ItemView& item);

// What ReturnItemCollectionMetrics shows: a partition of a table with local indexes that was
// written to, and bounds of its size.
struct ItemCollection {
    std::string table;
    Item key;
    double lower_gb = 0, upper_gb = 0;
};
using ItemCollections = std::vector<ItemCollection>;

// Whole bodies. Capacity is shown as `show` says.
void append_answer(std::string& out, const GetResult& answer, ShowConsumed show);
void append_answer(std::string& out, const WriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections = {});
// Of Query and Scan; `select` is what the request asked for.
void append_answer(std::string& out, const Page& answer, Select select, ShowConsumed show);
void append_answer(std::string& out, const BatchGetResult& answer, ShowConsumed show);
void append_answer(std::string& out, const BatchWriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections = {});
void append_answer(std::string& out, const TransactWriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections = {});
void append_answer(std::string& out, const TransactGetResult& answer, ShowConsumed show);

// CreateTable, UpdateTable and DeleteTable answer with the one, DescribeTable with the other.
void append_changed_table(std::string& out, const TableDescription& table);
void append_described_table(std::string& out, const TableDescription& table);
void append_answer(std::string& out, const TableNames& answer);
// The same for UpdateTimeToLive and DescribeTimeToLive.
void append_changed_time_to_live(std::string& out, const TimeToLive& setting);
void append_described_time_to_live(std::string& out, const TimeToLive& setting);
void append_answer(std::string& out, const Tags& tags);

// Of the API of streams. `with_shard` is false when the request went on behind the only shard.
void append_answer(std::string& out, const StreamList& answer);
void append_answer(std::string& out, const StreamDescription& answer, bool with_shard);
void append_shard_iterator(std::string& out, const std::string& iterator);
void append_answer(std::string& out, const StreamPage& answer);

// Backups. CreateBackup answers with the one, DescribeBackup and DeleteBackup with the other.
void append_created_backup(std::string& out, const BackupSummary& backup);
void append_answer(std::string& out, const BackupDescription& backup);
void append_answer(std::string& out, const BackupList& answer);
void append_answer(std::string& out, const ContinuousBackups& answer);

// {"__type":"…#ValidationException","message":"…"}, with the reasons or the item where there are
// some.
void append_failure(std::string& out, const Failure& failure);
int http_status(Fault fault);

// The value of ConsumedCapacity alone, for answers that are put together elsewhere. `show` is not
// none.
void append_consumed(std::string& out, const Consumed& consumed, ShowConsumed show);

}  // namespace mailroom::table::wire
