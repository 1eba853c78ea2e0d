// A DKIM-Signature field, understood. Private to this folder.
#pragma once

#include "base/result.h"
#include "mime/dkim/algorithm.h"
#include "mime/dkim/canonical.h"
#include "mime/dkim/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::dkim {

struct Signature {
    Algorithm algorithm = Algorithm::rsa_sha256;
    Canonicalisation header_form = Canonicalisation::simple;
    Canonicalisation body_form = Canonicalisation::simple;
    std::string domain;                // d=, lower case.
    std::string selector;              // s=
    std::string identity;              // i=, or @ and d=.
    std::vector<std::string> headers;  // h=, lower case.
    std::optional<std::uint64_t> body_length;
    std::optional<std::int64_t> signed_at;   // Seconds since 1970.
    std::optional<std::int64_t> expires_at;  // The same.
    std::string body_hash;                   // Raw bytes.
    std::string signature;                   // Raw bytes.
    std::string unsigned_value;              // The field's value with an empty b= tag.
};

constexpr std::size_t signature_bytes_max = 32 * 1024;  // All of the field.
constexpr std::size_t signed_headers_max = 500;

// Fills `signature` as far as it gets, so that a refusal can say whose signature it was. `invalid`
// for everything that RFC 6376, 6.1.1 calls a permanent error, and for rsa-sha1 (RFC 8301).
Result<> parse_signature(const HeaderField& field, Signature& signature);

}  // namespace mailroom::mime::dkim
