#include "engagement/tracking/destination.h"

#include "base/text.h"
#include "mime/domain.h"

#include <algorithm>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

void append_encoded(std::string& out, char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += hex_digits[byte >> 4];
    out += hex_digits[byte & 15];
}

bool may_stand(char c) {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`{|}").find(c) == std::string::npos;
}

// With a port or without one.
bool is_port(std::string_view text) {
    return text.size() <= 6 &&
           std::ranges::all_of(text.substr(std::min<std::size_t>(1, text.size())),
                               [](char c) { return c >= '0' && c <= '9'; });
}

// "user:password@host:port", of which the first is kept as it is.
std::optional<std::string> ascii_authority(std::string_view authority) {
    const auto at = authority.rfind('@');
    const auto host_at = at == authority.npos ? 0 : at + 1;
    std::string out;
    for (const char c : authority.substr(0, host_at)) {
        may_stand(c) ? static_cast<void>(out += c) : append_encoded(out, c);
    }
    const auto host = authority.substr(host_at);
    const auto colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    const auto port = colon == host.npos ? std::string_view() : host.substr(colon);
    if (!is_port(port)) return std::nullopt;
    const auto name = host.substr(0, colon);
    if (name.starts_with('[') != name.ends_with(']')) return std::nullopt;
    const auto ascii = mime::domain_to_ascii(name);
    if (!ascii || !std::ranges::all_of(*ascii, may_stand)) return std::nullopt;
    return out + *ascii + std::string(port);
}

// To browsers a backslash in a path is a slash.
void append_path_and_query(std::string& out, std::string_view text) {
    bool is_path = true;
    for (const char c : text) {
        is_path = is_path && c != '?' && c != '#';
        if (is_path && c == '\\') {
            out += '/';
        } else {
            may_stand(c) ? static_cast<void>(out += c) : append_encoded(out, c);
        }
    }
}

// As application/x-www-form-urlencoded, but for the blank.
void append_query_value(std::string& out, std::string_view value) {
    for (const char c : value) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') ||
                              std::string_view("-._~").find(c) != std::string::npos;
        is_plain ? static_cast<void>(out += c) : append_encoded(out, c);
    }
}

bool has_name(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        if (pair.substr(0, pair.find('=')) == name) return true;
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
    }
    return false;
}

}  // namespace

std::optional<std::string> web_address(std::string_view address) {
    std::string text;
    std::ranges::copy_if(trim(address), std::back_inserter(text),
                         [](char c) { return c != '\t' && c != '\r' && c != '\n'; });
    const auto colon = text.find("://");
    if (colon == text.npos) return std::nullopt;
    const auto scheme = ascii_lower(text.substr(0, colon));
    if (scheme != "http" && scheme != "https") return std::nullopt;
    const auto begin = colon + 3;
    const auto end = std::min(text.find_first_of("/?#\\", begin), text.size());
    const auto authority = ascii_authority(std::string_view(text).substr(begin, end - begin));
    if (!authority) return std::nullopt;
    auto out = scheme + "://" + *authority;
    append_path_and_query(out, std::string_view(text).substr(end));
    return out;
}

std::string with_utm(std::string address, const outbox::Utm& utm) {
    const std::pair<std::string_view, const std::string&> all[] = {{"utm_source", utm.source},
                                                                   {"utm_medium", utm.medium},
                                                                   {"utm_campaign", utm.campaign},
                                                                   {"utm_term", utm.term},
                                                                   {"utm_content", utm.content}};
    const auto hash = std::min(address.find('#'), address.size());
    const auto question = address.substr(0, hash).find('?');
    const bool has_query = question != address.npos;
    const auto query = has_query ? address.substr(question + 1, hash - question - 1) : "";
    std::string added;
    for (const auto& [name, value] : all) {
        if (value.empty() || has_name(query, name)) continue;
        const bool is_first = added.empty() && (!has_query || query.empty());
        added += is_first ? (has_query ? "" : "?") : "&";
        added += std::string(name) + "=";
        append_query_value(added, value);
    }
    if (query.ends_with('&') && added.starts_with('&')) added.erase(0, 1);
    address.insert(hash, added);
    return address;
}

}  // namespace mailroom::engagement
