// The DynamoDB endpoint: existing programs reach the tables with their own SDK, unchanged.
//
// POST / with `X-Amz-Target: DynamoDB_20120810.GetItem` and a JSON body; answers and errors are
// DynamoDB's.
#pragma once

#include "base/random.h"
#include "dynamodb/operations.h"
#include "dynamodb/reply.h"
#include "dynamodb/request_signatures.h"
#include "http/http.h"
#include "http/workers.h"
#include "table/engine/engine.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::dynamodb {

class Endpoint final : public http::Handler {
public:
    // All must outlive this object and every request it was given. `own` are the program's tables.
    // Without `signatures`, everybody may call. `watches` hear of what is written.
    Endpoint(table::Engine& engine, table::OwnTables own, http::Workers& workers, Random& random,
             RequestSignatures* signatures = nullptr, std::vector<table::WriteWatch*> watches = {});

    void handle(http::Request request, http::Reply reply) override;
    http::Response refuse(int status, std::string_view why) const override;

private:
    RequestIds ids_;
    Operations operations_;
    RequestSignatures* const signatures_;
};

}  // namespace mailroom::dynamodb
