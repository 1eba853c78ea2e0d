// IP addresses and blocks of them.
#pragma once

#include "base/result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace mailroom::net {

// An IPv4 or IPv6 address. One address has one value: the IPv6 form of an IPv4 address
// (::ffff:192.0.2.1) is that IPv4 address everywhere. Orders IPv4 before IPv6, then by number.
class IpAddress {
public:
    using Bytes = std::array<std::uint8_t, 16>;

    // Four decimal numbers without leading zeros, or an IPv6 address (RFC 4291, 2.2) without
    // brackets and without a zone. `invalid` for anything else.
    static Result<IpAddress> parse(std::string_view text);
    static IpAddress from_v4(std::uint32_t number);  // 127.0.0.1 is 0x7f000001.
    static IpAddress from_v6(const Bytes& bytes);    // In network order.
    // None if it is neither of AF_INET nor of AF_INET6. `address` must be as long as its family
    // says.
    static std::optional<IpAddress> from_socket(const sockaddr& address);

    bool is_v4() const { return !is_v6_; }
    std::uint32_t v4() const;  // Only when is_v4().
    // In network order; an IPv4 address as ::ffff:192.0.2.1.
    const Bytes& bytes() const { return bytes_; }
    // The IPv4 address that packets to this IPv6 address may end up at: IPv4-compatible (RFC 4291),
    // NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380), IPv4-translated (RFC 2765)
    // and ISATAP (RFC 5214). None for others and for IPv4.
    std::optional<IpAddress> embedded_v4() const;

    // 192.0.2.1, or IPv6 in the form of RFC 5952.
    std::string text() const;
    // The same with brackets around IPv6, as in a URL.
    std::string text_in_url() const;

    auto operator<=>(const IpAddress&) const = default;

private:
    IpAddress(bool is_v6, const Bytes& bytes) : is_v6_(is_v6), bytes_(bytes) {}

    bool is_v6_;  // First, so that IPv4 sorts before IPv6.
    Bytes bytes_;
};

// A block of addresses: 10.0.0.0/8, 2001:db8::/32.
class Network {
public:
    // An address and a prefix length, or an address alone for a block of one. `invalid` if the
    // length does not fit, or if bits after the prefix are set: 10.0.0.1/8 is likely a mistake. A
    // block of IPv4 in IPv6 form (::ffff:10.0.0.0/104) is that block of IPv4.
    static Result<Network> parse(std::string_view text);

    bool contains(const IpAddress& address) const;
    std::string text() const;
    bool operator==(const Network&) const = default;

private:
    Network(const IpAddress& first, unsigned prefix_bits)
        : first_(first), prefix_bits_(prefix_bits) {}

    IpAddress first_;
    unsigned prefix_bits_;  // Of the 128 of IpAddress::bytes().
};

}  // namespace mailroom::net
