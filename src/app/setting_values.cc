#include "app/setting_values.h"

#include "program/setting_forms.h"

#include <arpa/inet.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace mailroom::app {

namespace {

constexpr std::size_t host_bytes_max = 253;  // RFC 1035, section 2.3.4, as text.

bool is_ipv4(const std::string& host) {
    in_addr address;
    return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& host) {
    in6_addr address;
    return inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_host_name(std::string_view host) {
    const auto plain = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.'; };
    return !host.empty() && host.size() <= host_bytes_max && is_letter_or_digit(host.front()) &&
           std::ranges::all_of(host, plain);
}

struct HostAndPort {
    std::string host;
    bool bracketed;
    std::optional<std::string_view> port;
};

// Takes brackets off the host; checks neither part.
std::optional<HostAndPort> split(std::string_view text) {
    // Hosts go to C functions, which would stop at a zero byte and see another host.
    if (text.find('\0') != text.npos) return std::nullopt;
    std::string_view host, rest;
    const bool bracketed = text.starts_with('[');
    if (bracketed) {
        const auto end = text.find(']');
        if (end == text.npos) return std::nullopt;
        host = text.substr(1, end - 1);
        rest = text.substr(end + 1);
    } else {
        const auto colon = std::min(text.find(':'), text.size());
        host = text.substr(0, colon);
        rest = text.substr(colon);
    }
    if (rest.empty()) return HostAndPort{std::string(host), bracketed, std::nullopt};
    if (!rest.starts_with(':')) return std::nullopt;
    return HostAndPort{std::string(host), bracketed, rest.substr(1)};
}

std::optional<std::uint16_t> parse_port(std::string_view text, std::uint32_t least) {
    const auto port =
        program::parse_whole_number(text, least, std::numeric_limits<std::uint16_t>::max());
    if (!port) return std::nullopt;
    return static_cast<std::uint16_t>(*port);
}

std::string join(const std::string& host, std::uint16_t port) {
    const bool brackets = host.find(':') != host.npos;
    return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

std::string ListenAddress::text() const { return join(host, port); }

bool ListenAddress::is_loopback() const {
    if (host.find(':') == host.npos) return host.starts_with("127.");
    in6_addr address;
    return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

std::string RemoteDynamodb::text() const {
    return (tls ? "dynamodb+https://" : "dynamodb+http://") + join(host, port);
}

std::optional<ListenAddress> parse_listen_address(std::string_view text) {
    auto parts = split(text);
    if (!parts || !parts->port) return std::nullopt;
    const auto port = parse_port(*parts->port, 0);
    if (!port) return std::nullopt;
    if (parts->bracketed) {
        if (!is_ipv6(parts->host)) return std::nullopt;
        return ListenAddress{std::move(parts->host), *port};
    }
    // Fixed, because a resolver could answer with an address that is not loopback.
    if (parts->host == "localhost") parts->host = "127.0.0.1";
    if (!is_ipv4(parts->host)) return std::nullopt;
    return ListenAddress{std::move(parts->host), *port};
}

std::optional<RemoteDynamodb> parse_remote_dynamodb(std::string_view text) {
    constexpr std::string_view plain = "dynamodb+http://", secure = "dynamodb+https://";
    const bool tls = text.starts_with(secure);
    if (!tls && !text.starts_with(plain)) return std::nullopt;
    text.remove_prefix(tls ? secure.size() : plain.size());
    auto parts = split(text);
    if (!parts) return std::nullopt;
    const bool good_host = parts->bracketed ? is_ipv6(parts->host) : is_host_name(parts->host);
    if (!good_host) return std::nullopt;
    const std::uint16_t usual_port = tls ? 443 : 80;
    const auto port = parts->port ? parse_port(*parts->port, 1) : usual_port;
    if (!port) return std::nullopt;
    return RemoteDynamodb{tls, std::move(parts->host), *port};
}

}  // namespace mailroom::app
