// The servers that take the mail of one domain, one after the other (RFC 5321, 5.1).
#pragma once

#include "base/result.h"
#include "net/guard.h"
#include "net/resolver.h"
#include "smtp/delivery.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct MxServer {
    std::string name;
    std::vector<std::string> addresses;  // At least one; each may be connected to.
};

// Asks nobody itself: it is told what the name servers said. Not thread-safe.
class MxRoute {
public:
    // `domain` in ASCII, or an address literal ("[192.0.2.1]"), for which nobody is asked.
    static bool is_literal(std::string_view domain) { return domain.starts_with('['); }
    static Result<MxRoute, smtp::Verdict> of_literal(const net::Guard& guard,
                                                     std::string_view domain);
    // `own_name` is how we introduce ourselves: servers that are we, and those preferred less, are
    // left out, so that no mail goes in circles. The guard must outlive the result. The verdict if
    // the domain takes no mail, or it cannot be found out now.
    static Result<MxRoute, smtp::Verdict> of(const net::Guard& guard, std::string_view domain,
                                             std::string_view own_name,
                                             Result<net::MailRoute, net::DnsFailure> found);

    // The next server that can be tried without asking: that of a literal.
    std::optional<MxServer> next_known();
    // The next one to be asked for. None: why nobody is left.
    Result<std::string, smtp::Verdict> next_host();
    // Its addresses were found, or not. None: the next one.
    std::optional<MxServer> server(
        const std::string& host, const Result<std::vector<net::IpAddress>, net::DnsFailure>& found);

private:
    MxRoute(const net::Guard& guard, std::string_view domain) : guard_(&guard), domain_(domain) {}

    // Those that the guard permits. Notes what was wrong with the others.
    std::vector<std::string> permitted(const std::vector<net::IpAddress>& addresses);
    smtp::Verdict none_left() const;

    const net::Guard* guard_;
    std::string domain_;
    std::vector<net::IpAddress> literal_;  // Instead of hosts.
    std::vector<std::string> hosts_;
    std::size_t at_ = 0;
    bool any_forbidden_ = false, any_not_known_ = false;
};

}  // namespace mailroom::outbox
