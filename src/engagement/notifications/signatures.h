// Whether a notification is from whom it says: the signatures of the providers.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace mailroom::engagement::notifications {

// In a time that says nothing of where they differ.
bool same_secret(std::string_view a, std::string_view b);

// HMAC-SHA256 in hexadecimal digits, lower case.
std::string hmac_sha256_hex(std::string_view key, std::string_view text);

enum class Digest { sha1, sha256 };

// Immutable.
class PublicKey {
public:
    // Of a certificate in PEM that is valid at `now`. `invalid` for anything else, and for a key
    // that is too weak to say anything.
    static Result<PublicKey> of_certificate(std::string_view pem, Time now);
    // Base 64 of a SubjectPublicKeyInfo, as SendGrid shows it, with the lines of PEM or without.
    static Result<PublicKey> of_base64(std::string_view text);

    // Whether `signature` is one of `text`: RSA in PKCS #1 v1.5, or ECDSA in DER.
    bool verifies(std::string_view text, std::string_view signature, Digest digest) const;

private:
    explicit PublicKey(evp_pkey_st* owned);
    std::shared_ptr<evp_pkey_st> key_;  // Shared because keys are copied and kept by whoever asks.
};

// How old a notification may be, and how far our clocks may differ.
bool is_within(Time at, Time now, std::chrono::seconds age_max);

}  // namespace mailroom::engagement::notifications
