// The address of an HTTP request, read once and in one way.
//
//   url    := ("http" | "https") "://" host [":" port] [path] ["?" query] ["#" fragment]
//   host   := name | IPv4 address | "[" IPv6 address "]"
//
// Programs differ in what they make of strange URLs, and the difference is how a check of one is
// fooled. So there is one reader, libcurl's, which also makes the connection; what it accepts is
// narrowed to the grammar above and written anew. Odd spellings of IPv4 (0x7f.1, 2130706433,
// 0177.0.0.1) become the address they mean; a fragment is dropped. User names and passwords,
// backslashes, spaces, control and non-ASCII characters, zones and empty labels are refused.
#pragma once

#include "base/result.h"
#include "net/address.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::net {

// Longer ones are refused: browsers and servers of the field stop there or earlier.
inline constexpr std::size_t url_bytes_max = 8 * 1024;

enum class Scheme { http, https };

// Immutable.
class Url {
public:
    // `invalid`, with the reason, for anything outside the grammar above.
    static Result<Url> parse(std::string_view text);

    // Where a `Location` header of an answer from this URL leads (RFC 9110, 10.2.2). Takes relative
    // forms; characters that may not stand in a URL are percent-encoded first.
    Result<Url> resolve(std::string_view location) const;

    Scheme scheme() const { return scheme_; }
    // In lower case and without a dot at the end; IPv6 without brackets.
    const std::string& host() const { return host_; }
    // When the host is one.
    const std::optional<IpAddress>& address() const { return address_; }
    std::uint16_t port() const { return port_; }
    // As it is sent: begins with "/", percent-encoding and dots as given.
    const std::string& path() const { return path_; }
    // Without the "?". None if there was no "?".
    const std::optional<std::string>& query() const { return query_; }

    // The value of the Host header: without the port when it is the scheme's own.
    std::string authority() const;
    // http://example.com:8080
    std::string_view origin() const { return std::string_view(text_).substr(0, origin_chars_); }
    // Parsing it gives an equal Url.
    const std::string& text() const { return text_; }
    bool operator==(const Url&) const = default;

private:
    Url() = default;
    void write_text();

    Scheme scheme_ = Scheme::http;
    std::string host_;
    std::optional<IpAddress> address_;
    std::uint16_t port_ = 0;
    std::string path_;
    std::optional<std::string> query_;
    std::string text_;
    std::size_t origin_chars_ = 0;
};

}  // namespace mailroom::net
