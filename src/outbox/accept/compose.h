// From a request to the bytes of a message.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "liquid/time_zone.h"
#include "outbox/accept/request.h"
#include "outbox/accept/tailor.h"
#include "outbox/accept/template_cache.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct Composed {
    std::string message;                  // CRLF lines.
    std::string sender;                   // Of the envelope: the address of From.
    std::vector<std::string> recipients;  // Of to, cc and bcc, each once.
    std::string message_id;               // With its brackets.
    std::string subject;                  // As it stands in the message.
};

// What was fetched: one for each attachment, in the order of the request's. Those that are in the
// request itself are not looked at, so without any other this may be empty.
using Contents = std::vector<std::string>;

// Whom a message is made for; without a tailor it is made for nobody in particular.
struct Fitting {
    Tailor* tailor = nullptr;
    std::string mail_id = {};
};

// `BadField` names what cannot be sent: a template that fails (with line and column), a header that
// would break the message. `date` goes into the message. `templates` may be none.
Result<Composed, BadField> compose(const Request& request, const Contents& contents,
                                   const Clock& clock, Random& random,
                                   const liquid::TimeZones& time_zones, Time date,
                                   TemplateCache* templates = nullptr, const Fitting& fitting = {});

// A media type for a file name by its ending; empty if that says nothing.
std::string_view media_type_of(std::string_view filename);

constexpr std::size_t raw_bytes_max = 40 * 1024 * 1024;  // What mime::build() makes at most.

// A finished message (message/rfc822) made ready to go: Bcc is taken out; Date and Message-ID are
// added when they are missing; lone line ends become CRLF. Nothing else is touched, so signatures
// stay good. Recipients are those given, or those of the message's To, Cc and Bcc. `BadField` if it
// has no From, no recipient or is no message.
struct RawMail {
    std::string sender;  // Of the envelope; empty: the address of From.
    std::vector<std::string> recipients;
    std::string message;
};
// Why adopt() would refuse such a sender or recipient: "must be an e-mail address …". None if it
// would not.
std::optional<std::string> address_problem(std::string_view address);
Result<Composed, BadField> adopt(RawMail raw, const Clock& clock, Random& random);

}  // namespace mailroom::outbox
