// What whoever asked for a mail is told when it was not accepted, at whichever door.
#pragma once

#include "base/refusal.h"
#include "outbox/accept/outbox.h"

#include <string>

namespace mailroom::outbox {

// `prefix` is that of the mail's fields: "emails[3]." of one in a list.
mailroom::Refusal told(const Refusal& refusal, const std::string& prefix = "");

}  // namespace mailroom::outbox
