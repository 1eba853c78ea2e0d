// DynamoDB's requests, from the JSON of their bodies.
//
//   wire::Decoder decoder;                       // One per thread.
//   auto call = decoder.get_item(request.body);
//   if (!call) ...                               // A Failure, in DynamoDB's words.
//   store.get(call->request);                    // And call->options shapes the answer.
//
// Everything that can be judged without the table's schema is judged here, in DynamoDB's order:
// shape of the JSON (`serialization`), constraints of members, then the rest (`validation`). What
// is returned owns its bytes.
#pragma once

#include "table/failure.h"
#include "table/wire/requests.h"

#include <memory>
#include <string>
#include <string_view>

namespace mailroom::table::wire {

// Not thread-safe: it reuses its buffers.
class Decoder {
public:
    Decoder();
    ~Decoder();

    Outcome<Call<GetItem>> get_item(std::string_view body);
    Outcome<Call<PutItem>> put_item(std::string_view body);
    Outcome<Call<UpdateItem>> update_item(std::string_view body);
    Outcome<Call<DeleteItem>> delete_item(std::string_view body);
    Outcome<Call<Query>> query(std::string_view body);
    Outcome<Call<Scan>> scan(std::string_view body);
    Outcome<Call<BatchGet>> batch_get_item(std::string_view body);
    Outcome<Call<BatchWrite>> batch_write_item(std::string_view body);
    Outcome<Call<TransactWrite>> transact_write_items(std::string_view body);
    Outcome<Call<TransactGet>> transact_get_items(std::string_view body);

    Outcome<CreateTable> create_table(std::string_view body);
    Outcome<UpdateTable> update_table(std::string_view body);
    // For DescribeTable, DeleteTable and DescribeTimeToLive: the name of the table.
    Outcome<std::string> table_name(std::string_view body);
    Outcome<ListTables> list_tables(std::string_view body);
    Outcome<UpdateTimeToLive> update_time_to_live(std::string_view body);
    Outcome<TagResource> tag_resource(std::string_view body);
    Outcome<UntagResource> untag_resource(std::string_view body);
    // The ARN.
    Outcome<std::string> list_tags_of_resource(std::string_view body);

    // Of the API of streams.
    Outcome<ListStreams> list_streams(std::string_view body);
    Outcome<DescribeStream> describe_stream(std::string_view body);
    Outcome<GetShardIterator> get_shard_iterator(std::string_view body);
    Outcome<GetRecords> get_records(std::string_view body);

    Outcome<CreateBackup> create_backup(std::string_view body);
    // For DescribeBackup and DeleteBackup: the ARN.
    Outcome<std::string> backup_arn(std::string_view body);
    Outcome<ListBackups> list_backups(std::string_view body);
    Outcome<RestoreBackup> restore_table_from_backup(std::string_view body);
    Outcome<RestoreToTime> restore_table_to_point_in_time(std::string_view body);
    Outcome<UpdateContinuousBackups> update_continuous_backups(std::string_view body);

    Outcome<Call<ExecuteStatement>> execute_statement(std::string_view body);
    Outcome<Call<BatchExecuteStatement>> batch_execute_statement(std::string_view body);
    Outcome<Call<ExecuteTransaction>> execute_transaction(std::string_view body);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::table::wire
