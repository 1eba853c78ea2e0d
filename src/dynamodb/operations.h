// The operations of the DynamoDB API, by name, and where each of them runs.
//
// Reads of one item and small queries are answered on the calling (I/O) thread, and so are writes
// as far as the engine's queue; their answers come from its committer. What may take long is posted
// to the workers.
#pragma once

#include "dynamodb/reply.h"
#include "http/workers.h"
#include "table/engine/guarded_engine.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::dynamodb {

// Thread-safe.
class Operations {
public:
    // All must outlive this object and every request it was given. `own` are the tables that the
    // program declared. `watches` hear of what is written.
    Operations(table::Engine& engine, table::OwnTables own, http::Workers& workers,
               std::vector<table::WriteWatch*> watches = {})
        : engine_(engine), own_(std::move(own)), workers_(workers), watches_(std::move(watches)) {}

    struct Operation;
    // By the value of X-Amz-Target: "DynamoDB_20120810.GetItem". Null for a name that is none.
    const Operation* find(std::string_view target) const;
    // Whether the operation looks at `host` of run(); most do not.
    static bool wants_host(const Operation& operation);
    using Caller = table::GuardedEngine::Caller;  // Null without authentication.
    // Answers exactly once, before it returns or later. `host` is the endpoint as the client calls
    // it, if the operation wants it.
    void run(const Operation& operation, Caller caller, std::string host, std::string body,
             Reply reply);

private:
    table::Engine& engine_;
    const table::OwnTables own_;
    http::Workers& workers_;
    const std::vector<table::WriteWatch*> watches_;
};

}  // namespace mailroom::dynamodb
