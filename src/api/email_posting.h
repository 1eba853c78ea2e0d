// Mails that are posted: from JSON, or finished messages.
#pragma once

#include "api/idempotency.h"
#include "api/routes.h"
#include "outbox/outbox.h"

#include <optional>
#include <string>

namespace mailroom::api {

constexpr std::size_t batch_mails_max = 100;

// The body is one mail, a list of mails, or {"emails":[…]}. Where `idempotency_value` is given,
// mails without an id get one that follows from it: the same request makes the same mails.
//   202 {"id","state"} for one; {"results":[{"id","state"} | {"error":{…},"index"}]} for a list of
//       which at least one was accepted
//   400 for bad input: of a list, nothing is accepted when anything is wrong with the input
//   409, 429, 503 when nothing was accepted
Response post_emails(const Call& call, outbox::Outbox& outbox, Time now,
                     const std::optional<std::string>& idempotency_value);

// The same without waiting for the disk, for one mail: `later` is told when it is durable. For
// lists it must wait, and so it must where the mail is there already, or a request that has one
// effect was made before or is refused.
Router::Start post_email_later(const Call& call, outbox::Outbox& outbox, Time now,
                               const std::optional<Once>& once, const Router::Later& later);

// The body is a message (message/rfc822); ?from=&to=&to=…&stream= say more than it does.
Response post_raw_email(const Call& call, outbox::Outbox& outbox,
                        const std::optional<std::string>& idempotency_value);
Router::Start post_raw_email_later(const Call& call, outbox::Outbox& outbox,
                                   const std::optional<Once>& once, const Router::Later& later);

}  // namespace mailroom::api
