// The transport that brings each mail to the servers of its recipients' domains.
#pragma once

#include "base/result.h"
#include "net/guard.h"
#include "net/resolver.h"
#include "outbox/transport.h"
#include "smtp/client.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace mailroom::outbox {

struct MxOptions {
    std::string hello_name = "localhost";  // The name of this host, as others look it up.
    std::uint16_t port = 25;
    // Of each server, which usually are those of one domain.
    smtp::TargetLimits limits = {.connections_max = 4};
    smtp::Timeouts timeouts = {};
    std::size_t transcript_bytes_max = 2 * 1024;  // Of each domain's delivery.
    std::size_t lookup_threads = 4;               // At least 1. A name server may be slow.
    smtp::Client::Options client = {};
};

// TLS is used where it is offered. When a server cannot be reached, turns everybody away, or says
// 4xx before it has heard of the recipients, the next one of the domain is tried; the transcript
// has all that were. Servers at addresses that `guard` does
// not permit are left out: nobody shall reach our own network by the name of a domain. Thread-safe.
class Mx final : public Transport {
public:
    // The others must outlive this object. `invalid` if the options cannot be used.
    static Result<std::unique_ptr<Mx>> open(net::Resolver& resolver, const net::Guard& guard,
                                            MxOptions options);
    ~Mx() override;  // As stop(0).

    void send(Outgoing mail, Done done) override;
    // May take longer than `grace` by what a lookup takes.
    void stop(std::chrono::milliseconds grace) override;

private:
    class Impl;
    explicit Mx(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::outbox
