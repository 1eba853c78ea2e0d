// The DynamoDB endpoint: existing programs reach the tables with their own SDK, unchanged.
//
// POST / with `X-Amz-Target: DynamoDB_20120810.GetItem` and a JSON body; answers and errors are
// DynamoDB's.
#pragma once

#include "api/dynamodb_operations.h"
#include "api/dynamodb_reply.h"
#include "api/http.h"
#include "api/request_signatures.h"
#include "api/workers.h"
#include "base/random.h"
#include "table/engine/engine.h"

#include <string>
#include <string_view>

namespace mailroom::api {

class DynamodbEndpoint final : public Handler {
public:
    // All must outlive this object and every request it was given. `own` are the program's tables.
    // Without `signatures`, everybody may call. `watch`, if any, hears of what is written.
    DynamodbEndpoint(table::Engine& engine, table::OwnTables own, Workers& workers, Random& random,
                     RequestSignatures* signatures = nullptr, table::WriteWatch* watch = nullptr);

    void handle(Request request, Reply reply) override;
    Response refuse(int status, std::string_view why) const override;

private:
    RequestIds ids_;
    DynamodbOperations operations_;
    RequestSignatures* const signatures_;
};

}  // namespace mailroom::api
