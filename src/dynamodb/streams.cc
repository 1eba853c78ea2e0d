#include "dynamodb/streams.h"

#include "table/wire/encoder.h"

#include <string>

namespace mailroom::dynamodb {

using table::wire::append_answer;

void list_streams(Job job) {
    const auto request = decoder().list_streams(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.streams().list(request->table, request->after, request->limit),
           [](std::string& body, const table::StreamList& list) { append_answer(body, list); });
}

void describe_stream(Job job) {
    const auto request = decoder().describe_stream(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.streams().describe(request->arn),
           [&](std::string& body, const table::StreamDescription& stream) {
               append_answer(body, stream, request->after_shard.value_or("") < stream.shard);
           });
}

void get_shard_iterator(Job job) {
    const auto request = decoder().get_shard_iterator(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.streams().iterator(*request), table::wire::append_shard_iterator);
}

void get_records(Job job) {
    const auto request = decoder().get_records(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.streams().records(request->iterator, request->limit),
           [](std::string& body, const table::StreamPage& page) { append_answer(body, page); });
}

}  // namespace mailroom::dynamodb
