// Content transfer encodings (RFC 2045, 6), written for speed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime {

enum class BodyEncoding { seven_bit, eight_bit, quoted_printable, base64 };

// As in Content-Transfer-Encoding.
std::string_view name_of(BodyEncoding encoding);

// The first of 7bit, 8bit (if `allows_eight_bit`) and the smaller of quoted-printable and base64
// that `text` can travel in. A line that begins with `From ` is encoded, or mail folders change it.
enum class EightBit { refuse, allow };
BodyEncoding encoding_for_text(std::string_view text, EightBit eight_bit);

// Texts: any line end becomes CRLF, and what is written ends in one. 7bit and 8bit must fit.
void append_text(std::string& out, std::string_view text, BodyEncoding encoding);

// Lines of 76 characters, each ended by CRLF.
void append_base64_lines(std::string& out, std::string_view bytes);

}  // namespace mailroom::mime
