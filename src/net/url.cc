#include "net/url.h"

#include "base/text.h"

#include <curl/curl.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <memory>

namespace mailroom::net {

namespace {

constexpr std::size_t host_chars_max = 253;  // RFC 1035, 2.3.4, written with dots.
constexpr std::size_t label_chars_max = 63;
constexpr std::size_t shown_chars_max = 200;  // Of a refused URL, in a message.
constexpr std::uint16_t http_port = 80;
constexpr std::uint16_t https_port = 443;

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct FreeText {
    void operator()(char* text) const { curl_free(text); }
};
using CurlUrl = std::unique_ptr<CURLU, FreeUrl>;

CurlUrl make_curl_url() {
    CurlUrl url(curl_url());
    assert(url);
    return url;
}

std::optional<std::string> part_of(const CurlUrl& url, CURLUPart part, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return std::nullopt;
    const std::unique_ptr<char, FreeText> owned(text);
    return std::string(text);
}

Error refusal(std::string_view why) { return {Errc::invalid, std::string(why)}; }

bool is_plain(char c) { return c > ' ' && c < '\x7f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_label_char(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }

bool is_name(std::string_view host) {
    if (host.empty() || host.size() > host_chars_max) return false;
    std::string_view label;
    for (;;) {
        const auto dot = host.find('.');
        label = host.substr(0, dot);
        if (label.empty() || label.size() > label_chars_max) return false;
        if (!std::ranges::all_of(label, is_label_char)) return false;
        if (dot == host.npos) break;
        host.remove_prefix(dot + 1);
    }
    // A name whose last label is a number is an IPv4 address to some programs, and to others not.
    const bool hexadecimal = label.starts_with("0x");
    return !hexadecimal && !std::ranges::all_of(label, is_digit);
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
    return port;
}

// What stands between "//" and the path.
std::string_view authority_of(std::string_view text) {
    const auto start = text.find("://") + 3;
    return text.substr(start, text.find_first_of("/?#", start) - start);
}

// The text itself is looked at before libcurl reads it: this far, there is only one reading.
std::optional<Error> refuse_text(std::string_view text) {
    if (text.size() > url_bytes_max) return refusal("the URL is too long");
    if (!std::ranges::all_of(text, is_plain)) {
        return refusal(
            "a URL has no spaces, control or non-ASCII characters; percent-encode them, "
            "and write an international host as xn--…");
    }
    if (text.find('\\') != text.npos) return refusal("a URL has no backslashes");
    const auto mark = text.find("://");
    if (mark == text.npos) return refusal("a URL begins with http:// or https://");
    const auto scheme = ascii_lower(text.substr(0, mark));
    if (scheme != "http" && scheme != "https") return refusal("only http and https are spoken");
    const auto authority = authority_of(text);
    if (authority.empty()) return refusal("the URL has no host");
    if (authority.find('@') != authority.npos) {
        return refusal("a URL has no user name or password");
    }
    // libcurl decodes them; nobody needs them, and others do not.
    if (authority.find('%') != authority.npos) return refusal("the host has a percent sign in it");
    if (authority.ends_with(':')) return refusal("the port is missing after the colon");
    return std::nullopt;
}

std::string encode_other_characters(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (is_plain(c)) {
            encoded += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        encoded += '%';
        encoded += digits[byte >> 4];
        encoded += digits[byte & 0xf];
    }
    return encoded;
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
    if (auto refused = refuse_text(text)) return *std::move(refused);
    const auto parsed = make_curl_url();
    const auto code =
        curl_url_set(parsed.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_PATH_AS_IS);
    if (code != CURLUE_OK) return refusal(std::string("not a URL: ") + curl_url_strerror(code));
    if (part_of(parsed, CURLUPART_USER) || part_of(parsed, CURLUPART_PASSWORD) ||
        part_of(parsed, CURLUPART_ZONEID)) {
        return refusal("a URL has no user name, password or zone");
    }

    Url url;
    const auto scheme = part_of(parsed, CURLUPART_SCHEME);
    url.scheme_ = scheme == "https" ? Scheme::https : Scheme::http;
    const auto port = parse_port(part_of(parsed, CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or(""));
    if (!port) return refusal("the port is not a number from 1 to 65535");
    url.port_ = *port;
    url.path_ = part_of(parsed, CURLUPART_PATH).value_or("/");
    url.query_ = part_of(parsed, CURLUPART_QUERY);

    url.host_ = ascii_lower(part_of(parsed, CURLUPART_HOST).value_or(""));
    const bool bracketed = url.host_.starts_with('[');
    if (bracketed) url.host_ = url.host_.substr(1, url.host_.size() - 2);
    if (const auto address = IpAddress::parse(url.host_);
        address && bracketed == (url.host_.find(':') != std::string::npos)) {
        url.address_ = *address;
        url.host_ = address->text();
        url.write_text();
        return url;
    }
    if (url.host_.ends_with('.')) url.host_.pop_back();
    if (bracketed || !is_name(url.host_)) {
        return refusal("not a host name or IP address: \"" + url.host_.substr(0, shown_chars_max) +
                       "\"");
    }
    url.write_text();
    return url;
}

Result<Url> Url::resolve(std::string_view location) const {
    if (location.size() > url_bytes_max) return refusal("the URL is too long");
    // libcurl's own joining would accept what parse() refuses, such as backslashes for slashes.
    if (location.find('\\') != location.npos) return refusal("a URL has no backslashes");
    location = trim(location.substr(0, location.find('#')));
    if (location.empty()) return *this;
    const auto joined = make_curl_url();
    auto code = curl_url_set(joined.get(), CURLUPART_URL, text().c_str(), CURLU_PATH_AS_IS);
    if (code == CURLUE_OK) {
        const auto encoded = encode_other_characters(location);
        code = curl_url_set(joined.get(), CURLUPART_URL, encoded.c_str(), CURLU_PATH_AS_IS);
    }
    if (code != CURLUE_OK) return refusal(std::string("not a URL: ") + curl_url_strerror(code));
    return parse(part_of(joined, CURLUPART_URL).value_or(""));
}

std::string Url::authority() const {
    auto text = address_ ? address_->text_in_url() : host_;
    if (port_ != (scheme_ == Scheme::https ? https_port : http_port)) {
        text += ":" + std::to_string(port_);
    }
    return text;
}

void Url::write_text() {
    text_ = (scheme_ == Scheme::https ? "https://" : "http://") + authority();
    origin_chars_ = text_.size();
    text_ += path_;
    if (query_) text_ += "?" + *query_;
}

}  // namespace mailroom::net
