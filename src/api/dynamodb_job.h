// One request to the DynamoDB endpoint on its way, and what the operations share.
#pragma once

#include "api/dynamodb_operations.h"
#include "api/dynamodb_reply.h"
#include "api/workers.h"
#include "table/engine/engine.h"
#include "table/hiding_store.h"
#include "table/wire/decoder.h"

#include <string>
#include <utility>

namespace mailroom::api {

// The thread that runs an operation: whether it may block.
enum class Thread { io, worker };

struct Job {
    // Has the calls that do not block; look at `store` first whether they are allowed.
    table::Engine& engine;
    table::HidingStore store;  // For this caller.
    DynamodbOperations::Caller caller;
    Workers& workers;
    Thread thread;
    std::string host;  // As the client calls this endpoint.
    std::string body;
    DynamodbReply reply;
};

// Parsing reuses buffers, which belong to one thread each.
inline table::wire::Decoder& decoder() {
    thread_local table::wire::Decoder decoder;
    return decoder;
}

// Answers with what `encode` makes of the value, or with the failure.
template <class T, class Encode>
void answer(const DynamodbReply& reply, const table::Outcome<T>& outcome, Encode encode) {
    if (!outcome) return reply.refuse(outcome.error());
    std::string body;
    encode(body, *outcome);
    reply.send(std::move(body));
}

inline void answer_nothing(std::string& body, Ok) { body += "{}"; }

}  // namespace mailroom::api
