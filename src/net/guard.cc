#include "net/guard.h"

#include <algorithm>
#include <cassert>

namespace mailroom::net {

namespace {

// https://www.iana.org/assignments/iana-ipv4-special-registry and ipv6-special-registry
constexpr const char* special_blocks[] = {
    "0.0.0.0/8",        // "This network"; 0.0.0.0 connects to loopback.
    "10.0.0.0/8",       // Private.
    "100.64.0.0/10",    // Carrier-grade NAT; a cloud's metadata service is at 100.100.100.200.
    "127.0.0.0/8",      // Loopback.
    "169.254.0.0/16",   // Link-local; metadata services at 169.254.169.254 and 169.254.170.2.
    "172.16.0.0/12",    // Private.
    "192.0.0.0/24",     // Protocol assignments; a metadata service at 192.0.0.192.
    "192.0.2.0/24",     // Documentation.
    "192.31.196.0/24",  // AS112.
    "192.52.193.0/24",  // AMT.
    "192.88.99.0/24",   // The former 6to4 relays.
    "192.168.0.0/16",   // Private.
    "192.175.48.0/24",  // AS112.
    "198.18.0.0/15",    // Benchmarks.
    "198.51.100.0/24",  // Documentation.
    "203.0.113.0/24",   // Documentation.
    "224.0.0.0/4",      // Multicast.
    "240.0.0.0/4",      // Reserved, and broadcast.
    // Public IPv4 addresses that only virtual machines of one cloud reach: its own platform.
    "168.63.129.16",
};

// Of IPv6, only 2000::/3 is given out to the public. In it:
constexpr const char* special_blocks6[] = {
    "2001::/23",          // Protocol assignments: Teredo, benchmarks, ORCHID.
    "2001:db8::/32",      // Documentation.
    "2620:4f:8000::/48",  // AS112.
    "3fff::/20",          // Documentation.
};
constexpr const char* public_block6 = "2000::/3";
constexpr const char* nat64_block6 = "64:ff9b::/96";  // Public when the IPv4 address in it is.

Network block(const char* text) {
    auto parsed = Network::parse(text);
    assert(parsed);
    return *parsed;
}

template <std::size_t count>
std::vector<Network> blocks(const char* const (&texts)[count]) {
    std::vector<Network> parsed;
    for (const char* text : texts) parsed.push_back(block(text));
    return parsed;
}

bool is_in(const std::vector<Network>& networks, const IpAddress& address) {
    return std::ranges::any_of(networks, [&](const auto& n) { return n.contains(address); });
}

bool is_public_v4(const IpAddress& address) {
    static const auto special = blocks(special_blocks);
    return !is_in(special, address);
}

bool is_public_v6(const IpAddress& address) {
    static const auto special = blocks(special_blocks6);
    static const auto open = block(public_block6);
    static const auto nat64 = block(nat64_block6);
    if (nat64.contains(address)) return true;
    return open.contains(address) && !is_in(special, address);
}

GuardRefusal forbidden(std::string message) {
    return {GuardRefusal::Reason::forbidden, std::move(message)};
}

GuardRefusal unresolved(const DnsFailure& failure) {
    const auto reason = failure.reason == NoRecords::temporary ? GuardRefusal::Reason::temporary
                                                               : GuardRefusal::Reason::unresolved;
    return {reason, failure.message};
}

bool permits(const GuardOptions& options, const IpAddress& address) {
    return is_in(options.allowed, address) || is_public(address);
}

// Those of the addresses that are permitted.
Guard::Checked permitted(const GuardOptions& options, const std::string& host,
                         Result<std::vector<IpAddress>, DnsFailure> found) {
    if (!found) return unresolved(found.error());
    auto addresses = *std::move(found);
    std::erase_if(addresses, [&](const auto& address) { return !permits(options, address); });
    // Which address it was is nobody's business: a name may be used to ask what is inside.
    if (addresses.empty()) return forbidden(host + " is not on the public Internet");
    return addresses;
}

}  // namespace

bool is_public(const IpAddress& address) {
    if (address.is_v4()) return is_public_v4(address);
    const auto embedded = address.embedded_v4();
    return is_public_v6(address) && (!embedded || is_public_v4(*embedded));
}

GuardRefusal::operator Error() const {
    switch (reason) {
        case Reason::forbidden:
            return {Errc::invalid, message};
        case Reason::unresolved:
            return {Errc::not_found, message};
        case Reason::temporary:
            break;
    }
    return {Errc::unavailable, message};
}

Guard::Guard(Resolver& resolver, GuardOptions options)
    : resolver_(resolver), options_(std::make_shared<const GuardOptions>(std::move(options))) {}

std::optional<GuardRefusal> Guard::refuse_port(const Url& url) const {
    const auto has_port = [&](const PortRange& range) {
        return url.port() >= range.first && url.port() <= range.last;
    };
    if (std::ranges::any_of(options_->ports, has_port)) return std::nullopt;
    return forbidden("port " + std::to_string(url.port()) + " is not allowed");
}

Result<std::vector<IpAddress>, GuardRefusal> Guard::check(const Url& url) const {
    if (auto refused = refuse_port(url)) return *std::move(refused);
    if (url.address()) return permitted(*options_, url.host(), std::vector{*url.address()});
    return permitted(*options_, url.host(), resolver_.addresses(url.host()));
}

void Guard::check(const Url& url, std::function<void(Checked)> done) const {
    if (auto refused = refuse_port(url)) return done(*std::move(refused));
    if (url.address()) return done(permitted(*options_, url.host(), std::vector{*url.address()}));
    resolver_.find_addresses(
        url.host(), [options = options_, host = url.host(), done = std::move(done)](auto found) {
            done(permitted(*options, host, std::move(found)));
        });
}

std::optional<GuardRefusal> Guard::refuses_at_sight(const Url& url) const {
    if (auto refused = refuse_port(url)) return refused;
    std::vector<IpAddress> addresses;
    if (url.address()) {
        addresses = {*url.address()};
    } else if (url.host() == "localhost" || url.host().ends_with(".localhost")) {
        addresses = {*IpAddress::parse("127.0.0.1"), *IpAddress::parse("::1")};
    } else {
        return std::nullopt;
    }
    auto checked = permitted(*options_, url.host(), std::move(addresses));
    if (checked) return std::nullopt;
    return checked.error();
}

bool Guard::permits(const IpAddress& address) const { return net::permits(*options_, address); }

}  // namespace mailroom::net
