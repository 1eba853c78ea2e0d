#include "dynamodb/request_signatures.h"

#include "base/text.h"
#include "base/time_format.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace mailroom::dynamodb {

using table::Failure;
using table::Fault;
using table::Outcome;

namespace {

constexpr std::size_t shown_id_chars_max = 32;  // Ours have 20.

constexpr std::chrono::milliseconds skew_max = std::chrono::minutes(15);
constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view service = "dynamodb";
// Clients have a handful of regions and one key each; more is somebody trying things out.
constexpr std::size_t derived_max = 1024;
// What a signature must cover, or another request could carry it.
constexpr std::string_view required_headers[] = {"host", "x-amz-date", "x-amz-target"};

// The Authorization header, taken apart.
struct Authorization {
    std::string key_id;
    net::SigningScope scope;
    std::vector<std::string> signed_headers;
    std::string signature;
};

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.emplace_back(trim(text.substr(0, end)));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

Failure incomplete(std::string why) {
    return {Fault::incomplete_signature, "Authorization header " + std::move(why)};
}

Failure mismatch() {
    return {Fault::invalid_signature,
            "The request signature we calculated does not match the signature you provided. Check "
            "your AWS Secret Access Key and signing method. Consult the service documentation for "
            "details."};
}

Outcome<Authorization> parse(std::string_view header) {
    if (!header.starts_with(algorithm) || header.size() == algorithm.size()) {
        return incomplete("is not of the algorithm AWS4-HMAC-SHA256.");
    }
    // Refusals repeat parts of it, and they are text.
    if (!std::ranges::all_of(header, is_printable_ascii)) {
        return incomplete("has a character that is not printable ASCII.");
    }
    Authorization parsed;
    std::string credential;
    for (const auto& part : split(header.substr(algorithm.size() + 1), ',')) {
        const auto equals = part.find('=');
        if (equals == part.npos) continue;
        const auto value = part.substr(equals + 1);
        const auto name = std::string_view(part).substr(0, equals);
        if (name == "Credential") credential = value;
        if (name == "SignedHeaders") parsed.signed_headers = split(value, ';');
        if (name == "Signature") parsed.signature = value;
    }
    if (credential.empty()) return incomplete("requires 'Credential' parameter.");
    if (parsed.signature.empty()) return incomplete("requires 'Signature' parameter.");
    if (parsed.signed_headers.empty()) return incomplete("requires 'SignedHeaders' parameter.");
    const auto parts = split(credential, '/');
    if (parts.size() != 5 || parts[4] != "aws4_request") {
        return incomplete("has a 'Credential' that is not KEY/DATE/REGION/SERVICE/aws4_request.");
    }
    parsed.key_id = parts[0];
    parsed.scope = {parts[1], parts[2], parts[3]};
    return parsed;
}

// Takes as long for texts that differ early as for those that differ late.
bool same_text(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    }
    return difference == 0;
}

// The headers that are signed, or none if one of them is not there.
std::optional<net::Headers> signed_headers(const http::Request& request,
                                           const std::vector<std::string>& names) {
    net::Headers headers;
    // Then one is missing or named twice, and a header is not to be hashed as often as it is named.
    if (names.size() > request.headers.size()) return std::nullopt;
    for (const auto& name : names) {
        bool found = false;
        for (const auto& [key, value] : request.headers) {
            if (!ascii_equal_ignoring_case(key, name)) continue;
            headers.emplace_back(name, value);
            found = true;
        }
        if (!found) return std::nullopt;
    }
    return headers;
}

Outcome<> check_time(std::string_view amz_time, const net::SigningScope& scope, Time now) {
    const auto signed_at = parse_aws_time(amz_time);
    if (!signed_at) return incomplete("requires existence of a valid 'X-Amz-Date' header.");
    const auto day = amz_time.substr(0, amz_time.find('T'));
    if (scope.date != day) {
        return Failure{Fault::invalid_signature,
                       "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of "
                       "date from HTTP: '" +
                           scope.date + "' != '" + std::string(day) + "'"};
    }
    const auto text = format_aws_time(now);
    if (*signed_at < now - skew_max) {
        return Failure{Fault::invalid_signature,
                       "Signature expired: " + std::string(amz_time) + " is now earlier than " +
                           format_aws_time(now - skew_max) + " (" + text + " - 15 min.)"};
    }
    if (*signed_at > now + skew_max) {
        return Failure{Fault::invalid_signature,
                       "Signature not yet current: " + std::string(amz_time) +
                           " is still later than " + format_aws_time(now + skew_max) + " (" + text +
                           " + 15 min.)"};
    }
    return Ok{};
}

}  // namespace

std::string RequestSignatures::signing_key(const AccessKey& key, const net::SigningScope& scope) {
    const auto name = key.id + "/" + key.secret + "/" + scope.text();
    {
        const std::lock_guard lock(mutex_);
        const auto found = derived_.find(name);
        if (found != derived_.end()) return found->second;
    }
    auto derived = net::signing_key(key.secret, scope);
    const std::lock_guard lock(mutex_);
    if (derived_.size() >= derived_max) derived_.clear();
    derived_.emplace(name, derived);
    return derived;
}

Outcome<AccessKey> RequestSignatures::verify(const http::Request& request) {
    std::string key_id;
    auto verified = check(request, key_id);
    if (verified || watch_ == nullptr) return verified;
    const auto fault = verified.error().fault;
    if (fault == Fault::unrecognized_client || fault == Fault::invalid_signature) {
        const bool is_known = fault == Fault::invalid_signature;
        watch_->failed(
            http::Door::dynamodb, request.peer, key_id.substr(0, shown_id_chars_max),
            is_known ? "the signature does not match or is out of date" : "not a known access key");
    }
    return verified;
}

Outcome<AccessKey> RequestSignatures::check(const http::Request& request, std::string& key_id) {
    const auto* header = request.header("Authorization");
    if (!header) {
        return Failure{Fault::missing_authentication, "Request is missing Authentication Token"};
    }
    const auto authorization = TRY(parse(*header));
    key_id = authorization.key_id;
    const auto* amz_time = request.header("X-Amz-Date");
    if (!amz_time) return incomplete("requires existence of either a 'X-Amz-Date' header.");
    for (const auto name : required_headers) {
        if (std::ranges::find(authorization.signed_headers, name) ==
            authorization.signed_headers.end()) {
            return incomplete("has 'SignedHeaders' without " + std::string(name) + ".");
        }
    }
    TRY(check_time(*amz_time, authorization.scope, clock_.now()));
    if (authorization.scope.service != service) {
        return Failure{Fault::invalid_signature,
                       "Credential should be scoped to correct service: 'dynamodb'."};
    }
    auto key = keys_.find(authorization.key_id);
    if (!key) return table::from_storage(key.error());
    if (!*key) {
        return Failure{Fault::unrecognized_client,
                       "The security token included in the request is invalid."};
    }
    const auto headers = signed_headers(request, authorization.signed_headers);
    if (!headers) return mismatch();

    const std::string_view target = request.target;
    const auto mark = std::min(target.find('?'), target.size());
    const auto path = net::canonical_path(target.substr(0, mark), service);
    const auto query =
        net::canonical_query(mark < target.size() ? target.substr(mark + 1) : std::string_view());
    const auto body_hash = net::sha256_hex(request.body);
    const auto canonical =
        net::canonical_request({request.method, path, query, *headers, body_hash});
    const auto expected =
        net::signature(signing_key(**key, authorization.scope),
                       net::string_to_sign(*amz_time, authorization.scope, canonical));
    if (!same_text(expected, authorization.signature)) return mismatch();
    return **std::move(key);
}

}  // namespace mailroom::dynamodb
