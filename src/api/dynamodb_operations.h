// The operations of the DynamoDB API, by name, and where each of them runs.
//
// Reads of one item and small queries are answered on the calling (I/O) thread, and so are writes
// as far as the engine's queue; their answers come from its committer. What may take long is posted
// to the workers.
#pragma once

#include "api/dynamodb_reply.h"
#include "api/workers.h"
#include "table/engine/engine.h"
#include "table/hiding_store.h"

#include <string>
#include <string_view>

namespace mailroom::api {

// Thread-safe.
class DynamodbOperations {
public:
    // Both must outlive this object and every request it was given. The `hidden` tables are the
    // program's own: they are not to be found here.
    DynamodbOperations(table::Engine& engine, std::set<std::string, std::less<>> hidden,
                       Workers& workers)
        : engine_(engine), store_(engine, std::move(hidden)), workers_(workers) {}

    struct Operation;
    // Null for a name that is none.
    const Operation* find(std::string_view name) const;
    // Answers exactly once, before it returns or later.
    void run(const Operation& operation, std::string body, DynamodbReply reply);

private:
    table::Engine& engine_;
    table::HidingStore store_;
    Workers& workers_;
};

}  // namespace mailroom::api
