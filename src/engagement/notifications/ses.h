// What Amazon SES tells of a mail, in the message of an SNS notification: as event publishing of a
// configuration set writes it ("eventType") and as notifications of an identity do
// ("notificationType"). A bounce that is told in both ways is one happening.
#pragma once

#include "base/result.h"
#include "engagement/notifications/told.h"

#include <string_view>

namespace mailroom::engagement::notifications {

// `invalid` for what is none of its JSON, or tells of one of our happenings without whom or when.
Result<Telling> read_ses(std::string_view message);

}  // namespace mailroom::engagement::notifications
