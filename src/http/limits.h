// What one client, and all of them together, may ask of an HTTP server.
#pragma once

#include "base/byte_budget.h"

#include <chrono>
#include <cstddef>

namespace mailroom::http {

struct Limits {
    // Request line and header fields. AWS signatures and cookies need a few KiB.
    std::size_t header_bytes_max = 16 * 1024;
    // Real clients send about 20.
    std::size_t header_fields_max = 100;
    // DynamoDB's own limit. A handler may set a lower one per request.
    std::size_t body_bytes_max = 16 * 1024 * 1024;
    // What the bodies of requests in hand may take together, here and elsewhere; must outlive the
    // server. Further ones get 503 before they are read. None: no such limit.
    ByteBudget* bodies = nullptr;
    // Each costs a descriptor and about 1 KiB while idle. For a further client the one that has
    // been silent for longest is closed; if none is, it gets 503.
    std::size_t connections_max = 4096;
    // Read and thrown away after a refusal, so that the client gets to see it (RFC 9112, 9.6).
    std::size_t linger_bytes_max = 32 * 1024 * 1024;

    // Between requests. Longer than the 60 s of common proxies, which then close first.
    std::chrono::milliseconds idle_max = std::chrono::seconds(75);
    // From the first byte of a request (or the connection's start) to the end of its header.
    std::chrono::milliseconds header_max = std::chrono::seconds(30);
    // A body or an answer gets this long, and more for the bytes that moved at the rate below.
    std::chrono::milliseconds transfer_max = std::chrono::seconds(30);
    // Slower clients hold memory for nothing.
    std::size_t transfer_bytes_per_second_min = 16 * 1024;
    // From the end of a request to its answer; then the client gets 503.
    std::chrono::milliseconds answer_max = std::chrono::seconds(120);
    // After a refusal: how long to wait for the client to read it and leave.
    std::chrono::milliseconds linger_max = std::chrono::seconds(5);

    // An answer without an end has something to say at least so often. Less than the 60 s after
    // which common proxies give up.
    std::chrono::milliseconds heartbeat_max = std::chrono::seconds(20);

    // How often the times above are looked at, and the Date of answers renewed. All are rounded up
    // to this.
    std::chrono::milliseconds sweep_interval = std::chrono::seconds(1);
};

}  // namespace mailroom::http
