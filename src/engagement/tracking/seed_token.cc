#include "engagement/tracking/seed_token.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/time_format.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cassert>

namespace mailroom::engagement {

namespace {

constexpr std::size_t token_chars_max = 2000;
constexpr std::ptrdiff_t separators = 3;

std::string signature_of(std::string_view secret, std::string_view payload) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int bytes = 0;
    [[maybe_unused]] const auto* made = HMAC(
        EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
        reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), digest, &bytes);
    assert(made != nullptr);
    return hex_encode({reinterpret_cast<const char*>(digest), bytes});
}

bool is_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// What stands behind the last separator, which goes with it.
std::string_view take_last(std::string_view& text) {
    const auto at = text.rfind('|');
    const auto last = text.substr(at + 1);
    text = text.substr(0, at);
    return last;
}

}  // namespace

std::string_view text_of(SeedFault fault) {
    switch (fault) {
        case SeedFault::none_of_ours:
            return "invalid token format";
        case SeedFault::malformed:
            return "malformed token";
        case SeedFault::wrong_signature:
            return "invalid signature";
        case SeedFault::expired:
            break;
    }
    return "token expired";
}

std::string make_seed_token(std::string_view secret, std::string_view address, Time now) {
    std::string payload(address);
    payload += "|" + format_rfc3339(now) + "|" + format_rfc3339(now + seed_token_holds);
    return base64url_encode(payload + "|" + signature_of(secret, payload));
}

Result<std::string, SeedTokenError> read_seed_token(const std::vector<std::string>& secrets,
                                                    std::string_view token, Time now) {
    if (token.size() > token_chars_max) return SeedTokenError{SeedFault::none_of_ours};
    while (token.ends_with('=')) token.remove_suffix(1);
    const auto text = base64url_decode(token);
    if (!text) return SeedTokenError{SeedFault::none_of_ours};
    const auto count = std::ranges::count(*text, '|');
    if (count < separators) return SeedTokenError{SeedFault::malformed};
    std::string_view payload = *text;
    const auto signature = take_last(payload);
    const bool is_signed = std::ranges::any_of(secrets, [&](const auto& secret) {
        return !secret.empty() && is_same(signature, signature_of(secret, payload));
    });
    // An address may have a separator of its own: then only the signature tells.
    const auto fault = count == separators ? SeedFault::wrong_signature : SeedFault::malformed;
    if (!is_signed) return SeedTokenError{fault};
    const auto expiry = parse_rfc3339(take_last(payload));
    take_last(payload);  // When it was sent.
    if (!expiry || payload.empty()) return SeedTokenError{SeedFault::none_of_ours};
    if (*expiry < now) return SeedTokenError{SeedFault::expired};
    return std::string(payload);
}

}  // namespace mailroom::engagement
