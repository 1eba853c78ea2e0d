// The TXT record that holds a signer's public key (RFC 6376, 3.6.1).
#pragma once

#include "base/result.h"
#include "mime/dkim/algorithm.h"

#include <string>
#include <string_view>

namespace mailroom::mime::dkim {

struct KeyRecord {
    Algorithm algorithm = Algorithm::rsa_sha256;
    std::string key;              // Raw bytes. Empty: the key was revoked.
    bool testing = false;         // t=y: the signer asks to treat failures as no signature.
    bool exact_identity = false;  // t=s: the domain of i= must be d= itself.
    bool allows_sha256 = true;    // h=
    bool allows_mail = true;      // s=
};

// `invalid` for a record that is no key: another version, no p=, an unknown k=, bad base 64.
Result<KeyRecord> parse_key_record(std::string_view text);

}  // namespace mailroom::mime::dkim
