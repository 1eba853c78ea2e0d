#include "table/remote/endpoint.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace mailroom::table::remote {

namespace {

constexpr std::size_t host_chars_max = 253;  // RFC 1035, 2.3.4, written with dots.

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}
bool is_address6_char(char c) {
    return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

bool is_host(std::string_view host) {
    if (host.empty() || host.size() > host_chars_max) return false;
    if (host.front() != '[') return std::ranges::all_of(host, is_name_char);
    if (host.size() < 4 || host.back() != ']') return false;
    return std::ranges::all_of(host.substr(1, host.size() - 2), is_address6_char);
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
    return port;
}

Error refusal(std::string_view url) {
    return {Errc::invalid, "the endpoint of a remote DynamoDB is http(s)://host[:port], not \"" +
                               std::string(url.substr(0, host_chars_max)) + "\""};
}

}  // namespace

Result<Endpoint> Endpoint::parse(std::string_view url) {
    const auto mark = url.find("://");
    if (mark == url.npos) return refusal(url);
    Endpoint endpoint{ascii_lower(url.substr(0, mark)), ""};
    if (endpoint.scheme != "http" && endpoint.scheme != "https") return refusal(url);

    auto rest = url.substr(mark + 3);
    if (rest.ends_with('/')) rest.remove_suffix(1);
    // The last colon, unless it is inside the brackets of an address.
    const auto colon = rest.rfind(':');
    const auto bracket = rest.rfind(']');
    const bool has_port = colon != rest.npos && (bracket == rest.npos || colon > bracket);
    endpoint.authority = ascii_lower(has_port ? rest.substr(0, colon) : rest);
    if (!is_host(endpoint.authority)) return refusal(url);
    if (!has_port) return endpoint;

    const auto port = parse_port(rest.substr(colon + 1));
    if (!port) return refusal(url);
    if (*port != (endpoint.scheme == "https" ? 443 : 80)) {
        endpoint.authority += ":" + std::to_string(*port);
    }
    return endpoint;
}

}  // namespace mailroom::table::remote
