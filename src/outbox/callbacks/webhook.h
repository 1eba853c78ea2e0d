// The words of a callback: what is told, and how it is signed (Standard Webhooks).
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/headers.h"
#include "outbox/mail/mail.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// The key of "whsec_" and base64, or the text itself. `invalid` if it is shorter than 24 bytes, as
// a guess could find it, or the base64 is none.
Result<std::string> parse_webhook_secret(std::string_view text);

// "v1," and the base64 of HMAC-SHA256 over id "." timestamp "." body. `timestamp` is Unix seconds.
std::string webhook_signature(std::string_view secret, std::string_view id,
                              std::string_view timestamp, std::string_view body);

// What is posted with a body: as JSON, signed with each of the keys; not at all if there are none.
net::Headers webhook_headers(const std::vector<std::string>& keys, std::string_view id, Time now,
                             std::string_view body);

// What to do about a URL that the guard refuses.
inline constexpr std::string_view allow_hint =
    "the operator can allow private addresses with the setting net.allow";

// What a mail's request says about its callback.
struct CallbackWishes {
    std::optional<std::string> url;
    std::string tags = "[]";  // JSON texts.
    std::string metadata = "{}";
};
// `invalid` if it is no JSON object. Members of a wrong type are as if they were not there.
Result<CallbackWishes> read_callback_wishes(std::string_view payload);

// The state that a callback is about: SENT, FAILED or INVALID. None for other states.
std::optional<State> told_state(State state);

// The same for each attempt to tell the same thing, and different when a mail that failed is sent
// again and settles anew.
std::string webhook_id(const Mail& mail, Time reached);

// See callbacks.h for its members. `mail` is in a state that there is a callback about.
std::string webhook_body(const Mail& mail, Time reached, const CallbackWishes& wishes);

}  // namespace mailroom::outbox
