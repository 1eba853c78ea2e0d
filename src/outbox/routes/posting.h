// Mails that are posted: from JSON, or finished messages.
#pragma once

#include "base/clock.h"
#include "outbox/accept/outbox.h"
#include "program/route.h"

#include <cstddef>

namespace mailroom::outbox {

constexpr std::size_t batch_mails_max = 100;

// The body is one mail, a list of mails, or {"emails":[…]}. Where the actor has a word for the
// request that is to have one effect, mails without an id get one that follows from it: the same
// request makes the same mails.
//   202 {"id","state"} for one; {"results":[{"id","state"} | {"error":{…},"index"}]} for a list of
//       which at least one was accepted
//   400 for bad input, of which all is named: of a list, nothing is accepted when anything is wrong
//   409, 429, 503 when nothing was accepted
program::Rendered post_mails(const program::Asked& asked, Outbox& outbox, Time now);

// The same without waiting for the disk, for one mail: `later` is told when it is durable. For
// lists it must wait, and so it must where the mail is there already, or a request that has one
// effect was made before or is refused.
program::Start post_mail_later(const program::Asked& asked, Outbox& outbox, Time now,
                               const program::Keep& keep, const program::Later& later);

// The body is a message (message/rfc822); ?from=&to=&to=…&stream= say more than it does.
program::Rendered post_message(const program::Asked& asked, Outbox& outbox);
program::Start post_message_later(const program::Asked& asked, Outbox& outbox,
                                  const program::Keep& keep, const program::Later& later);

}  // namespace mailroom::outbox
