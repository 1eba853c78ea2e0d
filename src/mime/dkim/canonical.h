// The canonical forms of RFC 6376, 3.4. Private to this folder.
#pragma once

#include "mime/dkim/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime::dkim {

enum class Canonicalisation { simple, relaxed };

// Adds the canonical field to `out`, without a CRLF at the end.
void append_canonical(std::string& out, const HeaderField& field, Canonicalisation form);

struct BodyHash {
    std::string sha256;              // Raw bytes.
    std::uint64_t hashed_bytes = 0;  // Of the canonical body.
    std::uint64_t body_bytes = 0;    // Of the whole canonical body.
};

// Hashes the canonical body without making a copy of it, or its first `length` bytes.
BodyHash hash_body(std::string_view body, Canonicalisation form,
                   std::optional<std::uint64_t> length = std::nullopt);

}  // namespace mailroom::mime::dkim
