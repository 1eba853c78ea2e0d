// What reading may find wrong with a mail, as the `kind` of a Defect. Those of header text and
// addresses are told in header_text.h and address.h.
#pragma once

#include "mime/defect.h"

#include <algorithm>
#include <string_view>

namespace mailroom::mime::defect {

using Kind = std::string_view;

inline constexpr Kind mbox_line = "mbox-line";  // A mail folder's `From ` line before the headers.
inline constexpr Kind bare_cr = "bare-cr";      // Lines end in CR only.
inline constexpr Kind nul_byte = "nul-byte";    // In a header or a text; left out.
inline constexpr Kind malformed_header = "malformed-header";    // No name; passed over.
inline constexpr Kind missing_separator = "missing-separator";  // No empty line before the body.
inline constexpr Kind too_many_headers = "too-many-headers";    // The rest was passed over.
inline constexpr Kind header_too_long = "header-too-long";      // Cut at the limit.
inline constexpr Kind duplicate_header = "duplicate-header";    // The first one counts.
inline constexpr Kind missing_from = "missing-from";            // No address in From.
inline constexpr Kind bad_date = "bad-date";                    // Date cannot be read.
inline constexpr Kind bad_message_id = "bad-message-id";        // Message-ID holds none.
inline constexpr Kind bad_content_type = "bad-content-type";    // Read as text/plain.
inline constexpr Kind missing_boundary = "missing-boundary";    // Guessed, or read as text.
inline constexpr Kind missing_final_boundary = "missing-final-boundary";  // A multipart just stops.
inline constexpr Kind part_after_end = "part-after-end";  // Below a multipart's close; passed over.
inline constexpr Kind too_deep = "too-deep";              // Multiparts past the limit stay closed.
inline constexpr Kind too_many_parts = "too-many-parts";  // The rest was passed over.
inline constexpr Kind unknown_encoding = "unknown-encoding";  // Taken as it is.
inline constexpr Kind bad_encoding = "bad-encoding";          // Decoded as far as possible.
inline constexpr Kind unknown_charset = "unknown-charset";    // Read as UTF-8 or windows-1252.
inline constexpr Kind wrong_charset = "wrong-charset";  // The bytes are not what the label says.
inline constexpr Kind text_too_long = "text-too-long";  // Cut at the limit.
inline constexpr Kind bad_tnef = "bad-tnef";  // A winmail.dat that does not open; kept as it is.

inline bool has(const Defects& defects, Kind kind) {
    return std::ranges::any_of(defects, [&](const Defect& d) { return d.kind == kind; });
}

// Only the first of its kind.
inline void add_once(Defects& defects, Kind kind, std::string_view detail) {
    if (!has(defects, kind)) add_defect(defects, kind, detail);
}

}  // namespace mailroom::mime::defect
