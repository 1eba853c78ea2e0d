// The servers that take the mail of one domain, one after the other (RFC 5321, 5.1).
#pragma once

#include "base/result.h"
#include "net/guard.h"
#include "net/resolver.h"
#include "smtp/delivery.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct MxServer {
    std::string name;
    std::vector<std::string> addresses;  // At least one; each may be connected to.
};

// Its functions block while names are looked up. Not thread-safe.
class MxRoute {
public:
    // `domain` in ASCII, or an address literal ("[192.0.2.1]"). `own_name` is how we introduce
    // ourselves: servers that are we, and those preferred less, are left out, so that no mail goes
    // in circles. The others must outlive the result. The verdict if the domain takes no mail, or
    // it cannot be found out now.
    static Result<MxRoute, smtp::Verdict> find(net::Resolver& resolver, const net::Guard& guard,
                                               std::string_view domain, std::string_view own_name);

    // The next server that can be tried, or why there is none (any more).
    Result<MxServer, smtp::Verdict> next();

private:
    MxRoute(net::Resolver& resolver, const net::Guard& guard, std::string_view domain)
        : resolver_(&resolver), guard_(&guard), domain_(domain) {}

    // Those that the guard permits. Notes what was wrong with the others.
    std::vector<std::string> permitted(const std::vector<net::IpAddress>& addresses);
    smtp::Verdict none_left() const;

    net::Resolver* resolver_;
    const net::Guard* guard_;
    std::string domain_;
    std::vector<net::IpAddress> literal_;  // Instead of hosts.
    std::vector<std::string> hosts_;
    std::size_t at_ = 0;
    bool any_forbidden_ = false, any_not_known_ = false;
};

}  // namespace mailroom::outbox
