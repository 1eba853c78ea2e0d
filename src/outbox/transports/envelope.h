// Addresses as they stand on the envelope: in MAIL FROM and RCPT TO.
#pragma once

#include "mime/address.h"

#include <string>
#include <string_view>

namespace mailroom::outbox {

// Whether a server can be found for it: a name with a dot, not a literal such as [192.0.2.1].
bool has_domain_name(const mime::Mailbox& mailbox);

// `local@domain`, the domain in ASCII if the local part is, so that every server takes it.
std::string envelope_address(const mime::Mailbox& mailbox);

// Whether the server must take a header that is not ASCII (RFC 6531).
bool has_utf8_header(std::string_view message);

}  // namespace mailroom::outbox
