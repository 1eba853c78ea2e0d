// Signing mail (RFC 6376), with RSA or Ed25519 (RFC 8463), relaxed/relaxed.
//
//   const auto key = TRY(PrivateKey::from_pem(pem));
//   const Signer signer{.domain = "a.example", .selector = "m1", .key = key, .time = clock.now()};
//   message.insert(0, TRY(sign(message, {&signer, 1})));
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "mime/dkim/key.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::dkim {

// The fields that say who writes what to whom, those that say how the content is to be read, and
// those that mail clients act upon.
std::vector<std::string> default_signed_headers();

enum class Oversign {
    none,
    // Each name is listed once more than it occurs, so that nobody can add another such field: a
    // second Subject, say, that a reader would be shown instead.
    all,
};

struct Signer {
    std::string domain;
    std::string selector;
    const PrivateKey& key;  // Must outlive this object.
    Time time;              // Goes into the signature.
    std::optional<std::chrono::seconds> valid_for = std::nullopt;
    std::vector<std::string> headers = default_signed_headers();  // From is signed in any case.
    Oversign oversign = Oversign::all;
};

// The DKIM-Signature fields to put in front of `message`, one for each signer, folded and each
// ended with CRLF. Some receivers know only RSA: sign with both kinds of key to use Ed25519.
// `invalid` if the message has a line that does not end with CRLF (a relay would change it, and
// the signature would break), if it begins with white space, has not exactly one From field or more
// fields than a verifier would look at, or if a signer's domain, selector or header names are not
// what they should be.
Result<std::string> sign(std::string_view message, std::span<const Signer> signers);

}  // namespace mailroom::mime::dkim
