// Why a mail did not arrive, in one word of ours, and whose fault each is.
#pragma once

#include "base/names.h"
#include "engagement/bounces/severity.h"

#include <array>

namespace mailroom::engagement::bounces {

// The names are in rows and in what webhooks tell: never change one.
enum class Cause {
    mailbox_unknown,
    mailbox_disabled,
    mailbox_moved,
    address_invalid,
    domain_unknown,
    domain_without_mail,
    mailbox_full,
    mailbox_unavailable,
    mailbox_restricted,
    recipient_busy,
    message_too_large,
    greylisted,
    server_failed,
    unroutable,
    expired,
    rate_limited,
    blocklisted,
    reputation,
    content,
    policy,
    relay_denied,
    encryption_required,
    authentication,
    sender_refused,
    unclear,
};
constexpr auto names_of(Cause) {
    using enum Cause;
    return std::array{
        Name{mailbox_unknown, "mailbox-unknown"},
        Name{mailbox_disabled, "mailbox-disabled"},
        Name{mailbox_moved, "mailbox-moved"},
        Name{address_invalid, "address-invalid"},
        Name{domain_unknown, "domain-unknown"},
        Name{domain_without_mail, "domain-without-mail"},
        Name{mailbox_full, "mailbox-full"},
        Name{mailbox_unavailable, "mailbox-unavailable"},
        Name{mailbox_restricted, "mailbox-restricted"},  // Only certain people may write to it.
        Name{recipient_busy, "recipient-busy"},          // Gets too much just now, from anybody.
        Name{message_too_large, "message-too-large"},
        Name{greylisted, "greylisted"},
        Name{server_failed, "server-failed"},
        Name{unroutable, "unroutable"},
        Name{expired, "expired"},
        Name{rate_limited, "rate-limited"},  // We send too fast.
        Name{blocklisted, "blocklisted"},    // By a list that others keep, too.
        Name{reputation, "reputation"},
        Name{content, "content"},
        Name{policy, "policy"},
        Name{relay_denied, "relay-denied"},
        Name{encryption_required, "encryption-required"},
        Name{authentication, "authentication"},
        Name{sender_refused, "sender-refused"},  // Our sender's address or our host's name.
        Name{unclear, "unclear"}};
}

constexpr Severity severity_of(Cause cause) {
    using enum Cause;
    switch (cause) {
        case mailbox_unknown:
        case mailbox_disabled:
        case mailbox_moved:
        case address_invalid:
        case domain_unknown:
        case domain_without_mail:
            return Severity::hard;
        case mailbox_full:
        case mailbox_unavailable:
        case mailbox_restricted:
        case recipient_busy:
        case message_too_large:
        case greylisted:
        case server_failed:
        case unroutable:
        case expired:
            return Severity::soft;
        case rate_limited:
        case blocklisted:
        case reputation:
        case content:
        case policy:
        case relay_denied:
        case encryption_required:
            return Severity::policy;
        case authentication:
        case sender_refused:
            return Severity::authentication;
        case unclear:
            return Severity::unclear;
    }
    return Severity::unclear;
}

}  // namespace mailroom::engagement::bounces
