// Content-Transfer-Encoding (RFC 2045, section 6), read as it arrives: errors are passed over and
// reported, never fatal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace mailroom::mime {

enum class TransferEncoding { identity, base64, quoted_printable, uuencode, unknown };

// The value of the header. 7bit, 8bit and binary are all `identity`.
TransferEncoding parse_transfer_encoding(std::string_view text);

struct Decoded {
    std::string bytes;
    bool has_errors = false;
};

// `unknown` is taken as it is.
Decoded decode_transfer(std::string_view encoded, TransferEncoding encoding);

// The same in pieces, so that a big base 64 part needs no memory of its size. A piece is
// valid during the call only. Returns false if there were errors.
bool decode_transfer_in_pieces(std::string_view encoded, TransferEncoding encoding,
                               const std::function<void(std::string_view)>& take);

}  // namespace mailroom::mime
