#include "net/sigv4.h"

#include "base/hex.h"
#include "base/text.h"
#include "base/time_format.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>
#include <vector>

namespace mailroom::net {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view terminator = "aws4_request";
constexpr std::string_view object_storage = "s3";
constexpr std::size_t date_chars = 8;  // 20261115 out of 20261115T055124Z.

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    unsigned length = 0;
    const auto* made = ::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                              reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                              reinterpret_cast<unsigned char*>(digest.data()), &length);
    assert(made && length == digest.size());
    return digest;
}

// Trimmed, with runs of spaces as one.
std::string canonical_value(std::string_view value) {
    std::string canonical;
    for (const char c : trim(value)) {
        if (c != ' ' || canonical.back() != ' ') canonical += c;
    }
    return canonical;
}

// By name; the values of a repeated one are joined in their order.
std::map<std::string, std::string> canonical_headers(const Headers& headers) {
    std::map<std::string, std::string> canonical;
    for (const auto& [name, value] : headers) {
        const auto [at, added] = canonical.try_emplace(ascii_lower(name), canonical_value(value));
        if (!added) at->second += "," + canonical_value(value);
    }
    return canonical;
}

std::string names_of(const std::map<std::string, std::string>& headers) {
    std::string names;
    for (const auto& [name, value] : headers) {
        if (!names.empty()) names += ';';
        names += name;
    }
    return names;
}

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

std::string encode(std::string_view text, char also_kept) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size());
    for (const char c : text) {
        if (is_unreserved(c) || c == also_kept) {
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

std::string SigningScope::text() const {
    return date + "/" + region + "/" + service + "/" + std::string(terminator);
}

std::string sha256_hex(std::string_view bytes) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    unsigned length = 0;
    const int made =
        ::EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                     &length, EVP_sha256(), nullptr);
    assert(made == 1 && length == digest.size());
    return hex_encode(digest);
}

std::string uri_encode(std::string_view text) { return encode(text, '~'); }

std::string canonical_path(std::string_view path, std::string_view service) {
    return service == object_storage ? std::string(path) : encode(path, '/');
}

std::string canonical_query(std::string_view query) {
    std::vector<std::pair<std::string_view, std::string_view>> parameters;
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto one = query.substr(0, end);
        query.remove_prefix(end == query.npos ? query.size() : end + 1);
        if (one.empty()) continue;
        const auto equals = one.find('=');
        const bool has_value = equals != one.npos;
        parameters.emplace_back(one.substr(0, equals), has_value ? one.substr(equals + 1) : "");
    }
    std::sort(parameters.begin(), parameters.end());
    std::string canonical;
    for (const auto& [name, value] : parameters) {
        if (!canonical.empty()) canonical += '&';
        canonical.append(name).append("=").append(value);
    }
    return canonical;
}

std::string signed_header_names(const Headers& headers) {
    return names_of(canonical_headers(headers));
}

std::string canonical_request(const CanonicalParts& parts) {
    const auto headers = canonical_headers(parts.headers);
    std::string text;
    text.append(parts.method).append("\n");
    text.append(parts.path).append("\n");
    text.append(parts.query).append("\n");
    for (const auto& [name, value] : headers) text.append(name + ":" + value + "\n");
    text.append("\n" + names_of(headers) + "\n");
    text.append(parts.payload_sha256);
    return text;
}

std::string string_to_sign(std::string_view amz_time, const SigningScope& scope,
                           std::string_view canonical_request) {
    std::string text(algorithm);
    text.append("\n").append(amz_time);
    text.append("\n" + scope.text() + "\n");
    return text + sha256_hex(canonical_request);
}

std::string signing_key(std::string_view secret_key, const SigningScope& scope) {
    const auto date_key = hmac_sha256("AWS4" + std::string(secret_key), scope.date);
    const auto region_key = hmac_sha256(date_key, scope.region);
    const auto service_key = hmac_sha256(region_key, scope.service);
    return hmac_sha256(service_key, terminator);
}

std::string signature(std::string_view signing_key, std::string_view string_to_sign) {
    return hex_encode(hmac_sha256(signing_key, string_to_sign));
}

Signer::Signer(Credentials credentials, std::string region, std::string service)
    : credentials_(std::move(credentials)),
      region_(std::move(region)),
      service_(std::move(service)) {}

Headers Signer::sign(UnsignedRequest request, Time now) {
    auto headers = std::move(request.headers);
    const auto amz_time = format_aws_time(now);
    const SigningScope scope{amz_time.substr(0, date_chars), region_, service_};
    headers.emplace_back("X-Amz-Date", amz_time);
    if (credentials_.session_token) {
        headers.emplace_back("X-Amz-Security-Token", *credentials_.session_token);
    }
    const auto payload = sha256_hex(request.body);
    const auto path = canonical_path(request.path, service_);
    const auto query = canonical_query(request.query);
    const auto canonical = canonical_request({request.method, path, query, headers, payload});
    const auto proof = signature(key_for(scope), string_to_sign(amz_time, scope, canonical));
    headers.emplace_back(
        "Authorization",
        std::string(algorithm) + " Credential=" + credentials_.access_key_id + "/" + scope.text() +
            ", SignedHeaders=" + signed_header_names(headers) + ", Signature=" + proof);
    return headers;
}

std::string Signer::key_for(const SigningScope& scope) {
    const std::lock_guard lock(mutex_);
    if (key_date_ != scope.date) {
        key_ = signing_key(credentials_.secret_key, scope);
        key_date_ = scope.date;
    }
    return key_;
}

}  // namespace mailroom::net
