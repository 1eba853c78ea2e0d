// One request to the DynamoDB endpoint on its way, and what the operations share.
#pragma once

#include "dynamodb/operations.h"
#include "dynamodb/reply.h"
#include "http/workers.h"
#include "table/engine/guarded_engine.h"
#include "table/wire/decoder.h"

#include <string>
#include <utility>

namespace mailroom::dynamodb {

// The thread that runs an operation: whether it may block.
enum class Thread { io, worker };

struct Job {
    table::GuardedEngine tables;  // As this caller sees them: there is no other way to them.
    http::Workers& workers;
    Thread thread;
    std::string host;  // As the client calls this endpoint.
    std::string body;
    Reply reply;
};

// Parsing reuses buffers, which belong to one thread each.
inline table::wire::Decoder& decoder() {
    thread_local table::wire::Decoder decoder;
    return decoder;
}

// Answers with what `encode` makes of the value, or with the failure.
template <class T, class Encode>
void answer(const Reply& reply, const table::Outcome<T>& outcome, Encode encode) {
    if (!outcome) return reply.refuse(outcome.error());
    std::string body;
    encode(body, *outcome);
    reply.send(std::move(body));
}

inline void answer_nothing(std::string& body, Ok) { body += "{}"; }

}  // namespace mailroom::dynamodb
