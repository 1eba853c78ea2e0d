// A message of Amazon SNS as it comes over HTTP: whether Amazon signed it, for which topic, and
// what is in it.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engagement/notifications/signatures.h"
#include "net/url.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::engagement::notifications {

struct SnsMessage {
    enum class Type { notification, subscription, farewell };

    Type type = Type::notification;
    std::string id, topic, message;
    Time at;
    std::optional<std::string> subject;
    std::string token, subscribe_url;  // Of a subscription, or of its end.
    std::string signature;             // Decoded.
    Digest digest = Digest::sha1;
    net::Url certificate_url;
    std::string timestamp;  // As it is signed.

    // `invalid` for what is no such message, or names a certificate that is not Amazon's.
    static Result<SnsMessage> parse(std::string_view body);
    // What the signature is of.
    std::string signed_text() const;
};

// Whether only Amazon can answer there: https, at its own port, a host of SNS and a certificate's
// name, with nothing else in it.
bool is_certificate_url(const net::Url& url);
// The same of where a subscription is confirmed.
bool is_confirmation_url(const net::Url& url);

}  // namespace mailroom::engagement::notifications
