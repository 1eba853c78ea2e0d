// Checking the DKIM signatures of a message (RFC 6376, 6; RFC 8463; RFC 8301).
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "mime/dkim/algorithm.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::dkim {

// Where public keys are looked up.
class KeyLookup {
public:
    virtual ~KeyLookup() = default;
    // The TXT records of `name`, the strings of each put together. `not_found` if there is none;
    // any other error is taken as passing.
    virtual Result<std::vector<std::string>> txt(const std::string& name) = 0;
};

struct Verdict {
    enum class Outcome {
        pass,
        fail,             // The message was changed, or the signature is not of this key.
        temporary_error,  // The key could not be looked up now.
        permanent_error,  // The signature or its key can never be used.
    };

    Outcome outcome = Outcome::permanent_error;
    std::string reason;    // For people; empty for a pass.
    std::string domain;    // d=, lower case. Empty if the signature could not be read that far.
    std::string selector;  // s=
    std::string identity;  // i=
    Algorithm algorithm = Algorithm::rsa_sha256;
    std::vector<std::string> signed_headers;  // h=, lower case.
    // With l= only the first bytes of the body are signed: anything may follow them.
    std::optional<std::uint64_t> body_length;
    bool body_has_unsigned_end = false;
    bool testing = false;  // The signer's key says that signatures are being tried out.
};

constexpr std::size_t signatures_checked_max =
    8;  // Each costs a lookup and a public key operation.
constexpr std::size_t signatures_listed_max = 32;

// One verdict for each signature, in the order of the message; none if it is not signed. Those past
// signatures_checked_max are permanent errors, those past signatures_listed_max are left out. The
// lines of `message` must end with CRLF. The body is read once for each way in which it is hashed.
std::vector<Verdict> verify(std::string_view message, KeyLookup& lookup, Time now);

}  // namespace mailroom::mime::dkim
