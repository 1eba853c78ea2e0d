// For tests: any request, by the name of its operation, decoded and encoded again.
#pragma once

#include "table/wire/decoder.h"
#include "table/wire/request_encoder.h"

#include <string>
#include <string_view>

namespace mailroom::table::wire {

// The request as append_request() writes it, or why it was refused: "ValidationException: …".
// Requests that no client of ours sends, those about streams and backups, are only read.
struct Echo {
    bool accepted = false;
    std::string text;
};

namespace detail {

template <class T>
Echo echo(const Outcome<Call<T>>& call) {
    if (!call) {
        return {false,
                std::string(exception_name(call.error().fault)) + ": " + call.error().message};
    }
    Echo out{true, ""};
    append_request(out.text, call->request, call->options);
    return out;
}

template <class T>
Echo echo(const Outcome<T>& request) {
    if (!request) {
        return {false, std::string(exception_name(request.error().fault)) + ": " +
                           request.error().message};
    }
    Echo out{true, ""};
    append_request(out.text, *request);
    return out;
}

template <class Append>
Echo echo(const Outcome<std::string>& name, Append append) {
    if (!name) {
        return {false,
                std::string(exception_name(name.error().fault)) + ": " + name.error().message};
    }
    Echo out{true, ""};
    append(out.text, *name);
    return out;
}

template <class T>
Echo only_read(const Outcome<T>& request) {
    if (request) return {false, "accepted"};
    return {false,
            std::string(exception_name(request.error().fault)) + ": " + request.error().message};
}

}  // namespace detail

inline constexpr std::string_view operation_names[] = {
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "BatchWriteItem",
    "CreateTable",
    "UpdateTable",
    "DescribeTable",
    "ListTables",
    "TagResource",
    "UntagResource",
    "UpdateTimeToLive",
    "TransactWriteItems",
    "TransactGetItems",
    "ExecuteStatement",
    "ExecuteTransaction",
    "BatchExecuteStatement",
    "ListTagsOfResource",
    "ListStreams",
    "DescribeStream",
    "GetShardIterator",
    "GetRecords",
    "CreateBackup",
    "DescribeBackup",
    "ListBackups",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "UpdateContinuousBackups",
};

inline Echo read_by_name(Decoder& decoder, std::string_view operation, std::string_view body) {
    using detail::only_read;
    if (operation == "ListStreams") return only_read(decoder.list_streams(body));
    if (operation == "DescribeStream") return only_read(decoder.describe_stream(body));
    if (operation == "GetShardIterator") return only_read(decoder.get_shard_iterator(body));
    if (operation == "GetRecords") return only_read(decoder.get_records(body));
    if (operation == "CreateBackup") return only_read(decoder.create_backup(body));
    if (operation == "DescribeBackup") return only_read(decoder.backup_arn(body));
    if (operation == "ListBackups") return only_read(decoder.list_backups(body));
    if (operation == "RestoreTableFromBackup") {
        return only_read(decoder.restore_table_from_backup(body));
    }
    if (operation == "RestoreTableToPointInTime") {
        return only_read(decoder.restore_table_to_point_in_time(body));
    }
    if (operation == "UpdateContinuousBackups") {
        return only_read(decoder.update_continuous_backups(body));
    }
    return {false, "no such operation"};
}

inline Echo decode_by_name(Decoder& decoder, std::string_view operation, std::string_view body) {
    using detail::echo;
    if (operation == "GetItem") return echo(decoder.get_item(body));
    if (operation == "PutItem") return echo(decoder.put_item(body));
    if (operation == "UpdateItem") return echo(decoder.update_item(body));
    if (operation == "DeleteItem") return echo(decoder.delete_item(body));
    if (operation == "Query") return echo(decoder.query(body));
    if (operation == "Scan") return echo(decoder.scan(body));
    if (operation == "BatchGetItem") return echo(decoder.batch_get_item(body));
    if (operation == "BatchWriteItem") return echo(decoder.batch_write_item(body));
    if (operation == "TransactWriteItems") return echo(decoder.transact_write_items(body));
    if (operation == "TransactGetItems") return echo(decoder.transact_get_items(body));
    if (operation == "CreateTable") return echo(decoder.create_table(body));
    if (operation == "UpdateTable") return echo(decoder.update_table(body));
    if (operation == "DescribeTable") {
        return echo(decoder.table_name(body), append_table_name_request);
    }
    if (operation == "ListTables") return echo(decoder.list_tables(body));
    if (operation == "UpdateTimeToLive") return echo(decoder.update_time_to_live(body));
    if (operation == "TagResource") return echo(decoder.tag_resource(body));
    if (operation == "UntagResource") return echo(decoder.untag_resource(body));
    if (operation == "ListTagsOfResource") {
        return echo(decoder.list_tags_of_resource(body), append_arn_request);
    }
    if (operation == "ExecuteStatement") return echo(decoder.execute_statement(body));
    if (operation == "BatchExecuteStatement") return echo(decoder.batch_execute_statement(body));
    if (operation == "ExecuteTransaction") return echo(decoder.execute_transaction(body));
    return read_by_name(decoder, operation, body);
}

}  // namespace mailroom::table::wire
