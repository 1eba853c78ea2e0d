// The subject of a conversation: what is left when mail programs' `Re:` and `Fwd:` are taken away.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

struct CleanSubject {
    std::string text;         // Trimmed; empty when there was nothing but prefixes.
    bool is_reply = false;    // There was a `Re:`, `AW:`, `SV:` …
    bool is_forward = false;  // There was a `Fwd:`, `WG:`, `TR:` …
};

// Takes away any number of leading prefixes of the common mail programs and languages, in any
// case, also counted (`Re[2]:`, `Re(2):`, `Re^2:`), with spaces or a fullwidth colon after them.
// `decoded` is UTF-8, as decode_header_text() gives it.
CleanSubject clean_subject(std::string_view decoded);

}  // namespace mailroom::mime
