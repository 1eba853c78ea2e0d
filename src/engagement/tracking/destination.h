// Where a link in a mail leads: an address as mails have it, made fit for a Location header.
#pragma once

#include "outbox/mail/engagement.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::engagement {

// The same address in ASCII, with nothing that could break a header: what stands in the way is
// percent-encoded, a host in another script gets its ASCII form, tabs and line ends go, as in
// browsers. Query and fragment are kept. None for what does not lead to a page: another scheme,
// no host, or one that is none.
std::optional<std::string> web_address(std::string_view address);

// With those of the names utm_… that the query does not have yet. `address` as above.
std::string with_utm(std::string address, const outbox::Utm& utm);

}  // namespace mailroom::engagement
