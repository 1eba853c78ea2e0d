// The text of a part, as people would read it.
#pragma once

#include "mime/read/part.h"

#include <string>
#include <string_view>

namespace mailroom::mime {

// Decoded, in UTF-8 by its charset (that of the HTML itself when the part names none), with LF line
// ends, without NUL, `format=flowed` lines joined (RFC 3676), cut at `bytes_max`.
std::string read_part_text(const Part& part, std::size_t bytes_max, Defects& defects);

// LF for CRLF and CR; NUL left out.
std::string with_plain_line_ends(std::string text);

}  // namespace mailroom::mime
