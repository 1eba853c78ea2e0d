#include "engagement/notifications/signatures.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/text.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cassert>

namespace mailroom::engagement::notifications {

namespace {

using namespace std::chrono_literals;

constexpr auto clock_difference_max = 15min;
constexpr int rsa_bits_min = 2048;
constexpr int curve_bits_min = 256;

const unsigned char* as_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

bool is_strong(EVP_PKEY* key) {
    const int bits = EVP_PKEY_get_bits(key);
    switch (EVP_PKEY_get_base_id(key)) {
        case EVP_PKEY_RSA:
            return bits >= rsa_bits_min;
        case EVP_PKEY_EC:
            return bits >= curve_bits_min;
        default:
            return false;
    }
}

// Without the lines around it and the ends of lines.
std::string bare_base64(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = trim(text.substr(0, end));
        if (!line.starts_with("-----")) out += line;
        text = end == text.npos ? "" : text.substr(end + 1);
    }
    return out;
}

bool is_valid_at(const X509* certificate, Time now) {
    auto seconds = static_cast<time_t>(to_unix_seconds(now));
    return X509_cmp_time(X509_get0_notBefore(certificate), &seconds) < 0 &&
           X509_cmp_time(X509_get0_notAfter(certificate), &seconds) > 0;
}

}  // namespace

bool same_secret(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    [[maybe_unused]] const auto* made = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                                             as_bytes(text), text.size(), digest, &length);
    assert(made != nullptr);
    return hex_encode({reinterpret_cast<const char*>(digest), length});
}

PublicKey::PublicKey(evp_pkey_st* owned) : key_(owned, EVP_PKEY_free) {}

Result<PublicKey> PublicKey::of_certificate(std::string_view pem, Time now) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
        BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
        PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free);
    ERR_clear_error();
    if (!certificate) return Error{Errc::invalid, "there is no certificate"};
    if (!is_valid_at(certificate.get(), now)) {
        return Error{Errc::invalid, "the certificate is not valid now"};
    }
    auto* key = X509_get_pubkey(certificate.get());
    if (key == nullptr) return Error{Errc::invalid, "the certificate has no key"};
    PublicKey found(key);
    if (!is_strong(key)) return Error{Errc::invalid, "the certificate's key is too weak"};
    return found;
}

Result<PublicKey> PublicKey::of_base64(std::string_view text) {
    const auto der = base64_decode(bare_base64(text));
    if (!der) return Error{Errc::invalid, "the public key is no base 64"};
    const auto* at = as_bytes(*der);
    auto* key = d2i_PUBKEY(nullptr, &at, static_cast<long>(der->size()));
    ERR_clear_error();
    if (key == nullptr) return Error{Errc::invalid, "the public key cannot be read"};
    PublicKey found(key);
    if (!is_strong(key)) return Error{Errc::invalid, "the public key is too weak"};
    return found;
}

bool PublicKey::verifies(std::string_view text, std::string_view signature, Digest digest) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    const auto* type = digest == Digest::sha1 ? EVP_sha1() : EVP_sha256();
    const bool begun = EVP_DigestVerifyInit(context.get(), nullptr, type, nullptr, key_.get()) == 1;
    const bool good = begun && EVP_DigestVerify(context.get(), as_bytes(signature),
                                                signature.size(), as_bytes(text), text.size()) == 1;
    ERR_clear_error();
    return good;
}

bool is_within(Time at, Time now, std::chrono::seconds age_max) {
    return at <= now + clock_difference_max && at >= now - age_max;
}

}  // namespace mailroom::engagement::notifications
