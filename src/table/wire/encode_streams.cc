// Answers of the API of streams.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"

#include <cassert>

namespace mailroom::table::wire {

namespace {

std::string_view event_name(StreamRecord::Event event) {
    switch (event) {
        case StreamRecord::Event::insert:
            return "INSERT";
        case StreamRecord::Event::modify:
            return "MODIFY";
        case StreamRecord::Event::remove:
            return "REMOVE";
    }
    assert(false);
    return "";
}

void write_record(json::Writer& json, const StreamRecord& record, const StreamPage& page) {
    json.open_object();
    json.key("awsRegion").text(page.region);
    json.key("dynamodb").open_object();
    json.key("ApproximateCreationDateTime").integer(to_unix_seconds(record.at));
    append_item(json.key("Keys").value(), record.keys);
    if (record.new_image) append_item(json.key("NewImage").value(), *record.new_image);
    if (record.old_image) append_item(json.key("OldImage").value(), *record.old_image);
    json.key("SequenceNumber").text(record.sequence);
    json.key("SizeBytes").integer(static_cast<std::int64_t>(record.size_bytes));
    json.key("StreamViewType").text(stream_view_name(page.view)).close_object();
    json.key("eventID").text(record.id);
    json.key("eventName").text(event_name(record.event));
    json.key("eventSource").text("aws:dynamodb");
    json.key("eventVersion").text("1.1");
    if (record.by_service) {
        json.key("userIdentity").open_object();
        json.key("PrincipalId").text("dynamodb.amazonaws.com");
        json.key("Type").text("Service").close_object();
    }
    json.close_object();
}

void write_summary(json::Writer& json, const StreamSummary& stream) {
    json.key("StreamArn").text(stream.arn);
    json.key("StreamLabel").text(stream.label);
    json.key("TableName").text(stream.table);
}

}  // namespace

void append_answer(std::string& out, const StreamList& answer) {
    json::Writer json(out);
    json.open_object();
    if (answer.last) json.key("LastEvaluatedStreamArn").text(*answer.last);
    json.key("Streams").open_list();
    for (const auto& stream : answer.streams) {
        json.open_object();
        write_summary(json, stream);
        json.close_object();
    }
    json.close_list().close_object();
}

void append_answer(std::string& out, const StreamDescription& answer, bool with_shard) {
    json::Writer json(out);
    json.open_object().key("StreamDescription").open_object();
    write_time(json.key("CreationRequestDateTime"), answer.started);
    write_key_schema(json.key("KeySchema"), answer.keys);
    json.key("Shards").open_list();
    if (with_shard) {
        json.open_object().key("SequenceNumberRange").open_object();
        if (answer.last_sequence) json.key("EndingSequenceNumber").text(*answer.last_sequence);
        json.key("StartingSequenceNumber").text(answer.first_sequence).close_object();
        json.key("ShardId").text(answer.shard).close_object();
    }
    json.close_list();
    write_summary(json, answer.summary);
    json.key("StreamStatus").text(answer.enabled ? "ENABLED" : "DISABLED");
    json.key("StreamViewType").text(stream_view_name(answer.view));
    json.close_object().close_object();
}

void append_shard_iterator(std::string& out, const std::string& iterator) {
    json::Writer(out).open_object().key("ShardIterator").text(iterator).close_object();
}

void append_answer(std::string& out, const StreamPage& answer) {
    json::Writer json(out);
    json.open_object();
    if (answer.next) json.key("NextShardIterator").text(*answer.next);
    json.key("Records").open_list();
    for (const auto& record : answer.records) write_record(json, record, answer);
    json.close_list().close_object();
}

}  // namespace mailroom::table::wire
