// Stands before the tables while requests must be signed and there is no key to sign them with.
#pragma once

#include "api/http.h"

namespace mailroom::app {

// Refuses every request as DynamoDB refuses an access key it does not know.
class NoAccessKeys final : public api::Handler {
public:
    void handle(api::Request request, api::Reply reply) override;
};

}  // namespace mailroom::app
