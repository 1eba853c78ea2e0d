#include "app/no_access_keys.h"

namespace mailroom::app {

void NoAccessKeys::handle(api::Request, api::Reply reply) {
    api::Response response;
    response.status = 400;
    response.content_type = "application/x-amz-json-1.0";
    response.body = R"({"__type":"com.amazon.coral.service#UnrecognizedClientException",)"
                    R"("message":"The security token included in the request is invalid."})";
    reply(std::move(response));
}

}  // namespace mailroom::app
