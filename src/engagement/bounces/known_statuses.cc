#include "engagement/bounces/known_answers.h"

#include <array>

namespace mailroom::engagement::bounces {

namespace {

using enum Cause;
using enum Weight;

// clang-format off
constexpr auto statuses = std::to_array<KnownStatus>({
    // Addresses.
    {1, 0,   mailbox_unavailable, hints},
    {1, 1,   mailbox_unknown,     decides},
    {1, 2,   domain_unknown,      decides},
    {1, 3,   address_invalid,     decides},
    {1, 4,   mailbox_unavailable, hints},    // Ambiguous.
    {1, 6,   mailbox_moved,       hints},
    {1, 7,   sender_refused,      hints},
    {1, 8,   sender_refused,      hints},
    {1, 9,   unclear,             hints},
    {1, 10,  domain_without_mail, hints},    // Of Exchange Online: nobody of that name.
    {1, 90,  rate_limited,        hints},    // Exchange Online: too many recipients a day.
    // Mailboxes.
    {2, 0,   mailbox_unavailable, hints},
    {2, 1,   mailbox_disabled,    hints},    // Gmail has it for mailboxes that get too much, too.
    {2, 2,   mailbox_full,        decides},
    {2, 3,   message_too_large,   decides},
    {2, 4,   mailbox_unavailable, hints},
    {2, 121, recipient_busy,      decides},  // Exchange Online.
    {2, 122, recipient_busy,      decides},
    // Their servers.
    {3, 0,   server_failed,       hints},
    {3, 1,   server_failed,       decides},
    {3, 2,   server_failed,       hints},
    {3, 3,   unclear,             hints},
    {3, 4,   message_too_large,   decides},
    {3, 5,   server_failed,       hints},
    // The way there.
    {4, 0,   unroutable,          hints},
    {4, 1,   server_failed,       hints},
    {4, 2,   server_failed,       hints},
    {4, 3,   unroutable,          hints},
    {4, 4,   unroutable,          hints},
    {4, 5,   server_failed,       hints},
    {4, 6,   unroutable,          decides},
    {4, 7,   expired,             hints},
    {4, 14,  unroutable,          decides},  // Exchange: too many hops.
    {4, 310, domain_unknown,      decides},  // Exchange Online.
    {4, 312, unroutable,          hints},
    {4, 316, server_failed,       hints},
    // The protocol.
    {5, 0,   unclear,             hints},
    {5, 3,   rate_limited,        hints},    // Too many recipients.
    // The message.
    {6, 0,   unclear,             hints},
    {6, 1,   content,             hints},
    {6, 7,   unclear,             hints},    // They take no address with other letters than ASCII.
    // Whom they trust.
    {7, 0,   policy,              hints},
    {7, 1,   policy,              hints},
    {7, 2,   mailbox_restricted,  decides},
    {7, 5,   encryption_required, hints},
    {7, 7,   content,             hints},
    {7, 8,   authentication,      decides},
    {7, 9,   authentication,      hints},    // Of Yahoo: DMARC.
    {7, 10,  encryption_required, decides},
    {7, 11,  encryption_required, decides},
    {7, 13,  mailbox_disabled,    hints},
    {7, 17,  mailbox_moved,       hints},  // Somebody else has it now (RFC 7293).
    {7, 18,  mailbox_moved,       decides},
    {7, 20,  authentication,      decides},  // DKIM (RFC 7372).
    {7, 21,  authentication,      decides},
    {7, 22,  authentication,      decides},
    {7, 23,  authentication,      decides},  // SPF.
    {7, 24,  authentication,      decides},
    {7, 25,  sender_refused,      decides},  // The name of our host.
    {7, 26,  authentication,      decides},
    {7, 27,  authentication,      decides},
    {7, 28,  rate_limited,        decides},
    {7, 29,  authentication,      hints},    // ARC; of Gmail: no TLS.
    {7, 30,  authentication,      hints},    // REQUIRETLS; of Gmail: DKIM.
    {7, 40,  authentication,      hints},    // Of Gmail: no DMARC.
    {7, 124, mailbox_restricted,  decides},  // Exchange Online, as all that follow.
    {7, 129, mailbox_restricted,  decides},
    {7, 133, mailbox_restricted,  decides},
    {7, 134, mailbox_restricted,  decides},
    {7, 193, mailbox_restricted,  hints},
    {7, 501, reputation,          decides},
    {7, 502, reputation,          decides},
    {7, 503, reputation,          decides},
    {7, 506, sender_refused,      decides},
    {7, 507, blocklisted,         decides},
    {7, 508, rate_limited,        decides},
    {7, 509, authentication,      decides},
    {7, 511, blocklisted,         decides},
    {7, 512, content,             decides},
    {7, 515, authentication,      decides},
    {7, 520, policy,              hints},
    {7, 606, blocklisted,         decides},
    {7, 649, blocklisted,         decides},
    {7, 650, rate_limited,         decides},
    {7, 651, reputation,          decides},
    {7, 652, rate_limited,        decides},
    {7, 705, rate_limited,        decides},
    {7, 708, reputation,          decides},
    {7, 750, sender_refused,      decides},
});
// clang-format on

}  // namespace

std::span<const KnownStatus> known_statuses() { return statuses; }

}  // namespace mailroom::engagement::bounces
