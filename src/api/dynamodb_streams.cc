#include "api/dynamodb_streams.h"

#include "table/wire/encoder.h"

#include <optional>
#include <string>

namespace mailroom::api {

using table::Outcome;
using table::wire::append_answer;

namespace {

// Streams are for those who may read their tables.
Outcome<> check_stream(const Job& job, const std::string& arn_or_iterator) {
    const auto table = table::table_of_stream(arn_or_iterator).value_or("");
    return job.store.check_name(table, table::TableAccess::read);
}

// Those of the caller's tables. What is not theirs neither shortens a page nor ends one, so that no
// page tells of it.
Outcome<table::StreamList> seen_streams(const Job& job, const table::wire::ListStreams& request) {
    table::StreamList seen;
    for (std::optional<std::string> from = request.after; from;) {
        const auto page =
            TRY(job.engine.streams().list(request.table, *from, table::Streams::list_max));
        for (const auto& stream : page.streams) {
            if (!job.store.check_name(stream.table, table::TableAccess::read)) continue;
            if (seen.streams.size() == request.limit) {
                seen.last = seen.streams.back().arn;
                return seen;
            }
            seen.streams.push_back(stream);
        }
        from = page.last;
    }
    return seen;
}

}  // namespace

void list_streams(Job job) {
    const auto request = decoder().list_streams(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, seen_streams(job, *request),
           [](std::string& body, const table::StreamList& list) { append_answer(body, list); });
}

void describe_stream(Job job) {
    const auto request = decoder().describe_stream(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = check_stream(job, request->arn); !seen) return job.reply.refuse(seen.error());
    answer(job.reply, job.engine.streams().describe(request->arn),
           [&](std::string& body, const table::StreamDescription& stream) {
               append_answer(body, stream, request->after_shard.value_or("") < stream.shard);
           });
}

void get_shard_iterator(Job job) {
    const auto request = decoder().get_shard_iterator(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = check_stream(job, request->arn); !seen) return job.reply.refuse(seen.error());
    answer(job.reply, job.engine.streams().iterator(*request), table::wire::append_shard_iterator);
}

void get_records(Job job) {
    const auto request = decoder().get_records(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = check_stream(job, request->iterator); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.streams().records(request->iterator, request->limit),
           [](std::string& body, const table::StreamPage& page) { append_answer(body, page); });
}

}  // namespace mailroom::api
