// Webhooks of Mailgun: what they tell, and whether Mailgun signed it.
// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engagement/notifications/told.h"

#include <string>
#include <string_view>

namespace mailroom::engagement::notifications {

// What is signed: nothing of what is told, so a token is good once.
struct MailgunSignature {
    Time at;
    std::string timestamp, token, signature;
};

// `invalid` for what has none.
Result<MailgunSignature> read_mailgun_signature(std::string_view body);
bool is_signed_by(const MailgunSignature& signature, std::string_view key);

// `invalid` for what is no webhook of theirs, or tells of a happening without whom or when.
Result<Telling> read_mailgun(std::string_view body);

}  // namespace mailroom::engagement::notifications
