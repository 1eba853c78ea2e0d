#include "dynamodb/endpoint.h"

#include "base/text.h"
#include "table/wire/encoder.h"

#include <memory>
#include <string>
#include <utility>

namespace mailroom::dynamodb {

namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view aws_json_type = "application/x-amz-json-1.0";

std::string_view media_type(const http::Request& request) {
    const auto* header = request.header("Content-Type");
    if (!header) return {};
    const std::string_view text = *header;
    return trim(text.substr(0, text.find(';')));
}

// DynamoDB answers these in XML, whatever was asked.
http::Response not_an_operation() {
    http::Response response;
    response.status = 404;
    response.content_type.clear();
    response.body = "<UnknownOperationException/>\n";
    return response;
}

// What load balancers ask for.
http::Response healthy() {
    http::Response response;
    response.content_type = "text/plain";
    response.body = "healthy: dynamodb\n";
    return response;
}

bool is_root(std::string_view target) { return target.substr(0, target.find('?')) == "/"; }

// Empty if the header is missing.
std::string_view target_of(const http::Request& request) {
    const auto* target = request.header("X-Amz-Target");
    return target ? std::string_view(*target) : std::string_view();
}

}  // namespace

Endpoint::Endpoint(table::Engine& engine, table::OwnTables own, http::Workers& workers,
                   Random& random, RequestSignatures* signatures,
                   std::vector<table::WriteWatch*> watches)
    : ids_(random),
      operations_(engine, std::move(own), workers, std::move(watches)),
      signatures_(signatures) {}

void Endpoint::handle(http::Request request, http::Reply reply) {
    const auto type = media_type(request);
    const bool json = type == aws_json_type || type == json_type;
    if ((request.method == "GET" || request.method == "HEAD") && is_root(request.target)) {
        return reply(ids_.with_id(healthy()));
    }
    if (request.method != "POST" || !is_root(request.target) || (!json && !request.body.empty())) {
        return reply(ids_.with_id(not_an_operation()));
    }
    Reply answer(std::move(reply), ids_, type == json_type ? json_type : aws_json_type);
    const auto* operation = operations_.find(target_of(request));
    if (!operation) return answer.refuse({table::Fault::unknown_operation, ""});
    Operations::Caller caller;
    if (signatures_) {
        auto signer = signatures_->verify(request);
        if (!signer) return answer.refuse(signer.error());
        caller = std::make_shared<const table::TableScope>(std::move(signer->scope));
    }
    if (request.body.empty()) return answer.refuse({table::Fault::serialization, ""});
    const auto* host = operations_.wants_host(*operation) ? request.header("Host") : nullptr;
    operations_.run(*operation, std::move(caller), host ? *host : std::string(),
                    std::move(request.body), std::move(answer));
}

http::Response Endpoint::refuse(int status, std::string_view why) const {
    const auto fault = status == 503   ? table::Fault::throttling
                       : status >= 500 ? table::Fault::internal
                                       : table::Fault::serialization;
    http::Response response;
    response.status = status;
    response.content_type = aws_json_type;
    table::wire::append_failure(response.body, {fault, std::string(why)});
    return response;
}

}  // namespace mailroom::dynamodb
