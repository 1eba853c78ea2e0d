// What the transports that speak SMTP share.
#pragma once

#include "base/result.h"
#include "outbox/transports/transport.h"
#include "smtp/client.h"

#include <memory>
#include <string>
#include <vector>

namespace mailroom::outbox {

// A refusal in our own words: for good if it is `invalid`, for now otherwise.
smtp::Verdict verdict_of(const Error& error);
smtp::Delivery refuse_all(const std::vector<std::string>& recipients, const smtp::Verdict& verdict);
smtp::Delivery refuse_all(const std::vector<std::string>& recipients, const Error& error);

// As Client::send(), and what that does not take is refused through `done` too.
void hand_over(smtp::Client& client, std::shared_ptr<const smtp::Target> target, Outgoing mail,
               Transport::Done done);

}  // namespace mailroom::outbox
