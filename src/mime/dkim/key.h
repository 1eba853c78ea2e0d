// The keys of DKIM.
#pragma once

#include "base/result.h"
#include "mime/dkim/algorithm.h"

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace mailroom::mime::dkim {

struct KeyFree {
    void operator()(evp_pkey_st* key) const;
};
using KeyHandle = std::unique_ptr<evp_pkey_st, KeyFree>;

constexpr int signing_rsa_bits_min = 2048;
constexpr int verifying_rsa_bits_min = 1024;  // RFC 8301, 3.2.
constexpr int rsa_bits_max = 8192;            // What a signature may cost us to check.

// Signs mail. Immutable; may be used from several threads at once.
class PrivateKey {
public:
    // An RSA key of at least 2048 bits, or an Ed25519 key, not encrypted. `invalid` otherwise; the
    // message never holds any of the key.
    static Result<PrivateKey> from_pem(std::string_view pem);

    Algorithm algorithm() const { return algorithm_; }

    // What to publish as TXT record of SELECTOR._domainkey.DOMAIN.
    std::string record() const;

    // The signature over `data`, as raw bytes. `unavailable` if OpenSSL fails.
    Result<std::string> sign(std::string_view data) const;

private:
    PrivateKey(KeyHandle handle, Algorithm algorithm)
        : handle_(std::move(handle)), algorithm_(algorithm) {}

    KeyHandle handle_;
    Algorithm algorithm_;
};

// Checks signatures.
class PublicKey {
public:
    // The decoded p= tag of a key record: for RSA a SubjectPublicKeyInfo or an RSAPublicKey, for
    // Ed25519 its 32 bytes. `invalid` for anything else, and for RSA keys that are too short or too
    // long.
    static Result<PublicKey> from_bytes(Algorithm algorithm, std::string_view bytes);

    bool verifies(std::string_view data, std::string_view signature) const;

private:
    PublicKey(KeyHandle handle, Algorithm algorithm)
        : handle_(std::move(handle)), algorithm_(algorithm) {}

    KeyHandle handle_;
    Algorithm algorithm_;
};

}  // namespace mailroom::mime::dkim
