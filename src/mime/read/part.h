// The structure of a mail: its parts, as views into its bytes.
#pragma once

#include "mime/parameters.h"
#include "mime/read/headers.h"
#include "mime/read/limits.h"
#include "mime/read/transfer_encoding.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

// Views into the bytes that were read, which must outlive it.
struct Part {
    Headers headers;
    // Content-Type; `text/plain` (`message/rfc822` in a digest) when it is missing or useless.
    ParameterizedValue type;
    ParameterizedValue disposition;  // Its value is empty when there is none.
    TransferEncoding encoding = TransferEncoding::identity;
    std::string_view body;       // Still encoded. Of a multipart: all of it, with its boundaries.
    std::vector<Part> children;  // Of a multipart that was opened.

    bool is_multipart() const { return type.value.starts_with("multipart/"); }
    bool is(std::string_view media_type) const { return type.value == media_type; }
    // The body without its transfer encoding.
    std::string decoded() const { return decode_transfer(body, encoding).bytes; }
};

// Never fails; linear time. Messages inside the mail (message/rfc822) are leaves.
Part read_structure(std::string_view bytes, const ReadLimits& limits, Defects& defects);

}  // namespace mailroom::mime
