// The guard of all URLs that somebody else chose: webhooks, images, feeds.
//
// Without it, whoever may name a URL could make this server speak to what only it can reach: its
// own loopback, the company's network, the cloud's metadata service. The guard resolves the host
// once and gives the addresses to connect to; nothing else may be connected to, so a name that
// resolves differently a moment later makes no difference. HttpClient applies it to every guarded
// request and again to every redirect.
#pragma once

#include "base/result.h"
#include "net/address.h"
#include "net/resolver.h"
#include "net/url.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::net {

// Ports from `first` to `last`.
struct PortRange {
    std::uint16_t first;
    std::uint16_t last;
};

struct GuardOptions {
    // Blocks that are spoken to although they are not public: what the operator chose to allow.
    std::vector<Network> allowed = {};
    // The default leaves out the ports of old services, where an HTTP request may be read as
    // commands: SSH, SMTP, POP, IMAP, …
    std::vector<PortRange> ports = {{80, 80}, {443, 443}, {1024, 65535}};
};

struct GuardRefusal {
    enum class Reason {
        forbidden,   // The URL or all its addresses: asking again will not help.
        unresolved,  // The host has no address.
        temporary,   // It is not known whether it has one.
    };
    Reason reason;
    std::string message;  // For people. Never names an address that was refused.

    operator Error() const;
};

// Thread-safe.
class Guard {
public:
    // `resolver` must outlive the guard.
    Guard(Resolver& resolver, GuardOptions options);

    // The addresses that a request to `url` may connect to: at least one. Those refused are left
    // out.
    Result<std::vector<IpAddress>, GuardRefusal> check(const Url& url) const;

    // The same without waiting for name servers: `done` is called once, before this returns or
    // later, on a thread that it must not block.
    using Checked = Result<std::vector<IpAddress>, GuardRefusal>;
    void check(const Url& url, std::function<void(Checked)> done) const;
    // Why it can be said without asking anybody that `url` will be refused: its port, an address
    // in it, or a name of this machine (RFC 6761, 6.3). None: it may be permitted.
    std::optional<GuardRefusal> refuses_at_sight(const Url& url) const;

    // Whether one address may be connected to: it is in an allowed block, or it and any IPv4
    // address embedded in it are public.
    bool permits(const IpAddress& address) const;

private:
    std::optional<GuardRefusal> refuse_port(const Url& url) const;

    Resolver& resolver_;
    // Shared with questions under way, whose answers may come when the guard is gone.
    const std::shared_ptr<const GuardOptions> options_;
};

// Whether the address is an ordinary one of the public Internet: not private, loopback, link-local,
// multicast, unspecified, shared, documentation, benchmark or reserved (the registries of RFC 6890
// as of 2024), and not a form of IPv6 that leads to such an IPv4 address.
bool is_public(const IpAddress& address);

}  // namespace mailroom::net
