// Builds the bytes of a message (RFC 5322, RFC 2045 to 2049, RFC 2047, RFC 2231).
//
//   Message message{.from = {TRY(parse_address("Ann <ann@example.com>"))}, …};
//   const std::string bytes = TRY(build(message));
#pragma once

#include "base/result.h"
#include "mime/build/message.h"

#include <cstddef>
#include <string>

namespace mailroom::mime {

enum class BodyBytes {
    seven_bit,  // Passes every server.
    eight_bit,  // UTF-8 texts as they are, for servers that announce 8BITMIME.
};

struct BuildOptions {
    BodyBytes body_bytes = BodyBytes::seven_bit;
    std::size_t message_bytes_max = 40 * 1024 * 1024;  // Few servers take more than 25 MB.
};

constexpr std::size_t message_recipients_max =
    1000;  // In all; servers must take 100 (RFC 5321, 4.5.3.1.8).
constexpr std::size_t custom_headers_max = 100;
constexpr std::size_t header_value_bytes_max = 16 * 1024;
constexpr std::size_t header_name_bytes_max = 76;  // So that a first word can stand beside it.
constexpr std::size_t filename_bytes_max = 255;    // As file systems have it.
constexpr std::size_t body_parts_max = 500;        // Images and attachments.

// The message with CRLF line ends, no line longer than 998 bytes and, unless asked for, no byte
// above 0x7F, except in addresses that need SMTPUTF8. The same message gives the same bytes.
//
// text and HTML become multipart/alternative, images stand with the HTML in multipart/related,
// attachments around all in multipart/mixed. A text is made from the HTML when none is given. A
// message/rfc822 attachment that is not plain ASCII lines goes as application/octet-stream, because
// it may not be encoded (RFC 2046, 5.2.1).
//
// `invalid`, with a message that begins with the name of the member (`to[2]`, `headers[0]`), for
// what cannot be sent: CR, LF or NUL in any header, an address that parse_address() would refuse, a
// custom header that this writes itself or that only servers write, and what is beyond a limit.
Result<std::string> build(const Message& message, const BuildOptions& options = {});

}  // namespace mailroom::mime
