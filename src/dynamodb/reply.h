// How the DynamoDB endpoint answers one request.
#pragma once

#include "base/random.h"
#include "http/http.h"
#include "table/failure.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::dynamodb {

// Names every answer, so that a client's log and ours can be laid side by side. Thread-safe.
class RequestIds {
public:
    // Asks `random` for a seed only, here.
    explicit RequestIds(Random& random);

    // 52 characters out of 0-9 and A-V. Not a secret.
    std::string next();
    // `response` with the headers that every answer has.
    http::Response with_id(http::Response response);

private:
    std::uint64_t seed_[2];
    std::atomic<std::uint64_t> count_ = 0;
};

// Copies share the request: only one of them may answer it.
class Reply {
public:
    // `ids` must outlive the reply. `content_type` must be a constant.
    Reply(http::Reply reply, RequestIds& ids, std::string_view content_type)
        : reply_(std::move(reply)), ids_(&ids), content_type_(content_type) {}

    void send(std::string body) const { send(200, std::move(body)); }
    void refuse(const table::Failure& failure) const;

private:
    void send(int status, std::string body) const;

    http::Reply reply_;
    RequestIds* ids_;
    std::string_view content_type_;
};

}  // namespace mailroom::dynamodb
