// The transport that brings each mail to the servers of its recipients' domains.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/guard.h"
#include "net/resolver.h"
#include "outbox/sending/destinations.h"
#include "outbox/transports/transport.h"
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
    smtp::Client::Options client = {};
    // Of the domains that mail goes to: a mail on its way is a visit to each of its domains.
    DestinationLimits destinations = {
        .visits_max = 2048, .visits_per_destination = 8, .patience = std::chrono::minutes(5)};
    // Of all mails on their way.
    std::size_t message_bytes_max = std::size_t{512} * 1024 * 1024;
};

// TLS is used where it is offered. When a server cannot be reached, turns everybody away, or says
// 4xx before it has heard of the recipients, the next one of the domain is tried; the transcript
// has all that were. Servers at addresses that `guard` does
// not permit are left out: nobody shall reach our own network by the name of a domain.
//
// No thread waits for a server or a name server, and each domain gets its share only: those that
// hang hold up nobody else. What a domain has no place for is refused for now, and nobody was
// asked. Thread-safe.
class Mx final : public Transport {
public:
    // The others must outlive this object. `invalid` if the options cannot be used.
    static Result<std::unique_ptr<Mx>> open(net::Resolver& resolver, const net::Guard& guard,
                                            const Clock& clock, MxOptions options);
    ~Mx() override;  // As stop(0).

    void send(Outgoing mail, Done done) override;
    // A time only if none of their domains has a place.
    std::optional<Time> busy_until(const std::vector<std::string>& recipients) override;
    smtp::Client::Stats connections() const override;
    void stop(std::chrono::milliseconds grace) override;

private:
    class Impl;
    explicit Mx(std::shared_ptr<Impl> impl);
    // Shared with questions to name servers, whose answers may come when this object is gone.
    std::shared_ptr<Impl> impl_;
};

}  // namespace mailroom::outbox
