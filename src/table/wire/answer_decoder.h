// The answers of a remote DynamoDB, from their JSON: what encoder.h writes.
//
// An answer that cannot be read is an `internal` Failure: the remote side is not what it says it
// is.
#pragma once

#include "table/failure.h"
#include "table/operations.h"
#include "table/schema.h"

#include <memory>
#include <string_view>

namespace mailroom::table::wire {

// Not thread-safe: it reuses its buffers.
class AnswerDecoder {
public:
    AnswerDecoder();
    ~AnswerDecoder();

    Outcome<GetResult> get_item(std::string_view body);
    // PutItem, UpdateItem, DeleteItem.
    Outcome<WriteResult> write_item(std::string_view body);
    // Query, Scan.
    Outcome<Page> page(std::string_view body);
    Outcome<BatchGetResult> batch_get_item(std::string_view body);
    Outcome<BatchWriteResult> batch_write_item(std::string_view body);
    Outcome<TransactWriteResult> transact_write_items(std::string_view body);
    Outcome<TransactGetResult> transact_get_items(std::string_view body);

    // CreateTable, DescribeTable, UpdateTable, DeleteTable.
    Outcome<TableDescription> table(std::string_view body);
    Outcome<TableNames> list_tables(std::string_view body);
    // UpdateTimeToLive, DescribeTimeToLive.
    Outcome<TimeToLive> time_to_live(std::string_view body);
    Outcome<Tags> tags(std::string_view body);

    // Of an answer with another status than 200. An exception we have no Fault for is `throttling`
    // if it may be tried again, `internal` if the remote side is to blame, else `validation`; its
    // name is then in the message.
    Failure failure(int http_status, std::string_view body);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::table::wire
