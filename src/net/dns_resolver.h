// The resolver that asks real name servers.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "net/dns_channel.h"
#include "net/resolver.h"

#include <chrono>
#include <cstddef>
#include <memory>

namespace mailroom::net {

struct DnsOptions {
    DnsChannelOptions channel = {};
    // A call gives up after this, whatever is still being tried.
    std::chrono::milliseconds total_timeout = std::chrono::seconds(15);
    // Different questions under way at once; more are `temporary` failures.
    std::size_t questions_max = 4096;
    // About a domain per entry for a day of mail to a large audience.
    std::size_t cache_entries_max = 20'000;
    std::size_t cache_bytes_max = 16 * 1024 * 1024;
    // Answers that claim to hold for longer are asked for again after this.
    std::chrono::seconds ttl_max = std::chrono::hours(24);
    std::chrono::seconds negative_ttl_max = std::chrono::hours(1);  // RFC 2308, 5.
    // So that mail to a domain whose servers are down does not wait for them each time.
    std::chrono::seconds temporary_ttl =
        std::chrono::seconds(5);  // RFC 2308, 7: 5 minutes at most.
};

// Answers are kept as long as they say (RFC 2308 for those that say no); who asks what somebody is
// waiting for waits for the same answer. "localhost" and names under it are loopback, and nobody is
// asked (RFC 6761, 6.3); an IP address stands for itself.
class DnsResolver final : public Resolver {
public:
    // `clock` and `random` must outlive the resolver. `invalid` if a server is not an address.
    static Result<std::unique_ptr<DnsResolver>> open(const DnsOptions& options, const Clock& clock,
                                                     Random& random);
    ~DnsResolver() override;

    Result<MailRoute, DnsFailure> mail_route(std::string_view domain) override;
    Result<std::vector<IpAddress>, DnsFailure> addresses(std::string_view name,
                                                         Family family = Family::any) override;
    Result<std::vector<std::string>, DnsFailure> texts(std::string_view name) override;

    // These wait for as long as the name servers are asked, which may be more than total_timeout.
    void find_mail_route(std::string_view domain, RouteDone done) override;
    void find_addresses(std::string_view name, AddressesDone done) override;

private:
    class Impl;
    explicit DnsResolver(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::net
