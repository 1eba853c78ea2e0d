// The event webhook of SendGrid: a list of events, signed as a whole.
// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engagement/notifications/signatures.h"
#include "engagement/notifications/told.h"

#include <string_view>

namespace mailroom::engagement::notifications {

inline constexpr std::string_view sendgrid_signature_header =
    "X-Twilio-Email-Event-Webhook-Signature";
inline constexpr std::string_view sendgrid_timestamp_header =
    "X-Twilio-Email-Event-Webhook-Timestamp";

// When it was signed; `invalid` for what is no time.
Result<Time> read_sendgrid_time(std::string_view timestamp);
// The signature is of the timestamp and the body, in base 64.
bool is_signed_by(const PublicKey& key, std::string_view timestamp, std::string_view body,
                  std::string_view signature);

// An event that cannot be read is ignored: the others in its list would never arrive. `invalid` for
// what is no list of events, or one that is too long.
Result<Telling> read_sendgrid(std::string_view body);

}  // namespace mailroom::engagement::notifications
