// Webhooks of Postmark: https://postmarkapp.com/developer/webhooks/webhooks-overview. They are not
// signed; who sends them knows a password.
#pragma once

#include "base/result.h"
#include "engagement/notifications/told.h"

#include <string>
#include <string_view>

namespace mailroom::engagement::notifications {

// Whether an Authorization header (RFC 7617) names that user and that password.
bool is_basic_login(std::string_view header, std::string_view user, std::string_view password);

// `invalid` for what is no webhook of theirs, or tells of a happening without whom or when.
Result<Telling> read_postmark(std::string_view body);

}  // namespace mailroom::engagement::notifications
