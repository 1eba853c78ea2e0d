#include "net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>

namespace mailroom::net {

namespace {

constexpr IpAddress::Bytes mapped_prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t mapped_prefix_bytes = 12;
constexpr unsigned v4_prefix_bits = 96;  // How far IPv4 is into the 128 bits.

bool has_prefix(const IpAddress::Bytes& bytes, const IpAddress::Bytes& prefix, unsigned bits) {
    const auto whole = static_cast<std::ptrdiff_t>(bits / 8);
    if (!std::equal(bytes.begin(), bytes.begin() + whole, prefix.begin())) return false;
    if (bits % 8 == 0) return true;
    const auto at = static_cast<std::size_t>(whole);
    return (bytes[at] ^ prefix[at]) >> (8 - bits % 8) == 0;
}

IpAddress v4_at(const IpAddress::Bytes& bytes, std::size_t at, std::uint8_t flip = 0) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + i] ^ flip);
    }
    return IpAddress::from_v4(number);
}

struct Embedding {
    IpAddress::Bytes prefix;
    unsigned prefix_bits;
    std::size_t at;            // Where the four bytes stand.
    std::uint8_t flip = 0x00;  // Teredo writes them inverted.
};

constexpr Embedding embeddings[] = {
    {{}, 96, 12},                                          // ::192.0.2.1
    {{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0}, 96, 12},  // ::ffff:0:192.0.2.1
    {{0x00, 0x64, 0xff, 0x9b}, 96, 12},                    // 64:ff9b::192.0.2.1
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, 12},        // 64:ff9b:1:…:192.0.2.1
    {{0x20, 0x02}, 16, 2},                                 // 2002:c000:201::
    {{0x20, 0x01, 0x00, 0x00}, 32, 12, 0xff},              // 2001:0:…
};

// RFC 5214, 6.1: the interface id is 0:5efe or 200:5efe, then the address, under any prefix.
bool is_isatap(const IpAddress::Bytes& bytes) {
    return (bytes[8] & ~0x02) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe;
}

Error not_an_address(std::string_view text) {
    return {Errc::invalid,
            "not an IP address: \"" + std::string(text.substr(0, INET6_ADDRSTRLEN)) + "\""};
}

std::optional<unsigned> parse_prefix(std::string_view text) {
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || (text.size() > 1 && text.front() == '0')) return std::nullopt;
    return bits;
}

}  // namespace

Result<IpAddress> IpAddress::parse(std::string_view text) {
    // inet_pton reads to a zero, which could hide the rest of the text.
    if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != text.npos) {
        return not_an_address(text);
    }
    const std::string terminated(text);
    Bytes bytes = {};
    if (text.find(':') == text.npos) {
        if (::inet_pton(AF_INET, terminated.c_str(), bytes.data()) != 1) {
            return not_an_address(text);
        }
        return v4_at(bytes, 0);
    }
    if (::inet_pton(AF_INET6, terminated.c_str(), bytes.data()) != 1) return not_an_address(text);
    return from_v6(bytes);
}

IpAddress IpAddress::from_v4(std::uint32_t number) {
    auto bytes = mapped_prefix;
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[mapped_prefix_bytes + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
    }
    return IpAddress(false, bytes);
}

IpAddress IpAddress::from_v6(const Bytes& bytes) {
    return IpAddress(!has_prefix(bytes, mapped_prefix, v4_prefix_bits), bytes);
}

std::optional<IpAddress> IpAddress::from_socket(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4;
        std::memcpy(&v4, &address, sizeof v4);
        return from_v4(ntohl(v4.sin_addr.s_addr));
    }
    if (address.sa_family != AF_INET6) return std::nullopt;
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);
    Bytes bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return from_v6(bytes);
}

std::uint32_t IpAddress::v4() const {
    assert(is_v4());
    std::uint32_t number = 0;
    for (std::size_t i = mapped_prefix_bytes; i < bytes_.size(); ++i) {
        number = number << 8 | bytes_[i];
    }
    return number;
}

std::optional<IpAddress> IpAddress::embedded_v4() const {
    if (is_v4()) return std::nullopt;
    for (const auto& [prefix, prefix_bits, at, flip] : embeddings) {
        if (has_prefix(bytes_, prefix, prefix_bits)) return v4_at(bytes_, at, flip);
    }
    if (is_isatap(bytes_)) return v4_at(bytes_, 12);
    return std::nullopt;
}

std::string IpAddress::text() const {
    char buffer[INET6_ADDRSTRLEN];
    const void* from = is_v4() ? bytes_.data() + mapped_prefix_bytes : bytes_.data();
    const char* written = ::inet_ntop(is_v4() ? AF_INET : AF_INET6, from, buffer, sizeof buffer);
    assert(written);
    return written;
}

std::string IpAddress::text_in_url() const { return is_v4() ? text() : "[" + text() + "]"; }

Result<Network> Network::parse(std::string_view text) {
    const auto slash = text.find('/');
    const auto address_text = text.substr(0, slash);
    const auto first = TRY(IpAddress::parse(address_text));
    if (slash == text.npos) return Network(first, 128);

    const auto given = parse_prefix(text.substr(slash + 1));
    // The length counts from where the text begins: an IPv4 block written as IPv6 has the long one.
    const unsigned skipped = address_text.find(':') == address_text.npos ? v4_prefix_bits : 0;
    if (!given || *given > 128 - skipped) {
        return Error{Errc::invalid, "no length of a prefix after \"" + first.text() + "/\""};
    }
    const unsigned bits = *given + skipped;
    for (unsigned bit = bits; bit < 128; ++bit) {
        if (first.bytes()[bit / 8] >> (7 - bit % 8) & 1) {
            return Error{Errc::invalid, "bits after the prefix are set in \"" + first.text() + "/" +
                                            std::to_string(*given) + "\""};
        }
    }
    return Network(first, bits);
}

bool Network::contains(const IpAddress& address) const {
    // 0::/0 and other short IPv6 blocks do not take in IPv4, which only looks like a part of them.
    if (address.is_v4() != first_.is_v4()) return false;
    return has_prefix(address.bytes(), first_.bytes(), prefix_bits_);
}

std::string Network::text() const {
    return first_.text() + "/" +
           std::to_string(prefix_bits_ - (first_.is_v4() ? v4_prefix_bits : 0));
}

}  // namespace mailroom::net
