#include "mime/dkim/key.h"

#include "base/base64.h"
#include "mime/dkim/openssl.h"

#include <openssl/pem.h>
#include <openssl/x509.h>

namespace mailroom::mime::dkim {
namespace {

constexpr std::size_t pem_bytes_max = 64 * 1024;  // An RSA key of 8192 bits has 7 KB.

// Without it OpenSSL would ask for a password on the terminal.
int no_password(char*, int, int, void*) { return -1; }

// RFC 8463, 3: Ed25519 signs the SHA-256 hash of the data.
std::string sha256(std::string_view data) {
    Sha256 hash;
    hash.update(data);
    return hash.finish();
}

const EVP_MD* digest_of(Algorithm algorithm) {
    return algorithm == Algorithm::rsa_sha256 ? EVP_sha256() : nullptr;
}

std::string public_bytes(EVP_PKEY* key, Algorithm algorithm) {
    if (algorithm == Algorithm::ed25519_sha256) {
        std::string raw(32, '\0');
        auto size = raw.size();
        EVP_PKEY_get_raw_public_key(key, reinterpret_cast<unsigned char*>(raw.data()), &size);
        return raw;
    }
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(key, &der);
    if (size <= 0) return {};
    std::string bytes(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return bytes;
}

KeyHandle read_rsa(std::string_view bytes) {
    const auto size = static_cast<long>(bytes.size());
    const auto* at = as_bytes(bytes);
    KeyHandle key(d2i_PUBKEY(nullptr, &at, size));
    if (!key) {
        at = as_bytes(bytes);
        key.reset(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, size));
    }
    ERR_clear_error();
    if (key && EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) key.reset();
    return key;
}

}  // namespace

void KeyFree::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

Result<PrivateKey> PrivateKey::from_pem(std::string_view pem) {
    if (pem.size() > pem_bytes_max) return Error{Errc::invalid, "the DKIM key is too long"};
    const std::unique_ptr<BIO, OpensslFree> bio(
        BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    KeyHandle key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
    ERR_clear_error();
    if (!key) return Error{Errc::invalid, "the DKIM key is not an unencrypted PEM private key"};
    const int kind = EVP_PKEY_get_base_id(key.get());
    if (kind == EVP_PKEY_ED25519) return PrivateKey(std::move(key), Algorithm::ed25519_sha256);
    if (kind != EVP_PKEY_RSA) return Error{Errc::invalid, "a DKIM key must be RSA or Ed25519"};
    const int bits = EVP_PKEY_get_bits(key.get());
    if (bits < signing_rsa_bits_min || bits > rsa_bits_max) {
        return Error{Errc::invalid, "an RSA key for DKIM must have 2048 to 8192 bits, not " +
                                        std::to_string(bits)};
    }
    return PrivateKey(std::move(key), Algorithm::rsa_sha256);
}

std::string PrivateKey::record() const {
    const bool rsa = algorithm_ == Algorithm::rsa_sha256;
    return std::string("v=DKIM1; k=") + (rsa ? "rsa" : "ed25519") +
           "; p=" + base64_encode(public_bytes(handle_.get(), algorithm_));
}

Result<std::string> PrivateKey::sign(std::string_view data) const {
    const bool rsa = algorithm_ == Algorithm::rsa_sha256;
    const std::string signed_data = rsa ? std::string() : sha256(data);
    const std::string_view input = rsa ? data : std::string_view(signed_data);

    const DigestContext context(EVP_MD_CTX_new());
    std::string signature(static_cast<std::size_t>(EVP_PKEY_get_size(handle_.get())), '\0');
    auto size = signature.size();
    const bool ok =
        EVP_DigestSignInit(context.get(), nullptr, digest_of(algorithm_), nullptr, handle_.get()) ==
            1 &&
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                       as_bytes(input), input.size()) == 1;
    ERR_clear_error();
    if (!ok) return Error{Errc::unavailable, "OpenSSL could not sign"};
    signature.resize(size);
    return signature;
}

Result<PublicKey> PublicKey::from_bytes(Algorithm algorithm, std::string_view bytes) {
    if (algorithm == Algorithm::ed25519_sha256) {
        KeyHandle key(
            EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, as_bytes(bytes), bytes.size()));
        ERR_clear_error();
        if (!key) return Error{Errc::invalid, "the key is not an Ed25519 key"};
        return PublicKey(std::move(key), algorithm);
    }
    auto key = read_rsa(bytes);
    if (!key) return Error{Errc::invalid, "the key is not an RSA key"};
    const int bits = EVP_PKEY_get_bits(key.get());
    if (bits < verifying_rsa_bits_min) return Error{Errc::invalid, "the RSA key is too short"};
    if (bits > rsa_bits_max) return Error{Errc::invalid, "the RSA key is too long"};
    return PublicKey(std::move(key), algorithm);
}

bool PublicKey::verifies(std::string_view data, std::string_view signature) const {
    const bool rsa = algorithm_ == Algorithm::rsa_sha256;
    const std::string signed_data = rsa ? std::string() : sha256(data);
    const std::string_view input = rsa ? data : std::string_view(signed_data);

    const DigestContext context(EVP_MD_CTX_new());
    const bool ok = EVP_DigestVerifyInit(context.get(), nullptr, digest_of(algorithm_), nullptr,
                                         handle_.get()) == 1 &&
                    EVP_DigestVerify(context.get(), as_bytes(signature), signature.size(),
                                     as_bytes(input), input.size()) == 1;
    ERR_clear_error();
    return ok;
}

}  // namespace mailroom::mime::dkim
