// A message in 7 bits, for servers that take no others.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

bool is_seven_bit(std::string_view bytes);

// The same message for its readers, in ASCII: bodies as quoted-printable or base 64, in multiparts
// and in messages within the message too; texts in header fields as encoded words. Best done before
// signing (RFC 6376, 5.3), so that nobody on the way has to.
//
// What must not or cannot be changed stays as it is, in 8 bits: a message that has a DKIM
// signature, the parts of a multipart/signed, addresses whose local part is not ASCII, fields that
// have no place for encoded words, and what cannot be understood. Linear time.
std::string to_seven_bit(std::string message);

}  // namespace mailroom::mime
