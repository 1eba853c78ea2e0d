// How DKIM signatures are made.
#pragma once

#include <string_view>

namespace mailroom::mime::dkim {

enum class Algorithm {
    rsa_sha256,      // RFC 6376
    ed25519_sha256,  // RFC 8463
};

// As in the a= tag.
constexpr std::string_view algorithm_name(Algorithm algorithm) {
    return algorithm == Algorithm::rsa_sha256 ? "rsa-sha256" : "ed25519-sha256";
}

}  // namespace mailroom::mime::dkim
