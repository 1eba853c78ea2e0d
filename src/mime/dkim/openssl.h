// OpenSSL's objects with an owner. Private to this folder.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <cassert>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::mime::dkim {

struct OpensslFree {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    void operator()(BIO* bio) const { BIO_free(bio); }
};

using DigestContext = std::unique_ptr<EVP_MD_CTX, OpensslFree>;

inline const unsigned char* as_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

// SHA-256, fed piece by piece.
class Sha256 {
public:
    Sha256() : context_(EVP_MD_CTX_new()) {
        [[maybe_unused]] const int ok = EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
        assert(ok == 1);
    }
    void update(std::string_view bytes) {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    std::string finish() {
        std::string digest(32, '\0');
        EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()),
                           nullptr);
        return digest;
    }

private:
    DigestContext context_;
};

}  // namespace mailroom::mime::dkim
