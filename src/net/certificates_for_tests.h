// Certificates made on the spot, for tests of TLS.
#pragma once

#include "base/scratch_directory.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cassert>
#include <cstdio>
#include <memory>
#include <string>

namespace mailroom::net {

// PEM files in a directory that lives as long as this object.
class CertificatesForTests {
public:
    struct Pair {
        std::string certificate_file;
        std::string key_file;
    };
    enum class Issuer { authority, itself };

    CertificatesForTests() {
        authority_ = make("Test Authority", "", Issuer::itself, 365);
        save(authority_, "authority");
    }

    // The certificate that the others are signed with.
    std::string authority_file() const { return path("authority", ".pem"); }

    // For `names` such as "DNS:localhost,IP:127.0.0.1". Negative days: expired so long ago.
    Pair issue(const std::string& name, const std::string& names, Issuer issuer = Issuer::authority,
               int days = 30) {
        save(make(name, names, issuer, days), name);
        return {path(name, ".pem"), path(name, ".key")};
    }

private:
    using Key = std::shared_ptr<EVP_PKEY>;
    using Certificate = std::shared_ptr<X509>;
    struct Made {
        Key key;
        Certificate certificate;
    };

    Made make(const std::string& name, const std::string& names, Issuer issuer, int days) {
        constexpr long day_seconds = 24 * 60 * 60;
        Made made{Key(EVP_EC_gen("P-256"), EVP_PKEY_free), Certificate(X509_new(), X509_free)};
        auto* x509 = made.certificate.get();
        X509_set_version(x509, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(x509), ++serial_);
        X509_gmtime_adj(X509_getm_notBefore(x509), -400 * day_seconds);
        X509_gmtime_adj(X509_getm_notAfter(x509), days * day_seconds);
        X509_set_pubkey(x509, made.key.get());
        auto* subject = X509_get_subject_name(x509);
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
        const auto& signer = issuer == Issuer::itself ? made : authority_;
        X509_set_issuer_name(x509, X509_get_subject_name(signer.certificate.get()));
        if (names.empty()) {
            extend(x509, NID_basic_constraints, "critical,CA:TRUE");
        } else {
            extend(x509, NID_subject_alt_name, names);
        }
        X509_sign(x509, signer.key.get(), EVP_sha256());
        return made;
    }

    static void extend(X509* x509, int nid, const std::string& value) {
        X509V3_CTX context = {};
        X509V3_set_ctx(&context, x509, x509, nullptr, nullptr, 0);
        auto* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
        assert(extension != nullptr);
        X509_add_ext(x509, extension, -1);
        X509_EXTENSION_free(extension);
    }

    std::string path(const std::string& name, const char* ending) const {
        return (directory_.path() / (name + ending)).string();
    }

    void save(const Made& made, const std::string& name) const {
        auto* file = std::fopen(path(name, ".pem").c_str(), "w");
        PEM_write_X509(file, made.certificate.get());
        std::fclose(file);
        file = std::fopen(path(name, ".key").c_str(), "w");
        PEM_write_PrivateKey(file, made.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
    }

    ScratchDirectory directory_;
    long serial_ = 0;
    Made authority_;
};

}  // namespace mailroom::net
